//===- Source.cpp - Reading and compiling the user's file -----------------===//
#include "Verbs.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace bessemer;
using namespace bessemer::cli;

void SourceOptions::addTo(CLI::App &verb) {
  verb.add_option("file", file, "Metal source")->required();
  verb.add_option("-I,--include", includeDirs, "Folder for #include")
      ->allow_extra_args(false);
  verb.add_option("-D,--define", defines, "NAME or NAME=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--math", math, "Math mode")
      ->check(CLI::IsMember({"relaxed", "fast", "safe"}))
      ->capture_default_str();
  verb.add_option("--language", language, "Metal language version")
      ->capture_default_str();
}

static MathMode mathMode(const std::string &name) {
  return name == "safe"   ? MathMode::Safe
         : name == "fast" ? MathMode::Fast
                          : MathMode::Relaxed;
}

static Result<std::string> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof())
    text << stream.rdbuf();
  if (!stream && !stream.eof())
    return makeError(ErrorKind::NotFound, "cannot read '" + path + "'");
  return text.str();
}

Result<Library> SourceOptions::compile() const {
  Result<std::string> source = readFile(file);
  if (!source)
    return source.error();
  CompileOptions options;
  options.fileName = file;
  options.math = mathMode(math);
  options.language = language;
  options.includeDirs = includeDirs;
  for (const std::string &define : defines) {
    size_t equals = define.find('=');
    options.defines.emplace_back(
        define.substr(0, equals),
        equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  Result<Library> library = bessemer::compile(*source, options);
  if (library)
    for (const Diagnostic &diagnostic : library->diagnostics())
      std::cerr << toString(diagnostic) << "\n";
  return library;
}
