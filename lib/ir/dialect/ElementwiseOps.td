//===- ElementwiseOps.td - One result element from one of each operand ----===//
#ifndef BESSEMER_IR_ELEMENTWISEOPS_TD
#define BESSEMER_IR_ELEMENTWISEOPS_TD

include "ir/dialect/CoreAIBase.td"

/// `coreai.exp %a : T -> T`
class CoreAI_Unary<string mnemonic, TypeConstraint operand = FloatTensor>
    : CoreAI_Arrow<mnemonic, "inferSameAsFirst"> {
  let arguments = (ins operand:$input);
  let results = (outs CoreAITensor:$result);
}

/// `coreai.relu %a : (T) -> T`
class CoreAI_Activation<string mnemonic, TypeConstraint operand = FloatTensor>
    : CoreAI_Parenthesised<mnemonic, "inferSameAsFirst"> {
  let arguments = (ins operand:$input);
  let results = (outs CoreAITensor:$result);
}

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

def CoreAI_AbsOp : CoreAI_Unary<"abs", NumericTensor>;
def CoreAI_AcosOp : CoreAI_Unary<"acos">;
def CoreAI_AcoshOp : CoreAI_Unary<"acosh">;
def CoreAI_AsinOp : CoreAI_Unary<"asin">;
def CoreAI_AsinhOp : CoreAI_Unary<"asinh">;
def CoreAI_AtanOp : CoreAI_Unary<"atan">;
def CoreAI_AtanhOp : CoreAI_Unary<"atanh">;
def CoreAI_CosOp : CoreAI_Unary<"cos">;
def CoreAI_CoshOp : CoreAI_Unary<"cosh">;
def CoreAI_ErfOp : CoreAI_Unary<"erf">;
def CoreAI_ExpOp : CoreAI_Unary<"exp">;
def CoreAI_LogOp : CoreAI_Unary<"log">;
def CoreAI_RoundOp : CoreAI_Unary<"round">;
def CoreAI_RsqrtOp : CoreAI_Unary<"rsqrt">;
def CoreAI_SinOp : CoreAI_Unary<"sin">;
def CoreAI_SinhOp : CoreAI_Unary<"sinh">;
def CoreAI_SqrtOp : CoreAI_Unary<"sqrt">;
def CoreAI_TanOp : CoreAI_Unary<"tan">;
def CoreAI_TanhOp : CoreAI_Unary<"tanh">;
def CoreAI_NotOp : CoreAI_Unary<"not", BoolTensor>;

def CoreAI_GeluOp : CoreAI_Inferred<"gelu", "inferSameAsFirst"> {
  let arguments = (ins FloatTensor:$input,
                       CoreAI_GeluApproximation:$approximate);
  let results = (outs CoreAITensor:$result);
  let assemblyFormat = "$input `approximate` `=` $approximate attr-dict `:` "
                       "type($input) `->` type($result)";
}

def CoreAI_ReluOp : CoreAI_Activation<"relu", NumericTensor>;
def CoreAI_SigmoidOp : CoreAI_Activation<"sigmoid">;
def CoreAI_SiluOp : CoreAI_Activation<"silu">;

def CoreAI_CreateComplexOp
    : CoreAI_Binary<"create_complex", "inferCreateComplex", FloatTensor, []>;
