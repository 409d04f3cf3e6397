//===- OneDnn.cpp - Matrix products through oneDNN ------------------------===//
//
// The product is cut into tiles by its shape alone (never by the number of
// threads: sums would round differently), and each tile is one
// single-threaded call on a thread of our pool. oneDNN's own threads never
// run, so nobody spins against our workers.
//
//===----------------------------------------------------------------------===//
#include "runtime/gemm/Convert.h"
#include "runtime/gemm/Gemm.h"
#include "runtime/gemm/Sgemm.h"
#include "runtime/gemm/SmallRows.h"

#include "runtime/FloatEnvironment.h"
#include "runtime/Fork.h"

#include <algorithm>
#include <dlfcn.h>
#include <new>
#include <oneapi/dnnl/dnnl.h>
#include <vector>

using namespace bessemer;
using namespace bessemer::runtime;

namespace {
/// While alive, OpenMP (under oneDNN) gives this thread one thread. Looked up
/// at run time: a oneDNN without OpenMP has no such functions.
class OneOpenMpThread {
public:
  OneOpenMpThread() : saved(functions().get ? functions().get() : 0) {
    if (functions().set)
      functions().set(1);
  }
  ~OneOpenMpThread() {
    if (functions().set)
      functions().set(saved);
  }

private:
  struct Functions {
    int (*get)();
    void (*set)(int);
  };
  static const Functions &functions() {
    static const Functions found{
        reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads")),
        reinterpret_cast<void (*)(int)>(
            dlsym(RTLD_DEFAULT, "omp_set_num_threads"))};
    return found;
  }
  int saved;
};

/// A thread's float copies of operand tiles and of the result tile.
struct Scratch {
  std::vector<float> a, b, c;
  static Scratch &ofThread() {
    static thread_local Scratch scratch;
    return scratch;
  }
};

struct Tile {
  const GemmProblem *problem;
  int64_t row, rows, column, columns;
};

class OneDnnProvider final : public GemmProvider {
public:
  Status run(ThreadPool &pool, std::span<const GemmProblem> problems) override;
};
} // namespace

bool runtime::sgemm(const FloatMatrix &a, const FloatMatrix &b, float *c,
                    int64_t leading, int64_t m, int64_t n, int64_t k) {
  ForkSection section; // oneDNN has locks.
  OneOpenMpThread one;
  return dnnl_sgemm(a.transposed, b.transposed, m, n, k, 1.0f, a.data,
                    a.leading, b.data, b.leading, 0.0f, c,
                    leading) == dnnl_success;
}

static const std::byte *at(const GemmOperand &operand, int64_t row,
                           int64_t column) {
  int64_t element = row * operand.rowStride + column * operand.columnStride;
  return static_cast<const std::byte *>(operand.data) +
         element * int64_t(dtypeSize(operand.dtype));
}

/// `rows` x `columns` of an operand, `reused` for many others: in place if they
/// are floats that one leading dimension describes, else as a dense copy in
/// `scratch`.
static FloatMatrix panel(const GemmOperand &operand, int64_t row, int64_t rows,
                         int64_t column, int64_t columns, bool reused,
                         std::vector<float> &scratch) {
  const std::byte *origin = at(operand, row, column);
  int64_t rowStride = operand.rowStride, columnStride = operand.columnStride;
  // Rows a multiple of a page apart share the same cache lines: a copy is
  // faster (by a quarter) if it is used often.
  bool conflicts = rowStride % 1024 == 0 && rows > 1 && reused;
  if (operand.dtype == DType::F32 && !conflicts) {
    auto *data = reinterpret_cast<const float *>(origin);
    // A dimension of one element has whatever stride suits.
    if ((columnStride == 1 || columns == 1) &&
        (rowStride >= columns || rows == 1))
      return {data, std::max(rowStride, columns), 'N'};
    if ((rowStride == 1 || rows == 1) && (columnStride >= rows || columns == 1))
      return {data, std::max(columnStride, rows), 'T'};
  }
  scratch.resize(rows * columns);
  // Along the direction that is contiguous in memory.
  if (std::abs(columnStride) <= std::abs(rowStride)) {
    for (int64_t i = 0; i < rows; ++i)
      widen(at(operand, row + i, column), operand.dtype, columnStride,
            scratch.data() + i * columns, columns);
    return {scratch.data(), columns, 'N'};
  }
  for (int64_t j = 0; j < columns; ++j)
    widen(at(operand, row, column + j), operand.dtype, rowStride,
          scratch.data() + j * rows, rows);
  return {scratch.data(), rows, 'T'};
}

