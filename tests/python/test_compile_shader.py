"""bessemer.torch.compile_shader: what torch.mps.compile_shader does on a Mac."""

import re

import numpy as np
import pytest
import torch

from bessemer.errors import CompileError
from bessemer.torch import compile_shader, synchronize


def rejects(kind, message):
    return pytest.raises(kind, match=re.escape(message))


SOURCE = """
#include <c10/metal/atomic.h>
#include "c10/metal/error.h"
using namespace c10::metal;

kernel void arange(device half* x, uint i [[thread_position_in_grid]]) { x[i] = i; }

kernel void full(device float* out, constant float& val,
                 uint i [[thread_position_in_grid]]) { out[i] = val; }

kernel void affine(device T_OUT* out, constant long& scale, constant short& bias,
                   uint i [[thread_position_in_grid]]) { out[i] = scale * i + bias; }

kernel void place(device int* out, uint3 p [[thread_position_in_grid]],
                  uint3 n [[threads_per_grid]], uint3 g [[threads_per_threadgroup]]) {
  out[(p.z * n.y + p.y) * n.x + p.x] = p.x + 100 * p.y + 10000 * p.z + 1000000 * g.x;
}

kernel void halves(device half* x, constant half& a, constant uint2& b,
                   constant bfloat* c, uint i [[thread_position_in_grid]]) {
  x[i] = a + b.x + b.y + float(c[1]);
}

kernel void sum_list(device float* out, constant float* x, constant long* n,
                     uint i [[thread_position_in_grid]]) { out[i] = x[0] + x[1] + n[2]; }

kernel void swap_parts(device float2* x, uint i [[thread_position_in_grid]]) {
  x[i] = x[i].yx;
}

template <typename T, uint N>
kernel void sum_tensors(device T* out, constant ::metal::array<device T*, N>& inputs,
                        uint i [[thread_position_in_grid]]) {
  T sum = 0;
  for (uint k = 0; k < N; k++) sum += inputs[k][i];
  out[i] = sum;
}
template [[host_name("sum_64")]] kernel void sum_tensors<float, 64>(
    device float*, constant ::metal::array<device float*, 64>&, uint);

template <typename T> kernel void count(device AtomicType_t<T>* x) {
  AtomicType<T>::atomic_add(x, 1, T(1));
}
template [[host_name("count_float")]] kernel void count<float>(device AtomicType_t<float>*);
template [[host_name("count_half")]] kernel void count<half>(device AtomicType_t<half>*);
template [[host_name("count_bfloat")]] kernel void count<bfloat>(device AtomicType_t<bfloat>*);
template [[host_name("count_int")]] kernel void count<int>(device AtomicType_t<int>*);
template [[host_name("count_long")]] kernel void count<long>(device AtomicType_t<long>*);

template <typename T, typename F> void apply(device T* x, uint i, F f) { x[i] = f(x[i]); }
kernel void lambda(device float* x, uint i [[thread_position_in_grid]]) {
  float three = 3;
  apply(x, i, [=](float v) { return v * three; });
}

kernel void check(constant int* x, device ErrorMessages* errors,
                  uint i [[thread_position_in_grid]]) {
  if (x[i] > 5) {
    TORCH_REPORT_ERROR(errors, "index ", long(x[i]), " out of " "range");
    return;
  }
}
""".replace("T_OUT", "int")


@pytest.fixture(scope="module")
def library():
    return compile_shader(SOURCE)


def test_names(library):
    assert dir(library) == sorted(dir(library)) and "sum_64" in dir(library)
    assert "sum_tensors" not in dir(library)
    assert library.full is library.full
    message = "Failed to create function state object for: ful; did you mean 'full'?"
    with rejects(RuntimeError, message):
        _ = library.ful
    assert not hasattr(library, "ful")
    assert dir(compile_shader("")) == []


def test_properties(library):
    assert library.full.max_threads_per_threadgroup == 1024
    assert library.full.thread_execution_width == 32
    assert library.full.static_thread_group_memory_length == 0


