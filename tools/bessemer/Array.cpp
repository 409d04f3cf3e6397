//===- Array.cpp - Arrays of the command line -----------------------------===//
#include "Array.h"

#include "Text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace bessemer;
using namespace bessemer::cli;

namespace {
struct NpyType {
  const char *code;
  DType dtype;
};
constexpr NpyType npyTypes[] = {
    {"|b1", DType::Bool}, {"|i1", DType::I8},   {"|u1", DType::U8},
    {"<i2", DType::I16},  {"<u2", DType::U16},  {"<i4", DType::I32},
    {"<u4", DType::U32},  {"<i8", DType::I64},  {"<u8", DType::U64},
    {"<f2", DType::F16},  {"<f4", DType::F32},  {"<f8", DType::F64},
    {"<V2", DType::BF16}, {"|V2", DType::BF16},
};
constexpr std::string_view magic = "\x93NUMPY";
} // namespace

Result<Array> Array::zeros(DType dtype, std::vector<int64_t> shape) {
  size_t bytes = dtypeSize(dtype);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, size_t(extent), &bytes))
      return makeError(ErrorKind::InvalidArgument,
                       describe(dtype, shape) + " is too large");
  // Pages of zeros cost nothing before they are used.
  void *memory = std::calloc(bytes / 64 + 2, 64);
  if (!memory)
    return makeError(ErrorKind::InvalidArgument,
                     "not enough memory for " + describe(dtype, shape));
  std::shared_ptr<void> owner(memory, std::free);
  auto aligned = (reinterpret_cast<uintptr_t>(memory) + 63) & ~uintptr_t(63);
  return Array{
      dtype, std::move(shape), {owner, reinterpret_cast<void *>(aligned)}};
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

/// The value of `key` in the header, a Python dict as text.
static std::string_view headerField(std::string_view header,
                                    std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos)
    return {};
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  char end = value.starts_with('(') ? ')' : ',';
  return value.substr(0, value.find(end));
}

/// "(2, 3" or "2,3": the numbers.
static std::optional<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '(' || text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    int64_t extent = 0;
    auto [end, failure] =
        std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (failure != std::errc() || extent < 0)
      return std::nullopt;
    shape.push_back(extent);
    at = end - text.data();
  }
  return shape;
}

Result<Array> cli::readNpy(const std::string &path) {
  auto fail = [&](const std::string &what) {
    return makeError(ErrorKind::InvalidArgument, path + ": " + what);
  };
  Result<std::string> file = readFile(path);
  if (!file)
    return file.error();
  std::string_view bytes = *file;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 12 || !bytes.starts_with(magic))
    return fail("is no file of NumPy's .npy format");
  size_t start = byte(6) == 1 ? 10 : 12, length = byte(8) | byte(9) << 8;
  if (start == 12)
    length |= size_t(byte(10)) << 16 | size_t(byte(11)) << 24;
  if (length > bytes.size() - start)
    return fail("is cut off");
  std::string_view header = bytes.substr(start, length);
  std::string_view code = headerField(header, "descr");
  auto shape = parseShape(headerField(header, "shape"));
  if (!shape || headerField(header, "fortran_order") != "False")
    return fail("is not in C order; save np.ascontiguousarray(array)");
  for (const NpyType &type : npyTypes) {
    if (code != "'" + std::string(type.code) + "'")
      continue;
    Result<Array> array = Array::zeros(type.dtype, *shape);
    if (array && array->bytes() != bytes.size() - start - length)
      return fail("is cut off");
    if (array)
      std::memcpy(array->data.get(), bytes.data() + start + length,
                  array->bytes());
    return array;
  }
  return fail("has elements of type " + std::string(code) +
              ", which kernels do not have");
}

Status cli::writeNpy(const std::string &path, const Array &array) {
  std::string header = "{'descr': '";
  for (const NpyType &type : npyTypes)
    if (type.dtype == array.dtype) {
      header += type.code;
      break;
    }
  header += "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + ",";
  header += "), }";
  // The data begin at a multiple of 64 bytes.
  header += std::string(63 - (10 + header.size()) % 64, ' ') + "\n";
  std::ofstream stream(path, std::ios::binary);
  stream << magic << '\x01' << '\0' << char(header.size() & 0xff)
         << char(header.size() >> 8) << header;
  stream.write(static_cast<const char *>(array.data.get()), array.bytes());
  stream.close();
  if (!stream)
    return makeError(ErrorKind::InvalidArgument, "cannot write '" + path + "'");
  return {};
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

static bool isFloat(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F32 ||
         dtype == DType::F64;
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
    if (failure != std::errc() || stop != end)
      return refuse("no number; the argument is");
    storeFloat(value, dtype, to);
    return {};
  }
  if (dtype == DType::Bool && (text == "true" || text == "false")) {
    put(to, text == "true");
    return {};
  }
  unsigned bits = dtype == DType::Bool ? 1 : dtypeSize(dtype) * 8;
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
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
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
  if (text.ends_with(".npy"))
    return readNpy(text);
  bool isRandom = text.starts_with("random");
  if (!isRandom && !text.starts_with("zeros")) {
    if (wanted.dtype == DType::Invalid)
      return makeError(ErrorKind::InvalidArgument,
                       "'" + text +
                           "': a struct takes a .npy file of its bytes, such "
                           "as uint8 elements");
    return parseNumbers(text, wanted.dtype);
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

Result<std::pair<std::string, std::string>>
cli::parseAssignment(const std::string &option, const std::string &text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    return makeError(ErrorKind::InvalidArgument,
                     option + " " + text + ": NAME=VALUE is wanted");
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}
