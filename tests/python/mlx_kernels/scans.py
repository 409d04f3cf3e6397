"""Scans, sorts and binary searches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cases import (
    DTYPES,
    FLOATS,
    INTEGERS,
    Case,
    ceil_div,
    is_float,
    output,
    strides,
    tolerance,
)

NUMBERS = (*INTEGERS, *FLOATS, "complex64")
PAIRS = [("sum", "bool_", "int32"), ("sum", "bool_", "uint32")]
PAIRS += [("sum", name, name) for name in NUMBERS]
PAIRS += [(op, n, n) for op in ("prod", "max", "min") for n in ("bool_", *NUMBERS)]
PAIRS += [("logaddexp", name, name) for name in FLOATS]
WAYS = [(rev, inc) for rev in ("", "reverse_") for inc in ("inclusive_", "exclusive_")]


def _numbers(rng, op: str, name: str, shape) -> np.ndarray:
    """Numbers whose sums and products are exact in the type, in any order."""
    dtype = DTYPES[name]
    if dtype.kind == "b":
        return rng.random(shape) < (0.97 if op in ("prod", "min") else 0.2)
    if op == "logaddexp":
        return rng.uniform(-4, 4, shape).astype(dtype)
    if op == "prod":
        units = (
            [1, -1, 1j, -1j]
            if dtype.kind == "c"
            else [1, 3, 5]
            if dtype.kind in "iu"
            else [1, -1]
        )
        return rng.choice(np.array(units), shape).astype(dtype)
    numbers = rng.integers(0 if dtype.kind == "u" else -2, 3, shape)
    if op in ("max", "min"):
        numbers = numbers * 20 + rng.integers(0, 9, shape)
    if dtype.kind == "c":
        numbers = numbers + 1j * rng.integers(-2, 3, shape)
    return numbers.astype(dtype)


def _larger(a, b):
    if np.iscomplexobj(a):
        above = (a.real > b.real) | ((a.real == b.real) & (a.imag >= b.imag))
        return np.where(above, a, b)
    return np.maximum(a, b)


def _smaller(a, b):
    if np.iscomplexobj(a):
        return np.where(_larger(a, b) == a, b, a)
    return np.minimum(a, b)


STEPS = {
    "sum": np.add,
    "prod": np.multiply,
    "max": _larger,
    "min": _smaller,
    "logaddexp": np.logaddexp,
}


def _start(op: str, name: str):
    dtype = DTYPES[name]
    if op in ("sum", "prod"):
        return op == "prod"
    largest = op == "min"
    if dtype.kind == "b":
        return largest
    if dtype.kind == "c" or is_float(name):
        end = np.inf if largest else -np.inf
        return complex(end, end) if dtype.kind == "c" else end
    return np.iinfo(dtype).max if largest else np.iinfo(dtype).min


def _scan(op: str, target: str, array, reverse: bool, inclusive: bool) -> np.ndarray:
    """Along the middle axis."""
    dtype = DTYPES[target]
    wide = np.float64 if is_float(target) else dtype
    array = np.flip(array, 1) if reverse else array
    running = np.full(array[:, 0].shape, _start(op, target), wide)
    out = np.empty(array.shape, wide)
    for i in range(array.shape[1]):
        step = STEPS[op](running, array[:, i].astype(wide)).astype(wide)
        out[:, i] = step if inclusive else running
        running = step
    return (np.flip(out, 1) if reverse else out).astype(dtype)


def scan(rng) -> Iterator[Case]:
    for turn, (op, source, target) in enumerate(PAIRS):
        for kind in ("contig", "strided"):
            every = source == "float32" and op == "sum"
            for reverse, inclusive in WAYS if every else [WAYS[turn % 4]]:
                for size in (300, 2500) if every and kind == "contig" else (150,):
                    yield _scan_case(
                        rng, op, source, target, kind, reverse, inclusive, size
                    )


def _scan_case(rng, op, source, target, kind, reverse, inclusive, size) -> Case:
    shape = (3, size, 1) if kind == "contig" else (3, size, 45)
    array = _numbers(rng, op, source, shape)
    expected = _scan(op, target, array, bool(reverse), inclusive == "inclusive_")
    reads = 4 if array.itemsize <= 4 else 2
    arguments = {"in": array, "out": output(array.size, target), "axis_size": size}
    if kind == "contig":
        group = min(ceil_div(size, reads * 32) * 32, 1024)
        threads = (group, 3)
    else:
        group = 32 * 32 // reads
        arguments |= {"stride": 45, "stride_blocks": 2}
        threads = (group, 3 * 2)
    return Case(
        f"{'contiguous' if kind == 'contig' else kind}_scan {reverse}{inclusive}".rstrip(
            "_"
        ),
        f"{kind}_scan_{reverse}{inclusive}{op}_{source}_{target}",
        arguments,
        {"out": expected},
        threads=threads,
        group_size=(group,),
        tolerance=tolerance(target, 4 * size**0.5) if op == "logaddexp" else 0.0,
        label=f"{shape}",
    )


def _unsorted(rng, name: str, shape) -> np.ndarray:
    dtype = DTYPES[name]
    numbers = rng.integers(0 if dtype.kind == "u" else -60, 60, shape)
    if dtype.kind == "c":
        return (numbers + 1j * rng.integers(-3, 3, shape)).astype(dtype)
    return (numbers * (0.5 if is_float(name) else 1)).astype(dtype)


def _order(array: np.ndarray) -> np.ndarray:
    """What sorts the last axis, equal elements in their order."""
    if array.dtype.kind == "c":
        return np.lexsort((array.imag, array.real), axis=-1)
    return np.argsort(array.astype(np.float64), axis=-1, kind="stable")


def sort(rng) -> Iterator[Case]:
    blocks = (32, 64, 128, 256, 512)
    for turn, name in enumerate(NUMBERS):
        block = blocks[turn % (4 if DTYPES[name].itemsize == 8 else 5)]
        for arg in ("", "arg"):
            yield _block_sort(rng, name, arg, block, contiguous=True)
            yield _block_sort(rng, name, arg, block, contiguous=False)
    for name in ("float32", "int16", "bfloat16", "int64"):
        yield from _blocks(rng, name)


def _block_sort(rng, name: str, arg: str, block: int, contiguous: bool) -> Case:
    size = block * 4 - 27
    rows = (6,) if contiguous else (2, 3)
    array = _unsorted(rng, name, (*rows, size))
    order = _order(array)
    expected = order.astype(np.uint32) if arg else np.take_along_axis(array, order, -1)
    target = "uint32" if arg else name
    arguments = {"inp": array, "out": output(array.size, target)}
    arguments |= {"size_sorted_axis": size, "in_stride_sorted_axis": 1,
                  "out_stride_sorted_axis": 1}  # fmt: skip
    if contiguous:
        arguments |= {"in_stride_segment_axis": size, "out_stride_segment_axis": size}
    else:
        # Rows in another order in memory.
        memory = np.ascontiguousarray(array.transpose(1, 0, 2))
        steps = strides(memory.transpose(1, 0, 2))[:2]
        arguments |= {"inp": memory, "nc_dim": 2, "nc_shape": np.array(rows, np.int32),
                      "in_nc_strides": steps, "out_nc_strides": strides(expected)[:2]}  # fmt: skip
    prefix = f"{'c' if contiguous else 'nc'}{arg}"
    return Case(
        f"block_sort{'' if contiguous else '_nc'} {arg or 'values'}",
        f"{prefix}_block_sort_{name}_{target}_bn{block}_tn4",
        arguments,
        {"out": expected},
        groups=(1, 6),
        group_size=(block,),
    )


def _blocks(rng, name: str) -> Iterator[Case]:
    """Sorted blocks, where pairs of them meet, and the pairs merged."""
    block = 256 if DTYPES[name].itemsize == 8 else 512
    tile, rows = block * 4, 2
    size = tile * 3 + 100
    tiles = ceil_div(size, tile)
    ending = f"mbsort_{name}_uint32_bn{block}_tn4"
    array = _unsorted(rng, name, (rows, size))
    values, places = np.empty_like(array), np.empty(array.shape, np.uint32)
    for start in range(0, size, tile):
        part = slice(start, min(start + tile, size))
        order = _order(array[:, part])
        values[:, part] = np.take_along_axis(array[:, part], order, -1)
        places[:, part] = order + start
    yield Case(
        "mb_block_sort",
        f"sort_{ending}",
        {"inp": array, "out_vals": output(array.size, name),
         "out_idxs": output(array.size, "uint32"), "size_sorted_axis": size,
         "stride_sorted_axis": 1, "nc_dim": 1, "nc_shape": np.array([rows], np.int32),
         "nc_strides": np.array([size], np.int64)},
        {"out_vals": values, "out_idxs": places},
        groups=(tiles, rows),
        group_size=(block,),
    )  # fmt: skip
    partitions = _partitions(values, size, tile, tiles)
    group = tiles + 1
    yield Case(
        "mb_block_partition",
        f"partition_{ending}",
        {"block_partitions": output(partitions.size, "uint32"), "dev_vals": values,
         "dev_idxs": places, "size_sorted_axis": size, "merge_tiles": 2,
         "n_blocks": tiles},
        {"block_partitions": partitions},
        groups=(1, rows),
        group_size=(group,),
    )  # fmt: skip
    merged, merged_places = np.empty_like(values), np.empty_like(places)
    for start in range(0, size, 2 * tile):
        part = slice(start, min(start + 2 * tile, size))
        order = _order(values[:, part])
        merged[:, part] = np.take_along_axis(values[:, part], order, -1)
        merged_places[:, part] = np.take_along_axis(places[:, part], order, -1)
    yield Case(
        "mb_block_merge",
        f"merge_{ending}",
        {"block_partitions": partitions, "dev_vals_in": values, "dev_idxs_in": places,
         "dev_vals_out": output(array.size, name),
         "dev_idxs_out": output(array.size, "uint32"), "size_sorted_axis": size,
         "merge_tiles": 2, "num_tiles": tiles},
        {"dev_vals_out": merged, "dev_idxs_out": merged_places},
        groups=(tiles, rows),
        group_size=(block,),
    )  # fmt: skip


def _partitions(values, size: int, tile: int, tiles: int) -> np.ndarray:
    """Of the first `tile * lane` merged elements of a pair of blocks, those that the
    first block gives, from the pair's start."""
    found = np.zeros((len(values), tiles + 1), np.uint32)
    for i in range(tiles + 1):
        start = min(size, i // 2 * 2 * tile)
        middle, end = min(size, start + tile), min(size, start + 2 * tile)
        count = min(end - start, tile * (i % 2))
        order = _order(values[:, start:end])
        found[:, i] = start + (order[:, :count] < middle - start).sum(-1)
    return found


def searchsorted(rng) -> Iterator[Case]:
    for name in ("bool_", *NUMBERS):
        for side in ("left", "right"):
            for step in (1, 3):
                if name == "bool_":
                    table = np.sort(rng.random(200) < 0.4)
                    sought = rng.random((3, 7, 11)) < 0.5
                else:
                    table = _unsorted(rng, name, 200)
                    table = table[_order(table)]
                    sought = _unsorted(rng, name, (3, 7, 11))
                memory = np.repeat(table, step)
                wide = [x if x.dtype.kind == "c" else x.astype(np.float64)
                        for x in (table, sought)]  # fmt: skip
                expected = np.searchsorted(*wide, side).astype(np.uint32)
                yield Case(
                    f"searchsorted {side}",
                    f"searchsorted_{name}_{side}",
                    {"a": memory, "v": sought, "out": output(expected.size, "uint32"),
                     "n": 200, "a_stride": step},
                    {"out": expected},
                    threads=(11, 7, 3),
                    group_size=(8, 4, 2),
                    label=f"stride {step}",
                )  # fmt: skip
