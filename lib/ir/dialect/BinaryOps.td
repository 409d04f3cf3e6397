//===- BinaryOps.td - Elementwise ops of equal shapes ---------------------===//
#ifndef BESSEMER_IR_BINARYOPS_TD
#define BESSEMER_IR_BINARYOPS_TD

include "ir/dialect/BinaryBase.td"

def CoreAI_AddOp : CoreAI_Plain<"add", CoreAITensor, [Commutative]>;
def CoreAI_SubOp : CoreAI_Plain<"sub", CoreAITensor>;
def CoreAI_MulOp : CoreAI_Plain<"mul", CoreAITensor, [Commutative]>;
def CoreAI_DivideOp : CoreAI_Plain<"divide", CoreAITensor>;
def CoreAI_FloorDivideOp : CoreAI_Plain<"floor_divide", NumericTensor>;
def CoreAI_ModuloOp : CoreAI_Plain<"modulo", NumericTensor>;
def CoreAI_PowOp : CoreAI_Plain<"pow", NumericTensor>;
def CoreAI_MaximumOp : CoreAI_Plain<"maximum", NumericTensor, [Commutative]>;
def CoreAI_MinimumOp : CoreAI_Plain<"minimum", NumericTensor, [Commutative]>;
def CoreAI_EqualOp
    : CoreAI_PlainComparison<"equal", CoreAITensor, [Commutative]>;
def CoreAI_NotEqualOp
    : CoreAI_PlainComparison<"not_equal", CoreAITensor, [Commutative]>;
def CoreAI_GreaterOp : CoreAI_PlainComparison<"greater", NumericTensor>;
def CoreAI_GreaterEqualOp
    : CoreAI_PlainComparison<"greater_equal", NumericTensor>;
def CoreAI_AndOp : CoreAI_Plain<"and", BoolTensor, [Commutative]>;
def CoreAI_OrOp : CoreAI_Plain<"or", BoolTensor, [Commutative]>;
def CoreAI_XorOp : CoreAI_Plain<"xor", BoolTensor, [Commutative]>;
def CoreAI_BitwiseAndOp
    : CoreAI_Plain<"bitwise_and", IntegerTensor, [Commutative]>;
def CoreAI_BitwiseOrOp
    : CoreAI_Plain<"bitwise_or", IntegerTensor, [Commutative]>;
def CoreAI_BitwiseXorOp
    : CoreAI_Plain<"bitwise_xor", IntegerTensor, [Commutative]>;

def CoreAI_WhereOp : CoreAI_Where<"where", "inferWhere">;

def CoreAI_CreateComplexOp
    : CoreAI_Binary<"create_complex", "inferCreateComplex", FloatTensor, []>;

#endif // BESSEMER_IR_BINARYOPS_TD
