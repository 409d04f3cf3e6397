"""Calls of kernels that cannot be right, each with an error that says why."""

import re

import numpy as np
import pytest
import torch
from models import ID, Elementwise, call, convert, export, load

import bessemer
from bessemer.errors import ArgumentError
from bessemer.torch import TorchConverter, TorchMetalKernel

LIBRARY = bessemer.compile("""
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float *y [[buffer(0)]], constant float &a [[buffer(1)]],
                  constant half &h [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = a + h;
}
kernel void options(device float *self [[buffer(0)]], device float *threads [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  self[i] = 1; threads[i] = 2;
}
kernel void shared(device float *y, threadgroup float *s [[threadgroup(0)]],
                   uint i [[thread_position_in_grid]]) {
  s[i] = 3; y[i] = s[i];
}
""")
Y = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    "a, words",
    [
        (bytes(8), "holds 'float' of 4 bytes, got 8 bytes"),
        (np.ones(2, np.float32), r"reference to 'float' \(4 bytes\), got 8 bytes"),
        (np.str_("2"), "is text, a number is wanted"),
        ("2", "argument"),
        (1e39, "out of range for float32"),
        (-1e39, "out of range for float32"),
    ],
)
def test_one_value_for_a_reference(a, words):
    with pytest.raises(ArgumentError, match=words):
        LIBRARY.scale(Y, a, 1.0, threads=4)


def test_numbers_that_overflow_an_element():
    with pytest.raises(ArgumentError, match="70000 is out of range for float16"):
        LIBRARY.scale(Y, 1.0, 70000, threads=4)
    LIBRARY.scale(Y, float("inf"), 1.0, threads=4)
    assert np.isinf(Y).all()


def test_arguments_named_like_words_of_the_call():
    a, b = np.zeros(4, np.float32), np.zeros(4, np.float32)
    LIBRARY.options(None, b, self=a, threads=4)
    assert (a == 1).all() and (b == 2).all()
    with pytest.raises(
        ArgumentError, match="'threads' is an option of the call: pass the argument by"
    ):
        LIBRARY.options(a, threads=4)


def test_threadgroup_memory_is_given_once():
    with pytest.raises(ArgumentError, match="the size of 's' is given twice"):
        LIBRARY.shared(Y, s=32, threadgroup_memory={0: 64}, threads=4)


def test_names_of_kernels_are_text():
    with pytest.raises(ArgumentError, match="takes the name of a kernel, got \\[1\\]"):
        LIBRARY[[1]]
    assert [1] not in LIBRARY and "scale" in LIBRARY


def test_function_constants_are_given_once():
    source = "constant int b [[function_constant(0)]];\nkernel void k() {}"
    with pytest.raises(ArgumentError, match=r"constant b \(0\) is given twice"):
        bessemer.compile(source, function_constants={0: 1, "b": 2})


# In PyTorch.


def same(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def make(reference=same, names=("x",), src="y[id] = x[id];"):
    return TorchMetalKernel("k", list(names), ["y"], src, reference, [ID])


CALL = {
    "threads_per_grid": (4, 1, 1),
    "threads_per_thread_group": (1, 1, 1),
    "result_shapes": [[4]],
}


def test_references_that_return_no_tensor():
    def wrong(x: torch.Tensor) -> torch.Tensor:
        return 5

    kernel = make(wrong)
    with pytest.raises(TypeError, match="'k': torch_defn returned 5; it must return"):
        kernel(torch.ones(4), **CALL)
    with pytest.raises(TypeError, match="'k': torch_defn returned 5; it must return"):
        export(Elementwise(kernel), (torch.ones(4),))


def test_references_that_read_values():
    def wrong(x: torch.Tensor) -> torch.Tensor:
        return x * x.max().item()

    with pytest.raises(RuntimeError, match=r"'k': torch_defn reads the values.*\.item"):
        export(Elementwise(make(wrong)), (torch.ones(4),))


@pytest.mark.parametrize(
    "values, words",
    [
        ((np.ones(4, np.float32), 1), "takes a torch.Tensor for 'x', got array"),
        ((torch.ones(4), 2.5), "takes a int for 'n', got 2.5 of type float"),
        ((torch.ones(4), "2"), "takes a int for 'n', got '2' of type str"),
        ((torch.ones(4), None), "takes a int for 'n', got None"),
    ],
)
def test_inputs_of_another_kind(values, words):
    def add(x: torch.Tensor, n: int) -> torch.Tensor:
        return x + n

    kernel = make(add, ("x", "n"), "y[id] = x[id] + n;")
    message = re.escape("coreai_metal_kernels::k() " + words)
    for kind in (TypeError, RuntimeError):
        with pytest.raises(kind, match=message):
            kernel(*values, **CALL)


def test_an_input_may_be_called_self():
    def reference(self: torch.Tensor) -> torch.Tensor:
        return self.clone()

    make(reference)(self=torch.ones(4), **CALL)


@pytest.mark.parametrize("names", [[5], 5, {"a"}])
@pytest.mark.parametrize("option", ["input_names", "output_names", "state_names"])
def test_names_are_text(option, names):
    exported = export(torch.nn.ReLU(), (torch.ones(2),))
    with pytest.raises(ArgumentError, match="names are a list of str, got"):
        TorchConverter().add_exported_program(exported, **{option: names})


def test_ranks_go_to_8():
    kernel = make(src="y[id,0,0,0,0,0,0,0,0] = x[id,0,0,0,0,0,0,0,0];")
    x = torch.ones([1] * 9)
    with pytest.raises(
        ValueError, match=r"models\.py:\d+: kernel 'k': 'x' has rank 9; .* at most 8"
    ):
        convert(Elementwise(kernel), (x,), [kernel])


def test_one_tensor_returned_twice(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return x, x, x.view(2, 4), x[::2]

    x = torch.arange(8.0)
    function = load(convert(Model(), (x,)), tmp_path)
    assert len(set(function.desc.output_names)) == 4
    for result, expected in zip(call(function, x), Model()(x), strict=True):
        assert torch.equal(result, expected)
    with pytest.raises(ValueError, match=r"output_names has duplicates: \['a'\]"):
        convert(Model(), (x,), output_names=["a", "a", "b", "c"])
