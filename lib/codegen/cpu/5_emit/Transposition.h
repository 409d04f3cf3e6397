//===- Transposition.h - k elements a lane as k vectors ---------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_EMIT_TRANSPOSITION_H
#define BESSEMER_CODEGEN_CPU_EMIT_TRANSPOSITION_H

#include "codegen/cpu/5_emit/Emitter.h"

#include <algorithm>

namespace bessemer::codegen::cpu {

/// How the k elements of each lane travel between memory and k vectors. What
/// machines shuffle cheaply is a granule of 16 bytes by itself, so a vector is
/// filled with such granules that the rest is done within each of them: the
/// granule s of every vector is about the same lanes.
class Transposition {
public:
  /// `size`: of an element, in bytes. The elements of `adjacent` lanes lie
  /// behind each other.
  Transposition(llvm::IRBuilderBase &b, unsigned lanes, unsigned elements,
                unsigned size, unsigned adjacent)
      : b(b), lanes(lanes), elements(elements),
        granule(
            std::min({lanes, std::max(1u, 16 / size), adjacent * elements})),
        run(std::min(elements, granule)) {}

  unsigned granuleSize() const { return granule; }
  unsigned granules() const { return lanes / granule; }

  /// The element (of all lanes' elements in the order of memory) with which
  /// granule `number` of vector `vector` begins.
  unsigned firstElement(unsigned vector, unsigned number) const {
    unsigned which = vector / run, step = vector % run;
    unsigned first = number * granule * elements;
    return elements < granule ? first + step * granule
                              : first + step * elements + which * granule;
  }
  PartValues toStreams(const PartValues &vectors) const {
    return byRuns(vectors,
                  [this](const PartValues &some) { return split(some); });
  }
  PartValues fromStreams(const PartValues &streams) const {
    return byRuns(streams,
                  [this](const PartValues &some) { return join(some); });
  }

private:
  template <typename F>
  PartValues byRuns(const PartValues &values, F function) const {
    PartValues result;
    for (unsigned first = 0; first < elements; first += run)
      result.append(function(
          PartValues(values.begin() + first, values.begin() + first + run)));
    return result;
  }
  PartValues split(const PartValues &vectors) const;
  PartValues join(const PartValues &streams) const;

  llvm::IRBuilderBase &b;
  unsigned lanes, elements;
  unsigned granule; ///< Elements of one.
  unsigned run;     ///< Vectors that exchange elements with each other.
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_EMIT_TRANSPOSITION_H
