//===- ShapeOps.td - Shapes, layout, and data movement --------------------===//
//
// Shapes, permutations and paddings are ui32 vectors; axes, slice bounds and
// indices are si32 (either is accepted). A slice to the end is 2147483647.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_SHAPEOPS_TD
#define BESSEMER_IR_SHAPEOPS_TD

include "ir/dialect/CoreAIBase.td"

def CoreAI_GetShapeOp : CoreAI_Arrow<"get_shape", "inferGetShape"> {
  let summary = "The extents of a tensor";
  let arguments = (ins CoreAITensor:$input);
  let results = (outs IndexVector:$result);
  let hasFolder = 1;
}

def CoreAI_CastOp : CoreAI_Op<"cast", [Pure]> {
  let summary = "Converts the element type";
  let arguments = (ins CoreAITensor:$input);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CoreAI_ReshapeOp : CoreAI_Parenthesised<"reshape", "inferReshape"> {
  let summary = "The same elements in another shape; -1 is deduced (si32 only)";
  let arguments = (ins CoreAITensor:$input, IndexVector:$shape);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_TransposeOp : CoreAI_Parenthesised<"transpose", "inferTranspose"> {
  let summary = "Permutes axes: result axis i is input axis permutation[i]";
  let arguments = (ins CoreAITensor:$input, IndexVector:$permutation);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_SliceOp : CoreAI_Parenthesised<"slice", "inferSlice"> {
  let summary = "A strided box; negative bounds count from the end";
  let arguments = (ins CoreAITensor:$input, IndexVector:$start,
                       IndexVector:$end, IndexVector:$stride);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_SliceUpdateOp
    : CoreAI_Inferred<"slice_update", "inferSliceUpdate"> {
  let summary = "A copy of the input with a strided box replaced";
  let arguments = (ins CoreAITensor:$input, CoreAITensor:$update,
                       IndexVector:$start, IndexVector:$end,
                       IndexVector:$stride);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = [{
    $input `with` $update `at` ` ` `(` $start `,` $end `,` $stride `)`
    attr-dict `:`
    `(` type(operands) `)` `to` type($result)
  }];
}

def CoreAI_ConcatOp : CoreAI_Parenthesised<"concat", "inferConcat"> {
  let summary = "Joins tensors along an axis";
  let arguments = (ins IndexScalar:$axis, Variadic<CoreAITensor>:$inputs);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_SplitOp : CoreAI_Op<"split", [Pure]> {
  let summary = "Cuts a tensor along an axis into parts of the given extents";
  let arguments = (ins CoreAITensor:$input, IndexVector:$sizes,
                       IndexScalar:$axis);
  let results = (outs Variadic<CoreAITensor>:$outs);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def CoreAI_ExpandDimsOp : CoreAI_To<"expand_dims", "inferExpandDims"> {
  let summary = "Inserts axes of extent 1 at these places of the result";
  let arguments = (ins CoreAITensor:$input, IndexVector:$axes);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_ShrinkDimsOp : CoreAI_To<"shrink_dims", "inferShrinkDims"> {
  let summary = "Removes axes of extent 1";
  let arguments = (ins CoreAITensor:$input, IndexVector:$axes);
  let results = (outs CoreAITensor:$result);
  let hasFolder = 1;
}

def CoreAI_BroadcastToOp
    : CoreAI_Parenthesised<"broadcast_to", "inferBroadcastTo"> {
  let summary = "Repeats axes of extent 1 to reach a shape";
  let arguments = (ins CoreAITensor:$input, IndexVector:$shape);
  let results = (outs CoreAITensor:$result);
}

def CoreAI_BroadcastInDimsOp
    : CoreAI_Parenthesised<"broadcast_in_dims", "inferBroadcastInDims"> {
  let summary = "Repeats these axes, of extent 1, to these extents";
  let arguments = (ins CoreAITensor:$input, IndexVector:$extents,
                       IndexVector:$axes);
  let results = (outs CoreAITensor:$result);
}

def CoreAI_TileOp : CoreAI_Parenthesised<"tile", "inferTile"> {
  let summary = "Repeats the whole tensor along each axis";
  let arguments = (ins CoreAITensor:$input, IndexVector:$repeats);
  let results = (outs CoreAITensor:$result);
}

def CoreAI_ReverseOp : CoreAI_Parenthesised<"reverse", "inferSameAsFirst"> {
  let summary = "Reverses the order of elements along axes";
  let arguments = (ins CoreAITensor:$input, IndexVector:$axes);
  let results = (outs CoreAITensor:$result);
}

def CoreAI_PadOp : CoreAI_Inferred<"pad", "inferPad"> {
  let summary = "Pads by (before, after) pairs, axis by axis";
  let arguments = (ins CoreAITensor:$input, IndexVector:$padding,
                       CoreAITensor:$value, CoreAI_PadMode:$mode);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$input `,` $padding `,` $value `mode` `=` $mode "
                       "attr-dict `:` functional-type(operands, results)";
}

def CoreAI_RangeOp : CoreAI_Parenthesised<"range", "inferRange"> {
  let summary = "start, start + step, ... while before end";
  let arguments = (ins NumericTensor:$start, NumericTensor:$end,
                       NumericTensor:$step);
  let results = (outs CoreAITensor:$result);
}

#endif // BESSEMER_IR_SHAPEOPS_TD
