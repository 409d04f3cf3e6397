"""Softmax over any axis, causal self-attention, and kernels one after another."""

import pytest
import torch
from models import GID, ID, call, convert, load

from bessemer.torch import TorchMetalKernel

TOLERANCES = {
    torch.float32: {"rtol": 1e-5, "atol": 1e-6},
    torch.float16: {"rtol": 4e-3, "atol": 2e-3},
    torch.bfloat16: {"rtol": 3e-2, "atol": 1e-2},
}

# One thread a slice; the metal axis is the torch axis from the other end.
SOFTMAX = """
    const uint rank = x.get_rank();
    const uint along = axis < 0 ? uint(-axis - 1) : rank - 1 - uint(axis);
    const uint n = x.get_extent(along);
    metal::array<uint, RANK> at;
    uint rest = slice;
    for (uint i = 0; i < rank; ++i) {
        if (i == along) { at[i] = 0; continue; }
        at[i] = rest % x.get_extent(i);
        rest /= x.get_extent(i);
    }
    if (rest > 0) { return; }
    float largest = -INFINITY, sum = 0.0f;
    for (uint i = 0; i < n; ++i) {
        at[along] = i;
        largest = max(largest, float(x[at]));
    }
    for (uint i = 0; i < n; ++i) {
        at[along] = i;
        sum += exp(float(x[at]) - largest);
    }
    for (uint i = 0; i < n; ++i) {
        at[along] = i;
        y[at] = TYPE(exp(float(x[at]) - largest) / sum);
    }
"""


def softmax_reference(x: torch.Tensor, axis: int) -> torch.Tensor:
    return torch.softmax(x, axis)


def make_softmax(rank):
    parameter = type(ID)("slice", "uint", "thread_position_in_grid")
    return TorchMetalKernel(
        f"softmax_{rank}",
        ["x", "axis"],
        ["y"],
        SOFTMAX,
        softmax_reference,
        [parameter],
        helper_src=f"#define RANK {rank}",
        template_dtypes={"x": "TYPE"},
    )


def softmax_call(kernel, x, axis):
    slices = x.numel() // x.shape[axis]
    return kernel(
        x,
        axis,
        threads_per_grid=(slices + 5, 1, 1),
        threads_per_thread_group=(64, 1, 1),
        result_shapes=[list(x.shape)],
    )


class Softmax(torch.nn.Module):
    def __init__(self, kernel, axis):
        super().__init__()
        self.kernel, self.axis = kernel, axis

    def forward(self, x):
        return softmax_call(self.kernel, x, self.axis)


def normal(*shape, dtype=torch.float32, seed=5):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(dtype)


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
@pytest.mark.parametrize(
    "shape, axis",
    [((7,), 0), ((5, 19), -1), ((6, 3, 11), 1), ((2, 3, 1, 4, 2, 5), -6)],
    ids=str,
)
def test_softmax(shape, axis, dtype, tmp_path):
    kernel = make_softmax(len(shape))
    x = normal(*shape, dtype=dtype) * 20
    (y,) = call(load(convert(Softmax(kernel, axis), (x,), [kernel]), tmp_path), x)
    expected = torch.softmax(x.double(), axis).to(dtype)
    torch.testing.assert_close(y, expected, **TOLERANCES[dtype])


# One thread a row: scores of the columns up to it, then their weighted sum.
ATTENTION = """
    if (row >= O.get_extent(1)) { return; }
    const uint d = X.get_extent(0);
    float largest = -INFINITY;
    for (uint t = 0; t <= row; ++t) {
        largest = max(largest, score(X, WQ, WK, row, t, d));
    }
    float sum = 0.0f;
    for (uint t = 0; t <= row; ++t) {
        sum += exp(score(X, WQ, WK, row, t, d) - largest);
    }
    for (uint j = 0; j < d; ++j) {
        float value = 0.0f;
        for (uint t = 0; t <= row; ++t) {
            const float p = exp(score(X, WQ, WK, row, t, d) - largest) / sum;
            value += p * project(X, WV, t, j, d);
        }
        O[j, row] = TYPE(value);
    }
"""
ATTENTION_HELPER = """
template <typename T, typename W>
float project(T x, W w, uint row, uint column, uint d) {
    float sum = 0.0f;
    for (uint k = 0; k < d; ++k) { sum += float(x[k, row]) * float(w[column, k]); }
    return sum;
}
template <typename T, typename W>
float score(T x, W wq, W wk, uint i, uint t, uint d) {
    float sum = 0.0f;
    for (uint k = 0; k < d; ++k) {
        sum += project(x, wq, i, k, d) * project(x, wk, t, k, d);
    }
    return sum / sqrt(float(d));
}
"""


