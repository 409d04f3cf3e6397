//===- Bytes.cpp - Buffers as text ----------------------------------------===//
#include "Setup.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace bessemer;
using namespace bessemer::testing;
using llvm::APFloat;
using llvm::APInt;

namespace {
struct ElementType {
  unsigned bits = 0;
  bool isSigned = false;
  const llvm::fltSemantics *semantics = nullptr; ///< Null for integers.
};
} // namespace

static std::optional<ElementType> parseType(llvm::StringRef name) {
  if (name == "f16")
    return ElementType{16, true, &APFloat::IEEEhalf()};
  if (name == "bf16")
    return ElementType{16, true, &APFloat::BFloat()};
  if (name == "f32")
    return ElementType{32, true, &APFloat::IEEEsingle()};
  unsigned bits;
  if (name.size() < 2 || (name[0] != 'i' && name[0] != 'u') ||
      name.drop_front().getAsInteger(10, bits) ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return std::nullopt;
  return ElementType{bits, name[0] == 'i'};
}

static void append(std::vector<uint8_t> &bytes, const APInt &value) {
  for (unsigned i = 0; i < value.getBitWidth(); i += 8)
    bytes.push_back(value.extractBitsAsZExtValue(8, i));
}

static std::optional<APInt> parseElement(llvm::StringRef text,
                                         const ElementType &type) {
  if (!type.semantics) {
    APInt value;
    bool isNegative = text.consume_front("-");
    if (text.getAsInteger(0, value))
      return std::nullopt;
    value = value.zextOrTrunc(type.bits);
    return isNegative ? -value : value;
  }
  APFloat value(*type.semantics);
  auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  return value.bitcastToAPInt();
}

static Result<std::vector<uint8_t>> readFile(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(name);
  if (!file)
    return makeError(ErrorKind::NotFound, "cannot read '" + name.str() + "': " +
                                              file.getError().message());
  llvm::StringRef content = (*file)->getBuffer();
  return std::vector<uint8_t>(content.bytes_begin(), content.bytes_end());
}

static std::vector<uint8_t> iota(const ElementType &type, unsigned count) {
  std::vector<uint8_t> bytes;
  for (unsigned i = 0; i < count; ++i)
    append(bytes, *parseElement(llvm::utostr(i), type));
  return bytes;
}

Result<std::vector<uint8_t>> testing::parseBytes(llvm::StringRef text) {
  auto [name, rest] = text.split(':');
  unsigned count;
  bool isCount = !rest.getAsInteger(10, count);
  if (name == "zeros" && isCount)
    return std::vector<uint8_t>(count);
  llvm::StringRef iotaName = name;
  if (iotaName.consume_front("iota-"))
    if (auto type = parseType(iotaName); type && isCount)
      return iota(*type, count);
  std::optional<ElementType> type = parseType(name);
  if (!type)
    return readFile(text);
  std::vector<uint8_t> bytes;
  llvm::SmallVector<llvm::StringRef, 16> elements;
  rest.split(elements, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef element : elements) {
    auto value = parseElement(element, *type);
    if (!value)
      return makeError(ErrorKind::InvalidArgument,
                       "'" + element.str() + "' is no " + name.str());
    append(bytes, *value);
  }
  return bytes;
}

Result<std::string> testing::printBytes(llvm::ArrayRef<uint8_t> bytes,
                                        llvm::StringRef name) {
  std::optional<ElementType> type = parseType(name);
  if (!type)
    return makeError(ErrorKind::InvalidArgument,
                     "unknown element type '" + name.str() + "'");
  std::string text;
  llvm::raw_string_ostream stream(text);
  unsigned size = type->bits / 8;
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    APInt value(type->bits, 0);
    llvm::LoadIntFromMemory(value, bytes.data() + i, size);
    llvm::SmallString<32> element;
    if (type->semantics)
      APFloat(*type->semantics, value).toString(element, 0, 32);
    else
      value.toString(element, 10, type->isSigned);
    stream << (i ? " " : "") << element;
  }
  return text;
}