def test_threads_are_the_elements_of_the_first_tensor(library):
    x = torch.zeros(2, 8, dtype=torch.half)
    library.arange(x)
    assert torch.equal(x, torch.arange(16).half().view(2, 8))


@pytest.mark.parametrize("size", [(5,), (5, 3), (5, 3, 2)])
@pytest.mark.parametrize("group", [None, 2])
def test_dimensions(library, size, group):
    out = torch.zeros(size[::-1], dtype=torch.int32)
    groups = group and tuple([group] * len(size))
    library.place(out, threads=size, group_size=groups)
    grids = torch.meshgrid(*map(torch.arange, size[::-1]), indexing="ij")[::-1]
    expected = sum(grid * 100**axis for axis, grid in enumerate(grids))
    widths = torch.tensor([2, 2, 2, 2, 1] if group else [5] * 5)
    assert torch.equal(out, (expected + 1000000 * widths).int())


def test_no_threads(library):
    x = torch.zeros(0)
    library.full(x, 1.0)
    library.full(torch.zeros(4), 1.0, threads=0)


def test_offsets_are_kept_and_strides_ignored(library):
    x = torch.zeros(10)
    library.full(x[6:], 1.0)
    assert x.tolist() == [0] * 6 + [1] * 4
    library.full(x[::2], 2.0)  # Five threads: the first five elements.
    assert x.tolist() == [2] * 5 + [0] + [1] * 4
    library.full(x.view(2, 5).t()[1:], 3.0, threads=2)
    assert x[1:3].tolist() == [3, 3]


def test_numbers(library):
    out = torch.zeros(3, dtype=torch.int32)
    library.affine(out, 2**33 + 5, True)
    assert out.tolist() == [1, 6, 11]
    library.affine(out, 7, -300)
    assert out.tolist() == [-300, -293, -286]
    x = torch.zeros(2)
    library.sum_list(x, [1.5, 2.5], (1, 2, 3))
    assert x.tolist() == [7, 7]


@pytest.mark.parametrize(
    "kind",
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split(),
)
def test_numbers_of_numpy(library, kind):
    number = np.dtype(kind).type(3)
    if number.dtype.kind == "f":
        x = torch.zeros(3)
        library.full(x, number)
        assert x.tolist() == [3] * 3
    else:
        out = torch.zeros(3, dtype=torch.int32)
        library.affine(out, number, np.int16(-7))
        assert out.tolist() == [-7, -4, -1]
        library.affine(out, np.int64(2), np.bool_(True))
        assert out.tolist() == [1, 3, 5]


def test_numbers_of_numpy_must_fit(library):
    out = torch.zeros(3, dtype=torch.int32)
    with rejects(RuntimeError, f"{2**63} is out of range for int64"):
        library.affine(out, np.uint64(2**63), 1)
    with rejects(RuntimeError, "100000 is out of range for int16"):
        library.affine(out, 1, np.int32(100000))


def test_the_bytes_of_a_short_tensor():
    kernel = compile_shader(
        "struct S { int a, b, c, d; };"
        "kernel void s(device float* o, constant S& a) { o[0] = a.d; }"
    ).s
    for count in 1, 3:
        with rejects(ValueError, f"'S' of 16 bytes, got {4 * count} bytes"):
            kernel(torch.zeros(1), torch.ones(count, dtype=torch.int32))
    out = torch.zeros(1)
    kernel(out, torch.arange(7, dtype=torch.int32))
    assert out == 3


def test_casts(library):
    x = torch.zeros(2, dtype=torch.half)
    casts = {1: "fp16", 2: "int32", 3: "bf16"}
    library.halves(x, 0.5, [1, 2], [0.0, 256.0], arg_casts=casts)
    assert x.tolist() == [259.5, 259.5]
    message = "float is wanted, and the value is bound as float16[1]"
    with rejects(RuntimeError, message):
        library.full(torch.zeros(1), 1.0, arg_casts="fp16")
    with rejects(RuntimeError, "Unsupported cast instruction 'fp8'"):
        library.full(torch.zeros(1), 1.0, arg_casts="fp8")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tensors_without_dimensions(library, dtype):
    x = torch.zeros(3)
    library.full(x, torch.tensor(2.5, dtype=dtype))
    assert x.tolist() == [2.5] * 3
    out = torch.zeros(())
    library.full(out, 4.0)
    assert out == 4
    y = torch.zeros(1, dtype=torch.int32)
    library.affine(y, torch.tensor(9), torch.tensor(4))
    assert y.tolist() == [4]


