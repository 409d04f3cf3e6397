//===- CoreAIX.td - Placement of tensors ----------------------------------===//
#ifndef BESSEMER_IR_COREAIX_TD
#define BESSEMER_IR_COREAIX_TD

include "ir/dialect/CoreAIBase.td"

class CoreAIX_Copy<string mnemonic> : Op<CoreAIX_Dialect, mnemonic, [Pure]> {
  let arguments = (ins CoreAITensor:$input);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat =
      "`(` $input `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def CoreAIX_CopyWithConstraintsOp : CoreAIX_Copy<"copy_with_constraints"> {
  let summary = "Places a tensor as its result's hw_constraints say";
}
def CoreAIX_CopyDiscardingConstraintsOp
    : CoreAIX_Copy<"copy_discarding_constraints"> {
  let summary = "The opposite of copy_with_constraints";
}

#endif // BESSEMER_IR_COREAIX_TD
