//===- SourcePlacesTest.cpp - Messages in the user's terms ----------------===//
#include "plan/SourcePlaces.h"

#include <gtest/gtest.h>

using namespace bessemer::plan;

static KernelSource source() {
  return {"",
          "silu_x.metal",
          1,
          "silu",
          {{7, "model.py", 30}, {8, "", 0}, {10, "lib.py", 5}}};
}

TEST(SourcePlaces, LinesCountOnFromTheirPlace) {
  EXPECT_EQ(inUserTerms(source(), "silu_x.metal:12: kernel 'silu_x': index"),
            "lib.py:7: kernel 'silu': index");
  EXPECT_EQ(inUserTerms(source(), "silu_x.metal:7:41: error: a\n"
                                  "silu_x.metal:10:3: note: b"),
            "model.py:30: error: a\nlib.py:5: note: b");
}

TEST(SourcePlaces, WhatHasNoPlaceStays) {
  for (const char *text :
       {"silu_x.metal:3: a", "silu_x.metal:9:1: a", "silu_x.metal: a",
        "silu_x.metal:", "silu_x.metal", "silu_x.metal:99999999999: a",
        "other.metal:12: a", ""})
    EXPECT_EQ(inUserTerms(source(), text), text);
}

TEST(SourcePlaces, SourcesOfTheConverterAreLeftAlone) {
  KernelSource own{"", "add.metal", 0, "", {}};
  EXPECT_EQ(inUserTerms(own, "add.metal:3: kernel 'add'"),
            "add.metal:3: kernel 'add'");
}