def test_complex_tensors_are_pairs(library):
    x = torch.tensor([1 + 2j, 3 - 4j])
    library.swap_parts(x)
    assert x.tolist() == [2 + 1j, -4 + 3j]


def test_a_list_of_tensors(library):
    tensors = [torch.randn(100) for _ in range(64)]
    out = torch.zeros(100)
    library.sum_64(out, tensors)
    torch.testing.assert_close(out, sum(tensors))


@pytest.mark.parametrize(
    "tensor, message",
    [
        (
            torch._neg_view(torch.ones(100)),
            "the tensor is a lazy view of other numbers",
        ),
        (torch.ones(100, dtype=torch.complex64).conj(), "the tensor is a lazy view"),
        (torch.ones(100).double(), "Metal has no torch.float64"),
        (torch.ones(100, device="meta"), "the tensor lies on meta"),
        (torch.ones(100).to_sparse(), "tensors with layout torch.sparse_coo"),
    ],
    ids=["neg", "conj", "float64", "meta", "sparse"],
)
def test_tensors_of_a_list_are_checked(library, tensor, message):
    tensors = [torch.ones(100)] * 63
    with rejects(RuntimeError, f"tensor 63 of the list: {message}"):
        library.sum_64(torch.zeros(100), [*tensors, tensor])
    with rejects(RuntimeError, message):
        library.full(tensor, 1.0)


@pytest.mark.parametrize(
    "dtype",
    [torch.float, torch.half, torch.bfloat16, torch.int32, torch.int64],
    ids=str,
)
def test_atomic_addition(library, dtype):
    x = torch.zeros(3, dtype=dtype)
    kernel = getattr(library, "count_" + {
        torch.float: "float", torch.half: "half", torch.bfloat16: "bfloat",
        torch.int32: "int", torch.int64: "long",
    }[dtype])  # fmt: skip
    kernel(x, threads=100, group_size=32)
    assert x.tolist() == [0, 100, 0]


def test_lambdas(library):
    x = torch.ones(5)
    getattr(library, "lambda")(x)
    assert x.tolist() == [3] * 5


def test_errors_of_kernels_are_raised_on_synchronize(library):
    x = torch.tensor([1, 9, 2, 9], dtype=torch.int32)
    library.check(x, error_buf_idx=1)
    with pytest.raises(torch.AcceleratorError) as caught:
        synchronize()
    line = SOURCE[: SOURCE.index("TORCH_REPORT")].count("\n") + 1
    assert str(caught.value) == (
        f"index 9 out of range (check at program_source:{line}, and 1 more)"
    )
    synchronize()


def test_many_errors_of_kernels(library):
    x = torch.full((1000,), 6, dtype=torch.int32)
    library.check(x, error_buf_idx=1)
    with rejects(torch.AcceleratorError, "index 6 out of range"):
        synchronize()


