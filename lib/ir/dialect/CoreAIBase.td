//===- CoreAIBase.td - Dialects, types, attributes, op families -----------===//
//
// Everything that the op tables (ProgramOps.td, ShapeOps.td, ...) share. The
// tables are separate so that each becomes one translation unit.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_COREAIBASE_TD
#define BESSEMER_IR_COREAIBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

def CoreAI_Dialect : Dialect {
  let name = "coreai";
  let cppNamespace = "::bessemer::coreai";
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerProgramOps();
    void registerShapeOps();
    void registerUnaryOps();
    void registerBinaryOps();
    void registerBroadcastingOps();
    void registerComputeOps();
    void registerControlOps();
  }];
}

def CoreAIX_Dialect : Dialect {
  let name = "coreaix";
  let cppNamespace = "::bessemer::coreaix";
  let dependentDialects = ["::bessemer::coreai::CoreAIDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Torch_Dialect : Dialect {
  let name = "torch";
  let cppNamespace = "::bessemer::torch";
  let description = [{One generic operation, `torch.call`: an ATen call of an
  exported program before it is lowered.}];
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

class CoreAI_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::bessemer::coreai";
  let genSpecializedAttr = 0;
}

class CoreAI_EnumAttr<string name, string mnemonic, list<I32EnumAttrCase> cases>
    : EnumAttr<CoreAI_Dialect, CoreAI_Enum<name, mnemonic, cases>, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def CoreAI_GeluApproximation
    : CoreAI_EnumAttr<"GeluApproximation", "gelu_approximation",
                      [I32EnumAttrCase<"None", 0, "none">,
                       I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def CoreAI_PadMode
    : CoreAI_EnumAttr<"PadMode", "pad_mode",
                      [I32EnumAttrCase<"Constant", 0, "constant">,
                       I32EnumAttrCase<"Reflect", 1, "reflect">,
                       I32EnumAttrCase<"Replicate", 2, "replicate">]>;
def CoreAI_Combiner
    : CoreAI_EnumAttr<"Combiner", "combiner",
                      [I32EnumAttrCase<"Sum", 0, "sum">,
                       I32EnumAttrCase<"Product", 1, "product">,
                       I32EnumAttrCase<"Min", 2, "min">,
                       I32EnumAttrCase<"Max", 3, "max">]>;
def CoreAI_ScatterMode
    : CoreAI_EnumAttr<"ScatterMode", "scatter_mode",
                      [I32EnumAttrCase<"Update", 0, "update">,
                       I32EnumAttrCase<"Add", 1, "add">,
                       I32EnumAttrCase<"Mul", 2, "mul">,
                       I32EnumAttrCase<"Min", 3, "min">,
                       I32EnumAttrCase<"Max", 4, "max">]>;
def CoreAI_InterpolationMode
    : CoreAI_EnumAttr<"InterpolationMode", "interpolation_mode",
                      [I32EnumAttrCase<"NearestNeighbor", 0,
                                       "nearest_neighbor">,
                       I32EnumAttrCase<"Linear", 1, "linear">]>;

/// #coreai.composite_declaration<"rms_norm" = {input_names = [...], ...}>
def CoreAI_CompositeDeclaration
    : AttrDef<CoreAI_Dialect, "CompositeDeclaration"> {
  let mnemonic = "composite_declaration";
  let parameters = (ins "::mlir::StringAttr":$name,
                        "::mlir::DictionaryAttr":$declaration);
  let assemblyFormat = "`<` $name `=` $declaration `>`";
}

def CoreAIX_AllocationType
    : I32EnumAttr<"AllocationType", "where a tensor lives",
                  [I32EnumAttrCase<"Heap", 0>, I32EnumAttrCase<"IOSurface", 1>,
                   I32EnumAttrCase<"MTLBuffer", 2>]> {
  let cppNamespace = "::bessemer::coreaix";
  let genSpecializedAttr = 0;
}

/// #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>:
/// rank + 1 alignments, rank interleave factors.
def CoreAIX_HwConstraints
    : AttrDef<CoreAIX_Dialect, "HwConstraints",
              [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "hw_constraints";
  let parameters = (ins "::bessemer::coreaix::AllocationType":$allocation,
                        ArrayRefParameter<"int64_t">:$alignments,
                        ArrayRefParameter<"int64_t">:$interleave);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The constraints of every kernel argument: a buffer, all ones.
    static HwConstraintsAttr getBuffer(::mlir::MLIRContext *context,
                                       int64_t rank);
  }];
}

