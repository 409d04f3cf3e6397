"""Mutable state, branches, loops, dynamic sizes, several entry points."""

import asyncio
import os

import numpy as np
import pytest
import torch
from models import ID, call, convert, export, load
from test_operators import Function, check, floats
from torch._higher_order_ops import while_loop

from bessemer.runtime import AIModel, NDArray
from bessemer.torch import TorchConverter, TorchMetalKernel

# Mutable state.


class Accumulator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("acc", torch.zeros(3))
        self.register_buffer("count", torch.zeros(1, dtype=torch.int64))

    def forward(self, x):
        self.acc.add_(x)
        self.count += 1
        return self.acc * 2, x.sum()


def accumulator(folder, **names):
    return load(convert(Accumulator(), (torch.ones(3),), **names), folder)


def test_state_is_changed_in_place(tmp_path):
    function = accumulator(tmp_path, input_names=["x"], state_names=["a", "n"])
    assert function.desc.state_names == ["a", "n"]
    assert function.desc.input_names == ["x"]
    state = {
        name: NDArray.from_descriptor(function.desc.state_descriptor(name))
        for name in function.desc.state_names
    }
    for step in range(1, 4):
        results = list(
            function.run({"x": np.full(3, step, np.float32)}, state).values()
        )
        total = step * (step + 1) / 2
        np.testing.assert_array_equal(results[0].numpy(), [2 * total] * 3)
        np.testing.assert_array_equal(state["a"].numpy(), [total] * 3)
        assert state["n"].numpy()[0] == step


def test_names_and_text_of_states(tmp_path):
    text = str(convert(Accumulator(), (torch.ones(3),)))
    assert (
        "%arg0: !coreai.handle<tensor<3xf32>> {MutableBuffers.buffer_mutation = "
        '"b_acc", coreai.name = "b_acc"}' in text
    )
    assert "coreai.create_token : !coreai.token" in text
    assert "(<tensor<3xf32>>, !coreai.token) -> (tensor<3xf32>, !coreai.token)" in text
    assert '!coreai.token {coreai.name = "b_acc"}' in text
    assert accumulator(tmp_path).desc.state_names == ["b_acc", "b_count"]
    with pytest.raises(ValueError, match=r"Graph has 2 stateful inputs .* state_names"):
        convert(Accumulator(), (torch.ones(3),), state_names=["a"])


