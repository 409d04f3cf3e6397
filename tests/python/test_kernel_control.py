"""Kernels inside torch.cond and while_loop, from ordinary calls."""

import pytest
import torch
from models import ID, call, convert, load
from torch._higher_order_ops.while_loop import while_loop

from bessemer.torch import TorchMetalKernel


def scaled_reference(x: torch.Tensor, c: float) -> torch.Tensor:
    return x * c


def totals_reference(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x + 1, x.sum(0, keepdim=True)


scale = TorchMetalKernel(
    "scale", ["x", "c"], ["y"], "y[id] = x[id] * c;", scaled_reference, [ID]
)
total = TorchMetalKernel(
    "total",
    ["x"],
    ["y", "sum"],
    """
    y[id] = x[id] + 1;
    if (id > 0) return;
    float all = 0;
    for (uint i = 0; i < uint(x.get_extent(0)); ++i) all += x[i];
    sum[0] = all;
    """,
    totals_reference,
    [ID],
)


def scaled(x, c=2.0):
    return scale(
        x,
        c,
        threads_per_grid=(x.shape[0], 1, 1),
        threads_per_thread_group=(1, 1, 1),
        result_shapes=[list(x.shape)],
    )


def totals(x):
    return total(
        x,
        threads_per_grid=(x.shape[0], 1, 1),
        threads_per_thread_group=(1, 1, 1),
        result_shapes=[list(x.shape), [1]],
    )


def both(x):
    return torch.cond(x.sum() > 0, lambda x: scaled(x), lambda x: scaled(x, 3.0), (x,))


def two_results(x):
    def no(x):
        return x * 2, x.sum(0, keepdim=True)

    return torch.cond(x.sum() > 0, totals, no, (x,))


def nested(x):
    def yes(x):
        return torch.cond(
            x.max() > 3, lambda x: scaled(x, 4.0), lambda x: scaled(x, 5.0), (x,)
        )

    return torch.cond(x.sum() > 0, yes, lambda x: -x, (x,))


def before_and_after(x):
    y = torch.cond(x.sum() > 0, lambda x: scaled(x), lambda x: x - 1, (scaled(x, 0.5),))
    return scaled(y, 7.0)


def loop(x):
    return while_loop(
        lambda i, x: i < 3, lambda i, x: (i + 1, scaled(x)), (torch.tensor(0), x)
    )[1]


def loop_of_two_results(x):
    return while_loop(
        lambda i, x, s: i < 4,
        lambda i, x, s: (i + 1, *totals(x)),
        (torch.tensor(0), x, x.sum(0, keepdim=True)),
    )[1:]


def loop_with_a_kernel_in_the_test(x):
    return while_loop(
        lambda i, x: (scaled(x).sum() < 100) & (i < 20),
        lambda i, x: (i + 1, scaled(x, 1.5)),
        (torch.tensor(0), x.abs()),
    )


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


FUNCTIONS = [
    both,
    two_results,
    nested,
    before_and_after,
    loop,
    loop_of_two_results,
    loop_with_a_kernel_in_the_test,
]


@pytest.mark.parametrize(
    "function, kind", [(both, "static")] + [(f, "dynamic") for f in FUNCTIONS]
)
def test_kernels_in_branches_and_loops(function, kind, tmp_path):
    x = torch.arange(8.0)
    sizes = {"x": {0: torch.export.Dim("n", min=2, max=64)}}
    program = convert(
        Call(function), (x,), [scale, total], sizes if kind == "dynamic" else None
    )
    loaded = load(program, tmp_path)
    given = [x, -x, x / 10] + [torch.arange(5.0)] * (kind == "dynamic")
    for value in given:
        expected = function(value)
        if isinstance(expected, torch.Tensor):
            expected = [expected]
        for got, want in zip(call(loaded, value), expected, strict=True):
            torch.testing.assert_close(got.to(want.dtype), want, rtol=1e-5, atol=1e-5)


def test_a_branch_is_checked_too():
    def branch(x):
        def yes(x):
            return scale(
                x,
                2.0,
                threads_per_grid=(-8, 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[list(x.shape)],
            )

        return torch.cond(x.sum() > 0, yes, lambda x: x + 1, (x,))

    with pytest.raises(ValueError, match="threads_per_grid must not be negative"):
        convert(Call(branch), (torch.ones(8),), [scale])
