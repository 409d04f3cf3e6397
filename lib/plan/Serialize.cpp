//===- Serialize.cpp - Plans as bytes -------------------------------------===//
//
// One description of the encoding (`transfer`) serves both directions, so that
// reader and writer cannot differ.
//
//===----------------------------------------------------------------------===//
#include "plan/Serialize.h"

#include "plan/Verify.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

using namespace bessemer;
using namespace bessemer::plan;

static constexpr std::string_view magic = "BSMPLAN";

namespace {
/// Appends values to a string.
class Writer {
public:
  static constexpr bool reading = false;
  std::string bytes;

  template <typename T> void integer(T &value) {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes += static_cast<char>(bits >> (8 * i));
  }
  void raw(void *data, size_t size) {
    bytes.append(static_cast<const char *>(data), size);
  }
  bool count(uint64_t &size, size_t) {
    integer(size);
    return true;
  }
  void fail() {}
};

/// Takes values from bytes; after the first failure everything reads as zero.
class Reader {
public:
  static constexpr bool reading = true;
  explicit Reader(std::string_view bytes) : bytes(bytes) {}
  bool failed = false;
  bool atEnd() const { return bytes.empty(); }

  template <typename T> void integer(T &value) {
    std::make_unsigned_t<T> bits = 0;
    if (take(sizeof(T)))
      for (size_t i = 0; i < sizeof(T); ++i)
        bits |= static_cast<std::make_unsigned_t<T>>(
            static_cast<std::make_unsigned_t<T>>(
                static_cast<unsigned char>(taken[i]))
            << (8 * i));
    value = static_cast<T>(bits);
  }
  void raw(void *data, size_t size) {
    if (take(size) && size)
      std::memcpy(data, taken.data(), size);
  }
  /// A count of elements of at least `elementBytes` each: more than the rest
  /// of the bytes can hold is damage, found before any allocation.
  bool count(uint64_t &size, size_t elementBytes) {
    integer(size);
    if (size > bytes.size() / elementBytes)
      fail();
    if (failed)
      size = 0;
    return !failed;
  }
  void fail() { failed = true; }

private:
  bool take(size_t size) {
    if (failed || size > bytes.size()) {
      failed = true;
      return false;
    }
    taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
  }
  std::string_view bytes, taken;
};

/// Found by the archive's namespace when instantiated: all of them.
template <typename A, typename... T>
void transferAll(A &archive, T &...values) {
  (transfer(archive, values), ...);
}

template <typename A, typename T>
  requires std::is_integral_v<T> && (!std::is_same_v<T, bool>)
void transfer(A &archive, T &value) {
  archive.integer(value);
}

template <typename A> void transfer(A &archive, bool &value) {
  uint8_t byte = value;
  archive.integer(byte);
  if (byte > 1)
    archive.fail();
  value = byte == 1;
}

/// An enumeration whose last enumerator is `last`.
template <typename A, typename E>
void transferEnum(A &archive, E &value, E last) {
  auto bits = static_cast<uint8_t>(value);
  archive.integer(bits);
  if (bits > static_cast<uint8_t>(last)) {
    archive.fail();
    bits = 0;
  }
  value = static_cast<E>(bits);
}

template <typename A> void transfer(A &archive, std::string &text) {
  uint64_t size = text.size();
  if (archive.count(size, 1)) {
    text.resize(size);
    archive.raw(text.data(), size);
  }
}

template <typename A> void transfer(A &archive, std::vector<uint8_t> &bytes) {
  uint64_t size = bytes.size();
  if (archive.count(size, 1)) {
    bytes.resize(size);
    archive.raw(bytes.data(), size);
  }
}

template <typename A, typename T>
void transfer(A &archive, std::vector<T> &list) {
  uint64_t size = list.size();
  // Every element takes at least one byte; integers take all of theirs.
  if (!archive.count(size, std::is_integral_v<T> ? sizeof(T) : 1))
    return;
  if constexpr (A::reading)
    list.reserve(std::min<uint64_t>(size, 1024));
  for (uint64_t i = 0; i < size; ++i) {
    if constexpr (A::reading) {
      list.emplace_back();
      if (archive.failed)
        return;
    }
    transfer(archive, list[i]);
  }
}

template <typename A, typename T, size_t N>
void transfer(A &archive, std::array<T, N> &values) {
  for (T &value : values)
    transfer(archive, value);
}

template <typename A, typename... T>
void transfer(A &archive, std::variant<T...> &value) {
  auto index = static_cast<uint8_t>(value.index());
  archive.integer(index);
  if constexpr (A::reading) {
    static const std::array<std::variant<T...>, sizeof...(T)> empty{
        std::variant<T...>(T{})...};
    if (index >= empty.size())
      return archive.fail();
    value = empty[index];
  }
  std::visit([&](auto &alternative) { transfer(archive, alternative); }, value);
}

template <typename A> void transfer(A &archive, TensorInfo &tensor) {
  transferEnum(archive, tensor.dtype, DType::F64);
  transferAll(archive, tensor.shape, tensor.strides);
  transferEnum(archive, tensor.storage, Storage::Alias);
  transferAll(archive, tensor.index, tensor.offsetReg, tensor.offset,
              tensor.bytes);
}

template <typename A> void transfer(A &archive, ScalarStep &step) {
  transferEnum(archive, step.op, ScalarOp::Read);
  transferAll(archive, step.dst, step.a, step.b, step.immediate);
}

template <typename A> void transfer(A &archive, RequireStep &step) {
  transferEnum(archive, step.relation, RequireStep::Relation::LessEqual);
  transferAll(archive, step.a, step.b, step.message);
}

template <typename A> void transfer(A &archive, BufferArg &argument) {
  transfer(archive, argument.tensor);
}
template <typename A> void transfer(A &archive, TensorArg &argument) {
  transfer(archive, argument.tensor);
}
template <typename A> void transfer(A &archive, ScalarArg &argument) {
  transfer(archive, argument.values);
}
template <typename A> void transfer(A &archive, BytesArg &argument) {
  transfer(archive, argument.bytes);
}

template <typename A> void transfer(A &archive, DispatchStep &step) {
  transferAll(archive, step.source, step.kernel, step.arguments, step.threads,
              step.groupSize, step.inputs, step.clearsResults,
              step.indexMessage);
}

template <typename A> void transfer(A &archive, GemmStep &step) {
  transferAll(archive, step.a, step.b, step.c, step.transposeA, step.transposeB,
              step.hasBias, step.bias);
}

template <typename A> void transfer(A &archive, CopyStep &step) {
  transferAll(archive, step.from, step.to);
}

template <typename A> void transfer(A &archive, ConvolutionStep &step) {
  transferAll(archive, step.input, step.weight, step.output, step.groups,
              step.strides, step.dilations, step.paddings);
}

template <typename A> void transfer(A &archive, IfStep &step) {
  transferAll(archive, step.condition, step.thenBlock, step.elseBlock);
}

template <typename A> void transfer(A &archive, WhileStep &step) {
  transferAll(archive, step.condition, step.before, step.body);
}

template <typename A> void transfer(A &archive, SourcePlace &place) {
  transferAll(archive, place.generated, place.file, place.line);
}

template <typename A> void transfer(A &archive, KernelSource &source) {
  transferAll(archive, source.source, source.fileName, source.math,
              source.kernel, source.places);
}

template <typename A> void transfer(A &archive, Port &port) {
  transferAll(archive, port.name, port.tensor, port.shape);
}

template <typename A> void transfer(A &archive, Plan &plan) {
  transferAll(archive, plan.function, plan.registerCount, plan.tensors,
              plan.inputs, plan.outputs, plan.states, plan.sources, plan.steps,
              plan.blocks, plan.constants, plan.fileBytes);
}
} // namespace

std::string plan::serialize(const Plan &plan) {
  Writer writer;
  writer.bytes = magic;
  uint32_t version = formatVersion;
  transfer(writer, version);
  // The writer only reads its values; `transfer` is shared with the reader.
  transfer(writer, const_cast<Plan &>(plan));
  return std::move(writer.bytes);
}

static Error corrupt(const std::string &what) {
  return makeError(ErrorKind::Corrupt, "the compiled plan " + what);
}

Result<Plan> plan::deserialize(std::string_view bytes) {
  if (!bytes.starts_with(magic))
    return corrupt("is damaged: it does not begin as a plan does");
  Reader reader(bytes.substr(magic.size()));
  uint32_t version = 0;
  transfer(reader, version);
  if (!reader.failed && version != formatVersion)
    return corrupt("has version " + std::to_string(version) +
                   ", this build reads version " +
                   std::to_string(formatVersion) + "; compile it again");
  Plan plan;
  if (!reader.failed)
    transfer(reader, plan);
  if (reader.failed)
    return corrupt("is damaged or truncated; compile it again");
  if (!reader.atEnd())
    return corrupt("is damaged: bytes follow its end; compile it again");
  if (Status status = verify(plan); !status)
    return status.error();
  return plan;
}