static bool multiply(const Tile &tile, float *c, int64_t leading) {
  const GemmProblem &p = *tile.problem;
  if (p.k == 0) {
    for (int64_t i = 0; i < tile.rows; ++i)
      std::fill_n(c + i * leading, tile.columns, 0.0f);
    return true;
  }
  if (hasSmallRows(p)) {
    multiplySmallRows(p, tile.column, tile.columns, c, leading);
    return true;
  }
  Scratch &scratch = Scratch::ofThread();
  FloatMatrix a = panel(p.a, tile.row, tile.rows, 0, p.k, false, scratch.a);
  FloatMatrix b =
      panel(p.b, 0, p.k, tile.column, tile.columns, tile.rows >= 32, scratch.b);
  return sgemm(a, b, c, leading, tile.rows, tile.columns, p.k);
}

/// False if oneDNN refuses or memory for the scratch is missing.
static bool runTile(const Tile &tile) try {
  const GemmProblem &p = *tile.problem;
  Scratch &scratch = Scratch::ofThread();
  auto *target = static_cast<std::byte *>(p.c) +
                 (tile.row * p.n + tile.column) * dtypeSize(p.cType);
  bool inPlace = p.cType == DType::F32;
  if (!inPlace)
    scratch.c.resize(tile.rows * tile.columns);
  float *c = inPlace ? reinterpret_cast<float *>(target) : scratch.c.data();
  int64_t leading = inPlace ? p.n : tile.columns;
  if (!multiply(tile, c, leading))
    return false;
  if (p.bias.data) {
    scratch.a.resize(tile.columns);
    widen(at(p.bias, 0, tile.column), p.bias.dtype, p.bias.columnStride,
          scratch.a.data(), tile.columns);
    for (int64_t i = 0; i < tile.rows; ++i)
      accumulate(scratch.a.data(), c + i * leading, tile.columns);
  }
  for (int64_t i = 0; !inPlace && i < tile.rows; ++i)
    narrow(c + i * leading, target + i * p.n * dtypeSize(p.cType), p.cType,
           tile.columns);
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

/// Tiles of at least some work and at most a size that fits the caches, few
/// enough that packing operands costs little.
static void cutIntoTiles(const GemmProblem &p, std::vector<Tile> &tiles) {
  if (p.m <= 0 || p.n <= 0)
    return;
  int64_t rows = std::min<int64_t>(p.m, 128);
  int64_t columns = 256;
  while (columns < 4096 && columns * rows * p.k < (int64_t(1) << 20))
    columns *= 2;
  for (int64_t row = 0; row < p.m; row += rows)
    for (int64_t column = 0; column < p.n; column += columns)
      tiles.push_back({&p, row, std::min(rows, p.m - row), column,
                       std::min(columns, p.n - column)});
}

Status OneDnnProvider::run(ThreadPool &pool,
                           std::span<const GemmProblem> problems) {
  std::vector<Tile> tiles;
  int64_t work = 0;
  for (const GemmProblem &problem : problems) {
    cutIntoTiles(problem, tiles);
    work = problem.m * problem.n * std::max<int64_t>(problem.k, 1);
  }
  // Batches of small products go to a thread together.
  uint64_t chunk = work > 0 ? std::max<int64_t>(1, 65536 / work) : 1;
  std::atomic<bool> failed{false};
  pool.parallelFor(tiles.size(), chunk, [&](uint64_t first, uint64_t last) {
    FloatEnvironment environment;
    for (; first < last; ++first)
      if (!runTile(tiles[first]))
        failed.store(true);
  });
  if (failed)
    return makeError(ErrorKind::Internal,
                     "a matrix product failed: oneDNN refused it or memory is "
                     "exhausted");
  return {};
}

GemmProvider &GemmProvider::ofHost() {
  static OneDnnProvider provider;
  return provider;
}
