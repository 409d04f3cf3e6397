"""Rotary position embeddings and random bits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from .cases import FLOATS, Case, ceil_div, output, tolerance, values, wide

SCALE, BASE = 0.5, 10000.0


def _rotated(x, places, freqs, forward: bool, traditional: bool) -> np.ndarray:
    """`places` are positions of the last axis but one, broadcast over the others."""
    theta = SCALE * places[..., None] * freqs
    cos, sin = np.cos(theta), np.sin(theta) * (1 if forward else -1)
    half = x.shape[-1] // 2
    first, second = (
        (x[..., 0::2], x[..., 1::2]) if traditional else (x[..., :half], x[..., half:])
    )
    turned = first * cos - second * sin, first * sin + second * cos
    if traditional:
        return np.stack(turned, -1).reshape(x.shape)
    return np.concatenate(turned, -1)


def rope(rng) -> Iterator[Case]:
    turn = 0
    for name, freqs, large in product(FLOATS, (False, True), ("", "large_")):
        for forward, transposed in product((True, False), (False, True)):
            turn += 1
            yield _rope(rng, name, freqs, large, forward, turn % 2 == 0, transposed)
    for name, freqs, forward in product(FLOATS, (False, True), (True, False)):
        turn += 1
        yield _single(rng, name, freqs, forward, turn % 2 == 0)


def _frequencies(rng, half: int, given: bool):
    """The kernel's arguments and the factors of the position."""
    if given:
        periods = values(rng, "float32", half, 1, 20)
        return {"freqs": periods, "freq_stride": 1}, 1 / wide(periods)
    exponents = np.arange(half) / half * np.log2(BASE)
    return {"base": float(np.float32(np.log2(BASE)))}, np.exp2(-exponents)


def _constants(forward: bool, traditional: bool, transposed: bool) -> dict:
    return {"forward": forward, "traditional": traditional, "hs_transpose": transposed}


def _rope(rng, name, given, large, forward, traditional, transposed) -> Case:
    batch, heads, length, depth = 2, 6, 9, 20
    arguments, freqs = _frequencies(rng, depth // 2, given)
    x = values(rng, name, (batch, heads, length, depth), -2, 2)
    offsets = np.array([3, 11], np.int32)
    places = offsets[:, None, None] + np.arange(length)
    memory, steps = x, (length * depth, depth, 1)
    if transposed:  # Heads within a position.
        memory = np.ascontiguousarray(x.transpose(0, 2, 1, 3))
        steps = (depth, heads * depth, 1)
    arguments |= {
        "in": memory,
        "out": output(x.size, name),
        "offset": offsets,
        "scale": SCALE,
        "strides": np.array(steps, np.int64),
        "out_strides": np.array((length * depth, depth, 1), np.int64),
        "offset_stride": 1,
        "n_head": heads,
    }
    return Case(
        f"rope{'_freqs' if given else ''}",
        f"rope_{'freqs_' if given else ''}{large}{name}",
        arguments,
        {"out": _rotated(wide(x), places, freqs, forward, traditional)},
        threads=(depth // 2, length, batch * ceil_div(heads, 4)),
        group_size=(8, 8, 1),
        tolerance=tolerance(name, 8) if name != "float32" else 1e-5,
        constants=_constants(forward, traditional, transposed),
        label=str(_constants(forward, traditional, transposed)),
    )


def _single(rng, name, given, forward, traditional) -> Case:
    rows, depth, place = 12, 32, 17
    arguments, freqs = _frequencies(rng, depth // 2, given)
    x = values(rng, name, (rows, depth), -2, 2)
    arguments |= {"in": x, "out": output(x.size, name), "offset": place, "scale": SCALE,
                  "stride": depth}  # fmt: skip
    return Case(
        f"rope_single{'_freqs' if given else ''}",
        f"rope_single_{'freqs_' if given else ''}{name}",
        arguments,
        {"out": _rotated(wide(x), np.full(rows, place), freqs, forward, traditional)},
        threads=(depth // 2, rows),
        group_size=(8, 4),
        tolerance=tolerance(name, 8) if name != "float32" else 1e-5,
        constants=_constants(forward, traditional, False),
        label=str(_constants(forward, traditional, False)),
    )


ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def _threefry(key: np.ndarray, a: np.ndarray, b: np.ndarray):
    """Threefry-2x32 with 20 rounds; `key` holds two words."""
    keys = [key[0], key[1], key[0] ^ key[1] ^ np.uint32(0x1BD11BDA)]
    a, b = a + keys[0], b + keys[1]
    for i in range(5):
        for turn in ROTATIONS[i % 2]:
            a = a + b
            b = ((b << np.uint32(turn)) | (b >> np.uint32(32 - turn))) ^ a
        a, b = a + keys[(i + 1) % 3], b + keys[(i + 2) % 3] + np.uint32(i + 1)
    return a, b


def _bits(keys: np.ndarray, count: int) -> np.ndarray:
    """`count` bytes of each key: the first words, then the second ones."""
    words = ceil_div(count, 4)
    half, odd = words // 2, words % 2
    places = np.arange(half + odd, dtype=np.uint32)
    later = places + np.uint32(half + odd)
    if odd:
        later[-1] = 0
    rows = []
    for key in keys:
        first, second = _threefry(key, places, later)
        rows.append(np.concatenate([first, second[:half]]).view(np.uint8)[:count])
    return np.stack(rows)


def random(rng) -> Iterator[Case]:
    for count in (4096, 4092, 1001):
        keys = rng.integers(0, 2**32, (5, 2), dtype=np.uint64).astype(np.uint32)
        words = ceil_div(count, 4)
        expected = _bits(keys, count)
        launch = {"threads": (5, words // 2 + words % 2), "group_size": (2, 32),
                  "label": f"{count} bytes a key"}  # fmt: skip
        common = {"odd": bool(words % 2), "bytes_per_key": count}
        yield Case(
            "rbitsc",
            "rbitsc",
            {"keys": keys, "out": output(5 * count, "uint8").view(np.int8), **common},
            {"out": expected.view(np.int8)},
            **launch,
        )
        memory = np.ascontiguousarray(keys.T)
        yield Case(
            "rbits",
            "rbits",
            {"keys": memory, "out": output(5 * count, "uint8").view(np.int8), **common,
             "ndim": 2, "key_shape": np.array((5, 2), np.int32),
             "key_strides": np.array((1, 5), np.int64)},
            {"out": expected.view(np.int8)},
            **launch,
        )  # fmt: skip
