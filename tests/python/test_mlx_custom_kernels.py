"""bessemer.mlx.metal_kernel: mlx.core.fast.metal_kernel over NumPy arrays."""

import re

import ml_dtypes
import numpy as np
import pytest
import torch

from bessemer import CompileError
from bessemer.mlx import metal_kernel

RANDOM = np.random.default_rng(20240611)
ELEMENT = "uint elem = thread_position_in_grid.x;\n"
X = np.zeros(3, np.float32)


def rejects(kind, message):
    return pytest.raises(kind, match=re.escape(message))


def run(kernel, inputs, shapes, dtypes, threads=None, **options):
    threads = threads or (int(np.prod(shapes[0])), 1, 1)
    return kernel(
        inputs=inputs,
        output_shapes=shapes,
        output_dtypes=dtypes,
        grid=threads,
        threadgroup=options.pop("threadgroup", (256, 1, 1)),
        **options,
    )


def unary(body, **options):
    return metal_kernel("unary", ["x"], ["y"], ELEMENT + body, **options)


@pytest.mark.parametrize(
    "dtype",
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 complex64"
    " bfloat16".split(),
)
def test_dtypes(dtype):
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    x = RANDOM.integers(0, 9, (3, 5)).astype(kind)
    (y,) = run(unary("y[elem] = x[elem] + x[elem];"), [x], [x.shape], [dtype])
    assert y.dtype == kind and y.shape == x.shape
    np.testing.assert_array_equal(y, x + x)


@pytest.mark.parametrize(
    "dtype",
    "uint16 uint32 uint64 int16 int32 int64 float16 float32 complex64".split(),
)
@pytest.mark.parametrize("contiguous", [True, False])
def test_foreign_byte_order(dtype, contiguous):
    foreign = np.dtype(dtype).newbyteorder("S")
    x = RANDOM.integers(1, 9, (6, 4)).astype(foreign)
    body = "y[elem] = x[elem_to_loc(elem, x_shape, x_strides, x_ndim)];"
    kernel = unary(body, ensure_row_contiguous=contiguous)
    for array in x, x[::2], x[:, 1::2], x.T, x[::-1], np.broadcast_to(x[:, :1], (6, 3)):
        (y,) = run(kernel, [array], [array.shape], [foreign])
        assert y.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(y, array)
    (y,) = run(unary("y[elem] = x;"), [np.array(5, foreign)], [(2,)], [dtype])
    np.testing.assert_array_equal(y, np.array([5, 5], dtype))


@pytest.mark.parametrize("step", [1, 2])
def test_bools_of_other_bytes(step):
    x = np.array([0, 1, 2, 255, 128, 0], np.uint8).view(bool)[::step]
    bits = "uchar b = *(const constant uchar*)(x + elem); y[elem] = b;"
    (y,) = run(unary(bits), [x], [x.shape], [np.uint8])
    assert y.tolist() == [0, 1, 1, 1, 1, 0][::step]
    (y,) = run(unary("y[elem] = x ? 3 : 4;"), [x[1:2].reshape(())], [(1,)], [np.int32])
    assert y.tolist() == [3]


@pytest.mark.parametrize("template", [[("N", -3)], (["N", np.int8(-3)],), {"N": -3}])
@pytest.mark.parametrize("shape", [[2], [(2,)], [np.array([2])], [np.int64(2)]])
def test_forms_of_templates_and_shapes(template, shape):
    kernel = unary("y[elem] = N;")
    (y,) = run(kernel, [X], shape, [np.int32], (2, 1, 1), template=template)
    assert y.tolist() == [-3, -3]


@pytest.mark.parametrize("number", [-(2**31), 2**31 - 1])
def test_the_largest_template_arguments(number):
    kernel = unary("y[elem] = N;")
    (y,) = run(kernel, [X], [(1,)], [np.int32], template=[("N", number)])
    assert y.tolist() == [number]


