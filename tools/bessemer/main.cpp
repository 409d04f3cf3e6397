//===- main.cpp - The command line: one program, a verb each --------------===//
#include "Text.h"
#include "Verbs.h"

#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

int cli::report(const Error &error) {
  std::cerr << (error.kind == ErrorKind::Compile ? "" : "error: ")
            << printable(error.message) << "\n";
  return error.kind == ErrorKind::Internal ? Internal : BadInput;
}

/// CLI11 only says that a verb is missing; this names the word that is none.
static bool isUnknownVerb(CLI::App &app, std::string_view word) {
  std::vector<std::string> names;
  std::string verbs;
  for (const CLI::App *verb :
       app.get_subcommands([](CLI::App *) { return true; })) {
    if (verb->get_name() == word)
      return false;
    names.push_back(verb->get_name());
    verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
  }
  std::cerr << "error: no verb '" << printable(word)
            << "'; there are: " << verbs << suggestion(word, names) << "\n";
  return true;
}

/// A word that the verb does not take, with the option that was meant.
static int reportExtras(const CLI::App &app) {
  const CLI::App *verb = app.get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::Option *option : verb->get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  for (const std::string &word : app.remaining(/*recurse=*/true))
    std::cerr << "error: bessemer " << verb->get_name() << " does not take '"
              << printable(word) << "'" << suggestion(word, names) << "\n";
  std::cerr << "bessemer " << verb->get_name()
            << " --help lists what it takes\n";
  return BadInput;
}

int main(int argc, char **argv) {
  CLI::App app{"Metal kernels, and the models that carry them, compiled, "
               "checked and run anywhere",
               "bessemer"};
  app.require_subcommand(1);
  Action action;
  addRun(app, action);
  addCompile(app, action);
  addInspect(app, action);
  addProbe(app, action);
  addDevices(app, action);
  addCache(app, action);
  addVersion(app, action);
  if (argc > 1 && *argv[1] != '-' && isUnknownVerb(app, argv[1]))
    return BadInput;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError &) {
    return reportExtras(app);
  } catch (const CLI::ParseError &error) {
    // CLI11 has statuses of its own; ours has one for bad usage.
    return app.exit(error) == 0 ? Done : BadInput;
  }
  return action();
}
