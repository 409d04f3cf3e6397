"""Comparing converted models with PyTorch: verdicts, numbers, maps."""

import asyncio
import math

import numpy as np
import pytest
import torch
from models import GID, ID, Unary, make_silu

from bessemer.torch import (
    TorchMetalKernel,
    compare,
    validate,
    validate_numerical_output,
)


def test_equal_tensors():
    x = torch.tensor([[1.0, math.nan], [math.inf, -2.0]])
    result = compare("y", x, x.clone())
    assert result.ok and result.wrong == 0 and result.elements == 4
    assert compare("y", torch.zeros(0, 3), torch.zeros(0, 3)).ok
    assert compare("y", torch.tensor(2), torch.tensor(2)).ok


def test_numbers_are_those_of_numpy():
    generator = torch.Generator().manual_seed(3)
    expected = torch.randn(5, 7, generator=generator)
    actual = expected + torch.randn(5, 7, generator=generator)
    result = compare("y", actual, expected)
    a, e = actual.double().numpy().ravel(), expected.double().numpy().ravel()
    assert not result.ok
    assert result.cosine == pytest.approx(
        np.dot(a, e) / np.sqrt(np.dot(a, a) * np.dot(e, e))
    )
    assert result.relative_l2 == pytest.approx(
        np.linalg.norm(a - e) / np.linalg.norm(e)
    )
    assert result.max_error == pytest.approx(np.abs(a - e).max())
    assert np.ravel_multi_index(result.worst, (5, 7)) == np.abs(a - e).argmax()


@pytest.mark.parametrize(
    "actual, expected, reason",
    [
        (torch.zeros(2), torch.zeros(3), "shape [2], expected [3]"),
        (torch.zeros(1), torch.zeros(()), "shape [1], expected []"),
        (
            torch.zeros(2, dtype=torch.float16),
            torch.zeros(2),
            "dtype torch.float16, expected torch.float32",
        ),
    ],
)
def test_what_cannot_be_compared(actual, expected, reason):
    result = compare("y", actual, expected)
    assert not result.ok and str(result) == f"y: WRONG: {reason}"


def test_one_nan_is_wrong():
    result = compare("y", torch.tensor([math.nan, 1.0]), torch.ones(2))
    assert not result.ok and result.wrong == 1 and result.max_error == math.inf


def test_tile_map_shows_where():
    expected = torch.zeros(64, 48)
    actual = expected.clone()
    actual[16:32, 32:48] = 1
    actual[48, 0] = 1
    result = compare("y", actual, expected)
    assert result.tile_map().split("\n")[1:] == [
        "    ...",
        "    ..#",
        "    ...",
        "    1..",
    ]


def test_silu_over_fuzzed_sizes():
    kernel = make_silu()
    report = validate(
        Unary(kernel),
        lambda random: {"x": torch.randn(random.randint(2, 300))},
        kernels=[kernel],
        dynamic_shapes={"x": {0: torch.export.Dim("n", min=2, max=1000)}},
        cases=5,
    )
    assert report.ok, str(report)
    assert len({case.inputs["x"][0] for case in report.cases}) > 2


def transposed(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


class Square(torch.nn.Module):
    """A kernel whose body mixes up its axes: right for symmetric inputs only."""

    def __init__(self):
        super().__init__()
        self.kernel = TorchMetalKernel(
            "mixed_axes",
            ["x"],
            ["y"],
            "y[gid.x, gid.y] = x[gid.y, gid.x];",
            transposed,
            [GID],
        )

    def forward(self, x):
        return self.kernel(
            x,
            threads_per_grid=(x.shape[1], x.shape[0], 1),
            threads_per_thread_group=(8, 8, 1),
            result_shapes=[list(x.shape)],
        )


class Named(torch.nn.Module):
    def forward(self, x):
        return {"sum": x + 1, "pair": (x * 2, x * 3)}


@pytest.mark.parametrize(
    "names, shown",
    [
        (None, ["output['sum']", "output['pair'][0]", "output['pair'][1]"]),
        (["s", "a", "b"], ["s", "a", "b"]),
    ],
)
def test_outputs_have_the_users_names(names, shown):
    report = validate(Named(), {"x": torch.ones(3)}, output_names=names)
    assert report.ok
    assert [output.name for output in report.cases[0].outputs] == shown


def test_axis_reversal_is_seen():
    model = Square()
    x = torch.arange(400.0).reshape(20, 20)
    report = validate(model, {"x": x}, kernels=[model.kernel], rtol=0, atol=0)
    assert not report.ok
    (output,) = report.cases[0].outputs
    assert output.wrong == 380 and "map of tiles" in str(report)
    with pytest.raises(AssertionError, match="0 of 1 cases right"):
        asyncio.run(
            validate_numerical_output(model=model, custom_kernels=[model.kernel], x=x)
        )
    symmetric = x + x.T
    asyncio.run(
        validate_numerical_output(
            model=model, custom_kernels=[model.kernel], metal_inputs=True, x=symmetric
        )
    )


def test_bfloat16_and_int64():
    def double(x: torch.Tensor) -> torch.Tensor:
        return x + x

    kernel = TorchMetalKernel(
        "twice", ["x"], ["y"], "y[id] = x[id] + x[id];", double, [ID]
    )
    for dtype in (torch.bfloat16, torch.int64, torch.int8, torch.float16):
        x = torch.arange(-20, 20).to(dtype)
        assert validate(Unary(kernel), {"x": x}, kernels=[kernel]).ok
