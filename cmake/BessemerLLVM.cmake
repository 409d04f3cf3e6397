# Finds LLVM, Clang, MLIR and LLD 22 and sets the flags for code that uses them.
find_package(LLVM REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Bessemer needs LLVM 22, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang)
find_package(MLIR REQUIRED CONFIG HINTS ${LLVM_DIR}/../mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(BESSEMER_LLVM_DEFINITIONS NATIVE_COMMAND
                   "${LLVM_DEFINITIONS}")

# LLVM is linked as the one shared library of each project, so that a process
# holds a single copy of it.
set(BESSEMER_LLVM_LIBRARIES LLVM)
set(BESSEMER_CLANG_LIBRARIES clang-cpp LLVM)
set(BESSEMER_MLIR_LIBRARIES MLIR LLVM)
# lld comes only as archives; they use the shared LLVM.
set(BESSEMER_LLD_LIBRARIES
    ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a LLVM)
