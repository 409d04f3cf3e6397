"""The rules for kernel authors that the guide tabulates, each as a test.

The errors of construction and of call sites stand in test_authoring_errors.py; here
are those of registration and conversion, and the rules that need a whole model.
"""

import asyncio
import re

import numpy as np
import pytest
import torch
from models import ID, Unary, call, convert, export, load, make_silu

from bessemer.errors import CompileError, ConversionError
from bessemer.runtime import NDArray, StorageKind
from bessemer.torch import (
    MetalParameter,
    TorchConverter,
    TorchMetalKernel,
)


def clone(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def make_copy(name="copy", src="y[id] = x[id];", **options):
    return TorchMetalKernel(name, ["x"], ["y"], src, clone, [ID], **options)


X = torch.arange(8.0)


# Conversion-time errors (12.2).


def many_inputs(inputs, scalars, parameters):
    """A kernel with that many parameters, and a model that calls it."""
    names = [f"t{i}" for i in range(inputs)] + [f"s{i}" for i in range(scalars)]
    types = ["torch.Tensor"] * inputs + ["float"] * scalars
    space = {"torch": torch}
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    body = f"return t0 + {' + '.join(names)}"
    exec(f"def defn({arguments}) -> torch.Tensor:\n    {body}", space)
    kernel = TorchMetalKernel(
        "many",
        names,
        ["y"],
        f"y[p0] = t0[p0] + {' + '.join(n + '[p0]' * (n[0] == 't') for n in names)};",
        space["defn"],
        [
            MetalParameter(f"p{i}", "uint", "thread_position_in_grid")
            for i in range(parameters)
        ],
    )

    class Model(torch.nn.Module):
        def forward(self, x):
            return kernel(
                *[x] * inputs,
                *map(float, range(scalars)),
                threads_per_grid=(x.shape[0], 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[list(x.shape)],
            )

    return Model(), kernel


@pytest.mark.parametrize(
    "counts",
    [(10, 0, 21), (25, 5, 1), (1, 29, 1)],
    ids=["parameters", "mixed", "scalars"],
)
def test_parameter_budget(counts):
    model, kernel = many_inputs(*counts)
    with pytest.raises(ValueError, match="^metal kernels support 31 inputs, got 32$"):
        convert(model, (X,), [kernel])


def test_the_whole_parameter_budget_runs(tmp_path):
    model, kernel = many_inputs(20, 9, 1)
    (y,) = call(load(convert(model, (X,), [kernel]), tmp_path), X)
    assert torch.equal(y, 21 * X + sum(range(9)))


def test_a_name_is_registered_once():
    kernel, other = make_copy(), make_copy()
    message = re.escape(
        "'coreai_metal_kernels::copy.default' is already registered; set "
        "allow_override=True to replace it"
    )
    for second in (kernel, other):
        converter = TorchConverter().register_custom_kernels([kernel])
        with pytest.raises(ValueError, match=f"^{message}$"):
            converter.register_custom_kernels([second])


def test_result_dtype_without_a_metal_type():
    def to_float8(x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.float8_e5m2)

    kernel = TorchMetalKernel("f8", ["x"], ["y"], "y[id] = x[id];", to_float8, [ID])
    with pytest.raises(
        TypeError,
        match=r"^Result type at index 0 has unsupported dtype: f8E5M2 \('y' of",
    ):
        convert(Unary(kernel), (X,), [kernel])


class Scalar(torch.nn.Module):
    def __init__(self, kernel, value):
        super().__init__()
        self.kernel, self.value = kernel, value

    def forward(self, x):
        return self.kernel(
            x,
            self.value,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(1, 1, 1),
            result_shapes=[list(x.shape)],
        )


def plus_int(x: torch.Tensor, n: int) -> torch.Tensor:
    return x + n


def times_float(x: torch.Tensor, eps: float) -> torch.Tensor:
    return x * eps


@pytest.mark.parametrize(
    "defn, name, value, error, message",
    [
        (
            plus_int,
            "n",
            5_000_000_000,
            (ValueError, OverflowError),
            "int scalar 'n'=5000000000 is outside the 32-bit int range that MSL `int` "
            "supports",
        ),
        (
            times_float,
            "eps",
            float("inf"),
            ValueError,
            "float scalar 'eps'=inf is not finite; NaN/Inf scalars are not supported",
        ),
        (
            times_float,
            "eps",
            float("nan"),
            ValueError,
            "float scalar 'eps'=nan is not finite; NaN/Inf scalars are not supported",
        ),
        (
            times_float,
            "eps",
            1e39,
            ValueError,
            "float scalar 'eps'=1e+39 is outside the range of MSL `float`",
        ),
    ],
)
def test_scalars_out_of_range(defn, name, value, error, message):
    kernel = TorchMetalKernel(
        "scalar", ["x", name], ["y"], f"y[id] = x[id] * {name};", defn, [ID]
    )
    for kind in error if isinstance(error, tuple) else (error,):
        with pytest.raises(kind, match=re.escape(message)):
            convert(Scalar(kernel, value), (X,), [kernel])


# Rules (16.2).


def test_decompositions_come_first():  # 3
    exported = torch.export.export(torch.nn.Linear(8, 2).eval(), (X,))
    with pytest.raises(ValueError, match=r"run_decompositions\(get_decomp_table\(\)\)"):
        TorchConverter().add_exported_program(exported)


def test_names_of_body_and_declarations_are_compared():  # 5, 15
    kernel = make_copy(src="y[id] = input[id];")
    with pytest.raises(CompileError, match="undeclared identifier 'input'") as caught:
        convert(Unary(kernel), (X,), [kernel])
    assert "the kernel declares x (input), y (result), id (uint" in str(caught.value)
    assert caught.value.diagnostics[0].file == __file__


def test_extents_are_reversed(tmp_path):  # 6
    def extents(x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(3)

    kernel = TorchMetalKernel(
        "extents", ["x"], ["y"], "y[id] = float(x.get_extent(id));", extents, [ID]
    )

    class Model(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(3, 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[[3]],
            )

    x = torch.zeros(2, 3, 5)
    (y,) = call(load(convert(Model(), (x,), [kernel]), tmp_path), x)
    assert y.tolist() == [5, 3, 2]


def test_fixed_result_shapes_under_a_dynamic_dimension():  # 7
    kernel = make_copy()

    class Fixed(torch.nn.Module):
        def forward(self, x):
            return kernel(  # Named by the error.
                x,
                threads_per_grid=(x.shape[0], 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[[8]],
            )

    sizes = {"x": {0: torch.export.Dim("n", min=2, max=99)}}
    with pytest.raises(ValueError) as caught:
        convert(Fixed(), (X,), [kernel], sizes)
    message = str(caught.value)
    assert "result_shapes[0] (for 'y') has the fixed size 8 in dimension 0" in message
    line = int(re.search(r"test_guide\.py:(\d+)", message).group(1))
    with open(__file__) as file:
        call = (
            file.read()
            .split("\n")
            .index("            return kernel(  # Named by the error.")
        )
    assert call < line <= call + 7


def copy_eight(kernel, x):
    return kernel(  # Named by the error of a function that forward calls.
        x,
        threads_per_grid=(x.shape[0], 1, 1),
        threads_per_thread_group=(1, 1, 1),
        result_shapes=[[8]],
    )


def test_the_call_may_stand_in_a_function():  # 7
    kernel = make_copy()

    class Fixed(torch.nn.Module):
        def forward(self, x):
            return copy_eight(kernel, x) + copy_eight(kernel, x)

    sizes = {"x": {0: torch.export.Dim("n", min=2, max=99)}}
    with pytest.raises(ValueError) as caught:
        convert(Fixed(), (X,), [kernel], sizes)
    line = int(re.search(r"test_guide\.py:(\d+): kernel", str(caught.value)).group(1))
    first = copy_eight.__code__.co_firstlineno
    assert first < line <= first + 6


def test_registration_may_come_after(tmp_path):  # 9
    kernel = make_silu()
    converter = TorchConverter().add_exported_program(export(Unary(kernel), (X,)))
    with pytest.raises(ConversionError, match="register it with register_custom_kern"):
        converter.to_coreai()
    program = converter.register_custom_kernels([kernel]).to_coreai()
    (y,) = call(load(program, tmp_path), X)
    torch.testing.assert_close(y, torch.nn.functional.silu(X))


def test_the_wrong_object_of_a_name():  # 10
    registered, called = make_copy(), make_copy()
    with pytest.raises(ConversionError, match="another TorchMetalKernel named 'copy'"):
        convert(Unary(called), (X,), [registered])


@pytest.mark.parametrize("backing", StorageKind)
def test_every_backing_is_allowed(backing, tmp_path):  # 11
    kernel = make_copy()
    asset = convert(Unary(kernel), (X,), [kernel]).save_asset(tmp_path / "m.aimodel")

    async def run():
        async with asset.executable() as model:
            (result,) = (
                await model.load_function("main")({"x": NDArray(X, backing=backing)})
            ).values()
            return result.numpy()

    np.testing.assert_array_equal(asyncio.run(run()), X.numpy())


def test_scalars_are_literals():  # 12
    kernel = TorchMetalKernel(
        "scalar", ["x", "eps"], ["y"], "y[id] = x[id] * eps;", times_float, [ID]
    )
    texts = []
    for value in (2.5, 2.5, 0.0, -0.0):
        convert(Scalar(kernel, value), (X,), [kernel])
        texts.append(len(kernel._scalar_kernel_caches))
    assert texts == [1, 1, 2, 3] and kernel.kernel_cache == {}


def test_bad_metal_is_an_error_at_conversion():  # 15
    kernel = make_copy(src="A[s] = sdfs")
    with pytest.raises(
        CompileError, match=r"does not compile:\n.*test_guide\.py:\d+:\d"
    ):
        convert(Unary(kernel), (X,), [kernel])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int8], ids=str)
def test_tensors_keep_their_dtype_at_a_kernel(dtype):  # 18
    kernel = make_copy()
    text = str(convert(Unary(kernel), (X.to(dtype),), [kernel]))
    assert "coreai.cast" not in text


def test_a_reference_must_be_traceable():  # 19
    def reads_a_value(x: torch.Tensor) -> torch.Tensor:
        return x[: int(x[0].item())].clone()

    kernel = TorchMetalKernel(
        "values", ["x"], ["y"], "y[id] = x[id];", reads_a_value, [ID]
    )

    class Model(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(1, 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[[1]],
            )

    with pytest.raises(Exception, match="kernel 'values': torch_defn reads the values"):
        export(Model(), (torch.ones(4),))
