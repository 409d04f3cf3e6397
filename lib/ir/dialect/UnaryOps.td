//===- UnaryOps.td - Elementwise ops of one operand -----------------------===//
#ifndef BESSEMER_IR_UNARYOPS_TD
#define BESSEMER_IR_UNARYOPS_TD

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

class CoreAI_ComplexPart<string mnemonic>
    : CoreAI_Parenthesised<mnemonic, "inferComplexPart"> {
  let arguments = (ins ComplexTensor:$input);
  let results = (outs CoreAITensor:$result);
}
def CoreAI_RealPartOp : CoreAI_ComplexPart<"real_part">;
def CoreAI_ImaginaryPartOp : CoreAI_ComplexPart<"imaginary_part">;

#endif // BESSEMER_IR_UNARYOPS_TD
