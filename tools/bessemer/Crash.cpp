//===- Crash.cpp - The end of a process that a kernel damaged -------------===//
#include "Crash.h"

#include "Text.h"
#include "Verbs.h"

#include <csignal>
#include <unistd.h>

using namespace bessemer;

/// Made beforehand: a handler in a damaged process can only write.
static std::string message;

static void onCrash(int) {
  [[maybe_unused]] auto written =
      ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(cli::BadInput);
}

void cli::blameForCrashes(const std::string &kernel) {
  message = "error: kernel '" + printable(kernel) +
            "' damaged the memory of the process, which cannot go on: it "
            "writes outside of its arguments or of its own arrays\n";
  // The stack may be what was damaged.
  static char stack[64 << 10];
  stack_t ours{};
  ours.ss_sp = stack;
  ours.ss_size = sizeof(stack);
  sigaltstack(&ours, nullptr);
  struct sigaction action{};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
}