# (positional arguments, keywords, kind of error, words)
X = torch.zeros(8)
MISTAKES = [
    ((X, 3), {}, RuntimeError, "float is wanted, and the value is bound as int64[1]"),
    ((X,), {}, RuntimeError, "missing argument constant float &val"),
    ((X, 1.0, 2), {}, RuntimeError, "no argument with index 2"),
    ((X.int(), 1.0), {}, RuntimeError, "float is wanted, got a tensor of int32"),
    ((X.double(), 1.0), {}, RuntimeError, "Metal has no torch.float64"),
    ((X, "1"), {}, RuntimeError, "Unsupported argument type str"),
    ((X, []), {}, RuntimeError, "an empty list has no type"),
    ((X, [1.0, 2.0]), {}, RuntimeError, "float has 4 bytes, float32[2] has 8"),
    ((1.0, 1.0), {}, RuntimeError, "Number of threads is undefined or has wrong"),
    ((X, 1.0), {"threads": (1, 1, 1, 1)}, RuntimeError, "Number of threads"),
    ((X, 1.0), {"threads": (2, 2), "group_size": 2}, RuntimeError, "same number"),
    ((X, 1.0), {"group_size": 2048}, ValueError, "Threadgroup size exceeds 1024 limit"),
    ((X, 1.0), {"threads": 1.5}, RuntimeError, "threads is an integer or"),
    ((X, 1.0), {"threads": -1}, RuntimeError, "threads is out of range"),
    ((torch.zeros(2).to_sparse(), 1.0), {}, RuntimeError, "layout"),
]


@pytest.mark.parametrize("args, keywords, kind, message", MISTAKES)
def test_mistakes(library, args, keywords, kind, message):
    with rejects(kind, message):
        library.full(*args, **keywords)


def test_integers_must_fit(library):
    with rejects(RuntimeError, "100000 is out of range for int16"):
        library.affine(torch.zeros(1, dtype=torch.int32), 1, 100000)
    with rejects(RuntimeError, "pass arg_casts={2: 'int32'}"):
        library.halves(torch.zeros(1).half(), torch.zeros((), dtype=torch.half), [1, 2],
                       [1.0, 1.0], arg_casts={3: "bf16"})  # fmt: skip


def test_sources_that_do_not_compile():
    with pytest.raises(SyntaxError) as caught:
        compile_shader("kernel void k(device float* x) {\n  x[0] = y;\n}")
    assert str(caught.value).startswith("program_source:2:10: error: ")
    assert isinstance(caught.value, CompileError) and caught.value.diagnostics
    with rejects(TypeError, "source is a str with Metal text, got bytes"):
        compile_shader(b"")


REDUCTION = """
#include <c10/metal/reduction_utils.h>
kernel void sum(device T* out, constant T* x, uint i [[thread_position_in_grid]]) {
  out[i] = T(c10::metal::simd_sum(x[i]));
}
kernel void argmax(device int* out, constant T* x, uint i [[thread_position_in_grid]]) {
  out[i] = c10::metal::simd_argmax(x[i]).second;
}
"""
TYPES = {
    "float": torch.float32,
    "half": torch.float16,
    "bfloat": torch.bfloat16,
    "int": torch.int32,
    "long": torch.int64,
}


@pytest.mark.parametrize("name", TYPES)
def test_reductions_of_an_incomplete_simdgroup(name):
    library = compile_shader(
        REDUCTION.replace("T*", f"{name}*").replace("T(", f"{name}(")
    )
    x = torch.arange(28).sub(9).to(TYPES[name])[torch.randperm(28)]
    out = torch.zeros_like(x)
    library.sum(out, x)
    assert torch.equal(out, x.sum(dtype=x.dtype).expand(28))
    index = torch.zeros(28, dtype=torch.int32)
    library.argmax(index, x)
    assert (index == x.argmax()).all()
    if x.is_floating_point():
        x[[7, 20]] = torch.nan
        library.argmax(index, x)
        assert (index == 7).all()


def test_special_functions():
    library = compile_shader("""
        #include <c10/metal/special_math.h>
        kernel void i0(device float* out, constant float* x,
                       uint i [[thread_position_in_grid]]) {
          out[i] = c10::metal::i0(x[i]);
        }""")
    x = torch.linspace(-10, 10, 101)
    out = torch.zeros_like(x)
    library.i0(out, x)
    torch.testing.assert_close(out, torch.i0(x))


def test_fast_maths(monkeypatch):
    source = """
    kernel void k(device int* x) { x[0] = __METAL_FAST_MATH__; }"""
    for value, fast in ("0", 0), ("1", 1):
        monkeypatch.setenv("PYTORCH_MPS_FAST_MATH", value)
        x = torch.zeros(1, dtype=torch.int32)
        compile_shader(source).k(x)
        assert x == fast
