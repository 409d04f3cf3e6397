//===- CaseFile.h - Dispatches with expected results ------------*- C++ -*-===//
//
// What cuda_cases.py (tests/python) writes: a text file, one directive a line,
// and one file of bytes that the directives name as OFFSET LENGTH.
//
//   case NAME
//   reflection OFFSET LENGTH     kernel NAME
//   code OFFSET LENGTH           PTX or cubin
//   grid X Y Z                   group X Y Z
//   threadgroup INDEX BYTES
//   buffer INDEX OFFSET LENGTH   tensor INDEX OFFSET LENGTH EXTENT...
//   random INDEX COUNT SCALE     instead of buffer; |floats| <= SCALE
//   expect INDEX OFFSET LENGTH RELATIVE ABSOLUTE
//   fails TEXT...                the dispatch must fail with this in its
//   message peer OFFSET LENGTH NAME      another kernel to time, of the same
//   arguments outliers SHARE               of elements that may differ from the
//   peer's
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_TESTS_TOOLS_CASEFILE_H
#define BESSEMER_TESTS_TOOLS_CASEFILE_H

#include "bessemer/kernel.h"
#include "bessemer/reflection.h"

#include <map>
#include <memory>

namespace bessemer::testing {

/// Bytes at a multiple of 64.
class Storage {
public:
  explicit Storage(size_t bytes)
      : count(bytes), data(static_cast<std::byte *>(std::aligned_alloc(
                               64, (bytes + 127) & ~size_t(63))),
                           &std::free) {}
  std::byte *begin() const { return data.get(); }
  size_t size() const { return count; }

private:
  size_t count;
  std::unique_ptr<std::byte, decltype(&std::free)> data;
};

struct Expectation {
  unsigned index;
  std::string_view bytes;
  double relative, absolute; ///< Both 0: equal bytes.
};

struct Case {
  std::string name, kernel;
  std::string_view reflection, code, peerCode;
  std::string peer;    ///< Empty: none.
  std::string failure; ///< Empty: none.
  double outliers = 0;
  Dim3 grid{1, 1, 1}, group{1, 1, 1};
  std::map<unsigned, uint32_t> threadgroupMemory;
  std::map<unsigned, Storage> buffers;
  std::map<unsigned, std::vector<int64_t>> shapes; ///< Of tensors.
  std::map<unsigned, std::pair<size_t, double>> random;
  std::vector<Expectation> expected;

  Result<KernelInfo> info() const;
  /// Arguments in the kernel's order; fills in random buffers.
  Dispatch dispatch(const KernelInfo &info);
};

/// `bytes` must live as long as the cases.
Result<std::vector<Case>> readCases(const std::string &text,
                                    std::string_view bytes);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_CASEFILE_H
