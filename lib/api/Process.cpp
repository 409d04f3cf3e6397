//===- Process.cpp - Version and cache ------------------------------------===//
#include "bessemer/process.h"

using namespace bessemer;

std::string_view bessemer::version() { return BESSEMER_VERSION; }
