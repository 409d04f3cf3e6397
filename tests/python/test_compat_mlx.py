"""Scripts written for mlx.core.fast.metal_kernel, unchanged, with and without MLX."""

import subprocess
import sys

import pytest

SCRIPT = """
import subprocess, sys
import numpy as np
import mlx.core as mx

assert mx.metal.is_available() and not mx.cuda.is_available()
kernel = mx.fast.metal_kernel(
    name="scaled_exp",
    input_names=["x", "scale"],
    output_names=["y"],
    source='''
        uint i = thread_position_in_grid.x;
        T v = x[elem_to_loc(i, x_shape, x_strides, x_ndim)];
        y[i] = metal::exp(v) * scale;
    ''',
    ensure_row_contiguous=False,
)


@mx.custom_function
def scaled_exp(x, scale):
    return kernel(
        inputs=[x, scale],
        template=[("T", mx.float32)],
        grid=(x.size, 1, 1),
        threadgroup=(256, 1, 1),
        output_shapes=[x.shape],
        output_dtypes=[x.dtype],
        stream=mx.gpu,
    )[0]


mx.random.seed(1)
for dtype in mx.float16, mx.float32, mx.bfloat16:
    x = mx.random.normal(shape=(4, 16)).astype(dtype)[::2]
    y = scaled_exp(x, 2.0)
    mx.eval(y)
    assert isinstance(y, mx.array) and y.dtype == dtype and y.shape == (2, 16)
    assert mx.allclose(y, mx.exp(x) * 2, rtol=1e-2)
assert mx.array([1, 2]).dtype == mx.int32 and mx.array(1.5).dtype == mx.float32
assert (mx.arange(4) * 2 + 1).tolist() == [1, 3, 5, 7]
assert np.array(mx.zeros((2, 3))).dtype == np.float32
assert mx.sum(mx.full((2, 3), 0.5)).item() == 3
for dtype in mx.int8, mx.uint8, mx.int16, mx.int32, mx.int64, mx.bool_:
    x = mx.array([1, 0, 1]).astype(dtype)
    for name in "exp", "sqrt", "sin", "log1p", "sigmoid", "softmax", "erf":
        y, expected = (getattr(mx, name)(v) for v in (x, x.astype(mx.float32)))
        assert y.dtype == mx.float32 and mx.allclose(y, expected, 1e-6), (name, dtype)
    assert x.exp().dtype == mx.float32
assert mx.exp(mx.array([1.0]).astype(mx.float16)).dtype == mx.float16
try:
    mx.fft
except AttributeError as error:
    assert "mlx.core.fft is not part of Bessemer" in str(error)
else:
    raise AssertionError("no error")
if len(sys.argv) == 1:
    sys.exit(subprocess.run([sys.executable, __file__, "child"]).returncode)
"""


def run(*arguments, cwd):
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_a_script_and_its_child(tmp_path):
    # Neither a folder nor a file of that name is the original.
    (tmp_path / "mlx").mkdir()
    (tmp_path / "script.py").write_text(SCRIPT)
    run("-m", "bessemer.compat", "script.py", cwd=tmp_path)


TYPES = """
import numpy as np
import mlx.core as mx

i, u, b = mx.array([3, 1]), mx.array([3, 1], mx.uint32), mx.array([True, True])
h, bf = (mx.array([1.5]).astype(t) for t in (mx.float16, mx.bfloat16))
for value, dtype, numbers in (
    (mx.array(2**31), mx.int64, 2**31),
    (mx.array([-(2**31) - 1, 0]), mx.int64, [-(2**31) - 1, 0]),
    (mx.array([-(2**31), 2**31 - 1]), mx.int32, [-(2**31), 2**31 - 1]),
    (mx.arange(2**31, 2**31 + 2), mx.int64, [2**31, 2**31 + 1]),
    (mx.arange(2), mx.int32, [0, 1]),
    (mx.arange(0), mx.int32, []),
    (mx.arange(2.0), mx.float32, [0, 1]),
    (mx.array(np.array([1, 2], ">i4")), mx.int32, [1, 2]),
    (mx.array(np.array([1, 2], ">f8")), mx.float32, [1, 2]),
    (mx.sum(i), mx.int32, 4),
    (i.sum(), mx.int32, 4),
    (mx.sum(mx.array([[1, 2], [3, 4]]), axis=0), mx.int32, [4, 6]),
    (mx.sum(u), mx.uint32, 4),
    (mx.sum(b), mx.int32, 2),
    (mx.sum(h), mx.float16, 1.5),
    (mx.prod(i), mx.int32, 3),
    (mx.cumsum(i), mx.int32, [3, 4]),
    (i.cumsum(), mx.int32, [3, 4]),
    (mx.argmax(i), mx.uint32, 0),
    (i.argmin(), mx.uint32, 1),
    (mx.argsort(i), mx.uint32, [1, 0]),
    (i * h, mx.float16, [4.5, 1.5]),
    (h - i, mx.float16, [-1.5, 0.5]),
    (u * bf, mx.bfloat16, [4.5, 1.5]),
    (b * h, mx.float16, [1.5, 1.5]),
    (i * 1.5, mx.float32, [4.5, 1.5]),
    (i / i, mx.float32, [1, 1]),
    (i + 1, mx.int32, [4, 2]),
):
    assert value.dtype == dtype and value.tolist() == numbers, (value, dtype, numbers)
"""


def test_element_types(tmp_path):
    (tmp_path / "script.py").write_text(TYPES)
    run("-m", "bessemer.compat", "script.py", cwd=tmp_path)


ORIGINAL = """
class array:
    pass


class fast:
    metal_kernel = None
    other = 1
"""
CHECK = (
    "import mlx.core as mx, bessemer.mlx;"
    "assert mx.fast.metal_kernel is bessemer.mlx.metal_kernel and mx.fast.other == 1"
)


@pytest.mark.parametrize(
    "code",
    [
        f"import bessemer.compat; bessemer.compat.install('mlx'); {CHECK}",
        f"import mlx.core, bessemer.compat; bessemer.compat.install('mlx'); {CHECK}",
    ],
)
def test_where_mlx_is_installed_it_stays(code, tmp_path):
    folder = tmp_path / "mlx"
    folder.mkdir()
    (folder / "core.py").write_text(ORIGINAL)
    run("-c", code, cwd=tmp_path)
