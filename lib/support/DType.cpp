//===- DType.cpp - Element types ------------------------------------------===//
#include "bessemer/reflection.h"

#include <array>

using namespace bessemer;

namespace {
struct Row {
  DType type;
  std::string_view name, metalName;
  unsigned size;
};
constexpr std::array rows{
#define BSM_DTYPE(id, name, metal, size) Row{DType::id, name, metal, size},
#include "support/DType.def"
};
const Row &row(DType type) { return rows[static_cast<size_t>(type)]; }
} // namespace

unsigned bessemer::dtypeSize(DType type) { return row(type).size; }
std::string_view bessemer::dtypeName(DType type) { return row(type).name; }
std::string_view bessemer::dtypeMetalName(DType type) {
  return row(type).metalName;
}

DType bessemer::dtypeFromName(std::string_view name) {
  for (const Row &candidate : rows)
    if (candidate.name == name)
      return candidate.type;
  return DType::Invalid;
}
