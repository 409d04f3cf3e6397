//===- Source.cpp - Reading and compiling the user's file -----------------===//
#include "Array.h"
#include "Options.h"
#include "Text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <map>

using namespace bessemer;
using namespace bessemer::cli;

bool cli::isModel(const std::string &path) {
  std::error_code failure;
  return path.ends_with(".aimodel") || path.ends_with(".aimodel/") ||
         std::filesystem::is_directory(path, failure);
}

void SourceOptions::addTo(CLI::App &verb, const char *what) {
  verb.add_option("file", file, what)->required()->type_name("FILE");
  verb.add_option("-I,--include", includeDirs, "Folder for #include")
      ->allow_extra_args(false)
      ->type_name("FOLDER")
      ->group(sourceGroup);
  verb.add_option("-D,--define", defines, "A macro, 1 if it has no value")
      ->allow_extra_args(false)
      ->type_name("NAME[=VALUE]")
      ->group(sourceGroup);
  verb.add_option("--constant", constants,
                  "A function constant, by name or index")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group(sourceGroup);
  verb.add_option("--math", math, "Math mode")
      ->check(CLI::IsMember({"relaxed", "fast", "safe"}))
      ->capture_default_str()
      ->group(sourceGroup);
  verb.add_option("--language", language, "Metal language version")
      ->capture_default_str()
      ->group(sourceGroup);
}

static MathMode mathMode(const std::string &name) {
  return name == "safe"   ? MathMode::Safe
         : name == "fast" ? MathMode::Fast
                          : MathMode::Relaxed;
}

/// A macro's name, or a function-like macro's name and parameters.
static bool isMacroName(std::string_view text) {
  size_t end = std::min(text.find('('), text.size());
  if (end == 0 || std::isdigit(static_cast<unsigned char>(text[0])))
    return false;
  return std::all_of(text.begin(), text.begin() + end, [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
}

/// The bits of --constant's values, in the types that the source declares.
static Result<std::map<unsigned, uint64_t>>
constantBits(const std::vector<std::string> &texts, const Library &library) {
  Result<Assignments> values = parseAssignments("--constant", texts);
  if (!values)
    return values.error();
  std::map<unsigned, uint64_t> bits;
  for (const auto &[name, value] : *values) {
    auto fail = [&](const std::string &what) {
      return makeError(ErrorKind::InvalidArgument,
                       "--constant " + name + "=" + value + ": " + what);
    };
    const FunctionConstant *found = nullptr;
    std::string known;
    for (const FunctionConstant &constant :
         library.reflection().functionConstants) {
      std::string index = std::to_string(constant.index);
      if (name == constant.name || name == index)
        found = &constant;
      known += (known.empty() ? "" : ", ") + constant.name + " (" + index + ")";
    }
    if (!found)
      return fail("the file has no such function constant; it has: " +
                  (known.empty() ? "none" : known));
    uint64_t stored = 0;
    if (Status status = storeNumber(value, found->type, &stored); !status)
      return fail(status.error().message);
    if (!bits.emplace(found->index, stored).second)
      return fail("it is given twice, by name and by index");
  }
  return bits;
}

Result<Library> SourceOptions::compile() const {
  Result<std::string> source = readTextFile(file);
  if (!source)
    return source.error();
  CompileOptions options;
  options.fileName = file;
  options.math = mathMode(math);
  options.language = language;
  options.includeDirs = includeDirs;
  // Quoted includes lie beside the file.
  if (std::string folder = std::filesystem::path(file).parent_path();
      source->find('"') != std::string::npos)
    options.includeDirs.insert(options.includeDirs.begin(),
                               folder.empty() ? "." : folder);
  for (const std::string &define : defines) {
    size_t equals = define.find('=');
    if (!isMacroName(std::string_view(define).substr(0, equals)))
      return makeError(ErrorKind::InvalidArgument,
                       "-D " + define + ": the name of a macro is wanted");
    options.defines.emplace_back(
        define.substr(0, equals),
        equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  Result<Library> library = bessemer::compile(*source, options);
  if (library && !constants.empty()) {
    auto bits = constantBits(constants, *library);
    if (!bits)
      return bits.error();
    options.functionConstants = *bits;
    library = bessemer::compile(*source, options);
  }
  if (library)
    for (const Diagnostic &diagnostic : library->diagnostics())
      std::cerr << printable(toString(diagnostic)) << "\n";
  return library;
}
