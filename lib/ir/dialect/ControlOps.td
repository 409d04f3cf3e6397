//===- ControlOps.td - Branches, loops, and what holds a region -----------===//
//
// Regions see the values around them. They end with a yield; that a loop goes
// on, its first region says with a condition.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_CONTROLOPS_TD
#define BESSEMER_IR_CONTROLOPS_TD

include "ir/dialect/CoreAIBase.td"

def CoreAI_YieldOp
    : CoreAI_Op<"yield", [Pure, Terminator,
                          ParentOneOf<["IfOp", "WhileOp", "ScatterNdOp"]>]> {
  let summary = "The results of a region";
  let arguments = (ins Variadic<CoreAITensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def CoreAI_ConditionOp
    : CoreAI_Op<"condition", [Pure, Terminator, HasParent<"WhileOp">]> {
  let summary = "Whether a loop goes on, and what its body gets";
  let arguments = (ins BoolScalar:$condition, Variadic<CoreAITensor>:$values);
  let assemblyFormat = "operands attr-dict `:` `(` type(operands) `)`";
}

def CoreAI_IfOp
    : CoreAI_Op<"if", [RecursiveMemoryEffects, NoRegionArguments]> {
  let summary = "The results of one of two regions";
  let arguments = (ins BoolScalar:$condition);
  let results = (outs Variadic<CoreAITensor>:$outs);
  let regions = (region SizedRegion<1>:$thenRegion,
                        SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition $thenRegion `else` $elseRegion attr-dict `:` type($condition)
    `->` custom<ResultTypes>(type($outs))
  }];
  let hasVerifier = 1;
}

def CoreAI_WhileOp : CoreAI_Op<"while", [RecursiveMemoryEffects]> {
  let summary = "Repeats the second region while the first one says so";
  let arguments = (ins Variadic<CoreAITensor>:$inits);
  let results = (outs Variadic<CoreAITensor>:$outs);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$after);
  let assemblyFormat = [{
    $inits $before `do` $after attr-dict `:` `(` type($inits) `)` `->`
    `(` type($outs) `)`
  }];
  let hasVerifier = 1;
}

def CoreAI_ScatterNdOp : CoreAI_Op<"scatter_nd", [RecursiveMemoryEffects]> {
  let summary = "A copy of the input with slices updated that index tuples name";
  let description = [{The region makes the new element of the old one and the
  update.}];
  let arguments = (ins CoreAITensor:$input, CoreAITensor:$updates,
                       IntegerTensor:$indices);
  let results = (outs CoreAITensor:$result);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $input `with` $updates `at` $indices $combiner attr-dict `:`
    `(` type(operands) `)` `to` type($result)
  }];
  let hasVerifier = 1;
}

#endif // BESSEMER_IR_CONTROLOPS_TD
