"""bessemer.compile, Library and Kernel against NumPy."""

import ctypes
import re
import signal
import subprocess
import sys
import threading
import time

import ml_dtypes
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import bessemer

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  constant float &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}

kernel void fill(device int *out [[buffer(0)]], constant int2 &v [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = v.x * int(i) + v.y;
}

kernel void sum_groups(device const float *x [[buffer(0)]],
                       device float *sums [[buffer(1)]],
                       threadgroup float *scratch [[threadgroup(0)]],
                       uint i [[thread_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint g [[threadgroup_position_in_grid]],
                       uint n [[threads_per_threadgroup]]) {
  scratch[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = n / 2; s > 0; s /= 2) {
    if (t < s) scratch[t] += scratch[t + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) sums[g] = scratch[0];
}
"""


@pytest.fixture(scope="module")
def library():
    return bessemer.compile(SOURCE)


def arrays(n=1000):
    return np.arange(n, dtype=np.float32), np.ones(n, np.float32)


def test_names(library):
    assert library.kernels == ["saxpy", "fill", "sum_groups"]
    assert "fill" in library and "saxpi" not in library
    assert library.fill is library["fill"]
    assert "saxpy" in dir(library)


def test_unknown_names(library):
    with pytest.raises(KeyError, match="no kernel 'saxpi'; did you mean 'saxpy'"):
        library["saxpi"]
    with pytest.raises(AttributeError, match="did you mean 'saxpy'"):
        _ = library.saxpi


def test_an_unknown_name_has_one_suggestion():
    for compile in "bessemer.compile", "bessemer.torch.compile_shader":
        code = (
            "import bessemer.torch\n"
            f"library = {compile}('kernel void k(device float *x) {{}}')\n"
            "library.kk(1)"
        )
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        last = result.stderr.splitlines()[-1]
        assert last.endswith("; did you mean 'k'?"), result.stderr
        assert last.lower().count("did you mean") == 1


def test_reflection(library):
    x, y, a = library.saxpy.arguments
    assert (x.name, x.kind, x.index, x.access) == ("x", "buffer", 0, "read")
    assert (y.element_type, y.size, y.address_space) == ("float32", 4, "device")
    assert (a.is_reference, a.alignment) == (True, 4)
    assert library.saxpy.thread_execution_width == 32
    assert library.saxpy.max_threads_per_threadgroup == 1024


def test_arrays_are_written_in_place(library):
    x, y = arrays()
    library.saxpy(x, y, 2.0, threads=1000, group_size=256)
    np.testing.assert_array_equal(y, 2 * x + 1)


def test_torch_tensors_and_dlpack_objects(library):
    class Producer:
        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack__(self, **options):
            return self.tensor.__dlpack__()

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

    x, y = torch.arange(8.0), torch.ones(8)
    library.saxpy(Producer(x), y, np.float32(3), threads=8)
    assert torch.equal(y, 3 * x + 1)


def test_arguments_by_name_and_bytes(library):
    x, y = arrays(8)
    library.saxpy(y=y, x=x, a=np.float32(0.5).tobytes(), threads=(8, 1, 1))
    np.testing.assert_array_equal(y, x / 2 + 1)


def test_gaps_and_vectors(library):
    out = np.zeros(5, np.int32)
    library.fill(out, None, None, (3, -1), threads=5)
    np.testing.assert_array_equal(out, 3 * np.arange(5) - 1)


def test_groups_and_threadgroup_memory(library):
    x = np.arange(256, dtype=np.float32)
    sums = np.zeros(4, np.float32)
    library.sum_groups(x, sums, groups=4, group_size=64, threadgroup_memory={0: 64 * 4})
    np.testing.assert_array_equal(sums, x.reshape(4, 64).sum(1))


READ_ONLY = np.ones(8, np.float32)
READ_ONLY.flags.writeable = False
X, Y = np.ones(8, np.float32), np.ones(8, np.float32)
# (positional arguments, keywords, words of the message)
MISTAKES = [
    ((X, Y), {}, ["missing argument", "a [[buffer(2)]]"]),
    ((X, Y, 1.0, 2.0), {}, ["no argument with index 3"]),
    ((X, Y, 1.0), {"b": 1}, ["no argument 'b'", "float &a"]),
    ((X, Y, 1.0), {"x": X}, ["argument 'x' is given twice"]),
    ((X, Y, "no"), {}, ["a [[buffer(2)]]"]),
    ((X, Y, (1.0, 2.0)), {}, ["takes 1 number, got 2"]),
    ((X, 5.0, 1.0), {}, ["y [[buffer(1)]]", "no memory"]),
    ((X.astype(np.int32), Y, 1.0), {}, ["x", "int32", "float"]),
    ((X, READ_ONLY, 1.0), {}, ["y", "read-only"]),
    ((X, Y, 1.0), {"group_size": 2048}, ["2048", "1024"]),
    ((X, Y, 1.0), {"groups": 2}, ["exactly one of threads= and groups="]),
    ((X, Y, 1.0), {"threads": (1, 1, 1, 1)}, ["threads has one to three sizes"]),
    ((X, Y, 1.0), {"threads": 1.5}, ["threads"]),
]


@pytest.mark.parametrize("args, keywords, words", MISTAKES)
def test_mistakes_name_the_argument(library, args, keywords, words):
    with pytest.raises(bessemer.ArgumentError) as caught:
        library.saxpy(*args, **({"threads": 8} | keywords))
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, ValueError)
    for word in ["saxpy", *words]:
        assert word in str(caught.value)


def test_integers_must_fit(library):
    with pytest.raises(bessemer.ArgumentError, match="2147483648 is out of range"):
        library.fill(np.zeros(1, np.int32), None, None, (2**31, 0), threads=1)


BAD = """#include <metal_stdlib>
using namespace metal;
kernel void bad(device float *x [[buffer(0)]]) {
  x[0] = sdfs;
  y[0] = 1;
}
"""


def test_compile_errors_show_the_line():
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(BAD)
    first, second = caught.value.diagnostics[:2]
    assert (first.severity, first.line, first.column) == ("error", 4, 10)
    assert "sdfs" in first.message and first.source_line == "  x[0] = sdfs;"
    assert (second.line, second.column) == (5, 3)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("<source>:4:10: error: ")
    assert lines[1] == "  x[0] = sdfs;" and lines[2].index("^") == 9


def test_files_and_includes(tmp_path):
    (tmp_path / "twice.h").write_text("inline float twice(float v) { return 2 * v; }")
    file = tmp_path / "k.metal"
    file.write_text(
        '#include <metal_stdlib>\n#include "twice.h"\n'
        "kernel void k(device float *x [[buffer(0)]]) { x[0] = twice(N); }\n"
    )
    x = np.zeros(1, np.float32)
    bessemer.compile(file, defines={"N": 3}).k(x, threads=1)
    assert x[0] == 6
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(file)
    assert caught.value.diagnostics[0].file == str(file)


def test_function_constants():
    source = """
#include <metal_stdlib>
using namespace metal;
constant float scale [[function_constant(0)]];
constant bool negate [[function_constant(1)]];
kernel void k(device float *x [[buffer(0)]]) {
  x[0] = negate ? -scale : scale;
}
"""
    for negate in (False, True):
        x = np.zeros(1, np.float32)
        constants = {"scale": 2.5, 1: negate}
        bessemer.compile(source, function_constants=constants).k(x, threads=1)
        assert x[0] == (-2.5 if negate else 2.5)
    with pytest.raises(
        bessemer.ArgumentError, match=r"no function constant 7; .*scale"
    ):
        bessemer.compile(source, function_constants={7: 1})


@pytest.mark.parametrize("options", [{"math": "exact"}, {"source": 3}])
def test_bad_options(options):
    with pytest.raises((TypeError, ValueError)):
        bessemer.compile(**({"source": ""} | options))


COPY = """
#include <metal_stdlib>
using namespace metal;
kernel void copy(device const T *x [[buffer(0)]], device T *y [[buffer(1)]],
                 constant T &bias [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = x[i] + bias;
}
"""
TYPES = {
    "float": np.float32,
    "half": np.float16,
    "bfloat": ml_dtypes.bfloat16,
    "int": np.int32,
    "uchar": np.uint8,
    "long": np.int64,
}


@pytest.fixture(scope="module")
def copies():
    return {t: bessemer.compile(COPY, defines={"T": t}).copy for t in TYPES}


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    metal=st.sampled_from(list(TYPES)),
    n=st.integers(1, 300),
    group=st.integers(1, 64),
)
def test_sizes_and_types(copies, metal, n, group):
    x = np.arange(n).astype(TYPES[metal])
    y = np.zeros_like(x)
    copies[metal](x, y, 2, threads=n, group_size=group)
    np.testing.assert_array_equal(y, x + x.dtype.type(2))


SPIN = """
#include <metal_stdlib>
using namespace metal;
kernel void spin(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint v = i;
  for (uint k = 0; k < 100000u; ++k) v = v * 1664525u + 1013904223u;
  x[i & 1023u] = v;
}
"""


def test_interrupt_stops_a_long_run():
    kernel = bessemer.compile(SPIN).spin
    x = np.zeros(1024, np.uint32)
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        kernel(x, threads=2**31, group_size=256)
    timer.join()


def test_other_threads_run_during_a_dispatch():
    kernel = bessemer.compile(SPIN).spin
    x = np.zeros(1024, np.uint32)
    kernel(x, threads=1024)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.monotonic()
    kernel(x, threads=1 << 16, group_size=256)
    end = time.monotonic()
    stop.set()
    ticker.join()
    assert any(start < t < end for t in ticks)


def test_one_llvm_in_the_process():
    ctypes.CDLL(None)
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "libLLVM" in line}
    assert len(files) <= 1, files


@pytest.mark.parametrize(
    "options, words",
    [
        ({"math": None}, "math must be one of 'relaxed', 'fast', 'safe'; got None"),
        ({"math": "exact"}, "math must be one of"),
        ({"language": 4.0}, "language must be one of"),
        ({"language": "9.9"}, "language must be one of"),
        ({"defines": {3: 4}}, "defines: 3 is no name of a macro"),
        ({"defines": {"A B": 1}}, "defines: 'A B' is no name of a macro"),
        ({"defines": [("a", 1)]}, "defines must be a dict of values by macro name"),
        ({"include_dirs": "abc"}, "write include_dirs=['abc']"),
        ({"include_dirs": [3]}, "include_dirs must hold paths"),
        ({"include_dirs": ["/no/where"]}, "'/no/where', given for #include, is no fo"),
        ({"function_constants": [1]}, "function_constants must be a dict of values"),
        ({"device": 3}, "a device is named by a string such as 'cpu', got 3"),
    ],
    ids=str,
)
def test_options_are_checked(options, words):
    with pytest.raises(bessemer.ArgumentError, match=re.escape(words)):
        bessemer.compile("kernel void k() {}", **options)


@pytest.mark.parametrize("threads", [-1, 2**40, 1.5])
def test_device_threads_are_checked(threads):
    with pytest.raises(
        bessemer.ArgumentError, match="threads must be an integer from 0"
    ):
        bessemer.device("cpu", threads=threads)


def test_sources_are_utf8(tmp_path):
    path = tmp_path / "latin1.metal"
    path.write_bytes(b"// na\xefve\n")
    with pytest.raises(
        bessemer.ArgumentError, match=r"latin1\.metal is not UTF-8 text"
    ):
        bessemer.compile(path)
    with pytest.raises(bessemer.ArgumentError, match="line 2 of the source has"):
        bessemer.compile("//\n// \ud800")


@pytest.mark.parametrize(
    "memory, words",
    [
        ({0: -1}, "threadgroup_memory is out of range: {0: -1}"),
        ({0: 2**40}, "threadgroup_memory is out of range"),
        ({2**33: 4}, "threadgroup_memory is out of range"),
        ({"x": 3}, "arguments to bytes, got 'x': 3"),
        (5, "is a dict of bytes by name or index, got 5"),
    ],
    ids=str,
)
def test_threadgroup_memory_is_checked(memory, words):
    library = bessemer.compile(
        "kernel void k(threadgroup float *t [[threadgroup(0)]]) { t[0] = 1; }"
    )
    with pytest.raises(bessemer.ArgumentError, match=re.escape(words)):
        library.k(threads=1, threadgroup_memory=memory)


def test_words_that_are_no_arguments():
    library = bessemer.compile("kernel void k(device float *x) { x[0] = 1; }")
    with pytest.raises(
        bessemer.ArgumentError, match=r"'thread'.*did you mean threads=?"
    ):
        library.k(np.zeros(1, np.float32), thread=1)
    with pytest.raises(bessemer.ArgumentError, match="no argument 'qq'; it has: "):
        library.k(np.zeros(1, np.float32), qq=1, threads=1)


def test_threadgroup_memory_by_name():
    library = bessemer.compile(
        "kernel void k(device float *x, threadgroup float *t [[threadgroup(0)]])"
        " { t[0] = 3; x[0] = t[0]; }"
    )
    x = np.zeros(1, np.float32)
    library.k(x, threads=1, threadgroup_memory={"t": 16})
    assert x[0] == 3


def test_names_of_files_and_functions():
    with pytest.raises(
        bessemer.ArgumentError, match=r"pass pathlib.Path\('two.metal'\)"
    ):
        bessemer.compile("two.metal")
    library = bessemer.compile("void saxpy(device float *x) { x[0] = 1; }")
    with pytest.raises(KeyError, match="saxpy is a function without the word `kernel`"):
        library["saxpy"]


@pytest.mark.parametrize(
    "make, method",
    [
        (lambda c: c.conj().imag, "neg"),
        (lambda c: c.conj(), "conj"),
    ],
)
def test_lazy_views_of_torch_are_refused(make, method):
    from bessemer import memory

    tensor = make(torch.tensor([1 + 2j, 3 - 4j]))
    with pytest.raises(TypeError, match=rf"call \.resolve_{method}\(\) and pass"):
        memory.from_torch(tensor)
