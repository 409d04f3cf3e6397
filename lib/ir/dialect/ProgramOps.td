//===- ProgramOps.td - Graphs, constants, kernels, state ------------------===//
#ifndef BESSEMER_IR_PROGRAMOPS_TD
#define BESSEMER_IR_PROGRAMOPS_TD

include "ir/dialect/CoreAIBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def CoreAI_GraphOp
    : CoreAI_Op<"graph", [IsolatedFromAbove, FunctionOpInterface, Symbol,
                          OpAsmOpInterface, SingleBlock]> {
  let summary = "A function: public ones are entry points of the program";
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       UnitAttr:$noinline,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() {
      return isExternal() ? nullptr : &getBody();
    }
    /// The coreai.name of an argument or result; empty if it has none.
    ::llvm::StringRef getInputName(unsigned index);
    ::llvm::StringRef getOutputName(unsigned index);
  }];
}

def CoreAI_OutputOp
    : CoreAI_Op<"output", [Pure, Terminator, HasParent<"GraphOp">]> {
  let summary = "Returns the results of a graph";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def CoreAI_ConstantOp
    : CoreAI_Op<"constant", [Pure, ConstantLike,
                             AllTypesMatch<["value", "result"]>]> {
  let summary = "Dense data, inline or as a resource";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CoreAI_InvokeOp
    : CoreAI_Op<"invoke", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls another graph";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outs);
  let assemblyFormat = "$callee `(` $inputs `)` ` ` ` ` attr-dict `:` "
                       "functional-type($inputs, $outs)";
}

def CoreAI_Metal4KernelOp
    : CoreAI_Op<"metal4_kernel",
                [Pure, AttrSizedOperandSegments,
                 PredOpTrait<"number of result_shapes must equal number of "
                             "outputs",
                             CPred<"$result_shapes.size() == $outs.size()">>]> {
  let summary = "Dispatches a kernel written in Metal";
  let arguments = (ins Variadic<KernelTensor>:$kernel_args,
                       GridVector:$threads_per_grid,
                       GridVector:$threads_per_thread_group,
                       Variadic<ResultShapeVector>:$result_shapes,
                       StrAttr:$kernel_name, StrAttr:$kernel_source);
  let results = (outs Variadic<KernelTensor>:$outs);
  let assemblyFormat = [{
    `kernel_args` `(` $kernel_args `)` `,`
    `threads_per_grid` $threads_per_grid `,`
    `threads_per_thread_group` $threads_per_thread_group `,`
    `result_shapes` `(` $result_shapes `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

def CoreAI_CreateTokenOp : CoreAI_Op<"create_token", [Pure]> {
  let summary = "The start of a chain of reads and writes of state";
  let results = (outs CoreAI_Token:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def CoreAI_ReadHandleOp : CoreAI_Op<"read_handle"> {
  let summary = "Reads a mutable buffer";
  let arguments = (ins CoreAI_Handle:$handle, CoreAI_Token:$token);
  let results = (outs CoreAITensor:$output, CoreAI_Token:$out_token);
  let assemblyFormat = [{
    operands attr-dict `:`
    `(` type($handle) `,` qualified(type($token)) `)` `->`
    `(` type($output) `,` qualified(type($out_token)) `)`
  }];
  let hasVerifier = 1;
}

def CoreAI_WriteHandleOp : CoreAI_Op<"write_handle"> {
  let summary = "Writes a mutable buffer";
  let arguments = (ins CoreAI_Handle:$handle, CoreAITensor:$value,
                       CoreAI_Token:$token);
  let results = (outs CoreAI_Token:$out_token);
  let assemblyFormat = [{
    operands attr-dict `:`
    `(` type($handle) `,` type($value) `,` qualified(type($token)) `)`
    `->` qualified(type($out_token))
  }];
  let hasVerifier = 1;
}

#endif // BESSEMER_IR_PROGRAMOPS_TD