def CoreAI_Token : TypeDef<CoreAI_Dialect, "Token"> {
  let mnemonic = "token";
}

/// !coreai.handle<tensor<3xf32>>: a mutable buffer.
def CoreAI_Handle : TypeDef<CoreAI_Dialect, "Handle"> {
  let mnemonic = "handle";
  let parameters = (ins "::mlir::RankedTensorType":$contents);
  let assemblyFormat = "`<` $contents `>`";
}

//===----------------------------------------------------------------------===//
// Type constraints
//===----------------------------------------------------------------------===//

class TensorWhere<string predicate, string summary>
    : Type<CPred<"::bessemer::coreai::" # predicate # "($_self)">, summary,
           "::mlir::RankedTensorType">;

def CoreAITensor : TensorWhere<"isCoreAITensor", "CoreAI Tensor">;
def IndexVector
    : TensorWhere<"isIndexVector", "1D CoreAI Tensor of 32-bit integer values">;
def IndexScalar
    : TensorWhere<"isIndexScalar", "0D CoreAI Tensor of 32-bit integer values">;
def BoolTensor : TensorWhere<"isBoolTensor", "CoreAI Tensor of i1 values">;
def BoolScalar : TensorWhere<"isBoolScalar", "0D CoreAI Tensor of i1 values">;
def FloatTensor
    : TensorWhere<"isFloatTensor", "CoreAI Tensor of floating-point values">;
def IntegerTensor
    : TensorWhere<"isIntegerTensor", "CoreAI Tensor of integer values">;
def NumericTensor
    : TensorWhere<"isNumericTensor",
                  "CoreAI Tensor of integer or floating-point values">;
def ComplexTensor
    : TensorWhere<"isComplexTensor", "CoreAI Tensor of complex values">;
def KernelTensor
    : TensorWhere<"isKernelTensor", "MTLBuffer-backed CoreAI Tensor of Metal 4 "
                                    "supported element type values">;
def GridVector
    : TensorWhere<"isGridVector", "3-element unsigned index tensor">;
def ResultShapeVector
    : TensorWhere<"isResultShapeVector",
                  "1D CoreAI Tensor of 32-bit unsigned integer values">;

//===----------------------------------------------------------------------===//
// Op families
//===----------------------------------------------------------------------===//

class CoreAI_Op<string mnemonic, list<Trait> traits = []>
    : Op<CoreAI_Dialect, mnemonic, traits>;

/// An op whose result types follow from its operands by a function of
/// ir/ShapeInference.h. Written types may say less or more than the inferred
/// ones: `?` joins anything.
class CoreAI_Inferred<string mnemonic, string shapeFunction,
                      list<Trait> traits = []>
    : CoreAI_Op<mnemonic, !listconcat(traits, [
        Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>])> {
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange written);
  }];
  code inferenceMethods = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::bessemer::coreai::}] # shapeFunction # [{(
          {context, location, getOperationName(), operands, results});
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange written) {
      return ::bessemer::coreai::areJoinable(inferred, written);
    }
  }];
  let extraClassDefinition = inferenceMethods;
}

/// `coreai.relu %a : (T) -> T`
class CoreAI_Parenthesised<string mnemonic, string shapeFunction,
                           list<Trait> traits = []>
    : CoreAI_Inferred<mnemonic, shapeFunction, traits> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

/// `coreai.exp %a : T -> T`
class CoreAI_Arrow<string mnemonic, string shapeFunction,
                   list<Trait> traits = []>
    : CoreAI_Inferred<mnemonic, shapeFunction, traits> {
  let assemblyFormat =
      "operands attr-dict `:` type($input) `->` type($result)";
}

/// `coreai.expand_dims %a, %b : (T, U) to V`
class CoreAI_To<string mnemonic, string shapeFunction, list<Trait> traits = []>
    : CoreAI_Inferred<mnemonic, shapeFunction, traits> {
  let assemblyFormat =
      "operands attr-dict `:` `(` type(operands) `)` `to` type($result)";
}

#endif // BESSEMER_IR_COREAIBASE_TD