def test_template_arguments():
    kernel = metal_kernel(
        name="arguments",
        input_names=["a", "b", "c", "d"],
        output_names=["one", "two"],
        source=ELEMENT
        + """
            T t = T(a[0]);
            one[elem] = flag ? float(t) + a[1] + b[2] + c[3] + d + number : 1;
            two[elem] = a[1] * 100 + b[2] + c[1] - d;
        """,
    )
    a = RANDOM.normal(size=(3, 6)).astype(np.float32)
    b = np.array([3, 4, 5], np.int32)
    c = RANDOM.normal(size=(2, 2)).astype(ml_dtypes.bfloat16)
    for flag in True, False:
        one, two = run(
            kernel, [a, b, c, 7.3], [(3, 2)] * 2, [np.float32, np.int32],
            template=[("flag", flag), ("number", 3), ("T", np.float16)],
            threadgroup=(2, 1, 1),
        )  # fmt: skip
        c1, c3 = c.astype(np.float32).ravel()[[1, 3]]
        expected = np.float16(a[0, 0]) + a[0, 1] + 5 + c3 + 7.3 + 3
        np.testing.assert_allclose(one, expected if flag else 1, rtol=1e-5)
        np.testing.assert_array_equal(two, np.int32(a[0, 1] * 100 + 5 + c1 - 7.3))


def strided_arrays():
    x = RANDOM.normal(size=(6, 8)).astype(np.float32)
    return {
        "contiguous": x,
        "rows": x[::2],
        "columns": x[:, 1:7:3],
        "transposed": x.T,
        "broadcast": np.broadcast_to(x[:, :1], (6, 4)),
        "reversed": x[::-1],
        "three dimensions": x.reshape(2, 3, 8).transpose(2, 0, 1),
        "small": x[:2, 3:6:2],
    }


@pytest.mark.parametrize("layout", strided_arrays())
@pytest.mark.parametrize("contiguous", [True, False])
def test_strides(layout, contiguous):
    x = strided_arrays()[layout]
    place = "elem" if contiguous else "elem_to_loc(elem, x_shape, x_strides, x_ndim)"
    kernel = unary(
        f"y[elem] = exp(x[{place}]) * threads_per_simdgroup;",
        ensure_row_contiguous=contiguous,
    )
    (y,) = run(kernel, [x], [x.shape], [x.dtype])
    np.testing.assert_allclose(y, 32 * np.exp(x), rtol=1e-6)


def test_three_coordinates_to_a_place():
    x = RANDOM.normal(size=(2, 5, 3, 4)).astype(np.float32).transpose(1, 0, 3, 2)
    kernel = metal_kernel(
        "places",
        ["x"],
        ["y"],
        """
        uint3 p = thread_position_in_grid;
        uint i = (p.z * threads_per_grid.y + p.y) * threads_per_grid.x + p.x;
        y[i] = x[elem_to_loc(p, x_shape, x_strides, x_ndim)];
        """,
        ensure_row_contiguous=False,
    )
    (y,) = run(kernel, [x], [x.shape], [x.dtype], threads=(3, 4, 10))
    np.testing.assert_array_equal(y, x)


def test_only_what_the_body_mentions_is_declared(capsys):
    run(unary("y[elem] = x_ndim;"), [np.zeros((2, 4), np.int32)], [(2,)], ["int32"],
        verbose=True)  # fmt: skip
    text = capsys.readouterr().out
    assert "Generated source code for `unary`" in text
    assert "constant int &x_ndim [[buffer(1)]]" in text
    assert "x_shape" not in text.replace("x_shape, x_", "") and "uint3 grid" not in text


def test_scalars():
    kernel = metal_kernel(
        "scalars", list("abcd"), ["y"], "y[0] = a; y[1] = b; y[2] = c; y[3] = d;"
    )
    (y,) = run(kernel, [True, 7, 2.5, np.float32(4)], [(4,)], ["float32"], (1, 1, 1))
    assert y.tolist() == [1, 7, 2.5, 4]


def test_header():
    header = """
    template <typename T> T twice(T x) { return 2 * x; }
    constant int offset = 3;
    """
    x = np.arange(4, dtype=np.float32)
    (y,) = run(unary("y[elem] = twice(x[elem]) + offset;", header=header), [x], [(4,)],
               ["float32"])  # fmt: skip
    assert y.tolist() == [3, 5, 7, 9]


