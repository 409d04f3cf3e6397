"""Reductions of whole arrays, rows and columns, and of the places of extremes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .cases import DTYPES, FLOATS, INTEGERS, Case, ceil_div, is_float, output, strides

LOGICAL = ("bool_", "int16", "int32", "int64", *FLOATS)
NUMBERS = (*INTEGERS, *FLOATS, "complex64")
OPERATIONS = {"sum": NUMBERS, "prod": NUMBERS, "min": NUMBERS, "max": NUMBERS,
              "and": LOGICAL, "or": LOGICAL}  # fmt: skip
WIDENED = {"uint8": "int32", "uint16": "uint32", "int8": "int32", "int16": "int32"}


def _result_type(op: str, name: str) -> str:
    if op in ("and", "or"):
        return "bool_"
    return WIDENED.get(name, name) if op in ("sum", "prod") else name


def _numbers(rng, op: str, name: str, shape) -> np.ndarray:
    """Numbers whose sums and products are exact in the type, in any order."""
    dtype = DTYPES[name]
    if op in ("and", "or"):
        chance = 0.02 if op == "or" else 0.98
        return (rng.random(shape) < chance).astype(dtype)
    if op == "prod":
        units = [1, -1, 1j, -1j] if name == "complex64" else [1, 1, 1, -1]
        if dtype.kind == "u":
            units = [1, 1, 3]
        return rng.choice(np.array(units), shape).astype(dtype)
    low = 0 if dtype.kind == "u" else -2
    numbers = rng.integers(low, 3, shape).astype(dtype)
    if op in ("min", "max"):
        numbers = (numbers * np.asarray(20, dtype)).astype(dtype)
        numbers += rng.integers(0, 9, shape).astype(dtype)
    if name == "complex64":
        numbers = numbers + 1j * rng.integers(-2, 3, shape)
    return numbers.astype(dtype)


def _reduce(op: str, name: str, array: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """In a type that holds everything; complex numbers compare by component."""
    target = DTYPES[_result_type(op, name)]
    if op in ("and", "or"):
        return (np.all if op == "and" else np.any)(array != 0, axis=axes)
    if op in ("min", "max") and name == "complex64":
        return _complex_extreme(array, axes, op == "max").astype(target)
    kind = {"f": np.float64, "V": np.float64, "c": np.complex128}
    wide = kind.get(array.dtype.kind if not is_float(name) else "f", np.int64)
    if name == "uint64":
        wide = np.uint64
    function = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max}[op]
    with np.errstate(over="ignore"):
        return function(array.astype(wide), axis=axes).astype(target)


def _complex_extreme(array, axes, largest: bool) -> np.ndarray:
    kept = [i for i in range(array.ndim) if i not in axes]
    flat = array.transpose(*kept, *axes).reshape(*[array.shape[i] for i in kept], -1)
    ordered = np.sort(flat, axis=-1)  # By the real part, then the imaginary one.
    return ordered[..., -1 if largest else 0]


def _pairs() -> list[tuple[str, str]]:
    return [(op, name) for op, names in OPERATIONS.items() for name in names]


def reduce(rng) -> Iterator[Case]:
    yield from _initial()
    pairs = _pairs()
    for op, name in pairs:
        yield from _all(rng, op, name)
    # Each entry point and way through it with some pairs in turn.
    turn = 0
    for make in (*ROW_WAYS, *COLUMN_WAYS):
        for ending in ("", "_large"):
            if make.entry == "row_reduce_simple" and ending:
                continue
            op, name = pairs[turn * 7 % len(pairs)]
            turn += 1
            yield make.case(rng, op, name, ending)


def _initial() -> Iterator[Case]:
    def limit(name, largest):
        dtype = DTYPES[name]
        if dtype.kind == "b":
            return largest
        if dtype.kind == "c":
            return complex(np.inf, np.inf) if largest else complex(-np.inf, -np.inf)
        if is_float(name):
            return np.inf if largest else -np.inf
        return np.iinfo(dtype).max if largest else np.iinfo(dtype).min

    sums = ("int32", "int64", *FLOATS, "complex64")
    starts = [("and", "bool_", True), ("or", "bool_", False)]
    starts += [("sum", name, 0) for name in sums] + [("prod", name, 1) for name in sums]
    for name in DTYPES:
        starts += [("min", name, limit(name, True)), ("max", name, limit(name, False))]
    for op, name, start in starts:
        expected = np.full(77, start, DTYPES[name])
        out = output(77, name)
        kernel = f"init_reduce_{op}{name}"
        yield Case(
            "init_reduce", kernel, {"out": out}, {"out": expected}, threads=(77,)
        )


def _all(rng, op: str, name: str) -> Iterator[Case]:
    # In one group, and the first of two passes with many.
    for size, rows in ((1001, 1), (50001, 128)):
        array = _numbers(rng, op, name, size)
        row = ceil_div(size, rows)
        group = min(ceil_div(row, 128) * 32, 1024)
        padded = [array[i : i + row] for i in range(0, size, row)]
        expected = np.stack([_reduce(op, name, part, (0,)) for part in padded])
        yield Case(
            "all_reduce",
            f"all_reduce_{op}{name}",
            {"in": array, "out": output(rows, _result_type(op, name)), "in_size": size,
             "row_size": row},
            {"out": expected},
            threads=(group, rows),
            group_size=(group,),
            label=f"{size} in {rows} rows",
        )  # fmt: skip


@dataclass
class RowWay:
    """Reduces the last axis and some of the others, in groups or alone."""

    entry: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    group: int = 0  # Threads for each result; 0 is one thread.
    dimensions: int = 1

    def case(self, rng, op: str, name: str, ending: str) -> Case:
        array = _numbers(rng, op, name, self.shape)
        expected = _reduce(op, name, array, self.axes)
        steps = strides(array)
        kept = [i for i in range(array.ndim) if i not in self.axes]
        inner = list(self.axes[:-1])
        rows = int(np.prod([self.shape[i] for i in inner])) if inner else 1
        arguments = {"in": array, "out": output(expected.size, _result_type(op, name))}
        if self.entry == "row_reduce_simple":
            arguments |= {"reduction_size": self.shape[-1], "out_size": expected.size}
            kernel = f"{self.entry}_{op}{name}"
            threads: tuple[int, ...] = (self.group, ceil_div(expected.size, 4))
        else:
            arguments |= {"row_size": self.shape[-1], "non_row_reductions": rows}
            arguments |= _walk(self.shape, steps, kept, inner)
            kernel = f"{self.entry}{ending}_{self.dimensions}_reduce_{op}{name}"
            threads = (self.group, expected.size) if self.group else (expected.size,)
        return Case(
            f"{self.entry} {'group' if self.group else 'thread'} {self.dimensions}",
            kernel,
            arguments,
            {"out": expected},
            threads=threads,
            group_size=(self.group or 32,),
            label=f"{self.shape} over {self.axes}",
        )


def _walk(shape, steps, kept: list[int], reduced: list[int]) -> dict:
    """How the kernels find a result's elements; nothing is a dimension of 0."""

    def numbers(array, axes, kind):
        return np.array([array[i] for i in axes] or [0], kind)

    return {
        "shape": numbers(shape, kept, np.int32),
        "strides": numbers(steps, kept, np.int64),
        "ndim": len(kept),
        "reduce_shape": numbers(shape, reduced, np.int32),
        "reduce_strides": numbers(steps, reduced, np.int64),
        "reduce_ndim": len(reduced),
    }