BAD_STATES = {
    "missing": ({}, RuntimeError, "Missing state view for b_acc"),
    "unknown": (
        {"zz": 1},
        RuntimeError,
        "zz is not a declared state of this function. It has: b_acc, b_count",
    ),
    "kind": ({"b_acc": "x", "b_count": 1}, TypeError, "b_acc"),
    "dtype": (
        {"b_acc": np.zeros(3), "b_count": np.zeros(1, np.int32)},
        RuntimeError,
        "b_acc has an invalid scalar type: float64, expected: float32",
    ),
    "shape": (
        {"b_acc": np.zeros(4, np.float32), "b_count": np.zeros(1, np.int32)},
        RuntimeError,
        r"b_acc has an invalid shape: \[4\], expected: \[3\]",
    ),
    "read_only": (
        {
            "b_acc": np.broadcast_to(np.float32(0), 3),
            "b_count": np.zeros(1, np.int32),
        },
        ValueError,
        "state 'b_acc' is read-only",
    ),
    "shared": (
        {
            "b_acc": np.lib.stride_tricks.as_strided(
                np.zeros(1, np.float32), (3,), (0,)
            ),
            "b_count": np.zeros(1, np.int32),
        },
        ValueError,
        "state 'b_acc' has elements that share memory",
    ),
    "byte order": (
        {"b_acc": np.zeros(3, ">f4"), "b_count": np.zeros(1, np.int32)},
        TypeError,
        "b_acc: arrays in foreign byte order",
    ),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_bad_states(name, tmp_path):
    state, kind, text = BAD_STATES[name]
    with pytest.raises(kind, match=text):
        accumulator(tmp_path).run({"x": np.ones(3, np.float32)}, state)


def test_one_array_for_two_states(tmp_path):
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("a", torch.zeros(3))
            self.register_buffer("b", torch.zeros(3))

        def forward(self, x):
            # Each gets what the other had.
            old = self.a.clone()
            self.a.copy_(self.b + 0)
            self.b.copy_(old)
            return x + self.a

    function = load(convert(Two(), (torch.ones(3),)), tmp_path)
    a, b = np.arange(3, dtype=np.float32), np.full(3, 5, np.float32)
    (y,) = function.run({"x": a}, {"b_a": a, "b_b": b}).values()
    np.testing.assert_array_equal(a, [5, 5, 5])
    np.testing.assert_array_equal(b, [0, 1, 2])
    np.testing.assert_array_equal(y.numpy(), [5, 6, 7])
    with pytest.raises(ValueError, match="states 'b_a' and 'b_b' share memory"):
        function.run({"x": b}, {"b_a": a, "b_b": a})


@pytest.mark.parametrize("kind", ["strided", "torch", "numpy"])
def test_arrays_of_states(kind, tmp_path):
    function = accumulator(tmp_path)
    acc = {
        "strided": np.zeros((3, 4), np.float32)[:, 1],
        "torch": torch.zeros(3),
        "numpy": np.zeros(3, np.float32),
    }[kind]
    for _ in range(2):
        function.run(
            {"x": np.ones(3, np.float32)},
            {"b_acc": acc, "b_count": np.zeros(1, np.int32)},
        )
    np.testing.assert_array_equal(np.asarray(acc), [2, 2, 2])


def test_gathered_calls_on_one_state(tmp_path):
    function = accumulator(tmp_path)
    state = {"b_acc": NDArray(np.zeros(3, np.float32)), "b_count": NDArray([0]).numpy()}
    state["b_count"] = np.zeros(1, np.int32)

    async def run():
        x = np.ones(3, np.float32)
        await asyncio.gather(*[function({"x": x}, state) for _ in range(20)])

    asyncio.run(run())
    np.testing.assert_array_equal(state["b_acc"].numpy(), [20, 20, 20])
    assert state["b_count"][0] == 20


def test_cache_of_a_decoder(tmp_path):
    class Cache(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("keys", torch.zeros(1, 8, 4))

        def forward(self, k, position):
            self.keys.index_copy_(1, position, k)
            scores = (k @ self.keys.transpose(1, 2)).softmax(-1)
            return scores @ self.keys

    model = Cache()
    function = load(convert(model, (torch.zeros(1, 1, 4), torch.tensor([0]))), tmp_path)
    keys = NDArray.from_descriptor(function.desc.state_descriptor("b_keys"))
    reference = Cache()
    for step in range(5):
        k, position = floats(1, 1, 4), torch.tensor([step])
        (y,) = function.run({"k": k, "position": position}, {"b_keys": keys}).values()
        np.testing.assert_allclose(
            y.numpy(), reference(k, position).numpy(), rtol=1e-5, atol=1e-6
        )
        np.testing.assert_array_equal(keys.numpy(), reference.keys.numpy())


# Kernels that write their inputs.


def write_kernel(name="writes_its_input"):
    def reference(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    body = "x[id] = x[id] + 1.0f; y[id] = x[id];"
    return TorchMetalKernel(name, ["x"], ["y"], body, reference, [ID])


def dispatch(kernel, x):
    n = x.shape[0]
    return kernel(
        x,
        threads_per_grid=(n, 1, 1),
        threads_per_thread_group=(n, 1, 1),
        result_shapes=[[n]],
    )


WRITTEN = {
    "input": lambda k: lambda x: dispatch(k, x),
    "input_used_again": lambda k: lambda x: (dispatch(k, x), x * 2, dispatch(k, x)),
    "value": lambda k: lambda x: (dispatch(k, x * 3), x * 3),
    "view": lambda k: lambda x: (dispatch(k, x.flip(0)[:4]), x),
    "result": lambda k: lambda x: [y := x * 3, dispatch(k, y)],
    "weight": lambda k: (
        lambda x: (
            x + dispatch(k, torch.arange(16.0)),
            torch.arange(16.0) * 1,
        )
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("kind", ["numpy", "torch", "ndarray", "read_only"])
def test_kernels_that_write_their_input(name, kind, tmp_path):
    kernel = write_kernel()
    model = Function(WRITTEN[name](kernel))
    x = torch.arange(16.0)
    function = load(convert(model, (x,), [kernel]), tmp_path)
    array = x.numpy().copy()
    given = {
        "numpy": array,
        "torch": torch.from_numpy(array),
        "ndarray": NDArray(array),
        "read_only": np.broadcast_to(array, array.shape),
    }[kind]
    expected = model(x)
    expected = expected if isinstance(expected, (tuple, list)) else [expected]
    for _ in range(2):  # A weight must be the same the second time.
        for result, wanted in zip(call(function, given), expected, strict=True):
            assert torch.equal(result, wanted)
        np.testing.assert_array_equal(np.asarray(given), np.arange(16.0))


# Branches and loops.


def branch(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos(), (x,))


def nested(x):
    def positive(x):
        return torch.cond(x.max() > 2, lambda x: x * 2, lambda x: x - 1, (x,))

    return torch.cond(x.sum() > 0, positive, lambda x: -x, (x,)) + 1


def several(x):
    return torch.cond(
        x.sum() > 0, lambda x: (x + 1, x.sum()), lambda x: (x - 1, x.prod()), (x,)
    )


@pytest.mark.parametrize("function", [branch, nested, several])
def test_branches(function, tmp_path):
    x = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    check(
        function,
        (x,),
        tmp_path,
        calls=[(x,), (-x,), (x.abs() / 9,)],
        rtol=1e-5,
        atol=1e-6,
    )


def powers(x):
    def more(i, x):
        return i < 5

    def body(i, x):
        return i + 1, x * 2 + i

    return while_loop(more, body, (torch.tensor(0), x))


def fibonacci(n):
    """Each round swaps what is carried."""
    return while_loop(
        lambda n, a, b: n > 0,
        lambda n, a, b: (n - 1, b.clone(), a + b),
        (n, torch.tensor(0), torch.tensor(1)),
    )


def test_loops(tmp_path):
    check(powers, (floats(4),), tmp_path / "a", rtol=1e-5, atol=1e-6)
    calls = [(torch.tensor(n),) for n in (0, 1, 10)]
    check(fibonacci, (torch.tensor(3),), tmp_path / "b", calls=calls)


def test_branches_of_shapes_and_kernels(tmp_path):
    kernel = write_kernel()

    def choose(x):
        return torch.cond(
            x.sum() > 0, lambda x: dispatch(kernel, x) * 2, lambda x: x * 3, (x,)
        )

    x = torch.arange(8.0)
    model = Function(choose)
    function = load(convert(model, (x,), [kernel]), tmp_path)
    for given in (x, -x):
        assert torch.equal(call(function, given)[0], model(given))


# Dynamic sizes.


def test_bounds_are_enforced(tmp_path):
    n = torch.export.Dim("n", min=2, max=64)

    def add(x, y):
        return x + y

    model = convert(
        Function(add),
        (floats(4, 3), floats(4, 3)),
        dynamic_shapes=(({0: n}, {0: n}),),
        input_names=["x", "y"],
    )
    function = load(model, tmp_path)
    assert call(function, floats(64, 3), floats(64, 3))[0].shape == (64, 3)
    for rows, text in [
        (1, "input 'x': dimension 0 is 1, but it must be at least 2"),
        (65, "input 'x': dimension 0 is 65, but it must be at most 64"),
    ]:
        with pytest.raises(ValueError, match=text):
            call(function, floats(rows, 3), floats(rows, 3))
    with pytest.raises(ValueError, match="input 'y': dimension 0 is 3, but input 'x'"):
        call(function, floats(2, 3), floats(3, 3))


def test_related_sizes(tmp_path):
    n = torch.export.Dim("n", min=2, max=64)

    def add(x, y):
        return x[: y.shape[0]] + y

    program = convert(
        Function(add),
        (floats(8, 3), floats(4, 3)),
        dynamic_shapes=(({0: 2 * n}, {0: n}),),
        input_names=["x", "y"],
    )
    function = load(program, tmp_path)
    x, y = floats(20, 3), floats(10, 3)
    assert torch.equal(call(function, x, y)[0], add(x, y))
    with pytest.raises(ValueError, match="input 'x': dimension 0"):
        call(function, floats(21, 3), y)


EMPTY = {
    "elementwise": lambda x: x * 2 + 1,
    "sum": lambda x: (x.sum(0), x.sum(1), x.mean(1)),
    "product": lambda x: (x @ x.T, x.T @ x),
    "softmax": lambda x: x.softmax(-1),
    "cat": lambda x: torch.cat([x, x]),
    "gather": lambda x: x[:, torch.tensor([0, 2])],
    "linear": torch.nn.Linear(8, 4),
    "norm": torch.nn.LayerNorm(8),
    "sort": lambda x: tuple(x.sort(1)),
}


@pytest.mark.parametrize("name", EMPTY)
def test_sizes_of_0(name, tmp_path):
    n = torch.export.Dim("n", min=0, max=64)
    function = EMPTY[name]
    check(
        function,
        (floats(4, 8),),
        tmp_path,
        dynamic_shapes=({0: n},) if not isinstance(function, torch.nn.Module) else None,
        calls=[(floats(k, 8),) for k in ((0, 3) if callable(function) else (4,))]
        if not isinstance(function, torch.nn.Module)
        else None,
        rtol=1e-5,
        atol=1e-5,
    )


def test_large_integers_are_refused(tmp_path):
    function = load(convert(Function(lambda i: i + 1), (torch.tensor([1]),)), tmp_path)
    assert call(function, torch.tensor([2**31 - 2]))[0].item() == 2**31 - 1
    with pytest.raises(RuntimeError, match="integers beyond the 32 bits"):
        call(function, torch.tensor([2**31]))


# Several entry points.


def test_weights_are_stored_once(tmp_path):
    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(300, 300)

        def forward(self, x):
            return self.linear(x)

    model = Both()

    def size(entries):
        converter = TorchConverter()
        for entry in entries:
            converter.add_exported_program(
                export(model, (torch.zeros(2, 300),)), entrypoint_name=entry
            )
        asset = converter.to_coreai().save_asset(tmp_path / "m.aimodel")
        return asset, os.path.getsize(asset.path / "main.mlirb")

    _, one = size(["a"])
    asset, two = size(["a", "b"])
    assert one > 4 * 300 * 300 and two < one * 1.1
    loaded = AIModel.open(asset.path)
    x = floats(2, 300)
    for name in ("a", "b"):
        (y,) = call(loaded.load_function(name), x)
        torch.testing.assert_close(y, model(x), rtol=1e-4, atol=1e-4)
