//===- Crash.h - The end of a process that a kernel damaged -----*- C++ -*-===//
#ifndef BESSEMER_TOOLS_BESSEMER_CRASH_H
#define BESSEMER_TOOLS_BESSEMER_CRASH_H

#include <string>

namespace bessemer::cli {

/// From now on a crash of this process is put down to `kernel`, which runs: a
/// store outside of its arguments can hit what the process itself needs.
void blameForCrashes(const std::string &kernel);

} // namespace bessemer::cli

#endif // BESSEMER_TOOLS_BESSEMER_CRASH_H
