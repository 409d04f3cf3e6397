//===- Messages.cpp - Clang's messages in Metal's words -------------------===//
#include "msl/Messages.h"

#include "msl/Attributes.h"
#include "msl/Diagnostics.h"
#include "msl/Suggestions.h"

#include "clang/Basic/DiagnosticParse.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/StringExtras.h"

using namespace bessemer;
using namespace bessemer::msl;

/// Clang's spellings and the user's. Longer ones first.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
    {"const __constant", "constant"},
    {"__constant", "constant"},
    {"__global", "device"},
    {"__local", "threadgroup"},
    {"__private", "thread"},
    {"_Float16", "half"},
    {"__bsm_", ""},
    {"'Kernel'", "'kernel'"},
    {"'Threadgroup'", "'threadgroup'"},
    {" in C++ for OpenCL", " in Metal"},
    {"generic address space", "thread address space"},
};

static std::string metalWords(llvm::StringRef text) {
  std::string result = text.str();
  for (auto [from, to] : words)
    for (size_t at = 0;
         (at = result.find(from.data(), at)) != std::string::npos;
         at += to.size())
      result.replace(at, from.size(), to.data(), to.size());
  return result;
}

/// "extents<int, 18446744073709551615, ...>" is a tensor's dextents<int, N>.
static std::string dynamicExtents(std::string text) {
  static constexpr llvm::StringLiteral dynamic = ", 18446744073709551615";
  static constexpr llvm::StringLiteral name = "metal::extents<";
  for (size_t at = 0; (at = text.find(name.data(), at)) != std::string::npos;
       ++at) {
    llvm::StringRef list = llvm::StringRef(text).drop_front(at + name.size());
    list = list.take_until([](char character) { return character == '>'; });
    llvm::StringRef index = list.split(",").first;
    unsigned rank = list.count(dynamic);
    if (rank == 0 || list.size() != index.size() + rank * dynamic.size())
      continue;
    std::string type = "dextents<" + index.str() + ", " + std::to_string(rank);
    text.replace(at, name.size() + list.size(), type);
  }
  return text;
}

static bool isWordCharacter(char character) {
  return llvm::isAlnum(character) || character == '_';
}

/// "'T' (aka 'T')" is "'T'".
static std::string withoutRepetition(std::string text) {
  static constexpr llvm::StringLiteral aka = " (aka '";
  for (size_t at = 0; (at = text.find(aka.data(), at)) != std::string::npos;) {
    size_t end = text.find("')", at + aka.size());
    llvm::StringRef name = llvm::StringRef(text).slice(at + aka.size(), end);
    if (end != std::string::npos &&
        llvm::StringRef(text).take_front(at).ends_with(
            ("'" + name + "'").str()))
      text.erase(at, end + 2 - at);
    else
      at += aka.size();
  }
  return text;
}

/// Inside quotes Clang's `float` is Metal's bfloat and its `double` Metal's
/// float (Target.cpp).
static std::string metalFloats(llvm::StringRef text, bool isQuoted = false) {
  std::string result;
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isWordCharacter);
    if (word.empty()) {
      isQuoted ^= text.front() == '\'';
      result += text.front();
      text = text.drop_front();
      continue;
    }
    text = text.drop_front(word.size());
    bool isFloat = isQuoted && word == "float";
    bool isDouble = isQuoted && word == "double";
    result += isFloat ? "bfloat" : isDouble ? "float" : word;
  }
  return result;
}

std::string msl::metalName(llvm::StringRef text) {
  return dynamicExtents(metalWords(metalFloats(text, /*isQuoted=*/true)));
}

/// What the message quotes first.
static llvm::StringRef quoted(llvm::StringRef message) {
  return message.split('\'').second.split('\'').first;
}

/// "unknown attribute 'x' ignored" is an error here: it names the parameter's
/// meaning, so nothing can be ignored.
static std::string unknownAttribute(llvm::StringRef message) {
  llvm::StringRef name = quoted(message);
  if (name == "texture" || name == "sampler")
    return name.str() + "s are not supported; pass a device buffer";
  std::string text = "unknown attribute '" + name.str() + "'";
  if (llvm::StringRef near = nearestAttribute(name); !near.empty())
    text += "; did you mean '" + near.lower() + "'?";
  return text;
}

static std::string didYouMean(const std::string &name) {
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

/// What to do about the mistake, where Clang's message does not say so.
static std::string advice(const clang::Diagnostic &info,
                          llvm::StringRef message, llvm::StringRef word,
                          clang::CompilerInstance &compiler) {
  switch (info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_unknown_typename:
    return didYouMean(nearestName(compiler, quoted(message)));
  case clang::diag::err_expected_namespace_name:
    return typingDistance(word, "metal") <= 2 ? didYouMean("metal") : "";
  case clang::diag::err_pp_file_not_found:
    return didYouMean(nearestHeader(quoted(message)));
  case clang::diag::err_ovl_no_viable_function_in_call:
    if (quoted(message).starts_with("atomic_"))
      return "; it takes a pointer to an atomic type, such as 'device"
             " atomic_int *', and memory_order_relaxed";
    return {};
  default:
    return {};
  }
}

std::string msl::messageOf(const clang::Diagnostic &info, llvm::StringRef word,
                           clang::CompilerInstance &compiler) {
  if (info.getID() == clang::diag::warn_stack_exhausted)
    return "this nests too deeply; split it";
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  if (text.starts_with("unknown attribute '"))
    return unknownAttribute(text);
  // Of the library, the condition says nothing to the user.
  if (info.getID() == clang::diag::err_static_assert_requirement_failed &&
      info.getSourceManager().isInSystemHeader(info.getLocation()))
    return metalWords(text.str().split("': ").second);
  // The one message about `double` itself.
  if (info.getID() == clang::diag::err_unavailable_message &&
      text.starts_with("'double'"))
    return metalWords(text);
  return withoutRepetition(dynamicExtents(metalWords(metalFloats(text)))) +
         advice(info, text, word, compiler);
}
