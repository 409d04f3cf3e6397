//===- Array.cpp - Arrays of the command line -----------------------------===//
#include "Array.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace bessemer;
using namespace bessemer::cli;

/// Zeros, aligned for any type, between pages that fault: a kernel that leaves
/// its array is told so and harms nothing. Null if there is no memory.
static std::shared_ptr<void> guardedZeros(size_t bytes) {
  constexpr size_t guard = size_t(64) << 20, alignment = 64;
  const size_t page = sysconf(_SC_PAGESIZE);
  auto roundedUp = [](size_t size, size_t to) { return (size + to - 1) & -to; };
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  size_t usable = std::max(roundedUp(bytes, page), page);
  size_t whole = usable + 2 * guard;
  void *memory = mmap(nullptr, whole, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  std::shared_ptr<void> owner(memory, [=](void *m) { munmap(m, whole); });
  // Pages of zeros cost nothing before they are used.
  std::byte *first = static_cast<std::byte *>(memory) + guard;
  if (mprotect(first, usable, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  return {owner, first + usable - roundedUp(bytes, alignment)};
}

Result<Array> Array::zeros(DType dtype, std::vector<int64_t> shape) {
  size_t bytes = dtypeSize(dtype);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, size_t(extent), &bytes))
      return makeError(ErrorKind::InvalidArgument,
                       describe(dtype, shape) + " is too large");
  std::shared_ptr<void> data = guardedZeros(bytes);
  if (!data)
    return makeError(ErrorKind::InvalidArgument,
                     "not enough memory for " + describe(dtype, shape));
  return Array{dtype, std::move(shape), std::move(data)};
}

int64_t Array::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Tensor Array::tensor() const {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = shape;
  tensor.data = data.get();
  return tensor;
}

/// "2, 3": the numbers.
static std::optional<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  auto skipSpaces = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  };
  for (skipSpaces(); !text.empty(); skipSpaces()) {
    if (!shape.empty() && text[0] != ',')
      return std::nullopt;
    text.remove_prefix(!shape.empty());
    skipSpaces();
    int64_t extent = 0;
    auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), extent);
    if (failure != std::errc() || extent < 0)
      return std::nullopt;
    shape.push_back(extent);
    text.remove_prefix(end - text.data());
  }
  return shape;
}

static uint16_t halfBits(float value) {
  auto half = static_cast<_Float16>(value);
  return __builtin_bit_cast(uint16_t, half);
}

