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

# Reading LLVM's headers takes most of the time of a compilation: each library of
# the compiler half reads them once. No source may rely on it; see below.
set(BESSEMER_LLVM_HEADERS
  <llvm/ADT/SmallVector.h> <llvm/ADT/StringMap.h> <llvm/IR/IRBuilder.h>
  <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>
  <llvm/IR/Operator.h> <llvm/Support/raw_ostream.h>
  <map> <memory> <optional> <string> <vector>)
set(BESSEMER_TRANSFORM_HEADERS
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/TargetTransformInfo.h>
  <llvm/IR/DebugInfoMetadata.h> <llvm/IR/Dominators.h> <llvm/IR/PassManager.h>
  <llvm/Transforms/Utils/BasicBlockUtils.h> <llvm/Transforms/Utils/Cloning.h>)
set(BESSEMER_CLANG_HEADERS
  <clang/AST/ASTContext.h> <clang/AST/DeclCXX.h> <clang/AST/ExprCXX.h>
  <clang/Frontend/CompilerInstance.h> <clang/Lex/Preprocessor.h>
  <clang/Sema/Sema.h>)
set(BESSEMER_MLIR_HEADERS
  <llvm/ADT/TypeSwitch.h> <llvm/Support/raw_ostream.h> <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/Dialect.h>
  <map> <memory> <optional> <string> <vector>)

# A static library of the compiler half: LLVM's headers, no exceptions, no RTTI.
# PRECOMPILE: headers to read once for all sources. Configure with
# CMAKE_DISABLE_PRECOMPILE_HEADERS=ON to see that every source includes what it
# uses.
function(bessemer_add_llvm_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  bessemer_add_library(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  target_include_directories(${name} SYSTEM PUBLIC
    ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${BESSEMER_LLVM_DEFINITIONS})
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  if(ARG_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${ARG_PRECOMPILE})
    # The same bytes for the same headers, so that ccache knows them again.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
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
