//===- Shape.h - How a value varies over the lanes of a chunk ---*- C++ -*-===//
//
// A chunk of W lanes is emitted as parts of PW lanes. The shape of a value
// says how much of it is known at compile time, and so how it is represented:
//
//   Uniform      one scalar for all lanes
//   ChunkLinear  base + stride * lane of the chunk; one scalar, the base
//   PartLinear   per part a scalar base + a table of constants, one per lane of
//                the part (all zero: uniform within a part); one scalar a part
//   Varying      one vector a part
//
// Of a varying value it may be known how it goes on within *segments*, runs of
// neighbouring lanes of a part: a[row * stride + column] with a stride known at
// run time is linear where lanes share the row.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_SHAPE_H
#define BESSEMER_CODEGEN_CPU_SHAPES_SHAPE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace bessemer::codegen::cpu {

struct Shape {
  enum Kind { Unknown, Uniform, ChunkLinear, PartLinear, Varying };

  Kind kind = Unknown;
  int64_t stride = 0;                     ///< Of ChunkLinear.
  llvm::SmallVector<int64_t, 16> offsets; ///< Of PartLinear, and see segment.
  /// Of Varying: lanes of a segment, a power of two; offsets are those from the
  /// segment's first lane. 0: nothing is known.
  unsigned segment = 0;
  unsigned alignment = 0; ///< Every base is a multiple of 2^alignment.

  static constexpr unsigned maxAlignment = 31;

  Shape() = default;
  Shape(Kind kind) : kind(kind) {}
  static Shape uniform(unsigned alignment) {
    Shape shape(Uniform);
    shape.alignment = alignment;
    return shape;
  }
  static Shape linear(int64_t stride, unsigned alignment = 0) {
    Shape shape(ChunkLinear);
    shape.stride = stride;
    shape.alignment = alignment;
    return shape;
  }
  static Shape table(unsigned partLanes, unsigned alignment,
                     llvm::function_ref<int64_t(unsigned)> offset);
  static Shape partUniform(unsigned partLanes) {
    return table(partLanes, 0, [](unsigned) { return 0; });
  }

  static Shape segments(unsigned segment, llvm::SmallVector<int64_t, 16> from);

  bool operator==(const Shape &other) const = default;

  bool isUnknown() const { return kind == Unknown; }
  bool isUniform() const { return kind == Uniform; }
  bool isVarying() const { return kind == Varying; }
  bool isLinear() const { return kind == ChunkLinear || kind == PartLinear; }
  /// The same in all lanes of a part.
  bool isPartUniform() const;
  /// One scalar stands for the whole chunk.
  bool isSingle() const { return kind == Uniform || kind == ChunkLinear; }

  /// Lanes of the largest segments of which the offsets are known.
  unsigned segmentLanes(unsigned partLanes) const {
    return isLinear() || isUniform() ? partLanes : segment;
  }
  /// Offsets from the first lanes of segments of at most segmentLanes().
  llvm::SmallVector<int64_t, 16> withinSegments(unsigned lanes,
                                                unsigned partLanes) const;

  /// The same value seen part by part. Not for Unknown and Varying.
  Shape perPart(unsigned partLanes) const;
  int64_t offset(unsigned lane) const {
    return kind == PartLinear ? offsets[lane]
                              : stride * static_cast<int64_t>(lane);
  }

  void print(llvm::raw_ostream &stream) const;
};

/// a + scale * b.
Shape addShapes(const Shape &a, const Shape &b, int64_t scale,
                unsigned partLanes);
/// The least shape that describes both.
Shape joinShapes(const Shape &a, const Shape &b, unsigned partLanes);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_SHAPE_H
