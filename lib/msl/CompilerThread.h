//===- CompilerThread.h - A thread that untrusted text runs on --*- C++ -*-===//
#ifndef BESSEMER_MSL_COMPILERTHREAD_H
#define BESSEMER_MSL_COMPILERTHREAD_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace bessemer::msl {

/// How work on a compiler thread ended.
struct Outcome {
  enum End {
    Finished,
    TooDeep, ///< The stack was full.
    Crashed,
    NoThread, ///< There was none to be had; nothing has run.
  } end;
  bool isInterrupted; ///< The user's InterruptCheck asked for the end.
  unsigned line;      ///< What noteLine() said last; 0 if nothing.
};

/// Runs `work` to its end on a thread of its own, with a stack for very deep
/// recursion, and waits. A crash, a full stack and a call of HandleExit end the
/// work at once: nothing of it is destroyed, and what it changed must be left
/// alone from then on. isCancelled() tells the work that it is to stop.
Outcome runOnCompilerThread(llvm::function_ref<void()> work);

/// Tells the waiting thread which line of the source the work has come to, for
/// a message in case it does not end well.
void noteLine(unsigned line);

/// Asked while a thread waits for its compiler thread.
void setCompilerInterruptCheck(int32_t (*check)());

} // namespace bessemer::msl

#endif // BESSEMER_MSL_COMPILERTHREAD_H
