"""Products with quantised weights, by groups with scale and bias (affine) or in
small floating types (fp)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from .cases import FLOATS, Case, ceil_div, output, tolerance, values, wide

SPELLED = {"float32": "float", "float16": "float16_t", "bfloat16": "bfloat16_t"}
FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


@dataclass
class Mode:
    """How weights are quantised: `name` starts the kernels' names."""

    name: str
    group: int
    bits: int

    @property
    def is_affine(self) -> bool:
        return self.name == "affine"

    @property
    def ending(self) -> str:
        return f"gs_{self.group}_b_{self.bits}"

    def kind(self, entry: str) -> str:
        return f"{'affine' if self.is_affine else 'fp'}_{entry}"


@dataclass
class Weights:
    """Codes in memory, what goes with them, and what they stand for."""

    packed: np.ndarray
    scales: np.ndarray
    biases: np.ndarray | None
    numbers: np.ndarray

    def arguments(self) -> dict:
        found = {"w": self.packed, "scales": self.scales}
        return found if self.biases is None else found | {"biases": self.biases}

    def strides(self) -> dict:
        """Of matrices one after the other, and their shape."""

        def steps(array):
            return np.array([s // array.itemsize for s in array.strides], np.int64)

        found = {"w_batch_ndims": self.packed.ndim - 2,
                 "w_shape": np.array(self.packed.shape, np.int32),
                 "w_strides": steps(self.packed), "s_strides": steps(self.scales)}  # fmt: skip
        return (
            found if self.biases is None else found | {"b_strides": steps(self.biases)}
        )


def pack(codes: np.ndarray, bits: int) -> np.ndarray:
    """Codes of the last axis as one stream of bits, in words."""
    ordered = np.unpackbits(
        codes.astype(np.uint8)[..., None], axis=-1, bitorder="little"
    )
    stream = ordered[..., :bits].reshape(*codes.shape[:-1], -1)
    return np.packbits(stream, axis=-1, bitorder="little").view(np.uint32)


def weights(rng, mode: Mode, name: str, *shape: int) -> Weights:
    codes = rng.integers(0, 2**mode.bits, shape)
    groups = (*shape[:-1], shape[-1] // mode.group)
    if mode.is_affine:
        top = 2**mode.bits - 1
        scales = (values(rng, "float32", groups, 0.5, 1.5) / top).astype(np.float32)
        scales = scales.astype(values(rng, name, 1).dtype)
        biases = values(rng, name, groups, -1, 0)
        by_group = codes.reshape(*groups, mode.group)
        numbers = by_group * wide(scales)[..., None] + wide(biases)[..., None]
        return Weights(pack(codes, mode.bits), scales, biases, numbers.reshape(shape))
    if mode.bits == 8:
        codes = np.where((codes & 127) == 127, 0, codes)  # Not a number.
        exact = codes.astype(np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float64)
    else:
        exact = np.where(codes & 8, -1, 1) * FP4[codes & 7]
    if mode.group == 16:
        scales = rng.integers(32, 60, groups).astype(np.uint8)
        factors = scales.view(ml_dtypes.float8_e4m3fn).astype(np.float64)
    else:
        scales = rng.integers(117, 122, groups).astype(np.uint8)
        factors = np.exp2(scales.astype(np.float64) - 127)
    numbers = exact * np.repeat(factors, mode.group, axis=-1)
    return Weights(pack(codes, mode.bits), scales, None, numbers)


AFFINE = [Mode("affine", group, bits)
          for group, bits in ((64, 4), (32, 2), (128, 3), (64, 5), (32, 6), (64, 8))]  # fmt: skip
FP = [Mode("mxfp4", 32, 4), Mode("mxfp8", 32, 8), Mode("nvfp4", 16, 4)]
GLOBAL = np.ones(1, np.float32)


def affine(rng) -> Iterator[Case]:
    for turn, mode in enumerate(AFFINE):
        name = FLOATS[turn % 3]
        yield _quantize(rng, mode, name)
        yield _dequantize(rng, mode, name)
        if mode.bits == 4:  # All entry points once, the formats by one of them.
            yield from _products(rng, mode, FLOATS[(turn + 1) % 3])
        else:
            yield _vector(rng, mode, FLOATS[(turn + 1) % 3], "qmv_fast", 512, 48, 3)
            yield _matrix(rng, mode, FLOATS[(turn + 1) % 3], "qmm_t", 256, 64, 50)


def fp(rng) -> Iterator[Case]:
    for turn, mode in enumerate(FP):
        for name in FLOATS:
            yield from _fp_codes(rng, mode, name)
        if turn == 0:  # All entry points once, the formats by two of them.
            yield from _products(rng, mode, "bfloat16")
        else:
            for name in ("float16", "float32"):
                yield _vector(rng, mode, name, "qmv_fast", 512, 48, 3)
            yield _matrix(rng, mode, "float16", "qmm_t", 256, 64, 50)


def _quantize(rng, mode: Mode, name: str) -> Case:
    """Scales such that the larger end of a group is a multiple, in float."""
    w = values(rng, name, (6, 4 * mode.group), -2, 3)
    x = w.astype(np.float32).reshape(-1, mode.group)
    low, high = x.min(1), np.maximum(x.max(1), np.float32(0))
    bins = np.float32(2**mode.bits - 1)
    scale = np.maximum((high - low) / bins, np.float32(1e-7))
    side = np.abs(low) > np.abs(high)
    scale = np.where(side, scale, -scale).astype(np.float32)
    edge = np.where(side, low, high)
    steps = _round(edge / scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(steps == 0, scale, edge / steps).astype(np.float32)
    bias = np.where(steps == 0, np.float32(0), edge)
    codes = np.minimum(_round((x - bias[:, None]) / scale[:, None]), bins)
    packed = pack(codes.astype(np.uint8).reshape(w.shape), mode.bits).view(np.uint8)
    count = w.size * mode.bits // 8
    per_thread = mode.group // 32
    arguments = {"w": w, "out": output(count, "uint8"),
                 "scales": output(len(x), name), "biases": output(len(x), name)}  # fmt: skip
    return Case(
        mode.kind("quantize"),
        f"affine_quantize_{SPELLED[name]}_{mode.ending}",
        arguments,
        {
            "out": packed,
            "scales": scale.astype(w.dtype),
            "biases": bias.astype(w.dtype),
        },
        threads=(w.size // per_thread,),
        group_size=(256,),
    )


def _round(x: np.ndarray) -> np.ndarray:
    """Halves away from zero."""
    return np.trunc(x + np.copysign(np.float32(0.5), x)).astype(np.float32)


def _dequantize(rng, mode: Mode, name: str) -> Case:
    held = weights(rng, mode, name, 6, 4 * mode.group)
    per_thread = 8 if mode.bits in (3, 5) else 4 if mode.bits == 6 else 8 // mode.bits
    size = held.numbers.size
    return Case(
        mode.kind("dequantize"),
        f"affine_dequantize_{SPELLED[name]}_{mode.ending}",
        {
            **held.arguments(),
            "w": held.packed.view(np.uint8),
            "out": output(size, name),
        },
        {"out": held.numbers},
        threads=(size // per_thread,),
        group_size=(128,),
        tolerance=tolerance(name, 2),
    )


def _fp_codes(rng, mode: Mode, name: str) -> Iterator[Case]:
    """Numbers that the type holds exactly become their codes, and come back."""
    held = weights(rng, mode, name, 8, 4 * mode.group)
    size = held.numbers.size
    common = {"global_scale": GLOBAL}
    end = f"{SPELLED[name]}_{mode.ending}_hgs_false"
    yield Case(
        mode.kind("dequantize"),
        f"{mode.name}_dequantize_{end}",
        {"w": held.packed.view(np.uint8), "scales": held.scales, **common,
         "out": output(size, name)},
        {"out": held.numbers},
        threads=(size * mode.bits // 8,),
        group_size=(128,),
    )  # fmt: skip
    exact = _representable(rng, mode, name)
    yield Case(
        mode.kind("quantize_dequantize"),
        f"{mode.name}_quantize_dequantize_{end}",
        {"w": exact, **common, "out": output(exact.size, name)},
        {"out": exact},
        threads=(exact.size,),
        group_size=(128,),
    )


def _representable(rng, mode: Mode, name: str) -> np.ndarray:
    """Groups whose largest number is the type's, times a power of two."""
    shape = (24, mode.group)
    if mode.bits == 4:
        numbers = rng.choice(FP4, shape) * rng.choice([-1, 1], shape)
        numbers[:, 0] = 6
    else:
        codes = rng.integers(0, 127, shape).astype(np.uint8)
        numbers = codes.view(ml_dtypes.float8_e4m3fn).astype(np.float64)
        numbers[:, 0] = 448
    numbers *= np.exp2(rng.integers(-4, 3, (24, 1)))
    return numbers.astype(values(rng, name, 1).dtype)


def _products(rng, mode: Mode, name: str) -> Iterator[Case]:
    yield _vector(rng, mode, name, "qmv_fast", 512, 48, 3)
    yield _vector(rng, mode, name, "qmv", mode.group * 5, 45, 3)
    yield _vector(rng, mode, name, "qmv_quad", 128, 70, 3)
    yield _vector(rng, mode, name, "qmv_wide", 512, 45, 7)
    yield _vector(rng, mode, name, "qvm", 160, 256, 3)
    yield _matrix(rng, mode, name, "qmm_t", 256, 64, 50)
    yield _matrix(rng, mode, name, "qmm_t", 256, 41, 50)
    yield _matrix(rng, mode, name, "qmm_n", 160, 256, 50)
    yield _matrix(rng, mode, name, "qmm_t_splitk", 512, 64, 50)
    for entry, depth, rows, count in (("gather_qmv_fast", 512, 48, 1), ("gather_qmv", 256, 45, 1),
                                      ("gather_qvm", 160, 256, 1), ("gather_qmm_t", 256, 41, 40),
                                      ("gather_qmm_n", 160, 256, 40)):  # fmt: skip
        yield _gather(rng, mode, name, entry, depth, rows, count)
    yield _sorted_rows(rng, mode, name, "rhs_nt")
    yield _sorted_rows(rng, mode, name, "rhs_nn")


def _case(
    mode: Mode, name, entry, ending, arguments, expected, depth, **launch
) -> Case:
    # Weights round to the type before some products, and some sums are in it.
    error = tolerance(name, 4 + depth**0.5 / 2) + depth**0.5 * 2.0**-20
    if not mode.is_affine:
        arguments.setdefault("global_scale", GLOBAL)
    return Case(
        mode.kind(entry),
        f"{mode.name}_{entry}_{SPELLED[name]}_{mode.ending}{ending}",
        arguments,
        {"y": expected},
        tolerance=error,
        **launch,
    )


def _needs_global(mode: Mode, entry: str) -> bool:
    """Which of the fp kernels take the scale of the whole array."""
    vectors = ("qmv_fast", "qmv", "qvm", "gather_qmv_fast", "gather_qmv", "gather_qvm")
    return not mode.is_affine and entry in vectors


def _shapes(x: np.ndarray, held: Weights) -> dict:
    steps = [s // x.itemsize for s in x.strides]
    return {"x_batch_ndims": x.ndim - 2, "x_shape": np.array(x.shape, np.int32),
            "x_strides": np.array(steps, np.int64), **held.strides()}  # fmt: skip


def _vector(rng, mode: Mode, name, entry, depth, rows, count) -> Case:
    """Of vectors with a matrix, for each of two matrices."""
    shape = (depth, rows) if entry == "qvm" else (rows, depth)
    held = weights(rng, mode, name, 2, *shape)
    x = values(rng, name, (2, count, depth), -1, 1)
    numbers = held.numbers if entry == "qvm" else held.numbers.transpose(0, 2, 1)
    arguments = {**held.arguments(), "x": x, "y": output(2 * count * rows, name),
                 "in_vec_size": depth, "out_vec_size": rows, **_shapes(x, held)}  # fmt: skip
    ending, group, tile = "_batch_1", (32, 2), 8
    across = count
    if entry == "qmv_quad":
        ending, group, tile = f"_d_{depth}_batch_1", (32,), 64
    if entry == "qmv_wide":
        lanes = 8 if mode.is_affine else 16
        ending, tile = f"_nv_4_kl_{lanes}_batch_1", 64 // lanes
        across = ceil_div(count, 4)
        arguments["M"] = count
    if entry == "qvm":
        tile = min(mode.group, 32) * 2
    if _needs_global(mode, entry):
        arguments["global_scale"] = GLOBAL
    case = _case(mode, name, entry, ending, arguments, wide(x) @ numbers, depth,
                 groups=(across, ceil_div(rows, tile), 2), group_size=group)  # fmt: skip
    if not _needs_global(mode, entry):
        case.arguments.pop("global_scale", None)
    return case


def _matrix(rng, mode: Mode, name, entry, depth, columns, rows) -> Case:
    shape = (depth, columns) if entry == "qmm_n" else (columns, depth)
    parts = 2 if entry == "qmm_t_splitk" else 1
    batch = 1 if parts > 1 else 2
    held = weights(rng, mode, name, batch, *shape)
    x = values(rng, name, (batch, rows, depth), -1, 1)
    numbers = held.numbers if entry == "qmm_n" else held.numbers.transpose(0, 2, 1)
    arguments = {**held.arguments(), "x": x, "K": depth, "N": columns, "M": rows}
    aligned = "true" if columns % 32 == 0 else "false"
    if parts > 1:
        size = depth // parts
        ending = f"_alN_{aligned}"
        expected = np.stack([wide(x[0])[:, i : i + size] @ numbers[0, i : i + size]
                             for i in range(0, depth, size)])  # fmt: skip
        arguments |= {
            "k_partition_size": size,
            "split_k_partition_stride": rows * columns,
        }
    else:
        ending = "_batch_1" if entry == "qmm_n" else f"_alN_{aligned}_batch_1"
        expected = wide(x) @ numbers
        arguments |= _shapes(x, held)
    arguments["y"] = output(expected.size, name)
    case = _case(mode, name, entry, ending, arguments, expected, depth,
                 groups=(ceil_div(columns, 32), ceil_div(rows, 32), max(parts, batch)),
                 group_size=(32, 2, 2))  # fmt: skip
    case.arguments.pop("global_scale", None)
    return case


def _gather(rng, mode: Mode, name, entry, depth, columns, rows) -> Case:
    """The product of some of the matrices with some of the others."""
    across = entry in ("gather_qvm", "gather_qmm_n")
    held = weights(
        rng, mode, name, 3, *((depth, columns) if across else (columns, depth))
    )
    x = values(rng, name, (4, rows, depth), -1, 1)
    left = np.array([0, 3, 1, 1, 2], np.uint32)
    right = np.array([2, 0, 2, 1, 1], np.uint32)
    numbers = held.numbers if across else held.numbers.transpose(0, 2, 1)
    expected = wide(x)[left] @ numbers[right]
    one = np.ones(1, np.int64)
    arguments = {**held.arguments(), "x": x, "y": output(expected.size, name),
                 "lhs_indices": left, "rhs_indices": right, **_shapes(x, held),
                 "batch_ndims": 1, "batch_shape": np.array([5], np.int32),
                 "lhs_strides": one, "rhs_strides": one}  # fmt: skip
    if "qmm" in entry:
        arguments |= {"K": depth, "N": columns, "M": rows}
        groups = (ceil_div(columns, 32), ceil_div(rows, 32), 5)
        group, ending = (32, 2, 2), ("" if across else "_alN_false")
    else:
        arguments |= {"in_vec_size": depth, "out_vec_size": columns}
        tile = min(mode.group, 32) * 2 if across else 8
        groups, group, ending = (rows, ceil_div(columns, tile), 5), (32, 2), ""
    case = _case(mode, name, entry, ending, arguments, expected, depth,
                 groups=groups, group_size=group)  # fmt: skip
    if not _needs_global(mode, entry):
        case.arguments.pop("global_scale", None)
    return case


def _sorted_rows(rng, mode: Mode, name, way) -> Case:
    """Each row with a matrix of its own; rows of one matrix are neighbours."""
    rows, columns, depth = 45, 128, 160 if mode.group < 64 else 256
    shape = (columns, depth) if way == "rhs_nt" else (depth, columns)
    held = weights(rng, mode, name, 4, *shape)
    x = values(rng, name, (rows, depth), -1, 1)
    which = np.sort(rng.integers(0, 4, rows)).astype(np.uint32)
    numbers = held.numbers.transpose(0, 2, 1) if way == "rhs_nt" else held.numbers
    expected = np.einsum("ik,ikj->ij", wide(x), numbers[which])
    arguments = {**held.arguments(), "x": x, "y": output(expected.size, name),
                 "indices": which, "M": rows, "N": columns, "K": depth}  # fmt: skip
    case = _case(mode, name, f"gather_qmm_{way}", "_bm_16_bn_32_bk_32_wm_1_wn_2", arguments,
                 expected, depth, groups=(ceil_div(columns, 32), ceil_div(rows, 16)),
                 group_size=(32, 2, 1))  # fmt: skip
    case.arguments.pop("global_scale", None)
    case.constants = {"align_M": False, "align_N": True, "align_K": True}
    return case
