//===- KernelRun.h - Runs IR text over buffers ------------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_UNIT_INTERP_KERNELRUN_H
#define BESSEMER_TESTS_UNIT_INTERP_KERNELRUN_H

#include "codegen/interp/Interpreter.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace bessemer::testing {

/// A kernel of IR text whose parameters are buffers 0, 1, ... in order (or,
/// in address space 3, threadgroup arguments).
class KernelRun {
public:
  explicit KernelRun(const std::string &ir, const std::string &name = "k");

  template <typename T> KernelRun &buffer(std::vector<T> &data) {
    launch.buffers[next++] = {data.data(), data.size() * sizeof(T)};
    return *this;
  }
  Status run(std::array<uint32_t, 3> threads, std::array<uint32_t, 3> group);

  bsm_launch launch{};
  KernelInfo kernel;
  codegen::interp::Options options;

private:
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  unsigned next = 0;
};

/// Evaluates `body`, which names its operands %a, %b, ... and its result %r,
/// on operands of type `type`, once for each row of `rows`.
template <typename T, typename R>
std::vector<R> evaluateRows(const std::string &type, const std::string &result,
                            const std::string &body,
                            const std::vector<std::vector<T>> &rows,
                            const std::string &declarations = "");

/// IR of a kernel @k(in, out) that applies `body` to row i of `in`.
std::string rowKernel(const std::string &type, unsigned columns,
                      const std::string &result, const std::string &body,
                      const std::string &declarations);

template <typename T, typename R>
std::vector<R> evaluateRows(const std::string &type, const std::string &result,
                            const std::string &body,
                            const std::vector<std::vector<T>> &rows,
                            const std::string &declarations) {
  unsigned columns = rows.front().size();
  std::vector<T> in;
  for (const std::vector<T> &row : rows)
    in.insert(in.end(), row.begin(), row.end());
  std::vector<R> out(rows.size());
  KernelRun run(rowKernel(type, columns, result, body, declarations));
  Status status = run.buffer(in).buffer(out).run({unsigned(rows.size()), 1, 1},
                                                 {unsigned(rows.size()), 1, 1});
  if (!status)
    out.clear(); // Unequal to any expectation.
  return out;
}

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_UNIT_INTERP_KERNELRUN_H
