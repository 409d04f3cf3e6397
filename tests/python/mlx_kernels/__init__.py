"""Kernels of MLX against NumPy.

    python -m mlx_kernels FOLDER [--only FAMILY] [--json FILE]

FOLDER is a checkout of https://github.com/ml-explore/mlx; nothing of it is part of
this repository. Each family is a file of kernels and a generator of cases: one
kernel, its arguments and launch as MLX's host code makes them, and what NumPy says
must come out. A kind is one entry point (a function template of the file) in one of
the ways that MLX launches it, such as for vectors, planes or strided arrays.
"""

from . import (
    attention,
    convolutions,
    copies,
    elementwise,
    positions,
    products,
    quantised,
    reductions,
    rows,
    scans,
)
from .cases import Family

GEMM = "steel/gemm/kernels"
FAMILIES: dict[str, Family] = {
    "arange": Family("arange.metal", elementwise.arange),
    "unary": Family("unary.metal", elementwise.unary),
    "binary": Family("binary.metal", elementwise.binary),
    "binary_two": Family("binary_two.metal", elementwise.binary_two),
    "ternary": Family("ternary.metal", elementwise.ternary),
    "copy": Family("copy.metal", copies.copy),
    "reduce": Family("reduce.metal", reductions.reduce),
    "arg_reduce": Family("arg_reduce.metal", reductions.arg_reduce),
    "scan": Family("scan.metal", scans.scan),
    "sort": Family("sort.metal", scans.sort),
    "searchsorted": Family("searchsorted.metal", scans.searchsorted),
    "softmax": Family("softmax.metal", rows.softmax),
    "logsumexp": Family("logsumexp.metal", rows.logsumexp),
    "rms_norm": Family("rms_norm.metal", rows.rms_norm),
    "layer_norm": Family("layer_norm.metal", rows.layer_norm),
    "rope": Family("rope.metal", positions.rope),
    "random": Family("random.metal", positions.random),
    "dot": Family("dot.metal", products.dot),
    "gemv": Family("gemv.metal", products.gemv),
    "gemm_fused": Family(f"{GEMM}/steel_gemm_fused.metal", products.gemm_fused),
    "gemm_splitk": Family(f"{GEMM}/steel_gemm_splitk.metal", products.gemm_splitk),
    "quantized": Family("quantized.metal", quantised.affine),
    "fp_quantized": Family("fp_quantized.metal", quantised.fp),
    "conv": Family("conv.metal", convolutions.unfold),
    "sdpa_vector": Family("scaled_dot_product_attention.metal", attention.vector),
    "attention": Family("steel/attn/kernels/steel_attention.metal", attention.blocks),
}
