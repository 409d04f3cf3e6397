//===- KernelPlaces.cpp - Where the user wrote a kernel -------------------===//
#include "convert/plan/KernelPlaces.h"

using namespace bessemer;
using namespace bessemer::plan;
using namespace mlir;

/// The dictionary in a location, which inlining may have wrapped.
static DictionaryAttr placesIn(Location location) {
  DictionaryAttr found;
  location->walk([&](Location part) {
    if (auto fused = dyn_cast<FusedLoc>(part))
      found = dyn_cast_or_null<DictionaryAttr>(fused.getMetadata());
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// [8, "model.py", 10], behind `last`; foreign files may hold anything.
static bool readPlace(Attribute attribute, int64_t last, SourcePlace &place) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list || list.size() != 3)
    return false;
  auto generated = dyn_cast<IntegerAttr>(list[0]);
  auto file = dyn_cast<StringAttr>(list[1]);
  auto line = dyn_cast<IntegerAttr>(list[2]);
  auto isLine = [](IntegerAttr number) {
    return number && number.getType().isSignlessInteger(64) &&
           number.getInt() >= 0 && number.getInt() <= INT32_MAX;
  };
  if (!file || !isLine(generated) || !isLine(line) ||
      generated.getInt() <= last)
    return false;
  place = {uint32_t(generated.getInt()), file.str(), uint32_t(line.getInt())};
  return true;
}

void bessemer::readPlaces(coreai::Metal4KernelOp op, KernelSource &source) {
  DictionaryAttr dictionary = placesIn(op.getLoc());
  if (!dictionary)
    return;
  if (auto name = dictionary.getAs<StringAttr>("kernel"))
    source.kernel = name.str();
  auto list = dictionary.getAs<ArrayAttr>("places");
  int64_t last = -1;
  for (Attribute attribute : list ? list.getValue() : ArrayRef<Attribute>()) {
    SourcePlace place;
    if (!readPlace(attribute, last, place))
      return;
    last = place.generated;
    source.places.push_back(std::move(place));
  }
}
