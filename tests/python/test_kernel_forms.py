"""Kernels of unusual forms: no inputs, no body, no axes, eight axes, twenty uses."""

import math
import re

import pytest
import torch
from models import ID, Unary, call, convert, load

from bessemer.errors import KernelWarning
from bessemer.torch import MetalParameter, TorchMetalKernel


class Call(torch.nn.Module):
    """`function(*inputs)`, which calls kernels."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def dispatch(n, shape):
    return {
        "threads_per_grid": (n, 1, 1),
        "threads_per_thread_group": (min(n, 32), 1, 1),
        "result_shapes": [shape],
    }


def run(model, x, kernels, folder):
    return call(load(convert(model, (x,), kernels), folder), x)


def test_no_inputs(tmp_path):
    def ramp() -> torch.Tensor:
        return torch.arange(10, dtype=torch.float32)

    kernel = TorchMetalKernel("ramp", [], ["y"], "y[id] = float(id);", ramp, [ID])
    model = Call(lambda x: x + kernel(**dispatch(10, [10])))
    (y,) = run(model, torch.ones(10), [kernel], tmp_path)
    assert torch.equal(y, torch.arange(10) + 1.0)


def clone(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def test_an_empty_body(tmp_path):
    kernel = TorchMetalKernel("empty", ["x"], ["y"], "", clone, [ID])
    with pytest.warns(KernelWarning, match="never writes the result 'y'"):
        program = convert(Unary(kernel), (torch.ones(4),), [kernel])
    (y,) = call(load(program, tmp_path), torch.ones(4))
    assert y.shape == (4,)


def test_no_metal_parameters(tmp_path):
    kernel = TorchMetalKernel("first", ["x"], ["y"], "y[0] = x[0] + 1;", clone)
    model = Call(lambda x: kernel(x, **dispatch(1, [1])))
    assert run(model, torch.ones(1), [kernel], tmp_path)[0].tolist() == [2]


def test_tensors_without_axes(tmp_path):
    def scaled(x: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
        return x * s

    kernel = TorchMetalKernel(
        "scaled", ["x", "s"], ["y"], "y[id] = x[id] * s;", scaled, [ID]
    )
    model = Call(lambda x: kernel(x, x.sum(), **dispatch(6, [6])))
    x = torch.arange(6.0)
    program = convert(model, (x,), [kernel])
    assert "constant float& s [[buffer(1)]]" in str(program)
    assert torch.equal(call(load(program, tmp_path), x)[0], x * 15)


@pytest.mark.parametrize("rank", range(1, 9))
def test_ranks(rank, tmp_path):
    kernel = TorchMetalKernel(
        "last",
        ["x"],
        ["y"],
        f"metal::array<uint, {rank}> at;\n"
        f"for (uint i = 0; i < {rank}; ++i) at[i] = x.get_extent(i) - 1;\n"
        "y[0] = x[at];",
        last,
        [],
    )
    shape = [2, 3, 1, 2, 1, 2, 2, 3][:rank]
    x = torch.arange(float(torch.tensor(shape).prod())).reshape(shape)
    model = Call(lambda x: kernel(x, **dispatch(1, [1])))
    assert run(model, x, [kernel], tmp_path)[0].item() == x.max().item()


def last(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(-1)[-1:].clone()


GRIDS = {
    "ceil of a quotient": lambda n: math.ceil(n / 32) * 32,
    "floor of a quotient": lambda n: math.floor(n / 2) + n,
    "negated floor": lambda n: -(-n // 16) * 16,
    "mask": lambda n: (n + 31) & ~31,
    "rest": lambda n: n + (n & 7),
    "shift": lambda n: (n >> 1) + (n << 1),
    "square": lambda n: n**2,
    "largest": lambda n: max(n, 40),
    "remainder": lambda n: n + n % 4,
}


@pytest.mark.parametrize("name", GRIDS)
def test_arithmetic_on_a_dynamic_size(name, tmp_path):
    def threads(x: torch.Tensor) -> torch.Tensor:
        return torch.full_like(x, GRIDS[name](x.shape[0]))

    kernel = TorchMetalKernel(
        "threads",
        ["x"],
        ["y"],
        "if (id < x.get_extent(0)) y[id] = float(grid);",
        threads,
        [ID, MetalParameter("grid", "uint", "threads_per_grid")],
    )

    def once(x):
        shapes = [list(x.shape)]
        grid = (GRIDS[name](x.shape[0]), 1, 1)
        return kernel(
            x,
            threads_per_grid=grid,
            threads_per_thread_group=(32, 1, 1),
            result_shapes=shapes,
        )

    sizes = ({0: torch.export.Dim("n", min=2, max=99)},)
    function = load(convert(Call(once), (torch.zeros(9),), [kernel], sizes), tmp_path)
    for n in (5, 33, 64):
        expected = torch.full((n,), float(GRIDS[name](n)))
        assert torch.equal(call(function, torch.zeros(n))[0], expected)


def test_twenty_uses_of_one_kernel(tmp_path):
    def add_one(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    kernel = TorchMetalKernel(
        "add_one", ["x"], ["y"], "y[id] = x[id] + 1;", add_one, [ID]
    )

    def twenty(x):
        for _ in range(20):
            x = kernel(x, **dispatch(x.shape[0], list(x.shape)))
        return x

    x = torch.arange(50.0)
    program = convert(Call(twenty), (x,), [kernel])
    names = re.findall(r'kernel_name = "(\w+)"', str(program))
    assert len(names) == 20 and len(set(names)) == 1
    assert torch.equal(call(load(program, tmp_path), x)[0], x + 20)


@pytest.mark.parametrize(
    "attribute, dtype, component, expected",
    [
        ("thread_index_in_threadgroup", "uint", "", lambda i: i % 8),
        ("thread_position_in_threadgroup", "ushort", "", lambda i: i % 8),
        ("threadgroup_position_in_grid", "uint3", ".x", lambda i: i // 8),
        ("threads_per_threadgroup", "uint2", ".x", lambda i: i * 0 + 8),
        ("threads_per_grid", "uint", "", lambda i: i * 0 + 32),
        ("threadgroups_per_grid", "uint", "", lambda i: i * 0 + 4),
        ("grid_size", "uint", "", lambda i: i * 0 + 32),
        ("thread_index_in_simdgroup", "uint", "", lambda i: i % 8),
        ("simdgroup_index_in_threadgroup", "uint", "", lambda i: i * 0),
        ("simdgroups_per_threadgroup", "uint", "", lambda i: i * 0 + 1),
        ("threads_per_simdgroup", "uint", "", lambda i: i * 0 + 32),
    ],
)
def test_thread_attributes(attribute, dtype, component, expected, tmp_path):
    kernel = TorchMetalKernel(
        "attribute",
        ["x"],
        ["y"],
        f"y[id] = float(value{component});",
        clone,
        [ID, MetalParameter("value", dtype, attribute)],
    )

    def once(x):
        call = dispatch(32, [32]) | {"threads_per_thread_group": (8, 1, 1)}
        return kernel(x, **call)

    (y,) = run(Call(once), torch.zeros(32), [kernel], tmp_path)
    assert torch.equal(y, expected(torch.arange(32)).float())
