"""Products of matrices and vectors, and of matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cases import FLOATS, Case, ceil_div, output, tolerance, values, wide

NAMES = (*FLOATS, "complex64")
# Simdgroups, lanes and elements of a threadgroup, by rows and columns.
GEMV_TILES = [(1, 8, 1, 32, 4, 4), (1, 8, 1, 32, 1, 4), (1, 1, 8, 4, 4, 4),
              (1, 1, 8, 4, 1, 4), (4, 1, 1, 32, 1, 4), (4, 1, 1, 32, 4, 4),
              (8, 1, 1, 32, 4, 4)]  # fmt: skip
GEMV_T_TILES = [(1, 2, 8, 4, 4, 1), (1, 2, 8, 4, 4, 4), (1, 4, 8, 4, 4, 4),
                (1, 16, 8, 4, 4, 4), (1, 16, 4, 8, 4, 4)]  # fmt: skip
BATCHES = {0: (3,), 1: (2, 3)}
ALPHA, BETA = 0.5, -1.5


def _error(name: str, depth: int) -> float:
    """Sums are in float; the result rounds once."""
    return tolerance(name, 2) + depth**0.5 * 2.0**-20


def _tile_name(tile) -> str:
    return "bm{}_bn{}_sm{}_sn{}_tm{}_tn{}".format(*tile)


def _numbers(rng, name, *shape):
    return values(rng, name, shape, -1, 1)


def gemv(rng) -> Iterator[Case]:
    for entry, tiles in (("gemv", GEMV_TILES), ("gemv_t", GEMV_T_TILES)):
        for turn, tile in enumerate(tiles):
            yield _gemv(rng, entry, tile, NAMES[turn % 4], turn // 2 % 2, turn % 2)
    for turn, name in enumerate(NAMES):
        yield _gather(rng, "gemv", GEMV_TILES[4 + turn % 3], name)
        yield _gather(rng, "gemv_t", GEMV_T_TILES[turn], name)
    for turn, (lanes, vectors) in enumerate(((16, 2), (16, 5), (32, 3), (32, 4))):
        yield _wide(rng, ("float16", "bfloat16")[turn % 2], lanes, vectors, turn > 1)


def _launch(entry: str, tile, rows: int, batch: int) -> dict:
    bm, bn, sm, sn, tm, tn = tile
    block = bm * sm * tm if entry == "gemv" else bn * sn * tn
    return {"groups": (ceil_div(rows, block), 1, batch), "group_size": (32, bn, bm)}


def _gemv(rng, entry, tile, name, nested, axpby) -> Case:
    rows, depth = 77, 203
    batch = BATCHES[nested]
    count = int(np.prod(batch))
    shape = (rows, depth) if entry == "gemv" else (depth, rows)
    mat = _numbers(rng, name, count, *shape)
    vec, bias = _numbers(rng, name, count, depth), _numbers(rng, name, count, rows)
    wide_mat = wide(mat) if entry == "gemv" else wide(mat).transpose(0, 2, 1)
    expected = np.einsum("bij,bj->bi", wide_mat, wide(vec))
    if axpby:
        expected = ALPHA * expected + BETA * wide(bias)

    def steps(size):  # Of a batch, in elements.
        return np.array([batch[1] * size, size] if nested else [size], np.int64)

    arguments = {
        "mat": mat, "in_vec": vec, "bias": bias,
        "out_vec": output(count * rows, name), "in_vec_size": depth,
        "out_vec_size": rows, "marix_ld": shape[1], "alpha": ALPHA, "beta": BETA,
        "batch_ndim": len(batch), "batch_shape": np.array(batch, np.int32),
        "vector_batch_stride": steps(depth), "matrix_batch_stride": steps(rows * depth),
        "bias_batch_stride": steps(rows), "bias_stride": 1,
    }  # fmt: skip
    return Case(
        entry,
        f"{entry}_{name}_{_tile_name(tile)}_nc{nested}_axpby{axpby}",
        arguments,
        {"out_vec": expected},
        tolerance=_error(name, depth),
        **_launch(entry, tile, rows, count),
    )


def _gather(rng, entry, tile, name) -> Case:
    rows, depth, mats, vecs = 50, 130, 4, 3
    shape = (rows, depth) if entry == "gemv" else (depth, rows)
    mat, vec = _numbers(rng, name, mats, *shape), _numbers(rng, name, vecs, depth)
    which_vec = np.array([0, 2, 1, 2, 0], np.uint32)
    which_mat = np.array([3, 1, 1, 0, 2], np.uint32)
    wide_mat = wide(mat) if entry == "gemv" else wide(mat).transpose(0, 2, 1)
    expected = np.einsum("bij,bj->bi", wide_mat[which_mat], wide(vec)[which_vec])
    arguments = {
        "mat": mat, "in_vec": vec, "bias": vec, "out_vec": output(5 * rows, name),
        "in_vec_size": depth, "out_vec_size": rows, "marix_ld": shape[1],
        "alpha": 1.0, "beta": 0.0, "batch_ndim": 1,
        "batch_shape": np.array([5], np.int32),
        "index_batch_strides": np.array([1, 1], np.int64),
        "vector_batch_ndim": 1, "vector_batch_shape": np.array([vecs], np.int32),
        "vector_batch_stride": np.array([depth], np.int64),
        "matrix_batch_ndim": 1, "matrix_batch_shape": np.array([mats], np.int32),
        "matrix_batch_stride": np.array([rows * depth], np.int64),
        "vec_indices": which_vec, "mat_indices": which_mat,
    }  # fmt: skip
    return Case(
        f"{entry}_gather",
        f"{entry}_gather_{name}_{_tile_name(tile)}",
        arguments,
        {"out_vec": expected},
        tolerance=_error(name, depth),
        **_launch(entry, tile, rows, 5),
    )


def _wide(rng, name, lanes, vectors, axpby) -> Case:
    rows, depth, count, batch = 37, 1300, 7, 2
    mat = _numbers(rng, name, batch, rows, depth)
    vec = _numbers(rng, name, batch, count, depth)
    bias = _numbers(rng, name, batch, count, rows)
    expected = np.einsum("bij,bvj->bvi", wide(mat), wide(vec))
    arguments = {
        "mat": mat, "in_vec": vec, "out_vec": output(batch * count * rows, name),
        "in_vec_size": depth, "out_vec_size": rows, "M": count, "matrix_ld": depth,
        "vector_ld": depth, "batch_ndim": 1, "batch_shape": np.array([batch], np.int32),
        "vector_batch_stride": np.array([count * depth], np.int64),
        "matrix_batch_stride": np.array([rows * depth], np.int64),
    }  # fmt: skip
    if axpby:
        expected = ALPHA * expected + BETA * wide(bias)
        arguments |= {"bias": bias, "alpha": ALPHA, "beta": BETA, "bias_ld": rows,
                      "bias_batch_stride": np.array([count * rows], np.int64),
                      "bias_fd": 1}  # fmt: skip
    return Case(
        "gemv_wide",
        f"gemv_wide_{name}_nv{vectors}_kl{lanes}",
        arguments,
        {"out_vec": expected},
        groups=(ceil_div(count, vectors), ceil_div(rows, 4), batch),
        group_size=(32, lanes // 8),
        tolerance=_error(name, depth),
        constants={"gemv_wide_has_batch": True, "gemv_wide_do_axpby": axpby},
    )


def dot(rng) -> Iterator[Case]:
    for name in FLOATS:
        for size in (16384 * 2, 20001):
            a, b = _numbers(rng, name, size), _numbers(rng, name, size)
            parts = np.add.reduceat(wide(a) * wide(b), np.arange(0, size, 16384))
            yield Case(
                "dot_product",
                f"dot_product_{name}_it32_tg512_sg16",
                {"a": a, "b": b, "output": output(len(parts), "float32"), "n": size},
                {"output": parts},
                groups=(len(parts),),
                group_size=(512,),
                tolerance=1e-4,
                label=f"{size} elements",
            )


GEMM = np.dtype(
    [(n, np.int32) for n in ("M", "N", "K", "lda", "ldb", "ldd", "tiles_n", "tiles_m")]
    + [(f"batch_stride_{n}", np.int64) for n in "abd"]
    + [(n, np.int32) for n in ("swizzle_log", "gemm_k_iterations_aligned", "batch_ndim")],
    align=True,
)  # fmt: skip
ADD = np.dtype(
    [("ldc", np.int32), ("fdc", np.int32), ("batch_stride_c", np.int64),
     ("alpha", np.float32), ("beta", np.float32)],
    align=True,
)  # fmt: skip
GEMM_TILES = [(64, 64, 16, 2, 2), (64, 64, 16, 1, 2), (64, 32, 32, 2, 2),
              (32, 64, 16, 1, 2), (32, 32, 16, 2, 2), (64, 32, 8, 4, 1)]  # fmt: skip
SPLIT = np.dtype(
    [(n, np.int32) for n in (
        "M", "N", "K", "lda", "ldb", "ldc", "tiles_n", "tiles_m", "split_k_partitions",
        "split_k_partition_stride", "split_k_partition_size", "swizzle_log",
        "gemm_k_iterations_aligned")]
)  # fmt: skip


def _operands(rng, name, ways, m, n, k, batch=1):
    """Both factors as they lie in memory, and their product."""
    a = _numbers(rng, name, batch, *((k, m) if ways[0] == "t" else (m, k)))
    b = _numbers(rng, name, batch, *((n, k) if ways[1] == "t" else (k, n)))
    left = wide(a).transpose(0, 2, 1) if ways[0] == "t" else wide(a)
    right = wide(b).transpose(0, 2, 1) if ways[1] == "t" else wide(b)
    return a, b, left @ right


def gemm_fused(rng) -> Iterator[Case]:
    ways = ("nn", "nt", "tn", "tt")
    for turn, tile in enumerate((*GEMM_TILES, *GEMM_TILES[:2])):
        name = "complex64" if turn == 5 else FLOATS[turn % 3]
        yield _gemm(rng, ways[turn % 4], name, tile, turn % 2 == 1, turn % 3 == 1)


def _gemm(rng, ways, name, tile, ragged, add) -> Case:
    bm, bn, bk, wm, wn = tile
    m, n, k = (100, 90, 70) if ragged else (bm * 2, bn * 2, bk * 3)
    batch = 2
    a, b, expected = _operands(rng, name, ways, m, n, k, batch)
    tiles = ceil_div(n, bn), ceil_div(m, bm)
    params = np.array(
        (
            m,
            n,
            k,
            a.shape[2],
            b.shape[2],
            n,
            *tiles,
            m * k,
            n * k,
            m * n,
            0,
            k // bk,
            1,
        ),
        GEMM,
    )
    arguments = {"A": a, "B": b, "D": output(batch * m * n, name), "params": params[()]}
    if add:
        c = _numbers(rng, name, batch, m, n)
        arguments["C"] = c
        arguments["addmm_params"] = np.array((n, 1, m * n, ALPHA, BETA), ADD)[()]
        expected = ALPHA * expected + BETA * wide(c)
    constants = {"has_batch": False, "use_out_source": add, "do_axpby": add,
                 "align_M": m % bm == 0, "align_N": n % bn == 0,
                 "align_K": k % bk == 0}  # fmt: skip
    return Case(
        f"gemm {ways}",
        f"steel_gemm_fused_{ways}_{name}_{name}_bm{bm}_bn{bn}_bk{bk}_wm{wm}_wn{wn}",
        arguments,
        {"D": expected},
        groups=(*tiles, batch),
        group_size=(32, wn, wm),
        tolerance=_error(name, k),
        constants=constants,
        label=f"{m}x{n}x{k}{' + C' if add else ''}",
    )


def gemm_splitk(rng) -> Iterator[Case]:
    for turn, ways in enumerate(("nn", "nt", "tn", "tt")):
        yield _splitk(rng, ways, FLOATS[turn % 3], turn % 2 == 1)
    for name in NAMES:
        sums = "complex64" if name == "complex64" else "float32"
        parts = _numbers(rng, sums, 5, 33, 47)
        common = {"C_split": parts, "D": output(33 * 47, name), "k_partitions": 5,
                  "partition_stride": 33 * 47, "ldd": 47}  # fmt: skip
        launch = {"threads": (47, 33), "group_size": (16, 8),
                  "tolerance": tolerance(name, 4)}  # fmt: skip
        kernel = f"steel_gemm_splitk_accum_{name}_{sums}"
        total = wide(parts).sum(0)
        yield Case("gemm_splitk_accum", kernel, common, {"D": total}, **launch)
        c = _numbers(rng, name, 33, 47)
        more = {"C": c, "ldc": 47, "fdc": 1, "alpha": ALPHA, "beta": BETA}
        more["D"] = output(33 * 47, name)
        expected = ALPHA * total + BETA * wide(c)
        yield Case("gemm_splitk_accum_axpby", f"{kernel}_axbpy", common | more,
                   {"D": expected}, **launch)  # fmt: skip


def _splitk(rng, ways, name, ragged) -> Case:
    tile, parts = 32, 3
    m, n, k = (45, 37, 150) if ragged else (64, 32, 144)
    iterations = k // 16 // parts
    size = iterations * 16
    a, b, _ = _operands(rng, name, ways, m, n, k)
    left = wide(a[0]).T if ways[0] == "t" else wide(a[0])
    right = wide(b[0]).T if ways[1] == "t" else wide(b[0])
    ends = [(i + 1) * size for i in range(parts - 1)] + [k]
    expected = np.stack(
        [left[:, i * size : end] @ right[i * size : end] for i, end in enumerate(ends)]
    )
    result = "complex64" if name == "complex64" else "float32"
    tiles = ceil_div(n, tile), ceil_div(m, tile)
    params = np.array((m, n, k, a.shape[2], b.shape[2], n, *tiles, parts, m * n, size, 0,
                       iterations), SPLIT)  # fmt: skip
    ending = "MN_naligned_K_naligned" if ragged else "MN_taligned_K_taligned"
    return Case(
        f"gemm_splitk {ways}",
        f"steel_gemm_splitk_{ways}_{name}_{result}_bm32_bn32_bk16_wm2_wn2_{ending}",
        {"A": a, "B": b, "C": output(expected.size, result), "params": params[()]},
        {"C": expected},
        groups=(*tiles, parts),
        group_size=(32, 2, 2),
        tolerance=1e-4,
        label=f"{m}x{n}x{k}",
    )
