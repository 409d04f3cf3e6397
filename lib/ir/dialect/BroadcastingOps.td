//===- BroadcastingOps.td - Elementwise ops that broadcast ----------------===//
#ifndef BESSEMER_IR_BROADCASTINGOPS_TD
#define BESSEMER_IR_BROADCASTINGOPS_TD

include "ir/dialect/BinaryBase.td"

def CoreAI_BroadcastingAddOp
    : CoreAI_Broadcasting<"add", CoreAITensor, [Commutative], 1>;
def CoreAI_BroadcastingSubOp : CoreAI_Broadcasting<"sub", CoreAITensor, [], 1>;
def CoreAI_BroadcastingMulOp
    : CoreAI_Broadcasting<"mul", CoreAITensor, [Commutative], 1>;
def CoreAI_BroadcastingDivideOp
    : CoreAI_Broadcasting<"divide", CoreAITensor, [], 1>;
def CoreAI_BroadcastingFloorDivideOp
    : CoreAI_Broadcasting<"floor_divide", NumericTensor, [], 1>;
def CoreAI_BroadcastingModuloOp
    : CoreAI_Broadcasting<"modulo", NumericTensor, [], 1>;
def CoreAI_BroadcastingPowOp : CoreAI_Broadcasting<"pow", NumericTensor>;
def CoreAI_BroadcastingMaximumOp
    : CoreAI_Broadcasting<"maximum", NumericTensor, [Commutative], 1>;
def CoreAI_BroadcastingMinimumOp
    : CoreAI_Broadcasting<"minimum", NumericTensor, [Commutative], 1>;
def CoreAI_BroadcastingEqualOp
    : CoreAI_BroadcastingComparison<"equal", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingNotEqualOp
    : CoreAI_BroadcastingComparison<"not_equal", CoreAITensor, [Commutative]>;
def CoreAI_BroadcastingGreaterOp
    : CoreAI_BroadcastingComparison<"greater", NumericTensor>;
def CoreAI_BroadcastingGreaterEqualOp
    : CoreAI_BroadcastingComparison<"greater_equal", NumericTensor>;
def CoreAI_BroadcastingAndOp
    : CoreAI_Broadcasting<"and", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingOrOp
    : CoreAI_Broadcasting<"or", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingXorOp
    : CoreAI_Broadcasting<"xor", BoolTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseAndOp
    : CoreAI_Broadcasting<"bitwise_and", IntegerTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseOrOp
    : CoreAI_Broadcasting<"bitwise_or", IntegerTensor, [Commutative]>;
def CoreAI_BroadcastingBitwiseXorOp
    : CoreAI_Broadcasting<"bitwise_xor", IntegerTensor, [Commutative]>;

def CoreAI_BroadcastingWhereOp
    : CoreAI_Where<"decomposable.broadcasting_where", "inferBroadcastingWhere">;

#endif // BESSEMER_IR_BROADCASTINGOPS_TD
