"""Graph operators against PyTorch: lowering, planning and the kernels they become."""

import pytest
import torch
from models import call, convert, load
from torch.nn import functional as F

from bessemer.errors import ArgumentError


def floats(*shape, dtype=torch.float32):
    return torch.randn(shape, dtype=torch.float32).to(dtype)


def integers(*shape, low=-20, high=20):
    return torch.randint(low, high, shape, dtype=torch.int32)


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def check(function, args, folder, dynamic_shapes=None, calls=None, **tolerance):
    model = function if isinstance(function, torch.nn.Module) else Function(function)
    model = model.eval()
    shapes = (dynamic_shapes,) if dynamic_shapes else None
    loaded = load(convert(model, args, dynamic_shapes=shapes), folder)
    for inputs in calls or [args]:
        expected = model(*inputs)
        expected = expected if isinstance(expected, tuple) else (expected,)
        results = call(loaded, *inputs)
        assert len(results) == len(expected)
        for result, wanted in zip(results, expected, strict=True):
            narrow = {torch.int64: torch.int32, torch.float64: torch.float32}
            wanted = wanted.to(narrow.get(wanted.dtype, wanted.dtype))
            torch.testing.assert_close(result, wanted, equal_nan=True, **tolerance)


UNARY = [
    "abs", "acos", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf",
    "exp", "expm1", "floor", "isinf", "isnan", "log", "log10", "log1p", "log2", "neg",
    "reciprocal", "relu", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt",
    "square", "tan", "tanh", "trunc", "logical_not",
]  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_unary(name, tmp_path):
    special = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, 2.5, float("inf"), float("nan")])
    x = torch.cat([special, floats(300)])
    check(getattr(torch, name), (x,), tmp_path, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", ["exp", "sigmoid", "neg", "sqrt"])
def test_unary_narrow(name, dtype, tmp_path):
    check(getattr(torch, name), (floats(64, dtype=dtype),), tmp_path)


ACTIVATIONS = {
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
    "elu": F.elu,
    "softplus": F.softplus,
    "hardswish": F.hardswish,
    "hardsigmoid": F.hardsigmoid,
    "hardtanh": F.hardtanh,
    "clamp": lambda x: x.clamp(-0.5, 0.75),
    "softmax_rows": lambda x: x.softmax(-1),
    "softmax_columns": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(-1),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name, tmp_path):
    check(ACTIVATIONS[name], (3 * floats(7, 70),), tmp_path, rtol=1e-5, atol=1e-6)


BINARY = {
    "add": torch.add,
    "add_alpha": lambda a, b: torch.add(a, b, alpha=2),
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "div_floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "div_trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "remainder": torch.remainder,
    "fmod": torch.fmod,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "less": torch.lt,
    "greater_equal": torch.ge,
    "equal": torch.eq,
    "where": lambda a, b: torch.where(a > b, a, b * 2),
    "reversed": lambda a, b: 1 - a * 3 + b,
}


@pytest.mark.parametrize("shapes", [((4, 5), (4, 5)), ((2, 3, 5), (3, 1)), ((6,), ())])
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, shapes, tmp_path):
    args = tuple(floats(*shape) for shape in shapes)
    check(BINARY[name], args, tmp_path, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("name", [n for n in BINARY if n != "div"])
def test_binary_integers(name, tmp_path):
    b = integers(50)
    b[b == 0] = 3
    check(BINARY[name], (integers(50), b), tmp_path)


def test_integers_wrap(tmp_path):
    x = torch.tensor([2**31 - 1, -(2**31), 65536], dtype=torch.int32)
    check(lambda a: a * a + 1, (x,), tmp_path)


REDUCTIONS = {
    "sum": lambda x: x.sum(),
    "sum_rows": lambda x: x.sum(-1),
    "sum_middle": lambda x: x.sum(1, keepdim=True),
    "sum_apart": lambda x: x.sum((0, 2)),
    "mean": lambda x: x.mean((1, 2)),
    "amax": lambda x: x.amax(-1),
    "amin": lambda x: x.amin(0),
    "prod": lambda x: x.prod(1),
    "argmax": lambda x: x.argmax(-1),
    "argmax_columns": lambda x: x.argmax(0),
    "argmin": lambda x: x.argmin(1),
    "max": lambda x: tuple(x.max(1)),
    "any": lambda x: (x > 2).any(-1),
    "all": lambda x: (x > -2).all(1),
    "var": lambda x: x.var(-1),
    "cumsum": lambda x: x.cumsum(1),
    "norm": lambda x: F.layer_norm(x, (33,)),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction(name, tmp_path):
    check(REDUCTIONS[name], (floats(3, 5, 33),), tmp_path, rtol=1e-5, atol=1e-5)


MOVEMENTS = {
    "view": lambda x: x.view(6, 10),
    "permute": lambda x: x.permute(2, 0, 1),
    "permute_view": lambda x: x.permute(2, 1, 0).reshape(-1, 3),
    "unsqueeze": lambda x: x.unsqueeze(1).squeeze(1),
    "expand": lambda x: x[:, :1].expand(5, 3, 4, 5),
    "slice": lambda x: x[1:, ::2, -2:],
    "select": lambda x: x[:, -1] + x[:, 0],
    "cat": lambda x: torch.cat([x, x[:, :2], x], 1),
    "stack": lambda x: torch.stack([x, x + 1], -1),
    "repeat": lambda x: x.repeat(2, 1, 3),
    "flip": lambda x: x.flip(0, 2),
    "split": lambda x: tuple(x.split(2, 1)),
    "unbind": lambda x: tuple(x.unbind(1)),
    "pad": lambda x: F.pad(x, (1, 2, 0, 3), value=7.0),
    "tril": torch.tril,
    "transposed_sum": lambda x: x.transpose(0, 2) + x.permute(2, 1, 0),
    "twice": lambda x: (x + 1, (x + 1).view(-1)),
    "arange": lambda x: x + torch.arange(5) * torch.full((4, 1), 2.0),
}


@pytest.mark.parametrize("name", MOVEMENTS)
def test_movement(name, tmp_path):
    check(MOVEMENTS[name], (floats(3, 4, 5),), tmp_path)


def test_gathers(tmp_path):
    table, rows = floats(10, 4), integers(3, 2, low=0, high=10)
    check(lambda t, i: F.embedding(i, t), (table, rows), tmp_path / "a")
    check(lambda t, i: t[i], (table, rows - 5), tmp_path / "b")
    check(lambda t, i: t.index_select(0, i[0]), (table, rows), tmp_path / "c")
    wide = integers(10, 3, low=0, high=4).long()
    check(lambda t, i: t.gather(1, i), (table, wide), tmp_path / "d")


PRODUCTS = {
    "mm": (lambda a, b: a @ b, (5, 7), (7, 3)),
    "transposed": (lambda a, b: a @ b.T, (5, 7), (3, 7)),
    "bmm": (lambda a, b: a @ b, (4, 5, 7), (4, 7, 3)),
    "broadcast": (lambda a, b: a @ b, (2, 4, 5, 7), (7, 3)),
    "vector": (lambda a, b: a @ b, (5, 7), (7,)),
    "linear": (lambda a, b: F.linear(a, b, b[:, 0]).relu(), (5, 7), (3, 7)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_product(name, tmp_path):
    function, a, b = PRODUCTS[name]
    check(function, (floats(*a), floats(*b)), tmp_path, rtol=1e-5, atol=1e-5)


LAYERS = {
    "conv2d": (torch.nn.Conv2d(4, 6, 3, stride=2, padding=1), (2, 4, 9, 8)),
    "conv2d_groups": (torch.nn.Conv2d(4, 8, 3, groups=2, dilation=2), (1, 4, 9, 9)),
    "conv1d": (torch.nn.Conv1d(3, 5, 4), (2, 3, 10)),
    "max_pool": (torch.nn.MaxPool2d(2), (1, 3, 8, 6)),
    "avg_pool": (torch.nn.AvgPool2d(2), (1, 3, 8, 6)),
    "batch_norm": (torch.nn.BatchNorm2d(3), (2, 3, 4, 4)),
    "group_norm": (torch.nn.GroupNorm(2, 4), (2, 4, 3, 3)),
    "layer_norm": (torch.nn.LayerNorm(16), (3, 16)),
    "mlp": (
        torch.nn.Sequential(
            torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 4)
        ),
        (3, 16),
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layer(name, tmp_path):
    layer, shape = LAYERS[name]
    check(layer, (floats(*shape),), tmp_path, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention(is_causal, tmp_path):
    def attend(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

    args = tuple(floats(2, 3, 6, 8) for _ in range(3))
    check(attend, args, tmp_path, rtol=1e-4, atol=1e-5)


DYNAMIC = {
    "elementwise": lambda x: (x * 2).sigmoid() + x,
    "softmax": lambda x: x.softmax(-1) + x.sum(0),
    "view": lambda x: x.view(x.shape[0] * 2, 4) * x.shape[0],
    "cat": lambda x: torch.cat([x, x], 0)[1:],
    "product": lambda x: x @ x.T,
    "norm": lambda x: F.layer_norm(x, (8,)),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic(name, tmp_path):
    batch = torch.export.Dim("batch", min=2, max=64)
    calls = [(floats(n, 8),) for n in (2, 3, 17)]
    check(
        DYNAMIC[name],
        (floats(5, 8),),
        tmp_path,
        dynamic_shapes=({0: batch},),
        calls=calls,
        rtol=1e-5,
        atol=1e-5,
    )


RANGES = {
    "end": lambda n, dtype: torch.arange(n, dtype=dtype),
    "from": lambda n, dtype: torch.arange(-3, n, dtype=dtype),
    "step": lambda n, dtype: torch.arange(0, 3 * n, 2, dtype=dtype),
    "down": lambda n, dtype: torch.arange(n, -2, -3, dtype=dtype),
    "empty": lambda n, dtype: torch.arange(n, n, dtype=dtype) + 1,
    "known": lambda n, dtype: torch.arange(7, dtype=dtype),
}


@pytest.mark.parametrize("dtype", [torch.int32, torch.float32, torch.float16], ids=str)
@pytest.mark.parametrize("name", RANGES)
def test_ranges_of_any_length(name, dtype, tmp_path):
    def ranges(x):
        return RANGES[name](x.shape[0], dtype)

    batch = torch.export.Dim("batch", min=2, max=64)
    calls = [(floats(n, 3),) for n in (2, 3, 17)]
    check(ranges, (floats(5, 3),), tmp_path, ({0: batch},), calls, rtol=0, atol=0)


@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32], ids=str
)
def test_complement(dtype, tmp_path):
    values = integers(5, 7, low=0, high=2 if dtype is torch.bool else 100)
    check(lambda x: ~x, (values.to(dtype),), tmp_path)


@pytest.mark.parametrize("factor, offset", [(1, 0), (2, 0), (2, 1), (3, -1)])
def test_the_bounds_of_derived_dimensions(factor, offset, tmp_path):
    """Those of the size, although the exporter lets no symbol be 1."""
    n = torch.export.Dim("n", min=1, max=5)
    example = (torch.zeros(factor * 3 + offset),)
    model = Function(lambda x: x + 1)
    program = convert(model, example, dynamic_shapes=(({0: factor * n + offset},),))
    function = load(program, tmp_path)
    for count in range(1, 6):
        x = torch.arange(float(factor * count + offset))
        (y,) = call(function, x)
        assert torch.equal(y, x + 1)
    for count in (0, 6):
        with pytest.raises(ArgumentError):
            call(function, torch.zeros(factor * count + max(offset, 0)))