/// Rounds to nearest, ties to even.
static uint16_t bfloatBits(float value) {
  auto bits = __builtin_bit_cast(uint32_t, value);
  if (value != value)
    return 0x7fc0;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

template <typename T> static void put(void *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

static bool isFloat(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F32 ||
         dtype == DType::F64;
}

static void storeFloat(double value, DType dtype, void *to) {
  if (dtype == DType::F16)
    put(to, halfBits(float(value)));
  else if (dtype == DType::BF16)
    put(to, bfloatBits(float(value)));
  else if (dtype == DType::F32)
    put(to, float(value));
  else
    put(to, value);
}

/// Whether rounding to the type keeps a finite number finite.
static bool isInRange(double value, DType dtype) {
  if (!std::isfinite(value) || dtype == DType::F64)
    return true;
  auto single = float(value);
  if (dtype == DType::F16)
    return std::isfinite(float(_Float16(single)));
  if (dtype == DType::BF16)
    return (bfloatBits(single) & 0x7f80) != 0x7f80;
  return std::isfinite(single);
}

static bool isSigned(DType dtype) {
  return dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 ||
         dtype == DType::I64;
}

/// Little endian: the low bytes come first.
static void storeInteger(uint64_t bits, DType dtype, void *to) {
  std::memcpy(to, &bits, dtypeSize(dtype));
}

Status cli::storeNumber(const std::string &text, DType dtype, void *to) {
  auto refuse = [&](const std::string &why) {
    return makeError(ErrorKind::InvalidArgument,
                     "'" + text + "' is " + why + " " +
                         std::string(dtypeName(dtype)));
  };
  const char *begin = text.data(), *end = begin + text.size();
  if (isFloat(dtype)) {
    double value = 0;
    auto [stop, failure] = std::from_chars(begin, end, value);
    if (failure == std::errc::invalid_argument || stop != end)
      return refuse("no number; the argument is");
    if (failure != std::errc() || !isInRange(value, dtype))
      return refuse("out of range for");
    storeFloat(value, dtype, to);
    return {};
  }
  if (dtype == DType::Bool) {
    bool isTrue = text == "true" || text == "True" || text == "1";
    if (!isTrue && text != "false" && text != "False" && text != "0")
      return refuse("neither true, false, 1 nor 0; the argument is");
    put(to, isTrue);
    return {};
  }
  unsigned bits = dtypeSize(dtype) * 8;
  if (isSigned(dtype)) {
    int64_t value = 0;
    auto [stop, failure] = std::from_chars(begin, end, value);
    if (failure == std::errc::invalid_argument || stop != end)
      return refuse("no integer; the argument is");
    if (failure != std::errc() ||
        (value << (64 - bits)) >> (64 - bits) != value)
      return refuse("out of range for");
    storeInteger(uint64_t(value), dtype, to);
    return {};
  }
  uint64_t value = 0;
  auto [stop, failure] = std::from_chars(begin, end, value);
  if (failure == std::errc::invalid_argument || stop != end)
    return refuse("no integer from 0 on; the argument is");
  if (failure != std::errc() || (bits < 64 && value >> bits))
    return refuse("out of range for");
  storeInteger(value, dtype, to);
  return {};
}

void cli::fillRandom(Array &array, std::mt19937_64 &generator) {
  auto *element = static_cast<std::byte *>(array.data.get());
  for (int64_t i = 0; i < array.elements(); ++i) {
    // Not std's distributions, whose numbers differ between libraries.
    uint64_t bits = generator();
    if (isFloat(array.dtype))
      storeFloat(double(bits >> 11) * 0x1p-52 - 1, array.dtype, element);
    else
      storeInteger(bits % (array.dtype == DType::Bool ? 2 : 100), array.dtype,
                   element);
    element += dtypeSize(array.dtype);
  }
}

template <typename T> static T get(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

static void print(std::ostream &out, DType dtype, const void *element) {
  if (dtype == DType::F16)
    out << float(get<_Float16>(element));
  else if (dtype == DType::BF16)
    out << __builtin_bit_cast(float, uint32_t(get<uint16_t>(element)) << 16);
  else if (dtype == DType::F32)
    out << get<float>(element);
  else if (dtype == DType::F64)
    out << get<double>(element);
  else if (isSigned(dtype)) {
    uint64_t bits = 0;
    unsigned size = dtypeSize(dtype), rest = 64 - 8 * size;
    std::memcpy(&bits, element, size);
    out << (int64_t(bits << rest) >> rest);
  } else {
    uint64_t bits = 0;
    std::memcpy(&bits, element, dtypeSize(dtype));
    out << bits;
  }
}

std::string cli::summary(const Array &array) {
  constexpr int64_t shown = 16;
  std::ostringstream out;
  out << describe(array.dtype, array.shape);
  auto *element = static_cast<const std::byte *>(array.data.get());
  for (int64_t i = 0; i < std::min(array.elements(), shown); ++i) {
    out << ' ';
    print(out, array.dtype, element + i * dtypeSize(array.dtype));
  }
  if (array.elements() > shown)
    out << " ...";
  return out.str();
}

std::string cli::describe(DType dtype, const std::vector<int64_t> &shape) {
  std::string text(dtypeName(dtype));
  text += "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Result<ArrayType> cli::parseArrayType(std::string_view text) {
  auto refuse = [&] {
    return makeError(ErrorKind::InvalidArgument,
                     "'" + std::string(text) +
                         "' is no type such as float32[1024] or [8,16]");
  };
  ArrayType type;
  size_t bracket = std::min(text.find('['), text.size());
  if (bracket > 0) {
    type.dtype = dtypeFromName(text.substr(0, bracket));
    if (type.dtype == DType::Invalid)
      return refuse();
  }
  if (bracket == text.size())
    return type;
  if (!text.ends_with(']'))
    return refuse();
  auto shape = parseShape(text.substr(bracket + 1, text.size() - bracket - 2));
  if (!shape)
    return refuse();
  type.shape = *shape;
  type.hasShape = true;
  return type;
}

static Result<Array> parseNumbers(const std::string &text, DType dtype) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size(); at += words.back().size() + 1)
    words.push_back(text.substr(at, text.find(',', at) - at));
  Result<Array> array = Array::zeros(dtype, {int64_t(words.size())});
  if (!array)
    return array;
  auto *element = static_cast<std::byte *>(array->data.get());
  for (const std::string &word : words) {
    if (Status status = storeNumber(word, dtype, element); !status)
      return status.error();
    element += dtypeSize(dtype);
  }
  return array;
}

Result<Array> cli::parseArray(const std::string &text, const ArrayType &wanted,
                              std::mt19937_64 &generator) {
  if (text.ends_with(".npy")) {
    Result<Array> array = readNpy(text);
    // NumPy's own type, and nothing takes it.
    if (array && array->dtype == DType::F64 && wanted.dtype != DType::Invalid &&
        wanted.dtype != DType::F64)
      return makeError(ErrorKind::InvalidArgument,
                       "'" + text + "' has float64 elements, but " +
                           std::string(dtypeName(wanted.dtype)) +
                           " is wanted: save it with .astype(numpy." +
                           std::string(dtypeName(wanted.dtype)) + ")");
    return array;
  }
  bool isRandom = text.starts_with("random");
  if (!isRandom && !text.starts_with("zeros")) {
    if (wanted.dtype == DType::Invalid)
      return makeError(ErrorKind::InvalidArgument,
                       "'" + text +
                           "': a struct takes a .npy file of its bytes, such "
                           "as uint8 elements");
    Result<Array> array = parseNumbers(text, wanted.dtype);
    std::error_code failure;
    if (!array && (text.find('/') != std::string::npos ||
                   std::filesystem::exists(text, failure)))
      return makeError(ErrorKind::InvalidArgument,
                       "'" + text +
                           "' is neither numbers nor a file whose name ends "
                           "in .npy");
    return array;
  }
  std::string_view rest = std::string_view(text).substr(isRandom ? 6 : 5);
  if (rest.starts_with(':'))
    rest.remove_prefix(1);
  Result<ArrayType> type = parseArrayType(rest);
  if (!type)
    return type.error();
  DType dtype = type->dtype != DType::Invalid ? type->dtype : wanted.dtype;
  if (dtype == DType::Invalid || !(type->hasShape || wanted.hasShape))
    return makeError(ErrorKind::InvalidArgument,
                     "'" + text + "' needs a size, such as " +
                         (isRandom ? "random" : "zeros") +
                         (dtype == DType::Invalid ? ":uint8" : "") + "[1024]");
  Result<Array> array =
      Array::zeros(dtype, type->hasShape ? type->shape : wanted.shape);
  if (array && isRandom)
    fillRandom(*array, generator);
  return array;
}
