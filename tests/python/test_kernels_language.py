"""Language features, interpreted, against values computed in Python."""

import interpreter
import numpy as np
import pytest


def run(name, kernel, *arguments, options=(), **keywords):
    interpreter.source(name, *options).run(kernel, *arguments, **keywords)


def test_structures():
    layout = np.dtype(
        {
            "names": ["count", "scale", "offset", "weights"],
            "formats": ["u4", "f4", ("i2", 2), ("f2", 3)],
            "offsets": [0, 4, 8, 12],
            "itemsize": 20,
        }
    )
    parameters = np.zeros(1, layout)
    parameters[0] = (5, 0.5, (3, -7), (1, 2, 4))
    out = np.full(8, -1, np.float32)
    run("language", "structures", parameters, out, threads=8, group=8)
    expected = [i * 0.5 + 3 - 6 + (1, 2, 4)[i % 3] for i in range(5)]
    assert out.tolist() == [*expected, -1, -1, -1]


def collatz(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def test_divergent_loop():
    values = np.arange(1, 41, dtype=np.uint32)
    out = np.zeros(40, np.uint32)
    run("language", "collatz", values, out, threads=40, group=64)
    assert out.tolist() == [collatz(int(v)) for v in values]


def flow(limit):
    total = 0
    for a in range(limit):
        if a % 3 == 0:
            continue
        b = a
        while True:
            total += b
            if total > 100:
                break
            b -= 2
            if b <= 0:
                break
        if total > 200:
            break
    return total


def classify(x):
    case = x & 7
    if case == 0:
        return 100
    if case in (1, 2):
        x += 10
    return x * 2 if case in (1, 2, 3) else -x


def test_control_flow():
    limits = np.array([0, 1, 5, 8, 20, 40, 17, 18, 19, -3], np.int32)
    out = np.zeros((10, 2), np.int32)
    run("language", "flow", limits, out, threads=10, group=4)
    assert out.tolist() == [[flow(int(n)), classify(int(n))] for n in limits]


def test_templates():
    out = np.zeros((6, 3), np.float32)
    run("language", "templates", out, threads=6, group=6)
    for i in range(6):
        total = 0.0
        for k in reversed(range(i + 1)):
            total = total * 2 + k * 1.5
        assert out[i].tolist() == [total + 0.5, 2 * i + 1, i * i]


def test_pointers():
    data = np.arange(1, 13, dtype=np.int32).reshape(3, 4)
    before = data.copy()
    run("language", "pointers", data, np.array([100], np.int32), threads=3, group=3)
    for i in range(3):
        swapped = before[i][[3, 1, 2, 0]]
        last = (int(before[i][3]) & ~0xFF00) | 0xAB00
        expected = [swapped[0] + 100, swapped.sum(), swapped[i % 4], last]
        assert data[i].tolist() == expected


def test_constant_tables():
    ints, floats = np.zeros(7, np.int32), np.zeros(7, np.float32)
    run("language", "tables", ints, floats, threads=7, group=7)
    assert ints.tolist() == [2, 3, 5, 7, 11, 2, 3]
    assert floats.tolist() == [1, 3, 1, 3, 1, 3, 1]


def test_recursion():
    out = np.zeros(12, np.uint32)
    run("language", "recursion", out, threads=12, group=12)
    assert out.tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


@pytest.mark.parametrize("doubles", [0, 1])
def test_function_constants(doubles):
    bias = int(np.float32(0.25).view(np.uint32))
    options = ("--constant=0=3", f"--constant=1={doubles}", f"--constant=2={bias}")
    out = np.zeros(5, np.float32)
    run("language", "constants", out, options=options, threads=5, group=5)
    assert out.tolist() == [(i % 3 + 9) * (doubles + 1) + 0.25 for i in range(5)]


def test_enumerations():
    out = np.zeros(4, np.uint8)
    run("language", "shapes::enums", out, threads=4, group=4)
    assert out.tolist() == [0, 4, 0, 4]


def test_short_circuit_guards_accesses():
    data = np.array([3, 9, 3, 6, 0, 0, 0, 0], np.int32)
    run("language", "short_circuit", data, threads=4, group=4)
    assert data[4:].tolist() == [3, 1, 2, 1]


def test_thread_attributes():
    grid, group = (5, 3, 2), (4, 2, 2)
    out = np.zeros((2, 3, 5, 30), np.uint32)
    run("attributes", "all_of_them", out, threads=grid, group=group)
    groups = [-(-n // g) for n, g in zip(grid, group, strict=True)]
    for z, y, x in np.ndindex(2, 3, 5):
        at = (x, y, z)
        of = [p // g for p, g in zip(at, group, strict=True)]
        local = [p % g for p, g in zip(at, group, strict=True)]
        actual = [min(g, n - o * g) for g, n, o in zip(group, grid, of, strict=True)]
        threads = int(np.prod(actual))
        index = (local[2] * actual[1] + local[1]) * actual[0] + local[0]
        expected = [*at, *grid, *local, *actual, *group, *of, *groups]
        expected += [index, index % 32, 32, index // 32, -(-threads // 32), 1]
        expected += [index % 4, index // 4, -(-threads // 4)]
        assert out[z, y, x].tolist() == expected


def test_narrow_attributes():
    out = np.zeros(6, np.uint16)
    run("attributes", "narrow", out, threads=6, group=4)
    assert out.tolist() == [0, 101, 202, 303, 0, 101]


def test_global_attributes():
    words = np.zeros(6, np.uint32)
    run("attributes", "global", words, threads=6, group=4)
    assert words.tolist() == [0, 3, 6, 9, 12, 15]


def test_threadgroup_reverse():
    values = np.arange(100, dtype=np.float32)
    out = np.zeros(100, np.float32)
    run("threadgroups", "reverse", values, out, threads=100, group=64)
    assert out.tolist() == [*values[63::-1], *values[:63:-1]]


def test_dynamic_threadgroup_memory():
    rows = np.arange(3 * 50, dtype=np.float32).reshape(3, 50)
    out = np.zeros(3, np.float32)
    columns = np.array([50], np.uint32)
    run(
        "threadgroups", "row_sums", rows, out, columns,
        threads=3 * 16, group=16, threadgroup_memory={0: 64},
    )  # fmt: skip
    np.testing.assert_array_equal(out, rows.sum(axis=1))


def test_tiles_with_a_ragged_edge():
    values = np.arange(10 * 13, dtype=np.int32).reshape(10, 13)
    out = np.zeros((13, 10), np.int32)
    size = np.array([13, 10], np.uint32)
    run(
        "threadgroups", "transpose_tiles", values, out, size,
        threads=(16, 16), group=(8, 8),
    )  # fmt: skip
    np.testing.assert_array_equal(out, values.T)


def test_histogram():
    values = np.random.default_rng(5).integers(0, 256, 150).astype(np.uint8)
    bins = np.zeros(16, np.uint32)
    count = np.array([150], np.uint32)
    run("threadgroups", "histogram", values, bins, count, threads=192, group=64)
    np.testing.assert_array_equal(bins, np.bincount(values & 15, minlength=16))


def test_atomics():
    ints = np.array([-9, 9, 0, 0, -1, 0], np.int32)
    floats = np.zeros(1, np.float32)
    uints = np.array([0, 99, 0], np.uint32)
    run("threadgroups", "atomics", ints, floats, uints, threads=8, group=8)
    assert ints.tolist() == [2, -5, 255, 0, -256, -16]
    assert floats.tolist() == [4]
    # The exchanged values add up to all but the one that stays.
    assert uints[0] == 255
    assert uints[1] + uints[2] == 99 + sum(range(8))


def test_tensors():
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    out = np.zeros((3, 4), np.float32)
    tensor = interpreter.Tensor
    factor = np.array([2.5], np.float32)
    run(
        "tensors", "scale", tensor(values), tensor(out), factor,
        threads=(6, 4), group=(4, 2),
    )  # fmt: skip
    np.testing.assert_array_equal(out, values * 2.5)


def test_tensor_shape():
    out = np.zeros(7, np.int32)
    tensor = interpreter.Tensor(np.zeros((2, 3, 5), np.float16))
    run("tensors", "shape", tensor, out, threads=1, group=1)
    assert out.tolist() == [3, 5, 3, 2, 1, 5, 15]


def test_tensor_index_fault():
    out = np.zeros(8, np.float32)
    tensor = interpreter.Tensor(np.zeros((2, 4), np.float32))
    with pytest.raises(interpreter.KernelError) as error:
        run("tensors", "past_the_end", tensor, out, threads=8, group=8)
    assert "index 4 is outside of dimension 0" in str(error.value)
    assert "extent 4" in str(error.value) and "'in'" in str(error.value)
    assert "thread (4, 0, 0)" in str(error.value)
