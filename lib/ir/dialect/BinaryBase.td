//===- BinaryBase.td - Families of ops of two or three operands -----------===//
#ifndef BESSEMER_IR_BINARYBASE_TD
#define BESSEMER_IR_BINARYBASE_TD

include "ir/dialect/CoreAIBase.td"

class CoreAI_Binary<string mnemonic, string shapeFunction,
                    TypeConstraint operand, list<Trait> traits = [],
                    bit folds = 0>
    : CoreAI_Parenthesised<mnemonic, shapeFunction, traits> {
  let arguments = (ins operand:$lhs, operand:$rhs);
  let results = (outs CoreAITensor:$result);
  let hasFolder = folds;
}

/// Equal shapes.
class CoreAI_Plain<string mnemonic, TypeConstraint operand,
                   list<Trait> traits = []>
    : CoreAI_Binary<mnemonic, "inferBinary", operand, traits>;
/// Axes are aligned from the right and those of extent 1 repeated.
class CoreAI_Broadcasting<string mnemonic, TypeConstraint operand,
                          list<Trait> traits = [], bit folds = 0>
    : CoreAI_Binary<"decomposable.broadcasting_" # mnemonic,
                    "inferBroadcastingBinary", operand, traits, folds>;
class CoreAI_PlainComparison<string mnemonic, TypeConstraint operand,
                             list<Trait> traits = []>
    : CoreAI_Binary<mnemonic, "inferComparison", operand, traits>;
class CoreAI_BroadcastingComparison<string mnemonic, TypeConstraint operand,
                                    list<Trait> traits = []>
    : CoreAI_Binary<"decomposable.broadcasting_" # mnemonic,
                    "inferBroadcastingComparison", operand, traits>;

class CoreAI_Where<string mnemonic, string shapeFunction>
    : CoreAI_Parenthesised<mnemonic, shapeFunction> {
  let arguments = (ins BoolTensor:$condition, CoreAITensor:$lhs,
                       CoreAITensor:$rhs);
  let results = (outs CoreAITensor:$result);
}

#endif // BESSEMER_IR_BINARYBASE_TD
