"""Attention of single queries, in one pass or two, and of blocks of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cases import FLOATS, Case, ceil_div, output, tolerance, values, wide
from .quantised import SPELLED

BATCH, HEADS, KEY_HEADS = 2, 4, 2
GROUP = HEADS // KEY_HEADS
WAYS = ("none", "causal", "bool", "float", "sinks")


def _scores(q, k, scale, way, mask, sinks):
    """Scores of every query and key in float64, as (batch, head, query, key)."""
    scores = scale * wide(q) @ np.repeat(wide(k), GROUP, 1).transpose(0, 1, 3, 2)
    queries, keys = scores.shape[-2:]
    if way == "causal":
        allowed = np.arange(keys) <= keys - queries + np.arange(queries)[:, None]
        scores = np.where(allowed, scores, -np.inf)
    if way == "bool":
        scores = np.where(mask, scores, -np.inf)
    if way == "float":
        scores = scores + wide(mask)
    return scores


def _weights(scores, sinks):
    """A sink takes part in the sum, and has no value."""
    top = scores.max(-1, keepdims=True)
    if sinks is not None:
        top = np.maximum(top, wide(sinks)[:, None, None])
    e = np.exp(scores - top)
    total = e.sum(-1, keepdims=True)
    if sinks is not None:
        total = total + np.exp(wide(sinks)[:, None, None] - top)
    return e / total


def _inputs(rng, name, queries, keys, depth, value_depth):
    q = values(rng, name, (BATCH, HEADS, queries, depth), -1, 1)
    k = values(rng, name, (BATCH, KEY_HEADS, keys, depth), -1, 1)
    v = values(rng, name, (BATCH, KEY_HEADS, keys, value_depth), -1, 1)
    return q, k, v


def vector(rng) -> Iterator[Case]:
    sizes = [(64, 64), (96, 96), (128, 128), (192, 128), (256, 256)]
    for turn, way in enumerate(WAYS):
        depth, value_depth = sizes[turn]
        yield _vector(rng, FLOATS[turn % 3], way, depth, value_depth)
        yield _first_pass(rng, FLOATS[(turn + 1) % 3], way, depth, value_depth)
    for name, depth in zip(FLOATS, (64, 96, 128), strict=True):
        yield _second_pass(rng, name, depth)


def _options(rng, name, way, shape) -> tuple[dict, dict, np.ndarray | None]:
    """Function constants, arguments and mask or sinks of a way to attend."""
    constants = {"has_mask": way in ("bool", "float"), "query_transposed": False,
                 "do_causal": way == "causal", "bool_mask": way == "bool",
                 "float_mask": way == "float", "has_sinks": way == "sinks"}  # fmt: skip
    _, heads, queries, keys = shape
    if way in ("bool", "float"):
        mask = (
            rng.random(shape) < 0.7
            if way == "bool"
            else values(rng, name, shape, -2, 2)
        )
        arguments = {"bmask" if way == "bool" else "fmask": mask, "mask_kv_seq_stride": 1,
                     "mask_q_seq_stride": keys, "mask_head_stride": queries * keys}  # fmt: skip
        return constants, arguments, mask
    if way == "sinks":
        sinks = values(rng, name, heads, -1, 2)
        return constants, {"sinks": sinks, "num_q_heads": heads}, sinks
    return constants, {}, None


def _common(q, k, v, scale) -> dict:
    return {"queries": q, "keys": k, "values": v, "N": k.shape[2], "scale": scale,
            "k_head_stride": k.shape[2] * k.shape[3], "k_seq_stride": k.shape[3],
            "v_head_stride": v.shape[2] * v.shape[3], "v_seq_stride": v.shape[3]}  # fmt: skip


def _vector(rng, name, way, depth, value_depth) -> Case:
    queries, keys, scale = 3, 150, float(np.float32(depth**-0.5))
    q, k, v = _inputs(rng, name, queries, keys, depth, value_depth)
    shape = (BATCH, HEADS, queries, keys)
    constants, more, extra = _options(rng, name, way, shape)
    sinks = extra if way == "sinks" else None
    weights = _weights(_scores(q, k, scale, way, extra, sinks), sinks)
    expected = weights @ np.repeat(wide(v), GROUP, 1)
    arguments = {**_common(q, k, v, scale), **more, "gqa_factor": GROUP,
                 "out": output(expected.size, name)}  # fmt: skip
    return Case(
        f"sdpa_vector {way}",
        f"sdpa_vector_{SPELLED[name]}_{depth}_{value_depth}",
        arguments,
        {"out": expected},
        groups=(BATCH * HEADS, queries),
        group_size=(1024,),
        tolerance=tolerance(name, 2) + 2e-6,
        constants=constants,
        label=way,
    )


def _first_pass(rng, name, way, depth, value_depth) -> Case:
    """Each block has every so manieth key, and gives a sum that is not divided."""
    queries, keys, blocks, scale = 2, 150, 32, float(np.float32(depth**-0.5))
    q, k, v = _inputs(rng, name, queries, keys, depth, value_depth)
    shape = (BATCH, HEADS, queries, keys)
    constants, more, extra = _options(rng, name, way, shape)
    more.pop("num_q_heads", None)
    sinks = extra if way == "sinks" else None
    scores = _scores(q, k, scale, way, extra, sinks)
    lowest = np.finfo(np.float32).min
    parts, sums, tops = [], [], []
    for block in range(blocks):
        mine = scores[..., block::blocks]
        if sinks is not None and block == 0:
            more_scores = np.broadcast_to(
                wide(sinks)[:, None, None], (*mine.shape[:3], 1)
            )
            mine = np.concatenate([mine, more_scores], -1)
        top = np.maximum(mine.max(-1), lowest)
        e = np.exp(mine - top[..., None])
        rows = np.repeat(wide(v), GROUP, 1)[..., block::blocks, :]
        parts.append(e[..., : rows.shape[2]] @ rows)
        sums.append(e.sum(-1))
        tops.append(top)
    expected = {"out": np.stack(parts, 3), "sums": np.stack(sums, 3),
                "maxs": np.stack(tops, 3)}  # fmt: skip
    arguments = {**_common(q, k, v, scale), **more}
    for key, made in expected.items():
        arguments[key] = output(made.size, name if key == "out" else "float32")
    return Case(
        f"sdpa_vector_2pass_1 {way}",
        f"sdpa_vector_2pass_1_{SPELLED[name]}_{depth}_{value_depth}",
        arguments,
        expected,
        groups=(KEY_HEADS, BATCH, blocks),
        group_size=(32, GROUP, queries),
        tolerance=tolerance(name, 2) + 4e-6,
        constants=constants | {"blocks": blocks},
        label=way,
    )


def _second_pass(rng, name, depth) -> Case:
    queries, blocks = 3, 64
    shape = (BATCH * HEADS, queries, blocks)
    parts = values(rng, name, (*shape, depth), -1, 1)
    sums, tops = (
        values(rng, "float32", shape, 1, 2),
        values(rng, "float32", shape, -2, 2),
    )
    factors = np.exp(wide(tops) - wide(tops).max(-1, keepdims=True))
    total = (factors * wide(sums)).sum(-1)[..., None]
    expected = (factors[..., None] * wide(parts)).sum(2) / total
    return Case(
        "sdpa_vector_2pass_2",
        f"sdpa_vector_2pass_2_{SPELLED[name]}_{depth}",
        {"partials": parts, "sums": sums, "maxs": tops, "blocks": blocks,
         "out": output(expected.size, name)},
        {"out": expected},
        groups=(BATCH * HEADS, queries),
        group_size=(1024,),
        tolerance=tolerance(name, 2) + 2e-6,
        constants={"has_mask": False},
    )  # fmt: skip


PARAMETERS = np.dtype(
    [(n, np.int32) for n in ("B", "H", "D", "qL", "kL", "gqa_factor")]
    + [("scale", np.float32)]
    + [(n, np.int32) for n in ("NQ", "NK", "NQ_aligned", "NK_aligned", "qL_rem", "kL_rem",
                               "qL_off")]
    + [(f"{n}_strides", np.int64, 3) for n in "QKVO"],
    align=True,
)  # fmt: skip


def blocks(rng) -> Iterator[Case]:
    for turn, (depth, keys) in enumerate(((64, 96), (80, 77), (128, 50))):
        yield _blocks(
            rng, FLOATS[turn], depth, 64 if turn == 0 else 45, keys, turn == 1
        )


def _blocks(rng, name, depth, queries, keys, causal) -> Case:
    high, wide_block = 32, 16 if depth >= 128 else 32
    scale = float(np.float32(depth**-0.5))
    q, k, v = _inputs(rng, name, queries, keys, depth, depth)
    way = "causal" if causal else "none"
    weights = _weights(_scores(q, k, scale, way, None, None), None)
    expected = weights @ np.repeat(wide(v), GROUP, 1)
    params = np.zeros((), PARAMETERS)
    params["B"], params["H"], params["D"] = BATCH, HEADS, depth
    params["qL"], params["kL"], params["gqa_factor"] = queries, keys, GROUP
    params["scale"], params["qL_off"] = scale, keys - queries
    params["NQ"], params["NK"] = ceil_div(queries, high), ceil_div(keys, wide_block)
    params["NQ_aligned"], params["NK_aligned"] = queries // high, keys // wide_block
    params["qL_rem"], params["kL_rem"] = queries % high, keys % wide_block
    for letter, array in zip("QKVO", (q, k, v, q), strict=True):
        params[f"{letter}_strides"] = [s // array.itemsize for s in array.strides[:3]]
    return Case(
        f"attention {way}",
        f"steel_attention_{name}_bq{high}_bk{wide_block}_bd{depth}_wm4_wn1_mask{name}",
        {"Q": q, "K": k, "V": v, "O": output(q.size, name), "params": params[()]},
        {"O": expected},
        groups=(ceil_div(queries, high), HEADS, BATCH),
        group_size=(32, 4, 1),
        tolerance=tolerance(name, 4) + 4e-6,
        constants={"align_Q": queries % high == 0, "align_K": keys % wide_block == 0,
                   "has_mask": False, "do_causal": causal, "has_sinks": False},
        label=f"{queries} queries, {keys} keys",
    )  # fmt: skip
