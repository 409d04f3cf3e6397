//===- NpyFile.cpp - NumPy's file format ----------------------------------===//
#include "Array.h"
#include "Output.h"
#include "Text.h"

#include <charconv>
#include <cstring>

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

/// Reads the header: a Python dict with three keys, as text.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}
  /// False if the text is not such a dict; `at` is where.
  bool parse();

  std::string_view descr; ///< A string without its quotes, or a list's text.
  bool isStructured = false, isFortran = false;
  std::vector<int64_t> shape;
  size_t at = 0;

private:
  char peek() {
    at = std::min(text.find_first_not_of(" \n", at), text.size());
    return at < text.size() ? text[at] : '\0';
  }
  bool take(char c) {
    bool isThere = peek() == c;
    at += isThere;
    return isThere;
  }
  bool take(std::string_view word) {
    peek();
    bool isThere = text.substr(at).starts_with(word);
    at += isThere ? word.size() : 0;
    return isThere;
  }
  bool takeString(std::string_view &value);
  bool takeType();
  bool takeShape();

  std::string_view text;
};
} // namespace

bool HeaderParser::takeString(std::string_view &value) {
  char quote = peek();
  size_t end = text.find(quote, at + 1);
  if ((quote != '\'' && quote != '"') || end == std::string_view::npos)
    return false;
  value = text.substr(at + 1, end - at - 1);
  at = end + 1;
  return true;
}

/// A string, or the list of a structure's fields.
bool HeaderParser::takeType() {
  if (peek() != '[')
    return takeString(descr);
  isStructured = true;
  size_t begin = at, depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '[';
    if (text[at] == ']' && --depth == 0) {
      descr = text.substr(begin, ++at - begin);
      return true;
    }
  }
  return false;
}

bool HeaderParser::takeShape() {
  if (!take('('))
    return false;
  while (!take(')')) {
    int64_t extent = 0;
    peek();
    auto [end, failure] =
        std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (failure != std::errc() || extent < 0)
      return false;
    at = end - text.data();
    shape.push_back(extent);
    if (!take(',') && peek() != ')')
      return false;
  }
  return true;
}

bool HeaderParser::parse() {
  bool hasType = false, hasOrder = false, hasShape = false;
  if (!take('{'))
    return false;
  while (!take('}')) {
    std::string_view key;
    if (!takeString(key) || !take(':'))
      return false;
    if (key == "descr") {
      hasType = takeType();
    } else if (key == "fortran_order") {
      isFortran = take("True");
      hasOrder = isFortran || take("False");
    } else if (key == "shape") {
      hasShape = takeShape();
    } else {
      return false;
    }
    if (!take(',') && peek() != '}')
      return false;
  }
  return hasType && hasOrder && hasShape;
}

/// The type of the elements, or what is wrong with them.
static Result<DType> elementType(const HeaderParser &header) {
  std::string code(header.descr.substr(0, 60));
  auto fail = [](const std::string &what) {
    return makeError(ErrorKind::InvalidArgument, what);
  };
  if (header.isFortran)
    return fail("is not in C order; save np.ascontiguousarray(array)");
  if (header.isStructured)
    return fail("has structured elements " + code +
                "; save their bytes, array.view(np.uint8)");
  for (const NpyType &type : npyTypes)
    if (code == type.code)
      return type.dtype;
  for (const NpyType &type : npyTypes)
    if (code == ">" + std::string(type.code + 1))
      return fail("has big-endian elements '" + code +
                  "'; save array.astype('" + type.code + "')");
  return fail("has elements of type '" + code + "', which kernels do not have");
}

/// An array of the header's shape with the bytes that follow it.
static Result<Array> makeArray(const HeaderParser &header,
                               std::string_view bytes) {
  Result<DType> dtype = elementType(header);
  if (!dtype)
    return dtype.error();
  size_t wanted = dtypeSize(*dtype);
  bool isTooLarge = false;
  for (int64_t extent : header.shape)
    isTooLarge |= __builtin_mul_overflow(wanted, size_t(extent), &wanted);
  auto fail = [](const std::string &what) {
    return makeError(ErrorKind::InvalidArgument, what);
  };
  if (isTooLarge || wanted > bytes.size())
    return fail("is cut off: " + describe(*dtype, header.shape) +
                " is more than the " + std::to_string(bytes.size()) +
                " bytes after its header");
  if (wanted < bytes.size())
    return fail("has " + std::to_string(bytes.size() - wanted) +
                " bytes more than " + describe(*dtype, header.shape) +
                " takes");
  Result<Array> array = Array::zeros(*dtype, header.shape);
  if (array)
    std::memcpy(array->data.get(), bytes.data(), wanted);
  return array;
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
  if (!bytes.starts_with(magic))
    return fail("is no file of NumPy's .npy format");
  if (bytes.size() < 12)
    return fail("is cut off in its header");
  if (byte(6) < 1 || byte(6) > 3)
    return fail("is of version " + std::to_string(byte(6)) + "." +
                std::to_string(byte(7)) +
                " of the .npy format; versions 1 to 3 are known");
  size_t start = byte(6) == 1 ? 10 : 12, length = byte(8) | byte(9) << 8;
  if (start == 12)
    length |= size_t(byte(10)) << 16 | size_t(byte(11)) << 24;
  if (length > bytes.size() - start)
    return fail("is cut off in its header");
  HeaderParser header(bytes.substr(start, length));
  if (!header.parse())
    return fail("has a damaged header: byte " +
                std::to_string(start + header.at) +
                " is not what NumPy writes there");
  Result<Array> array = makeArray(header, bytes.substr(start + length));
  return array ? array : fail(array.error().message);
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
  std::string start(magic);
  for (size_t value :
       {size_t(1), size_t(0), header.size() & 0xff, header.size() >> 8})
    start += char(value);
  return writeFile(
      path, {start,
             header,
             {static_cast<const char *>(array.data.get()), array.bytes()}});
}
