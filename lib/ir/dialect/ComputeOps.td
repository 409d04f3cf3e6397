//===- ComputeOps.td - Reductions, products, gathers, convolutions --------===//
#ifndef BESSEMER_IR_COMPUTEOPS_TD
#define BESSEMER_IR_COMPUTEOPS_TD

include "ir/dialect/CoreAIBase.td"

/// Reduced axes stay, with extent 1.
class CoreAI_Reduction<string mnemonic, TypeConstraint operand = NumericTensor>
    : CoreAI_Parenthesised<mnemonic, "inferReduction"> {
  let arguments = (ins operand:$input, IndexVector:$axes);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_ReduceSumOp : CoreAI_Reduction<"reduce_sum">;
def CoreAI_ReduceMeanOp : CoreAI_Reduction<"reduce_mean">;
def CoreAI_ReduceMaxOp : CoreAI_Reduction<"reduce_max">;
def CoreAI_ReduceMinOp : CoreAI_Reduction<"reduce_min">;
def CoreAI_ReduceProductOp : CoreAI_Reduction<"reduce_product">;
def CoreAI_AnyOp : CoreAI_Reduction<"any", BoolTensor>;
def CoreAI_AllOp : CoreAI_Reduction<"all", BoolTensor>;

def CoreAI_SoftmaxOp : CoreAI_Parenthesised<"softmax", "inferSameAsFirst"> {
  let arguments = (ins FloatTensor:$input, IndexScalar:$axis);
  let results = (outs CoreAITensor:$result);
}

def CoreAI_ArgmaxOp : CoreAI_Parenthesised<"argmax", "inferArgmax"> {
  let summary = "Index (ui32) of the first maximum; the axis stays";
  let arguments = (ins NumericTensor:$input, IndexScalar:$axis);
  let results = (outs CoreAITensor:$result);
}

class CoreAI_Sorting<string mnemonic, string shapeFunction>
    : CoreAI_Parenthesised<mnemonic, shapeFunction> {
  let arguments = (ins NumericTensor:$input, IndexScalar:$axis,
                       BoolScalar:$descending, BoolScalar:$stable);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_SortOp : CoreAI_Sorting<"sort", "inferSameAsFirst">;
def CoreAI_ArgsortOp : CoreAI_Sorting<"argsort", "inferArgsort">;

def CoreAI_ScanOp : CoreAI_Inferred<"scan", "inferSameAsFirst"> {
  let summary = "Inclusive prefix combination along an axis";
  let arguments = (ins NumericTensor:$input, IndexScalar:$axis,
                       BoolScalar:$reverse, CoreAI_Combiner:$combiner);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat =
      "$input `,` $axis `,` $reverse `combiner` `=` $combiner "
      "attr-dict `:` functional-type(operands, results)";
}

class CoreAI_Matmul<string mnemonic, string shapeFunction>
    : CoreAI_Parenthesised<mnemonic, shapeFunction> {
  let arguments = (ins CoreAITensor:$lhs, CoreAITensor:$rhs);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_BatchMatmulOp : CoreAI_Matmul<"batch_matmul", "inferMatmul">;
def CoreAI_BroadcastingBatchMatmulOp
    : CoreAI_Matmul<"decomposable.broadcasting_batch_matmul",
                    "inferBroadcastingMatmul">;

def CoreAI_GatherNdOp : CoreAI_Inferred<"gather_nd", "inferGatherNd"> {
  let summary = "Slices picked by index tuples (last axis of the indices)";
  let arguments = (ins CoreAITensor:$input, IntegerTensor:$indices);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$input `at` $indices attr-dict `:` "
                       "`(` type(operands) `)` `to` type($result)";
}

def CoreAI_GatherAlongAxisOp
    : CoreAI_Inferred<"gather_along_axis", "inferGatherAlongAxis"> {
  let summary = "Elements picked along one axis, index by index";
  let arguments = (ins CoreAITensor:$input, IntegerTensor:$indices,
                       IndexScalar:$axis);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$input `at` $indices `along` $axis attr-dict `:` "
                       "`(` type(operands) `)` `to` type($result)";
}

def CoreAI_ScatterAlongAxisOp
    : CoreAI_Inferred<"scatter_along_axis", "inferScatterAlongAxis"> {
  let summary = "A copy of the input with elements along one axis updated";
  let arguments = (ins CoreAITensor:$input, IntegerTensor:$indices,
                       CoreAITensor:$updates, IndexScalar:$axis,
                       DefaultValuedAttr<CoreAI_ScatterMode,
                           "::bessemer::coreai::ScatterMode::Update">:
                           $scatter_mode);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "operands (`scatter_mode` `=` $scatter_mode^)? "
                       "attr-dict `:` functional-type(operands, results)";
}

def CoreAI_NonZeroOp : CoreAI_Arrow<"non_zero", "inferNonZero"> {
  let summary = "Index tuples of the elements that are not zero";
  let arguments = (ins CoreAITensor:$input);
  let results = (outs CoreAITensor:$result);
}

/// NCHW input, OIHW weight; strides, dilations, groups.
class CoreAI_Convolution<string mnemonic, string shapeFunction>
    : CoreAI_Parenthesised<mnemonic, shapeFunction> {
  let arguments = (ins FloatTensor:$input, FloatTensor:$weight,
                       IndexVector:$strides, IndexVector:$dilations,
                       IndexScalar:$groups);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_Conv2dOp : CoreAI_Convolution<"conv2d", "inferConvolution">;
def CoreAI_Conv3dOp : CoreAI_Convolution<"conv3d", "inferConvolution">;

/// Kernel extents, strides, dilations.
class CoreAI_SumPool<string mnemonic>
    : CoreAI_Parenthesised<mnemonic, "inferPooling"> {
  let arguments = (ins NumericTensor:$input, IndexVector:$kernel,
                       IndexVector:$strides, IndexVector:$dilations);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_SumPool2dOp : CoreAI_SumPool<"sum_pool_2d">;
def CoreAI_SumPool3dOp : CoreAI_SumPool<"sum_pool_3d">;

class CoreAI_MaxPool<string mnemonic>
    : CoreAI_Parenthesised<mnemonic, "inferMaxPooling"> {
  let arguments = (ins NumericTensor:$input, IndexVector:$kernel,
                       IndexVector:$strides, IndexVector:$dilations,
                       BoolScalar:$ceil_mode);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_MaxPool2dOp : CoreAI_MaxPool<"max_pool_2d">;
def CoreAI_MaxPool3dOp : CoreAI_MaxPool<"max_pool_3d">;

#endif // BESSEMER_IR_COMPUTEOPS_TD