def test_attributes():
    kernel = metal_kernel("size", [], ["y"], "y[0] = threads_per_threadgroup.x;")
    # A group is no larger than the grid.
    for grid, group, expected in (2, 2, 2), (3, 256, 3), (64, 32, 32):
        (y,) = run(kernel, [], [(1,)], ["uint32"], (grid, 1, 1),
                   threadgroup=(group, 1, 1))  # fmt: skip
        assert y == expected


def test_initial_values_and_atomics():
    kernel = metal_kernel(
        "histogram",
        ["x"],
        ["counts"],
        ELEMENT
        + "atomic_fetch_add_explicit(&counts[x[elem]], 1, memory_order_relaxed);",
        atomic_outputs=True,
    )
    x = RANDOM.integers(0, 10, 1000).astype(np.uint8)
    for dtype in np.int32, np.float32:
        (counts,) = run(kernel, [x], [(10,)], [dtype], (1000, 1, 1), init_value=5)
        np.testing.assert_array_equal(counts, 5 + np.bincount(x, minlength=10))


BILINEAR = """
    uint c = thread_position_in_grid.x, place = thread_position_in_grid.y;
    int n = place / (at_shape[1] * at_shape[2]);
    int h = x_shape[1], w = x_shape[2], channels = x_shape[3];
    T column = ((at[2 * place] + 1) * w - 1) / 2, row = ((at[2 * place + 1] + 1) * h - 1) / 2;
    T sum = 0;
    for (int dy = 0; dy < 2; dy++)
      for (int dx = 0; dx < 2; dx++) {
        int px = int(floor(column)) + dx, py = int(floor(row)) + dy;
        T weight = (1 - abs(column - px)) * (1 - abs(row - py));
        if (px >= 0 && px < w && py >= 0 && py < h) {
          int from = ((n * h + py) * w + px) * channels + c;
          sum += weight * x[from];
          atomic_fetch_add_explicit(&weights[from], weight, memory_order_relaxed);
        }
      }
    atomic_store_explicit(&y[place * channels + c], sum, memory_order_relaxed);
"""


def test_sampling_with_its_gradient():
    kernel = metal_kernel("sample", ["x", "at"], ["y", "weights"], BILINEAR,
                          atomic_outputs=True)  # fmt: skip
    x = RANDOM.normal(size=(2, 9, 7, 5)).astype(np.float32)
    at = RANDOM.uniform(-1.2, 1.2, (2, 4, 6, 2)).astype(np.float32)
    y, weights = run(
        kernel, [x, at], [(2, 4, 6, 5), x.shape], ["float32"] * 2, (5, 48, 1),
        template=[("T", "float32")], threadgroup=(5, 8, 1), init_value=0,
    )  # fmt: skip
    tensor = torch.tensor(x).permute(0, 3, 1, 2).requires_grad_()
    expected = torch.nn.functional.grid_sample(
        tensor, torch.tensor(at), align_corners=False
    )
    expected.sum().backward()
    for actual, reference in (y, expected.detach()), (weights, tensor.grad):
        np.testing.assert_allclose(
            actual, reference.permute(0, 2, 3, 1).numpy(), rtol=1e-5, atol=1e-5
        )


def test_no_threads():
    (y,) = run(
        unary("y[elem] = x[elem];"), [np.zeros(0, np.float32)], [(0,)], ["int32"]
    )
    assert y.shape == (0,)


def test_one_name_and_two_sources():
    x = np.arange(5, dtype=np.float32)
    for body, expected in ("y[elem] = x[elem] * 2;", x * 2), ("y[elem] = 7;", 7):
        (y,) = run(unary(body), [x], [x.shape], [x.dtype])
        np.testing.assert_array_equal(y, expected)


def test_one_kernel_and_two_dtypes():
    kernel = unary("y[elem] = x[elem] / 2;")
    for dtype in np.float16, np.float32, np.int32:
        x = np.arange(5).astype(dtype)
        (y,) = run(kernel, [x], [x.shape], [dtype])
        np.testing.assert_array_equal(y, (x / 2).astype(dtype))


