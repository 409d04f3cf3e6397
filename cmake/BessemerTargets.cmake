# Functions that declare the project's libraries, so that every folder's
# CMakeLists.txt is a list of files and dependencies.

set(BESSEMER_WARNINGS -Wall -Wextra -Wno-unused-parameter)

# A static library of the runtime half (or shared by both halves).
function(bessemer_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include
                                            ${CMAKE_SOURCE_DIR}/lib)
  target_compile_options(${name} PRIVATE ${BESSEMER_WARNINGS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# A static library of the compiler half: LLVM's headers, no exceptions, no RTTI.
function(bessemer_add_llvm_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  bessemer_add_library(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  target_include_directories(${name} SYSTEM PUBLIC
    ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${BESSEMER_LLVM_DEFINITIONS})
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
endfunction()

# Defines BSM_COMPILER_ABI for sources of the current folder: a number made of
# the interface between the two halves.
function(bessemer_define_compiler_abi)
  set(interface ${CMAKE_SOURCE_DIR}/include/bessemer/abi/compiler.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${interface})
  file(SHA256 ${interface} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  set_property(SOURCE ${ARGN} APPEND PROPERTY
    COMPILE_DEFINITIONS BSM_COMPILER_ABI=0x${hash}u)
endfunction()
