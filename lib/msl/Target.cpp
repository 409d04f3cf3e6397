//===- Target.cpp - The abstract machine Clang compiles for ---------------===//
#include "msl/Target.h"

#include "bessemer/reflection.h"
#include "clang/Basic/MacroBuilder.h"

#include <mutex>

using namespace bessemer;
using namespace clang;

static unsigned number(AddressSpace space) {
  return static_cast<unsigned>(space);
}

static const LangASMap &addressSpaces() {
  static LangASMap map = {};
  static std::once_flag once;
  std::call_once(once, [] {
    auto set = [&](LangAS space, AddressSpace to) {
      map[static_cast<unsigned>(space)] = number(to);
    };
    set(LangAS::opencl_global, AddressSpace::Device);
    set(LangAS::opencl_local, AddressSpace::Threadgroup);
    set(LangAS::opencl_constant, AddressSpace::Constant);
  });
  return map;
}

namespace {

class KernelTarget : public TargetInfo {
public:
  explicit KernelTarget(const TargetInfo &base) : TargetInfo(base) {
    resetDataLayout("e-p:64:64-i64:64-f16:16-n8:16:32:64-S128");
    PointerWidth = PointerAlign = LongWidth = LongAlign = 64;
    LongLongWidth = LongLongAlign = 64;
    SuitableAlign = NewAlign = DefaultAlignForAttributeAligned = 128;
    MaxAtomicPromoteWidth = MaxAtomicInlineWidth = 64;
    SizeType = UnsignedLong;
    PtrDiffType = IntPtrType = IntMaxType = Int64Type = SignedLong;
    AddrSpaceMap = &addressSpaces();
    UseAddrSpaceMapMangling = false;
    HasFastHalfType = true;
    HasFloat16 = true;
    HasBFloat16 = HasFullBFloat16 = true;
    BFloat16Width = BFloat16Align = HalfWidth = HalfAlign = 16;
    BFloat16Format = &llvm::APFloat::BFloat();
    // Clang's float is Metal's bfloat and Clang's double is Metal's float (see
    // Keywords.cpp): the ranks, promotions and unsuffixed literals of C++ are
    // then Metal's, and Clang, which knows no conversion between its own half
    // and bfloat types, has all of them.
    FloatWidth = FloatAlign = 16;
    FloatFormat = &llvm::APFloat::BFloat();
    DoubleWidth = DoubleAlign = 32;
    DoubleFormat = &llvm::APFloat::IEEEsingle();
    LongDoubleWidth = LongDoubleAlign = 64;
    LongDoubleFormat = &llvm::APFloat::IEEEdouble();
    NoAsmVariants = true;
    TLSSupported = false;
  }

  void getTargetDefines(const LangOptions &, MacroBuilder &) const override {}
  llvm::SmallVector<Builtin::InfosShard> getTargetBuiltins() const override {
    return {};
  }
  BuiltinVaListKind getBuiltinVaListKind() const override {
    return VoidPtrBuiltinVaList;
  }
  bool validateAsmConstraint(const char *&, ConstraintInfo &) const override {
    return false;
  }
  std::string_view getClobbers() const override { return ""; }
  ArrayRef<const char *> getGCCRegNames() const override { return {}; }
  ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }
  bool hasFeature(llvm::StringRef) const override { return false; }
  bool hasBitIntType() const override { return true; }
  bool hasInt128Type() const override { return false; }
  bool hasBFloat16Type() const override { return true; }
  CallingConvCheckResult checkCallingConvention(CallingConv) const override {
    return CCCR_OK;
  }

  /// Unqualified (thread) pointers and references accept any object, so that a
  /// library class has one `this` for all address spaces. Conversions that
  /// user code may not make are refused on the AST (Strictness.cpp).
  bool isAddressSpaceSupersetOf(LangAS a, LangAS b) const override {
    return a == b || a == LangAS::Default;
  }
};

} // namespace

llvm::IntrusiveRefCntPtr<TargetInfo>
msl::createKernelTarget(const TargetInfo &base) {
  return llvm::makeIntrusiveRefCnt<KernelTarget>(base);
}