ROW_WAYS = [
    RowWay("row_reduce_small", (6, 5, 7, 50), (1, 3)),
    RowWay("row_reduce_small", (6, 3, 7, 2, 33), (1, 3, 4), dimensions=2),
    RowWay("row_reduce_small", (2, 6, 3, 7, 2, 2, 8), (0, 2, 4, 6), dimensions=5),
    RowWay("row_reduce_small", (6, 40, 7, 20), (1, 3), 32),
    RowWay("row_reduce_small", (6, 10, 7, 9, 20), (1, 3, 4), 32, 2),
    RowWay("row_reduce_small", (5, 6, 4, 3, 3, 2, 11), (0, 2, 4, 6), 32, 5),
    RowWay("row_reduce_looped", (5, 3, 4, 333), (1, 3), 32),
    RowWay("row_reduce_looped", (5, 3, 4, 2, 777), (1, 3, 4), 128, 2),
    RowWay("row_reduce_looped", (2, 3, 3, 2, 2, 2, 130), (0, 2, 4, 6), 32, 5),
    RowWay("row_reduce_simple", (37, 500), (1,), 32),
    RowWay("row_reduce_simple", (33, 1500), (1,), 384),
]  # fmt: skip


@dataclass
class ColumnWay:
    """Reduces the last axis but one, and some of the others."""

    entry: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    dimensions: int = 1

    def case(self, rng, op: str, name: str, ending: str) -> Case:
        array = _numbers(rng, op, name, self.shape)
        kept = [i for i in range(array.ndim - 1) if i not in self.axes]
        columns, depth = self.shape[-1], self.shape[self.axes[-1]]
        rows = int(np.prod([self.shape[i] for i in self.axes]))
        results = int(np.prod([self.shape[i] for i in kept])) if kept else 1
        expected, launch = self._launch(op, name, array, kept, results, rows, columns)
        arguments = {"in": array, "out": output(expected.size, _result_type(op, name)),
                     "reduction_size": depth, "reduction_stride": columns,
                     "non_col_reductions": rows // depth}  # fmt: skip
        arguments |= _walk(self.shape, strides(array), kept, list(self.axes))
        if self.entry in ("col_reduce_longcolumn", "col_reduce_2pass"):
            arguments["out_size"] = (
                results if self.entry == "col_reduce_2pass" else results * columns
            )
        tile = (
            "_32_32" if self.entry in ("col_reduce_looped", "col_reduce_2pass") else ""
        )
        return Case(
            f"{self.entry} {self.dimensions}",
            f"{self.entry}{ending}_{self.dimensions}{tile}_reduce_{op}{name}",
            arguments,
            {"out": expected},
            label=f"{self.shape} over {self.axes}",
            **launch,
        )

    def _launch(self, op, name, array, kept, results, rows, columns):
        flat = array.transpose(*kept, *self.axes, array.ndim - 1)
        flat = flat.reshape(results, rows, columns)
        blocks = ceil_div(columns, 32)
        if self.entry == "col_reduce_small":
            width = min(ceil_div(columns, 4), 32)
            groups = (ceil_div(ceil_div(columns, 4), width), results)
            return _reduce(op, name, flat, (1,)), {
                "groups": groups, "group_size": (width, min(8, rows))}  # fmt: skip
        if self.entry == "col_reduce_looped":
            return _reduce(op, name, flat, (1,)), {
                "threads": (256 * blocks, results), "group_size": (256,)}  # fmt: skip
        # In two passes: the first gives partial results of every 32nd block of rows.
        high = (
            min(32, ceil_div(rows, 32)) if self.entry == "col_reduce_longcolumn" else 32
        )
        owner = np.arange(rows) // high % 32
        parts = [_reduce(op, name, flat[:, owner == i], (1,)) if (owner == i).any()
                 else _nothing(op, name, (results, columns)) for i in range(32)]  # fmt: skip
        if self.entry == "col_reduce_longcolumn":
            launch = {"groups": (results, 1, 32), "group_size": (columns, high)}
        else:
            launch = {"threads": (256 * blocks, results * 32), "group_size": (256,)}
        return np.stack(parts), launch


def _nothing(op: str, name: str, shape) -> np.ndarray:
    """The reduction of no elements."""
    target = DTYPES[_result_type(op, name)]
    if op in ("min", "max"):
        sign = 1 if op == "min" else -1
        if target.kind == "c":
            return np.full(shape, complex(sign * np.inf, sign * np.inf), target)
        if is_float(name):
            return np.full(shape, sign * np.inf, target)
        limits = np.iinfo(target)
        return np.full(shape, limits.max if op == "min" else limits.min, target)
    return np.full(shape, op in ("prod", "and"), target)


COLUMN_WAYS = [
    ColumnWay("col_reduce_small", (5, 9, 47), (1,)),
    ColumnWay("col_reduce_small", (5, 4, 3, 5, 150), (1, 3), 2),
    ColumnWay("col_reduce_small", (2, 5, 2, 3, 5, 31), (0, 2, 4), 5),
    ColumnWay("col_reduce_longcolumn", (3, 1100, 13), (1,)),
    ColumnWay("col_reduce_longcolumn", (3, 20, 2, 60, 30), (1, 3), 2),
    ColumnWay("col_reduce_longcolumn", (4, 3, 20, 2, 20, 7), (0, 2, 4), 5),
    ColumnWay("col_reduce_looped", (3, 100, 70), (1,)),
    ColumnWay("col_reduce_looped", (3, 20, 2, 5, 45), (1, 3), 2),
    ColumnWay("col_reduce_looped", (4, 3, 5, 2, 6, 64), (0, 2, 4), 5),
    ColumnWay("col_reduce_2pass", (3, 1500, 40), (1,)),
    ColumnWay("col_reduce_2pass", (2, 40, 2, 50, 35), (1, 3), 2),
    ColumnWay("col_reduce_2pass", (10, 2, 12, 2, 11, 33), (0, 2, 4), 5),
]  # fmt: skip


def arg_reduce(rng) -> Iterator[Case]:
    for name in (*INTEGERS, *FLOATS, "bool_"):
        for op in ("argmin", "argmax"):
            for shape, axis in (((3, 7, 1001), 2), ((5, 130, 6), 1)):
                top = 2 if name == "bool_" else 100
                array = rng.integers(0, top, shape).astype(DTYPES[name])
                expected = getattr(np, op)(array.astype(np.float64), axis=axis)
                steps = strides(array)
                kept = [i for i in range(3) if i != axis]
                group = min(ceil_div(shape[axis], 128) * 32, 1024)
                arguments = {
                    "in": array,
                    "out": output(expected.size, "uint32"),
                    "shape": np.array([shape[i] for i in kept], np.int32),
                    "in_strides": steps[kept],
                    "out_strides": strides(expected),
                    "ndim": 2,
                    "axis_stride": int(steps[axis]),
                    "axis_size": shape[axis],
                }
                yield Case(
                    f"arg_reduce_general {op}",
                    f"{op}_{name}",
                    arguments,
                    {"out": expected.astype(np.uint32)},
                    threads=(group, expected.size),
                    group_size=(group,),
                    label=f"axis {axis} of {shape}",
                )