def attention_reference(
    x: torch.Tensor, wq: torch.Tensor, wk: torch.Tensor, wv: torch.Tensor
) -> torch.Tensor:
    q, k, v = x @ wq, x @ wk, x @ wv
    mask = torch.ones(x.shape[0], x.shape[0], dtype=torch.bool).tril()
    scores = (q @ k.T / x.shape[1] ** 0.5).masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ v


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = TorchMetalKernel(
            "self_attention",
            ["X", "WQ", "WK", "WV"],
            ["O"],
            ATTENTION,
            attention_reference,
            [type(ID)("row", "uint", "thread_position_in_grid")],
            helper_src=ATTENTION_HELPER,
            template_dtypes={"X": "TYPE"},
        )

    def forward(self, x, wq, wk, wv):
        return self.kernel(
            x,
            wq,
            wk,
            wv,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(4, 1, 1),
            result_shapes=[list(x.shape)],
        )


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
def test_causal_self_attention(dtype, tmp_path):
    model = Attention()
    inputs = [normal(*s, dtype=dtype, seed=i) for i, s in enumerate([(8, 8)] * 4)]
    rows = {0: torch.export.Dim("rows", min=2, max=64)}
    sizes = {"x": rows, "wq": None, "wk": None, "wv": None}
    function = load(convert(model, tuple(inputs), [model.kernel], sizes), tmp_path)
    for count in (8, 13):
        x = normal(count, 8, dtype=dtype, seed=9) / 2
        (y,) = call(function, x, *inputs[1:])
        expected = attention_reference(x.double(), *(w.double() for w in inputs[1:]))
        torch.testing.assert_close(y, expected.to(dtype), **TOLERANCES[dtype])


def matmul_reference(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x @ y


class Chain(torch.nn.Module):
    """softmax(x @ y) @ z, every step a kernel; two calls share the product's."""

    def __init__(self):
        super().__init__()
        self.softmax = make_softmax(2)
        self.matmul = TorchMetalKernel(
            "product",
            ["A", "B"],
            ["C"],
            """
    if (gid.x >= C.get_extent(0) || gid.y >= C.get_extent(1)) { return; }
    float sum = 0.0f;
    for (uint k = 0; k < A.get_extent(0); ++k) {
        sum += float(A[k, gid.y]) * float(B[gid.x, k]);
    }
    C[gid.x, gid.y] = TYPE(sum);
""",
            matmul_reference,
            [GID],
            template_dtypes={"A": "TYPE"},
        )

    def product(self, x, y):
        m, n = x.shape[0], y.shape[1]
        return self.matmul(
            x,
            y,
            threads_per_grid=((n + 7) // 8 * 8, (m + 7) // 8 * 8, 1),
            threads_per_thread_group=(8, 8, 1),
            result_shapes=[[m, n]],
        )

    def forward(self, x, y, z):
        return self.product(softmax_call(self.softmax, self.product(x, y), -1), z)


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
def test_a_chain_of_kernels(dtype, tmp_path):
    model = Chain()
    rows = {0: torch.export.Dim("rows", min=1, max=64)}
    inputs = (
        normal(5, 12, dtype=dtype, seed=1),
        normal(12, 9, dtype=dtype, seed=2),
        normal(9, 17, dtype=dtype, seed=3),
    )
    kernels = [model.softmax, model.matmul]
    program = convert(model, inputs, kernels, {"x": rows, "y": None, "z": None})
    assert str(program).count("coreai.metal4_kernel") == 3
    function = load(program, tmp_path)
    for count in (5, 21):
        x = normal(count, 12, dtype=dtype, seed=4)
        (result,) = call(function, x, *inputs[1:])
        y, z = (t.double() for t in inputs[1:])
        scores = (x.double() @ y).to(dtype).double()
        expected = (torch.softmax(scores, -1).to(dtype).double() @ z).to(dtype)
        torch.testing.assert_close(result, expected, **TOLERANCES[dtype])
