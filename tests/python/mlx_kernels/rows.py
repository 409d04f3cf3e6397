"""Kernels of one threadgroup a row: softmax, logsumexp and the normalisations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cases import FLOATS, Case, ceil_div, output, tolerance, values, wide

EPS = 1e-5


def _group(size: int, reads: int) -> int:
    """Threads of a row that is read at once."""
    return ceil_div(size, 32 * reads) * 32


def softmax(rng) -> Iterator[Case]:
    names = [(name, "") for name in FLOATS]
    names += [(name, "precise_") for name in ("float16", "bfloat16")]
    for name, precise in names:
        for way, size, group in (("block", 1000, _group(1000, 4)), ("block", 77, 32),
                                 ("looped", 5003, 1024)):  # fmt: skip
            x = values(rng, name, (5, size), -4, 4)
            e = np.exp(wide(x) - wide(x).max(1, keepdims=True))
            exact = "float32" if precise else name
            error = tolerance(exact, 8 + size**0.5) / size * 8 + tolerance(name, 1)
            yield Case(
                f"softmax_{'single_row' if way == 'block' else 'looped'}",
                f"{way}_softmax_{precise}{name}",
                {"in": x, "out": output(x.size, name), "axis_size": size},
                {"out": e / e.sum(1, keepdims=True)},
                threads=(5 * group,),
                group_size=(group,),
                tolerance=error,
                label=f"rows of {size}",
            )


def logsumexp(rng) -> Iterator[Case]:
    for name in FLOATS:
        for way, size, group in (("block", 1000, _group(1000, 4)),
                                 ("looped", 5003, 1024)):  # fmt: skip
            x = values(rng, name, (5, size), -4, 4)
            yield Case(
                f"logsumexp{'_looped' if way == 'looped' else ''}",
                f"{way}_logsumexp_{name}",
                {"in": x, "out": output(5, name), "axis_size": size},
                {"out": np.log(np.exp(wide(x)).sum(1))},
                threads=(5 * group,),
                group_size=(group,),
                tolerance=tolerance(name, 4),
                label=f"rows of {size}",
            )


def _parameters(rng, name: str, size: int, scalar: bool):
    """Weights of a row, or one for all, and their stride."""
    w = values(rng, name, 1 if scalar else size, 0.5, 1.5)
    return w, 0 if scalar else 1


def rms_norm(rng) -> Iterator[Case]:
    rows = 7
    for name in FLOATS:
        for looped, size, group in (("", 1024, 256), ("", 999, 256),
                                    ("_looped", 5003, 1024)):  # fmt: skip
            for scalar in (False, True):
                x = values(rng, name, (rows, size), -2, 2)
                w, step = _parameters(rng, name, size, scalar)
                wide_x = wide(x)
                scale = 1 / np.sqrt((wide_x**2).mean(1, keepdims=True) + EPS)
                common = {
                    "x": x,
                    "w": w,
                    "eps": EPS,
                    "axis_size": size,
                    "w_stride": step,
                }
                launch = {"threads": (rows * group,), "group_size": (group,),
                          "label": f"rows of {size}"}  # fmt: skip
                yield Case(
                    f"rms_{'looped' if looped else 'single_row'}",
                    f"rms{looped}{name}",
                    {**common, "out": output(x.size, name)},
                    {"out": wide(w) * (wide_x * scale)},
                    tolerance=tolerance(name, 4),
                    constants={"has_w": not scalar},
                    **launch,
                )
                yield _rms_gradient(rng, name, looped, common, scale, scalar, launch)


def _rms_gradient(rng, name, looped, common, scale, scalar, launch) -> Case:
    x, w = common["x"], wide(common["w"])
    rows, size = x.shape
    g = values(rng, name, x.shape, -2, 2)
    wide_x, wide_g = wide(x), wide(g)
    mean = (wide_x * w * wide_g).mean(1, keepdims=True)
    expected = {"gx": wide_g * w * scale - wide_x * mean * scale**3}
    # Without weights there is no gradient of theirs, and nothing may be written.
    gw = output(0 if scalar else x.size, name)
    if not scalar:
        expected["gw"] = wide_g * wide_x * scale
    arguments = {**common, "g": g, "gx": output(x.size, name), "gw": gw}
    if not looped:
        arguments |= {"n_rows": rows, "rows_per_group": 1}
    return Case(
        f"vjp_rms_{'looped' if looped else 'single_row'}",
        f"vjp_rms{looped}{name}",
        arguments,
        expected,
        tolerance=tolerance(name, 8),
        constants={"has_w": not scalar},
        **launch,
    )


def layer_norm(rng) -> Iterator[Case]:
    rows = 6
    for name in FLOATS:
        # Rows that fill the threadgroup: MLX's kernel for short rows clears
        # elements of threads that have none.
        for looped, size, group in (("", 1024, 128), ("", 250, 32),
                                    ("_looped", 7003, 1024)):  # fmt: skip
            for scalar in (False, True):
                x = values(rng, name, (rows, size), -2, 2)
                w, step = _parameters(rng, name, size, scalar)
                b, _ = _parameters(rng, name, size, scalar)
                centred = wide(x) - wide(x).mean(1, keepdims=True)
                scale = 1 / np.sqrt((centred**2).mean(1, keepdims=True) + EPS)
                normal = centred * scale
                launch = {"threads": (rows * group,), "group_size": (group,),
                          "constants": {"has_w": not scalar},
                          "tolerance": tolerance(name, 12),
                          "label": f"rows of {size}"}  # fmt: skip
                common = {
                    "x": x,
                    "w": w,
                    "eps": EPS,
                    "axis_size": size,
                    "w_stride": step,
                }
                kind = "looped" if looped else "single_row"
                yield Case(
                    f"layer_norm_{kind}",
                    f"layer_norm{looped}{name}",
                    {**common, "b": b, "b_stride": step, "out": output(x.size, name)},
                    {"out": wide(w) * normal + wide(b)},
                    **launch,
                )
                g = values(rng, name, x.shape, -2, 2)
                expected = _layer_gradients(wide(w), wide(g), normal, scale)
                gw = output(0 if scalar else x.size, name)
                if scalar:
                    del expected["gw"]
                yield Case(
                    f"vjp_layer_norm_{kind}",
                    f"vjp_layer_norm{looped}{name}",
                    {**common, "g": g, "gx": output(x.size, name), "gw": gw},
                    expected,
                    **launch,
                )


def _layer_gradients(w, g, normal, scale) -> dict:
    wg = np.broadcast_to(w, g.shape) * g
    projected = wg - wg.mean(1, keepdims=True)
    projected -= normal * (wg * normal).mean(1, keepdims=True)
    return {"gx": projected * scale, "gw": g * normal}
