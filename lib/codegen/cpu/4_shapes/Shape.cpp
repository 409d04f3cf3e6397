//===- Shape.cpp - How a value varies over the lanes of a chunk -----------===//

#include "codegen/cpu/4_shapes/Shape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace llvm;

namespace bessemer::codegen::cpu {

static unsigned trailingZeros(int64_t value) {
  return std::min<unsigned>(Shape::maxAlignment,
                            countr_zero(static_cast<uint64_t>(value)));
}

Shape Shape::table(unsigned partLanes, unsigned alignment,
                   function_ref<int64_t(unsigned)> offset) {
  Shape shape(PartLinear);
  shape.alignment = alignment;
  for (unsigned lane = 0; lane < partLanes; ++lane)
    shape.offsets.push_back(offset(lane));
  return shape;
}

Shape Shape::segments(unsigned segment, SmallVector<int64_t, 16> from) {
  Shape shape(Varying);
  shape.segment = segment;
  shape.offsets = std::move(from);
  return shape;
}

SmallVector<int64_t, 16> Shape::withinSegments(unsigned lanes,
                                               unsigned partLanes) const {
  SmallVector<int64_t, 16> all =
      isVarying() ? offsets : perPart(partLanes).offsets;
  SmallVector<int64_t, 16> result;
  for (unsigned lane = 0; lane < partLanes; ++lane)
    result.push_back(all[lane] - all[lane - lane % lanes]);
  return result;
}

bool Shape::isPartUniform() const {
  switch (kind) {
  case Uniform:
    return true;
  case ChunkLinear:
    return stride == 0;
  case PartLinear:
    return all_of(offsets, [](int64_t offset) { return offset == 0; });
  default:
    return false;
  }
}

Shape Shape::perPart(unsigned partLanes) const {
  if (kind == PartLinear)
    return *this;
  int64_t step = kind == ChunkLinear ? stride : 0;
  unsigned known = alignment;
  if (step) // the base of part p is p * partLanes * step further
    known = std::min(known, trailingZeros(step * partLanes));
  return table(partLanes, known, [step](unsigned lane) {
    return step * static_cast<int64_t>(lane);
  });
}

static Shape addSegments(const Shape &a, const Shape &b, int64_t scale,
                         unsigned partLanes) {
  unsigned segment =
      std::min(a.segmentLanes(partLanes), b.segmentLanes(partLanes));
  if (segment < 2)
    return Shape::Varying;
  auto sum = a.withinSegments(segment, partLanes);
  auto other = b.withinSegments(segment, partLanes);
  for (unsigned lane = 0; lane < partLanes; ++lane)
    sum[lane] += scale * other[lane];
  return Shape::segments(segment, std::move(sum));
}

Shape addShapes(const Shape &a, const Shape &b, int64_t scale,
                unsigned partLanes) {
  if (a.isUnknown() || b.isUnknown())
    return Shape();
  if (a.isVarying() || b.isVarying())
    return addSegments(a, b, scale, partLanes);
  auto scaled = [scale](unsigned alignment) {
    return std::min(Shape::maxAlignment, alignment + trailingZeros(scale));
  };
  if (a.isSingle() && b.isSingle()) {
    bool uniform = a.isUniform() && b.isUniform();
    Shape sum(uniform ? Shape::Uniform : Shape::ChunkLinear);
    sum.stride = a.stride + scale * b.stride;
    sum.alignment = std::min(a.alignment, scaled(b.alignment));
    return sum;
  }
  Shape sum = a.perPart(partLanes), other = b.perPart(partLanes);
  for (unsigned lane = 0; lane < partLanes; ++lane)
    sum.offsets[lane] += scale * other.offsets[lane];
  sum.alignment = std::min(sum.alignment, scaled(other.alignment));
  return sum;
}

/// The largest segments within which both go on alike.
static Shape joinSegments(const Shape &a, const Shape &b, unsigned partLanes) {
  unsigned segment =
      std::min(a.segmentLanes(partLanes), b.segmentLanes(partLanes));
  for (; segment >= 2; segment /= 2) {
    auto offsets = a.withinSegments(segment, partLanes);
    if (offsets == b.withinSegments(segment, partLanes))
      return Shape::segments(segment, std::move(offsets));
  }
  return Shape::Varying;
}

Shape joinShapes(const Shape &a, const Shape &b, unsigned partLanes) {
  if (a.isUnknown())
    return b;
  if (b.isUnknown())
    return a;
  if (a.isVarying() || b.isVarying())
    return joinSegments(a, b, partLanes);
  if (a.kind == b.kind && a.stride == b.stride && a.offsets == b.offsets) {
    Shape joined = a;
    joined.alignment = std::min(a.alignment, b.alignment);
    return joined;
  }
  Shape joined = a.perPart(partLanes), other = b.perPart(partLanes);
  if (joined.offsets != other.offsets)
    return joinSegments(joined, other, partLanes);
  joined.alignment = std::min(joined.alignment, other.alignment);
  return joined;
}

void Shape::print(raw_ostream &stream) const {
  switch (kind) {
  case Unknown:
    stream << "unknown";
    return;
  case Uniform:
    stream << "uniform";
    return;
  case ChunkLinear:
    stream << "chunk-linear " << stride;
    break;
  case PartLinear:
    if (isPartUniform()) {
      stream << "part-uniform";
      return;
    }
    stream << "part-linear [";
    interleaveComma(offsets, stream);
    stream << "]";
    break;
  case Varying:
    stream << "varying";
    if (segment) {
      stream << ", segments of " << segment << " [";
      interleaveComma(offsets, stream);
      stream << "]";
    }
    return;
  }
  if (alignment)
    stream << " align 2^" << alignment;
}

} // namespace bessemer::codegen::cpu
