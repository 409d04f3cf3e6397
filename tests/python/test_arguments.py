"""What a kernel's arguments may be: structs of NumPy, lists, threadgroup memory."""

import numpy as np
import pytest

import bessemer

LIBRARY = bessemer.compile("""
#include <metal_stdlib>
using namespace metal;
struct Item { float weight; uint count; packed_float3 place; };
kernel void items(device Item *items, constant Item &first,
                  uint i [[thread_position_in_grid]]) {
  items[i].weight += first.weight;
  items[i].count += i;
  items[i].place[2] = first.place[0];
}
kernel void sum(device const float *x, constant float *w, device float *y,
                uint i [[thread_position_in_grid]]) {
  y[i] = x[i] + w[i];
}
kernel void shared_sum(device float *y, threadgroup float *t [[threadgroup(0)]],
                       uint i [[thread_position_in_threadgroup]],
                       uint n [[threads_per_threadgroup]]) {
  t[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0)
    for (uint k = 0; k < n; ++k)
      y[0] += t[k];
}
""")
ITEM = np.dtype([("weight", "f4"), ("count", "u4"), ("place", "f4", 3)])


@pytest.mark.parametrize(
    "first",
    [
        np.array((2.5, 1, [7, 8, 9]), ITEM),
        np.array([(2.5, 1, [7, 8, 9])], ITEM),
        np.array([(2.5, 1, [7, 8, 9])], ITEM)[0],
        np.array((2.5, 1, [7, 8, 9]), ITEM).tobytes(),
    ],
    ids=["0-d", "1-d", "scalar", "bytes"],
)
def test_structured_arrays(first):
    items = np.zeros(100, ITEM)
    items["weight"] = np.arange(100)
    LIBRARY.items(items, first, threads=100)
    np.testing.assert_array_equal(items["weight"], np.arange(100) + 2.5)
    np.testing.assert_array_equal(items["count"], np.arange(100))
    np.testing.assert_array_equal(items["place"][:, 2], np.full(100, 7))
    assert (items["place"][:, :2] == 0).all()


SHORT = np.dtype([("weight", "f4"), ("count", "u4")])
FIRST = np.array((2.5, 1, [7, 8, 9]), ITEM)


@pytest.mark.parametrize(
    "items, first, words",
    [
        (
            np.zeros(5, SHORT),
            FIRST,
            "Item has 20 bytes, the elements of the array have 8",
        ),
        (np.zeros(5, ITEM), np.zeros(1, SHORT), "Item has 20 bytes"),
        (np.zeros(5, ITEM)[::2], FIRST, "not contiguous"),
        (FIRST[()], FIRST, "a value has no memory"),
        (np.zeros(5, ITEM), 3, "Item takes bytes (20 of them), as of struct.pack"),
        ([1, 2], FIRST, "pass an array"),
    ],
)
def test_structured_arrays_that_do_not_fit(items, first, words):
    with pytest.raises(bessemer.ArgumentError) as error:
        LIBRARY.items(items, first, threads=3)
    assert words in str(error.value)


def test_a_structured_array_for_numbers():
    with pytest.raises(bessemer.ArgumentError, match="goes to a struct, not to float"):
        LIBRARY.sum(np.zeros(4, SHORT), [1], np.zeros(1, np.float32), threads=1)


def test_lists_are_read():
    y = np.zeros(3, np.float32)
    LIBRARY.sum([1, 2.5, 3], (10, 20, 30), y, threads=3)
    np.testing.assert_array_equal(y, [11, 22.5, 33])


def test_lists_are_not_written():
    with pytest.raises(bessemer.ArgumentError) as error:
        LIBRARY.sum([1, 2], [3, 4], [0, 0], threads=2)
    assert "argument device float *y [[buffer(2)]]: a list has no memory" in str(
        error.value
    )
    assert "np.array(..., dtype='float32')" in str(error.value)


@pytest.mark.parametrize(
    "memory",
    [{"t": 256}, {"threadgroup_memory": {0: 256}}, {"threadgroup_memory": {"t": 256}}],
    ids=str,
)
def test_threadgroup_memory(memory):
    y = np.zeros(1, np.float32)
    LIBRARY.shared_sum(y, groups=1, group_size=64, **memory)
    assert y[0] == 63 * 32


@pytest.mark.parametrize(
    "arguments, memory, words",
    [
        ([], {}, "argument 't' is threadgroup memory; give its size in bytes, as t=b"),
        ([256], {}, "give its size in bytes, as t="),
        ([], {"threadgroup_memory": 256}, "is a dict of bytes by name or index"),
        ([], {"threadgroup_memory": {"u": 256}}, "maps names or indices"),
        ([], {"t": 0}, "give its size in bytes"),
        ([], {"t": "x"}, "to bytes, got 0: 'x'"),
        ([], {"t": 2**40}, "out of range"),
    ],
    ids=str,
)
def test_threadgroup_memory_missing(arguments, memory, words):
    y = np.zeros(1, np.float32)
    with pytest.raises(bessemer.ArgumentError) as error:
        LIBRARY.shared_sum(y, *arguments, groups=1, group_size=64, **memory)
    assert words in str(error.value)
