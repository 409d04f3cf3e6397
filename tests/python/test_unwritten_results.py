"""What a kernel leaves out of its results is zero, in every run."""

import pytest
import torch
from models import ID, call, convert, load

from bessemer.torch import TorchMetalKernel, eager_kernels

HUGE = 3_000_000  # Larger than what the allocator keeps.


def make(threads, name="part"):
    """Copies what its threads see; the rest is left out."""

    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel(name, ["x"], ["y"], "y[id] = x[id];", copy, [ID])

    class Part(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(threads(x), 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[list(x.shape)],
            )

    return Part(), kernel


class Around(torch.nn.Module):
    """The result is an intermediate tensor, or a part of another."""

    def __init__(self, part, joined):
        super().__init__()
        self.part, self.joined = part, joined

    def forward(self, x):
        y = self.part(x * 2)
        return torch.cat([x, y, x]) if self.joined else y + 1


def head(x, n):
    return torch.cat([x[:n], torch.zeros(len(x) - n)])


@pytest.mark.parametrize("size", [8, 5000, HUGE])
def test_an_output(size, tmp_path):
    model, kernel = make(lambda x: 3)
    function = load(convert(model, (torch.ones(size),), [kernel]), tmp_path)
    for value in (7.0, 8.0, 9.0):
        x = torch.full((size,), value)
        (y,) = call(function, x)
        assert torch.equal(y, head(x, 3))


@pytest.mark.parametrize("joined", [False, True])
def test_an_intermediate_tensor(joined, tmp_path):
    model, kernel = make(lambda x: 3)
    x = torch.ones(64)
    function = load(convert(Around(model, joined), (x,), [kernel]), tmp_path)
    for value in (7.0, 8.0, 9.0):  # Later runs get memory of earlier ones.
        x = torch.full((64,), value)
        y = head(2 * x, 3)
        expected = torch.cat([x, y, x]) if joined else y + 1
        assert torch.equal(call(function, x)[0], expected)


def test_a_grid_that_becomes_empty(tmp_path):
    model, kernel = make(lambda x: x.shape[0] // 4)
    sizes = {"x": {0: torch.export.Dim("n", min=2, max=64)}}
    function = load(convert(model, (torch.ones(8),), [kernel], sizes), tmp_path)
    for size in (8, 3, 2):
        (y,) = call(function, torch.ones(size))
        assert torch.equal(y, head(torch.ones(size), size // 4))


def test_eager_calls_do_the_same():
    model, _ = make(lambda x: 3)
    with eager_kernels():
        assert torch.equal(model(torch.ones(8)), head(torch.ones(8), 3))
