//===- Transposition.cpp - k elements a lane as k vectors -----------------===//

#include "codegen/cpu/5_emit/Transposition.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Interleaved streams, a power of two of them, become one vector a stream:
/// even and odd elements, again and again.
PartValues Transposition::split(const PartValues &vectors) const {
  if (vectors.size() == 1)
    return vectors;
  SmallVector<int, 16> even, odd;
  for (unsigned i = 0; i < lanes; ++i) {
    unsigned within = i % granule, half = granule / 2;
    unsigned from = i - within + 2 * (within % half);
    even.push_back(within < half ? from : lanes + from);
    odd.push_back(even.back() + 1);
  }
  PartValues evens, odds;
  for (unsigned i = 0; i < vectors.size(); i += 2) {
    evens.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], even));
    odds.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], odd));
  }
  evens = split(evens);
  odds = split(odds);
  PartValues streams;
  for (unsigned i = 0; i < evens.size(); ++i)
    streams.append({evens[i], odds[i]});
  return streams;
}

/// The inverse.
PartValues Transposition::join(const PartValues &streams) const {
  if (streams.size() == 1)
    return streams;
  PartValues evens, odds;
  for (unsigned i = 0; i < streams.size(); ++i)
    (i % 2 ? odds : evens).push_back(streams[i]);
  evens = join(evens);
  odds = join(odds);
  SmallVector<int, 16> low, high;
  for (unsigned i = 0; i < lanes; ++i) {
    unsigned within = i % granule;
    unsigned from = i - within + within / 2 + (i % 2) * lanes;
    low.push_back(from);
    high.push_back(from + granule / 2);
  }
  PartValues vectors;
  for (unsigned i = 0; i < evens.size(); ++i) {
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], low));
    vectors.push_back(b.CreateShuffleVector(evens[i], odds[i], high));
  }
  return vectors;
}

} // namespace bessemer::codegen::cpu