class CoreAI_ComplexPart<string mnemonic>
    : CoreAI_Parenthesised<mnemonic, "inferComplexPart"> {
  let arguments = (ins ComplexTensor:$input);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_RealPartOp : CoreAI_ComplexPart<"real_part">;
def CoreAI_ImaginaryPartOp : CoreAI_ComplexPart<"imaginary_part">;

def CoreAI_AddOp : CoreAI_Plain<"add", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingAddOp
    : CoreAI_Broadcasting<"add", CoreAITensor, [Commutative], 1>;
def CoreAI_SubOp : CoreAI_Plain<"sub", CoreAITensor>;
def CoreAI_BroadcastingSubOp : CoreAI_Broadcasting<"sub", CoreAITensor, [], 1>;
def CoreAI_MulOp : CoreAI_Plain<"mul", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingMulOp
    : CoreAI_Broadcasting<"mul", CoreAITensor, [Commutative], 1>;
def CoreAI_DivideOp : CoreAI_Plain<"divide", CoreAITensor>;
def CoreAI_BroadcastingDivideOp
    : CoreAI_Broadcasting<"divide", CoreAITensor, [], 1>;
def CoreAI_FloorDivideOp : CoreAI_Plain<"floor_divide", NumericTensor>;
def CoreAI_BroadcastingFloorDivideOp
    : CoreAI_Broadcasting<"floor_divide", NumericTensor, [], 1>;
def CoreAI_ModuloOp : CoreAI_Plain<"modulo", NumericTensor>;
def CoreAI_BroadcastingModuloOp
    : CoreAI_Broadcasting<"modulo", NumericTensor, [], 1>;
def CoreAI_PowOp : CoreAI_Plain<"pow", NumericTensor>;
def CoreAI_BroadcastingPowOp : CoreAI_Broadcasting<"pow", NumericTensor>;
def CoreAI_MaximumOp : CoreAI_Plain<"maximum", NumericTensor, [Commutative]>;
def CoreAI_BroadcastingMaximumOp
    : CoreAI_Broadcasting<"maximum", NumericTensor, [Commutative], 1>;
def CoreAI_MinimumOp : CoreAI_Plain<"minimum", NumericTensor, [Commutative]>;
def CoreAI_BroadcastingMinimumOp
    : CoreAI_Broadcasting<"minimum", NumericTensor, [Commutative], 1>;
def CoreAI_EqualOp
    : CoreAI_PlainComparison<"equal", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingEqualOp
    : CoreAI_BroadcastingComparison<"equal", CoreAITensor, [Commutative]>;
def CoreAI_NotEqualOp
    : CoreAI_PlainComparison<"not_equal", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingNotEqualOp
    : CoreAI_BroadcastingComparison<"not_equal", CoreAITensor, [Commutative]>;
def CoreAI_GreaterOp : CoreAI_PlainComparison<"greater", NumericTensor>;
def CoreAI_BroadcastingGreaterOp
    : CoreAI_BroadcastingComparison<"greater", NumericTensor>;
def CoreAI_GreaterEqualOp
    : CoreAI_PlainComparison<"greater_equal", NumericTensor>;
def CoreAI_BroadcastingGreaterEqualOp
    : CoreAI_BroadcastingComparison<"greater_equal", NumericTensor>;
def CoreAI_AndOp : CoreAI_Plain<"and", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingAndOp
    : CoreAI_Broadcasting<"and", BoolTensor, [Commutative]>;
def CoreAI_OrOp : CoreAI_Plain<"or", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingOrOp
    : CoreAI_Broadcasting<"or", BoolTensor, [Commutative]>;
def CoreAI_XorOp : CoreAI_Plain<"xor", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingXorOp
    : CoreAI_Broadcasting<"xor", BoolTensor, [Commutative]>;
def CoreAI_BitwiseAndOp
    : CoreAI_Plain<"bitwise_and", IntegerTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseAndOp
    : CoreAI_Broadcasting<"bitwise_and", IntegerTensor, [Commutative]>;
def CoreAI_BitwiseOrOp
    : CoreAI_Plain<"bitwise_or", IntegerTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseOrOp
    : CoreAI_Broadcasting<"bitwise_or", IntegerTensor, [Commutative]>;
def CoreAI_BitwiseXorOp
    : CoreAI_Plain<"bitwise_xor", IntegerTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseXorOp
    : CoreAI_Broadcasting<"bitwise_xor", IntegerTensor, [Commutative]>;

class CoreAI_Where<string mnemonic, string shapeFunction>
    : CoreAI_Parenthesised<mnemonic, shapeFunction> {
  let arguments = (ins BoolTensor:$condition, CoreAITensor:$lhs,
                       CoreAITensor:$rhs);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_WhereOp : CoreAI_Where<"where", "inferWhere">;
def CoreAI_BroadcastingWhereOp
    : CoreAI_Where<"decomposable.broadcasting_where", "inferBroadcastingWhere">;

#endif // BESSEMER_IR_ELEMENTWISEOPS_TD
