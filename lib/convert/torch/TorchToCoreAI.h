//===- TorchToCoreAI.h - From torch.call to coreai ops ----------*- C++ -*-===//
//
// The contract between whoever walks an exported torch program and this
// lowering. The walker emits one op for each FX node, in order:
//
//   %r = torch.call "aten.add.Tensor"(%a, %b) {arguments = ["%0", "%1", 1 :
//   si64]}
//          : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
//
// target     "<namespace>.<op>.<overload>" of an ATen op ("aten.relu.default"),
//            "_operator.<name>" of a Python operator on symbolic integers
//            ("_operator.mul", "_operator.floordiv"), or a helper of ours
//            ("bessemer.shape_vector").
// operands   Every tensor and every symbolic integer that the call uses, each
//            of them once or more, in any order.
// arguments  An array with one entry for each argument of the op's schema, in
//            the schema's order (keyword-only ones too), defaults filled in:
//              tensor, symbolic int   "%n": operand number n
//              int                    5 : si64
//              float                  2.5 : f64 (inf, nan: 0x7FF0... : f64)
//              bool                   true / false
//              None                   unit
//              list, tuple            [..] of these, None included
//              dtype                  "float32", torch's name without "torch."
//              string, layout, memory format, device   its str()
// types      As the program will have them: int64 is si32, float64 is f32,
//            bool is i1, the others keep their width (ui8, si8, si16, f16,
//            bf16); a symbolic extent is `?`. A symbolic integer is a
//            tensor<si32>, made by "aten.sym_size.int" and operators.
// results    One for each result of the schema; a call whose FX value is a
//            tuple has them all, and getitem nodes pick among them.
// location   "file:line" of the user's code: errors begin with it.
//
// Helper:
//   %v = torch.call "bessemer.shape_vector"(%n) {arguments = [["%0", 16 :
//   si64]]}
//          : (tensor<si32>) -> tensor<2xui32>
// packs integers, symbolic or not, into the vector that grids, threadgroup
// sizes and result shapes of coreai.metal4_kernel are.
//
// Kernels themselves are not calls: the walker creates coreaix.copy_with_
// constraints, coreai.metal4_kernel and coreaix.copy_discarding_constraints.
// Weights are coreai.constant ops.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_TORCH_TORCHTOCOREAI_H
#define BESSEMER_CONVERT_TORCH_TORCHTOCOREAI_H

#include "bessemer/result.h"

#include "mlir/IR/BuiltinOps.h"

#include <string_view>

namespace bessemer {

/// Replaces every torch.call of the module by coreai ops.
Status lowerTorchCalls(mlir::ModuleOp module);

/// Whether a call of this target can be lowered.
bool hasTorchLowering(std::string_view target);

} // namespace bessemer

#endif // BESSEMER_CONVERT_TORCH_TORCHTOCOREAI_H