@pytest.mark.parametrize("mode, fast", [(None, 0), ("safe", 0), ("fast", 1)])
def test_math_modes(mode, fast):
    options = mode and {"math_mode": mode}
    kernel = unary("y[elem] = __METAL_FAST_MATH__;", compile_options=options)
    (y,) = run(kernel, [1.0], [(1,)], ["int32"])
    assert y == fast


def test_errors_are_in_the_text_of_the_user():
    x = np.zeros(3, np.float32)
    with rejects(CompileError, "unary source:3:8: error: use of undeclared identifier"):
        run(unary("\ny[0] = z;"), [x], [(1,)], ["float32"])
    with rejects(CompileError, "unary header:1:"):
        run(unary("", header="flot f;"), [x], [(1,)], ["float32"])


def valid(**options):
    return {"name": "k", "input_names": ["x"], "output_names": ["y"]} | options


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"output_names": []}, ValueError, "Must specify at least one output"),
        ({"compile_options": {"unknown": 1}}, ValueError, "Unknown compile option"),
        ({"compile_options": {"math_mode": "x"}}, ValueError, "Expected math_mode"),
        ({"name": "a b"}, ValueError, "'a b' cannot be part of a function's name"),
        ({"input_names": ["y"]}, ValueError, "The name 'y' is given twice"),
        ({"input_names": ["2"]}, ValueError, "'2' is no identifier"),
        ({"source": 3}, TypeError, "source must be a str"),
    ],
)
def test_mistakes_in_the_definition(options, kind, message):
    with rejects(kind, message):
        metal_kernel(**valid(source="", **options) if "source" not in options
                     else valid(**options))  # fmt: skip


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"inputs": []}, ValueError, "Expected `inputs` to have size 1 but got size 0"),
        ({"output_shapes": []}, ValueError, "Expected `output_shapes` to have size 1"),
        ({"grid": (1, 1)}, ValueError, "`grid` has three sizes"),
        ({"grid": (-1, 1, 1)}, ValueError, "`grid` is out of range"),
        ({"grid": 3}, ValueError, "`grid` has three sizes"),
        ({"grid": (10.7, 1, 1)}, TypeError, "`grid` has integers as sizes"),
        ({"grid": ("10", 1, 1)}, TypeError, "`grid` has integers as sizes"),
        ({"threadgroup": (3.9, 1, 1)}, TypeError, "`threadgroup` has integers as"),
        ({"output_shapes": [(3.5,)]}, TypeError, "shape of output 'y' has integers"),
        ({"output_shapes": ["3"]}, TypeError, "shape of output 'y' has integers"),
        ({"output_shapes": [-3]}, ValueError, "shape of output 'y' is out of range"),
        ({"template": ["N3"]}, TypeError, "`template` has pairs of a name and a value"),
        ({"template": [("N", 1, 2)]}, TypeError, "`template` has pairs of a name and"),
        ({"template": {"N": 2**31}}, ValueError, "'N' in `template` is out of range"),
        ({"template": [("N", 1), ("N", 2)]}, ValueError, "`template` has 'N' twice"),
        (
            {"template": [("a b", 1)]},
            ValueError,
            "'a b' in `template` is no identifier",
        ),
        (
            {"inputs": [2**31]},
            OverflowError,
            "input 'x' is 2147483648, and numbers are",
        ),
        ({"threadgroup": (2048, 1, 1)}, ValueError, "Thread group size (2048)"),
        ({"template": [("T", 1.5)]}, ValueError, "Invalid template argument"),
        ({"inputs": [X.astype(float)]}, ValueError, "input 'x' has the dtype float64"),
        ({"inputs": ["x"]}, TypeError, "inputs are arrays of NumPy or MLX, or numbers"),
        (
            {"output_dtypes": ["float64"]},
            ValueError,
            "output 'y' has the dtype float64",
        ),
    ],
)
def test_mistakes_in_a_call(options, kind, message):
    call = {
        "inputs": [X],
        "output_shapes": [(3,)],
        "output_dtypes": ["float32"],
        "grid": (3, 1, 1),
        "threadgroup": (1, 1, 1),
    }
    with rejects(kind, message):
        unary("y[elem] = 1;")(**(call | options))
