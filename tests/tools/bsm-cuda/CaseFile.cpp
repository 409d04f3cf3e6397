//===- CaseFile.cpp - Dispatches with expected results --------------------===//
#include "CaseFile.h"

#include <cstring>
#include <random>
#include <sstream>

using namespace bessemer;
using namespace bessemer::testing;

static std::string_view readBytes(std::istringstream &line,
                                  std::string_view bytes) {
  size_t offset = 0, length = 0;
  line >> offset >> length;
  return offset <= bytes.size() ? bytes.substr(offset, length)
                                : std::string_view();
}

static void readDirective(Case &current, const std::string &word,
                          std::istringstream &line, std::string_view bytes) {
  auto readSize = [&](Dim3 &size) { line >> size[0] >> size[1] >> size[2]; };
  unsigned index = 0;
  if (word == "reflection") {
    current.reflection = readBytes(line, bytes);
  } else if (word == "kernel") {
    line >> current.kernel;
  } else if (word == "code") {
    current.code = readBytes(line, bytes);
  } else if (word == "grid") {
    readSize(current.grid);
  } else if (word == "group") {
    readSize(current.group);
  } else if (word == "threadgroup") {
    line >> index >> current.threadgroupMemory[index];
  } else if (word == "buffer" || word == "tensor") {
    line >> index;
    std::string_view content = readBytes(line, bytes);
    Storage storage(content.size());
    std::memcpy(storage.begin(), content.data(), content.size());
    current.buffers.emplace(index, std::move(storage));
    if (word == "tensor")
      for (int64_t extent; line >> extent;)
        current.shapes[index].push_back(extent);
  } else if (word == "random") {
    line >> index;
    auto &[count, scale] = current.random[index];
    line >> count >> scale;
  } else if (word == "expect") {
    Expectation expected;
    line >> expected.index;
    expected.bytes = readBytes(line, bytes);
    line >> expected.relative >> expected.absolute;
    current.expected.push_back(expected);
  } else if (word == "fails") {
    std::getline(line >> std::ws, current.failure);
    line.clear();
  } else if (word == "peer") {
    current.peerCode = readBytes(line, bytes);
    line >> current.peer;
  } else if (word == "outliers") {
    line >> current.outliers;
  } else {
    line.setstate(std::ios::failbit);
  }
}

Result<std::vector<Case>> testing::readCases(const std::string &text,
                                             std::string_view bytes) {
  std::vector<Case> cases;
  std::istringstream lines(text);
  for (std::string raw; std::getline(lines, raw);) {
    std::istringstream line(raw);
    std::string word;
    line >> word;
    if (word == "case") {
      cases.emplace_back();
      line >> cases.back().name;
      continue;
    }
    if (cases.empty())
      return makeError(ErrorKind::InvalidArgument, "no case: " + raw);
    readDirective(cases.back(), word, line, bytes);
    if (line.fail() && word != "tensor")
      return makeError(ErrorKind::InvalidArgument, "cannot read: " + raw);
  }
  return cases;
}

Result<KernelInfo> Case::info() const {
  Result<Reflection> parsed = reflectionFromJson(reflection);
  if (!parsed)
    return parsed.error();
  if (const KernelInfo *found = parsed->find(kernel))
    return *found;
  return makeError(ErrorKind::NotFound, "no kernel " + kernel);
}

static uint16_t halfFrom(float value) {
  auto half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, 2);
  return bits;
}

static Storage randomStorage(DType type, size_t count, double scale) {
  Storage storage(count * dtypeSize(type));
  std::minstd_rand generator(2026);
  for (size_t i = 0; i < count; ++i) {
    uint32_t word = generator();
    if (type != DType::F16 && type != DType::F32) {
      std::memcpy(storage.begin() + i * dtypeSize(type), &word,
                  std::min(dtypeSize(type), 4u));
      continue;
    }
    float unit = float(word - 1) / 2147483646.0f;
    float value = float((unit * 2 - 1) * scale);
    if (type == DType::F16) {
      uint16_t bits = halfFrom(value);
      std::memcpy(storage.begin() + i * 2, &bits, 2);
    } else {
      std::memcpy(storage.begin() + i * 4, &value, 4);
    }
  }
  return storage;
}

Dispatch Case::dispatch(const KernelInfo &info) {
  Dispatch result;
  result.threads = grid;
  result.groupSize = group;
  result.threadgroupMemory = threadgroupMemory;
  for (const Argument &argument : info.arguments) {
    if (argument.kind == ArgumentKind::ThreadgroupMemory)
      continue;
    if (auto fill = random.find(argument.index); fill != random.end())
      buffers.emplace(argument.index,
                      randomStorage(argument.element, fill->second.first,
                                    fill->second.second));
    auto found = buffers.find(argument.index);
    if (found == buffers.end()) {
      result.arguments.push_back(std::monostate());
      continue;
    }
    Tensor tensor;
    tensor.data = found->second.begin();
    tensor.dtype =
        argument.element == DType::Invalid ? DType::U8 : argument.element;
    if (auto shape = shapes.find(argument.index); shape != shapes.end())
      tensor.shape = shape->second;
    else
      tensor.shape = {int64_t(found->second.size() / dtypeSize(tensor.dtype))};
    result.arguments.push_back(tensor);
  }
  return result;
}
