//===- Pool.h - Ranges of work on one or several threads --------*- C++ -*-===//
#ifndef BESSEMER_BENCH_POOL_H
#define BESSEMER_BENCH_POOL_H

#include <cstddef>
#include <functional>

namespace peers {

using Range = std::function<void(size_t first, size_t last)>;

/// Runs `range` over [0, count): an equal share on each thread. The caller is
/// one of them; the others wait between calls.
void parallel(size_t count, const Range &range);

} // namespace peers

#endif // BESSEMER_BENCH_POOL_H
