//===- Torch.td - One generic op for every ATen call ----------------------===//
#ifndef BESSEMER_IR_TORCH_TD
#define BESSEMER_IR_TORCH_TD

include "ir/dialect/CoreAIBase.td"

def Torch_CallOp : Op<Torch_Dialect, "call"> {
  let summary = "An ATen call, before it is lowered to coreai ops";
  let arguments = (ins StrAttr:$target, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outs);
  let assemblyFormat = "$target `(` $inputs `)` attr-dict `:` "
                       "functional-type($inputs, $outs)";
}

#endif // BESSEMER_IR_TORCH_TD
