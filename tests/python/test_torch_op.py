"""The custom op behind a kernel: eager values, export, schema."""

import pytest
import torch

from bessemer.errors import CompileError
from bessemer.torch import MetalParameter, TorchMetalKernel, eager_kernels

ID = MetalParameter("id", "uint", "thread_position_in_grid")


def scale(x: torch.Tensor, c: float, n: int, b: bool) -> torch.Tensor:
    return x * c + n if b else x


def dispatch(x, results=1):
    return {
        "threads_per_grid": (x.shape[0], 1, 1),
        "threads_per_thread_group": (1, 1, 1),
        "result_shapes": [list(x.shape)] * results,
    }


def make(torch_defn=scale, inputs=("x", "c", "n", "b"), name="scale_op"):
    return TorchMetalKernel(name, list(inputs), ["y"], "", torch_defn, [ID])


def test_eager_calls_run_the_reference():
    x = torch.arange(4.0)
    assert torch.equal(make()(x, 2.0, 1, True, **dispatch(x)), x * 2 + 1)


def test_a_reference_that_returns_its_input():
    x = torch.arange(4.0)
    y = make()(x, 2.0, 1, False, **dispatch(x))
    assert torch.equal(x, y) and y.data_ptr() != x.data_ptr()


def test_defaults_and_keyword_only_parameters():
    def shift(x: torch.Tensor, *, c: float = 3.0) -> torch.Tensor:
        return x + c

    kernel = make(shift, ["x", "c"], "shift_op")
    x = torch.zeros(2)
    assert torch.equal(kernel(x, **dispatch(x)), torch.full((2,), 3.0))
    assert torch.equal(kernel(x, c=1.0, **dispatch(x)), torch.ones(2))


def test_postponed_annotations():
    def postponed(x: "torch.Tensor") -> "torch.Tensor":
        return x + 1

    x = torch.zeros(2)
    assert make(postponed, ["x"], "postponed_op")(x, **dispatch(x)).sum() == 2


def test_two_kernels_of_one_name_keep_their_references():
    def plus(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    def minus(x: torch.Tensor) -> torch.Tensor:
        return x - 1

    x = torch.zeros(1)
    first, second = make(plus, ["x"], "twice"), make(minus, ["x"], "twice")
    assert first(x, **dispatch(x)).item() == 1
    assert second(x, **dispatch(x)).item() == -1


def test_empty_inputs_may_have_an_empty_grid():
    x = torch.zeros(0)
    assert make()(x, 1.0, 1, True, **dispatch(x)).shape == (0,)


class Model(torch.nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def forward(self, x):
        return self.kernel(x, 2.0, x.shape[0], True, **dispatch(x))


@pytest.mark.parametrize("dynamic", [False, True])
def test_export_keeps_the_call(dynamic):
    shapes = {"x": {0: torch.export.Dim("n", min=2, max=100)}} if dynamic else None
    exported = torch.export.export(
        Model(make()).eval(), (torch.zeros(8),), dynamic_shapes=shapes
    ).run_decompositions()
    (call,) = (n for n in exported.graph.nodes if "coreai_metal" in str(n.target))
    assert call.args[1:2] == (2.0,)
    assert all(isinstance(s, int) for s in call.args[4]) != dynamic


def test_no_gradient():
    x = torch.zeros(2, requires_grad=True)
    y = make()(x, 2.0, 1, True, **dispatch(x))
    with pytest.raises(
        RuntimeError, match="'scale_op' has no gradient: no autograd formula was regis"
    ):
        y.sum().backward()


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str
)
def test_eager_kernels_run_the_body(dtype):
    def wrong(x: torch.Tensor, c: float, s: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)

    kernel = TorchMetalKernel(
        "eager_body",
        ["x", "c", "s"],
        ["y"],
        "if (id < x.get_extent(0)) y[id] = TYPE(x[id] * c + s);",
        wrong,
        [ID],
        template_dtypes={"x": "TYPE"},
    )
    x, s = torch.arange(5).to(dtype), torch.tensor(3.0)
    call = {
        "threads_per_grid": (8, 1, 1),
        "threads_per_thread_group": (4, 1, 1),
        "result_shapes": [[5]],
    }
    assert kernel(x, 2.5, s, **call).sum() == 0
    with eager_kernels():
        y = kernel(x, 2.5, s, **call)
    assert y.dtype == dtype and torch.equal(y, x * 2.5 + 3)
    assert kernel(x, 2.5, s, **call).sum() == 0


def test_a_bad_body_called_eagerly_names_its_place():
    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel("bad", ["x"], ["y"], "y[id] = xx[id];", copy, [ID])
    with eager_kernels(), pytest.raises(CompileError, match="identifier 'xx'") as error:
        kernel(torch.zeros(2), **dispatch(torch.zeros(2)))
    assert error.value.diagnostics[0].file == __file__


def pair(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.clone()


class Pair(torch.nn.Module):
    """Two vectors; `shape` says the result's."""

    def __init__(self, kernel, shape):
        super().__init__()
        self.kernel, self.shape = kernel, shape

    def forward(self, x, y):
        return self.kernel(
            x,
            y,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(1, 1, 1),
            result_shapes=[self.shape(x, y)],
        )


@pytest.mark.parametrize(
    "shape, message",
    [
        (lambda x, y: [x.shape[0] + 1], r"is \[n \+ 1\], but torch_defn returned a"),
        (lambda x, y: [x.shape[0], 1], "but torch_defn returned a tensor of shape"),
        (lambda x, y: [y.shape[0]], "The values of m .* must always be equal"),
    ],
)
def test_symbolic_result_shapes_are_compared(shape, message):
    kernel = make(pair, ["a", "b"], "pair_op")
    sizes = {"x": {0: torch.export.Dim("n")}, "y": {0: torch.export.Dim("m")}}
    with pytest.raises(Exception, match=message):
        torch.export.export(
            Pair(kernel, shape).eval(),
            (torch.ones(4), torch.ones(4)),
            dynamic_shapes=sizes,
        )
