"""Images unfolded for convolutions by matrix product."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from .cases import FLOATS, Case, output, values


def _parameters(dimensions: int) -> np.dtype:
    """MLX's description of a convolution over so many axes."""
    numbers = [(n, np.int32) for n in "NCO"]
    numbers += [(n, np.int32, dimensions)
                for n in ("iS", "wS", "oS", "str", "pad", "kdil", "idil")]  # fmt: skip
    numbers += [(f"{n}_strides", np.int64, dimensions + 2) for n in ("in", "wt", "out")]
    return np.dtype([*numbers, ("groups", np.int32), ("flip", np.bool_)], align=True)


SIZES = {1: ((11,), (3,)), 2: ((7, 9), (3, 2)), 3: ((4, 5, 6), (2, 3, 2))}


def unfold(rng) -> Iterator[Case]:
    turn = 0
    for dimensions, transposed in product((1, 2, 3), (False, True)):
        for name in FLOATS:
            yield _unfold(rng, dimensions, transposed, name, flip=turn % 2 == 1)
            turn += 1


def _unfold(rng, dimensions, transposed, name, flip) -> Case:
    image, window = SIZES[dimensions]
    batch, channels, step, pad, spread = 2, 5, 2, 1, 2
    reach = [spread * (w - 1) + 1 for w in window]
    made = tuple(
        (i + 2 * pad - r) // step + 1 for i, r in zip(image, reach, strict=True)
    )
    x = values(rng, name, (batch, *image, channels), -4, 4)
    expected = np.zeros((batch, *made, *window, channels), x.dtype)
    for at in np.ndindex(*made, *window):
        place, offset = at[:dimensions], at[dimensions:]
        turned = [w - 1 - o if flip else o for w, o in zip(window, offset, strict=True)]
        inside = [
            p * step - pad + o * spread for p, o in zip(place, turned, strict=True)
        ]
        if all(0 <= i < n for i, n in zip(inside, image, strict=True)):
            expected[(slice(None), *at)] = x[(slice(None), *inside)]
    if transposed:
        expected = np.moveaxis(expected, -1, 1 + dimensions)
    params = np.zeros((), _parameters(dimensions))
    params["N"], params["C"], params["O"], params["groups"] = batch, channels, 1, 1
    for key, given in (("iS", image), ("wS", window), ("oS", made), ("str", step),
                       ("pad", pad), ("kdil", spread), ("idil", 1)):  # fmt: skip
        params[key] = given
    params["in_strides"] = [s // x.itemsize for s in x.strides]
    params["flip"] = flip
    entry = "naive_unfold_transpose" if transposed else "naive_unfold"
    return Case(
        f"{entry} {dimensions}",
        f"{entry}_nd_{name}_{dimensions}",
        {"in": x, "out": output(expected.size, name), "params": params[()],
         "row_offset": 0},
        {"out": expected},
        threads=(channels, int(np.prod(window)), batch * int(np.prod(made))),
        group_size=(4, 2, 8),
    )  # fmt: skip
