//===- BytecodeSeal.cpp - A checksum inside MLIR bytecode -----------------===//
#include "ir/BytecodeSeal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <optional>

using namespace bessemer;
using llvm::StringRef;

static constexpr StringRef magic = "ML\xEFR";
static constexpr size_t digitCount = 16;
static constexpr uint8_t resourceSection = 5;
static constexpr uint8_t alignedSection = 0x80;

namespace {
/// Walks the top level of a bytecode file, checking every bound.
class Cursor {
public:
  explicit Cursor(StringRef bytes) : bytes(bytes) {}

  bool atEnd() const { return at == bytes.size(); }
  size_t position() const { return at; }

  bool skip(uint64_t count) {
    if (count > bytes.size() - at)
      return false;
    at += count;
    return true;
  }

  bool align(uint64_t alignment) {
    return llvm::isPowerOf2_64(alignment) && alignment <= bytes.size() &&
           skip(llvm::alignTo(at, alignment) - at);
  }

  std::optional<uint8_t> byte() {
    if (atEnd())
      return std::nullopt;
    return static_cast<uint8_t>(bytes[at++]);
  }

  /// MLIR's variable-length integer: the trailing zeros of the first byte count
  /// the bytes that follow; a zero byte is followed by all eight.
  std::optional<uint64_t> integer() {
    std::optional<uint8_t> first = byte();
    if (!first)
      return std::nullopt;
    unsigned extra = *first ? llvm::countr_zero(*first) : 8;
    size_t from = at;
    if (!skip(extra))
      return std::nullopt;
    char buffer[8] = {};
    llvm::copy(bytes.substr(from, extra), buffer);
    uint64_t rest = llvm::support::endian::read64le(buffer);
    return extra == 8 ? rest : (*first >> (extra + 1)) | (rest << (7 - extra));
  }

private:
  StringRef bytes;
  size_t at = 0;
};
} // namespace

/// Where the digits of the checksum are; none if this is no file of ours.
static std::optional<size_t> digitsPosition(StringRef bytes) {
  Cursor cursor(bytes);
  if (!bytes.starts_with(magic) || !cursor.skip(magic.size()) ||
      !cursor.integer())
    return std::nullopt;
  StringRef producer = bytes.substr(cursor.position());
  StringRef prefix = sealedProducer.drop_back(digitCount);
  if (!producer.starts_with(prefix) ||
      producer.size() <= sealedProducer.size() ||
      producer[sealedProducer.size()] != 0)
    return std::nullopt;
  return cursor.position() + prefix.size();
}

/// All bytes but the digits and the weights; none if a section is cut off.
static std::optional<std::string> sealedBytes(StringRef bytes, size_t digits) {
  std::string sealed(bytes.take_front(digits));
  Cursor cursor(bytes);
  if (!cursor.skip(digits + digitCount + 1))
    return std::nullopt;
  while (!cursor.atEnd()) {
    size_t start = cursor.position();
    std::optional<uint8_t> kind = cursor.byte();
    std::optional<uint64_t> length = cursor.integer();
    if (!kind || !length)
      return std::nullopt;
    if (*kind & alignedSection) {
      std::optional<uint64_t> alignment = cursor.integer();
      if (!alignment || !cursor.align(*alignment))
        return std::nullopt;
    }
    size_t body = cursor.position();
    if (!cursor.skip(*length))
      return std::nullopt;
    bool isWeights = (*kind & ~alignedSection) == resourceSection;
    size_t end = isWeights ? body : cursor.position();
    sealed += bytes.slice(start, end);
  }
  return sealed;
}

static std::optional<std::string> checksum(StringRef bytes, size_t digits) {
  std::optional<std::string> sealed = sealedBytes(bytes, digits);
  if (!sealed)
    return std::nullopt;
  uint64_t hash = llvm::xxh3_64bits(*sealed);
  return llvm::utohexstr(hash, /*LowerCase=*/true, digitCount);
}

Status bessemer::sealBytecode(std::string &bytes) {
  std::optional<size_t> digits = digitsPosition(bytes);
  std::optional<std::string> sum;
  if (digits)
    sum = checksum(bytes, *digits);
  if (!sum)
    return makeError(ErrorKind::Internal,
                     "MLIR wrote bytecode of an unknown structure");
  bytes.replace(*digits, digitCount, *sum);
  return {};
}

Status bessemer::checkSeal(StringRef bytes) {
  if (!bytes.starts_with(magic))
    return makeError(ErrorKind::Corrupt,
                     "the program is not MLIR bytecode; save the asset again");
  std::optional<size_t> digits = digitsPosition(bytes);
  if (!digits)
    return makeError(ErrorKind::Corrupt,
                     "the program was not written by Bessemer; convert the "
                     "model again, or pass the program as text");
  if (checksum(bytes, *digits) != bytes.substr(*digits, digitCount).str())
    return makeError(ErrorKind::Corrupt,
                     "the program is damaged: its checksum does not match; "
                     "save it again");
  return {};
}
