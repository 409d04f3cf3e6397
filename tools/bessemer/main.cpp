//===- main.cpp - The command line: one program, a verb each --------------===//
#include "Output.h"
#include "Text.h"
#include "Verbs.h"

#include "bessemer/process.h"

#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

int cli::report(const Error &error) {
  std::cerr << (error.kind == ErrorKind::Compile ? "" : "error: ")
            << printable(error.message) << "\n";
  return error.kind == ErrorKind::Internal ? Internal : BadInput;
}

static std::vector<const CLI::App *> verbsOf(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}

/// The verb of that name, or null.
static const CLI::App *findVerb(const CLI::App &app, const std::string &name) {
  for (const CLI::App *verb : verbsOf(app))
    if (verb->get_name() == name)
      return verb;
  return nullptr;
}

/// With the verb that may have been meant: CLI11 only says that one is missing.
static int reportUnknownVerb(const CLI::App &app, const std::string &word) {
  std::vector<std::string> names;
  std::string list;
  for (const CLI::App *verb : verbsOf(app)) {
    names.push_back(verb->get_name());
    list += (list.empty() ? "" : ", ") + verb->get_name();
  }
  std::cerr << "error: no verb '" << printable(word) << "'; there are: " << list
            << suggestion(word, names)
            << "\nbessemer help says what each does\n";
  return BadInput;
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

/// CLI11's text as ours: it has statuses and words of its own.
static int reportUsage(const CLI::App &app, const std::string &what) {
  std::string verb = "bessemer";
  for (const CLI::App *chosen : app.get_subcommands())
    verb += " " + chosen->get_name();
  std::cerr << "error: " << printable(what) << "\n"
            << verb << " --help lists what it takes\n";
  return BadInput;
}

/// Not app.help(), which is that of the verb that was parsed.
static std::string helpOf(const CLI::App &app) {
  const CLI::App *parent = app.get_parent();
  return app.get_formatter()->make_help(
      &app, (parent ? parent->get_name() + " " : "") + app.get_name(),
      CLI::AppFormatMode::Normal);
}

/// bessemer help [VERB]. CLI11 would take VERB for a second verb.
static int help(const CLI::App &app, const std::vector<std::string> &words) {
  if (words.size() > 1)
    return reportUsage(app, "bessemer help takes one verb");
  bool isWhole = words.empty() || words[0].starts_with("-"); // help --help
  const CLI::App *chosen = isWhole ? &app : findVerb(app, words[0]);
  if (!chosen)
    return reportUnknownVerb(app, words[0]);
  std::cout << helpOf(*chosen);
  return Done;
}

static int runMain(int argc, char **argv) {
  CLI::App app{"Metal kernels, and the models that carry them, compiled, "
               "checked and run anywhere",
               "bessemer"};
  app.set_version_flag("--version", "bessemer " + std::string(version()));
  Action action;
  addRun(app, action);
  addCompile(app, action);
  addInspect(app, action);
  addProbe(app, action);
  addDevices(app, action);
  addCache(app, action);
  addVersion(app, action);
  app.add_subcommand("help", "What bessemer, or the verb after it, takes");
  if (argc > 1 && argv[1] == std::string_view("help"))
    return help(app, {argv + 2, argv + argc});
  if (argc > 1 && *argv[1] != '-' && !findVerb(app, argv[1]))
    return reportUnknownVerb(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError &error) {
    return app.get_subcommands().empty() ? reportUsage(app, error.what())
                                         : reportExtras(app);
  } catch (const CLI::ParseError &error) {
    bool isAnswer = error.get_exit_code() == 0; // --help
    return isAnswer ? app.exit(error) : reportUsage(app, error.what());
  }
  if (action)
    return action();
  std::cerr << helpOf(app);
  return BadInput;
}

int main(int argc, char **argv) {
  prepareOutput();
  return finishOutput(runMain(argc, argv));
}
