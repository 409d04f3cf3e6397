//===- Options.cpp - Options that several verbs have ----------------------===//
#include "Options.h"

#include <algorithm>
#include <charconv>

using namespace bessemer;
using namespace bessemer::cli;

/// "8,4,1"; nothing if it is no such text.
static std::vector<uint32_t> parseSizes(const std::string &text) {
  std::vector<uint32_t> sizes;
  for (const char *at = text.data(), *end = at + text.size();;) {
    uint32_t size = 0;
    auto [stop, failure] = std::from_chars(at, end, size);
    if (failure != std::errc())
      return {};
    sizes.push_back(size);
    if (stop == end)
      return sizes;
    if (*stop != ',')
      return {};
    at = stop + 1;
  }
}

CLI::Option *cli::addSizes(CLI::App &verb, const char *name,
                           std::vector<uint32_t> &to, const char *what,
                           size_t least, size_t most) {
  const char *form = most == 2 ? "X,Y" : "X,Y,Z";
  auto store = [=, &to](const std::string &text) {
    std::vector<uint32_t> sizes = parseSizes(text);
    if (sizes.size() < least || sizes.size() > most)
      throw CLI::ValidationError(name, "'" + text +
                                           "' is no size; whole numbers " +
                                           form + " are wanted");
    to = sizes;
  };
  return verb.add_option_function<std::string>(name, store, what)
      ->type_name(form);
}

CLI::Validator cli::wholeNumber() {
  auto check = [](const std::string &text) {
    bool isDigits = !text.empty() &&
                    std::all_of(text.begin(), text.end(),
                                [](char c) { return c >= '0' && c <= '9'; });
    // CLI11 reads "010" as eight.
    bool isOctal = text.size() > 1 && text.front() == '0';
    return isDigits && !isOctal ? std::string()
                                : "'" + text + "' is no whole number from 0 on";
  };
  return CLI::Validator(check, "");
}

Status cli::checkUse(const CLI::App &verb, const std::string &file) {
  bool forModel = isModel(file);
  for (const CLI::Option *option : verb.get_options()) {
    const std::string &group = option->get_group();
    bool isUseless = forModel ? group == sourceGroup || group == kernelGroup
                              : group == modelGroup;
    if (option->count() && isUseless)
      return makeError(ErrorKind::InvalidArgument,
                       file +
                           (forModel ? " is a model, and "
                                     : " is no model, "
                                       "and ") +
                           option->get_name() + " is for " +
                           (forModel ? "Metal source" : "models") +
                           "; bessemer " + verb.get_name() +
                           " --help has both lists");
  }
  return {};
}

Result<Assignments>
cli::parseAssignments(const std::string &option,
                      const std::vector<std::string> &texts) {
  Assignments values;
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    auto fail = [&](const std::string &what) {
      return makeError(ErrorKind::InvalidArgument,
                       option + " " + text + ": " + what);
    };
    if (equals == 0 || equals == std::string::npos)
      return fail("NAME=VALUE is wanted");
    std::string name = text.substr(0, equals);
    for (const auto &[known, value] : values)
      if (known == name)
        return fail("'" + name + "' is given twice");
    values.emplace_back(name, text.substr(equals + 1));
  }
  return values;
}
