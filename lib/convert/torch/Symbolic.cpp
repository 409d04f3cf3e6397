//===- Symbolic.cpp - Arithmetic on symbolic integers ---------------------===//
#include "convert/torch/Lowerings.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

namespace {
struct Operator {
  const char *python, *coreai;
};
} // namespace

static constexpr Operator operators[] = {
    {"add", "add"},    {"sub", "sub"},
    {"mul", "mul"},    {"floordiv", "floor_divide"},
    {"mod", "modulo"},
};

static void lowerSize(Call &call) {
  Value value = call.tensor(0);
  if (!value)
    return;
  int64_t axis = call.axis(1, tensorType(value).getRank());
  call.replace(call.extent(value, axis));
}

static void lowerElementCount(Call &call) {
  Value value = call.tensor(0), count = call.si32(1);
  for (int64_t i = 0; value && i < tensorType(value).getRank(); ++i)
    count = call.broadcasting("mul", {count, call.extent(value, i)});
  call.replace(count);
}

void bessemer::addSymbolicLowerings(LoweringTable &table) {
  for (auto [python, coreai] : operators)
    table["_operator." + std::string(python)] = [name = StringRef(coreai)](
                                                    Call &call) {
      call.replace(call.broadcasting(name, {call.extent(0), call.extent(1)}));
    };
  table["_operator.neg"] = [](Call &call) {
    call.replace(call.broadcasting("sub", {call.si32(0), call.extent(0)}));
  };
  for (auto [name, coreai] :
       {Operator{"sym_max", "maximum"}, Operator{"sym_min", "minimum"}})
    table["torch." + std::string(name)] = [op = StringRef(coreai)](Call &call) {
      call.replace(call.broadcasting(op, {call.extent(0), call.extent(1)}));
    };
  for (auto [name, coreai] :
       {Operator{"gt", "greater"}, Operator{"ge", "greater_equal"},
        Operator{"eq", "equal"}, Operator{"ne", "not_equal"}})
    table["_operator." + std::string(name)] =
        [op = StringRef(coreai)](Call &call) {
          call.replace(call.broadcasting(op, {call.extent(0), call.extent(1)}));
        };
  for (auto [name, coreai] :
       {Operator{"lt", "greater"}, Operator{"le", "greater_equal"}})
    table["_operator." + std::string(name)] =
        [op = StringRef(coreai)](Call &call) {
          call.replace(call.broadcasting(op, {call.extent(1), call.extent(0)}));
        };
  table["aten.sym_size.int"] = lowerSize;
  table["aten.sym_numel.default"] = lowerElementCount;
  table["bessemer.shape_vector"] = [](Call &call) {
    call.replace(call.shapeVector(call.extents(0)));
  };
}
