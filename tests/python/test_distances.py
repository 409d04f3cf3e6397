"""Absolute differences of unsigned integers, of which some bits are known: LLVM's
code for x86 gave a signed one where one operand has the highest bit, the other not."""

import interpreter
import numpy as np
import pytest

TYPES = {"uchar": np.uint8, "ushort": np.uint16, "uint": np.uint32, "ulong": np.uint64}
DISTANCES = {
    "absdiff": "absdiff(a, b)",
    "greater": "T(a > b ? a - b : b - a)",
    "not less": "T(a >= b ? a - b : b - a)",
    "less": "T(a < b ? b - a : a - b)",
    "negative": "T(T(0) - (a > b ? b - a : a - b))",
    "extremes": "T(max(a, b) - min(a, b))",
    "extremes, other way": "T(T(0) - (min(b, a) - max(a, b)))",
}
# Metal text for an operand, and the same on Python's integers of BITS bits.
OPERANDS = {
    "any": ("V", lambda v, bits, lane: v),
    "high": ("T(V | T(T(1) << (BITS - 1)))", lambda v, bits, lane: v | 1 << bits - 1),
    "low": ("T(V >> 1)", lambda v, bits, lane: v >> 1),
    "complement": (
        "T(~T(V >> (lane & 7)))",
        lambda v, bits, lane: ~(v >> (lane & 7)) % (1 << bits),
    ),
}
SIZE = 64


def source_of(metal: str, bits: int) -> str:
    kernels = ""
    for i, first in enumerate(OPERANDS.values()):
        for j, second in enumerate(OPERANDS.values()):
            lines = "".join(
                f"  o[{at} * {SIZE} + i] = {text};\n"
                for at, text in enumerate(DISTANCES.values())
            )
            kernels += f"""
kernel void k{i}{j}(device const T *x, device const T *y, device T *o,
                    uint i [[thread_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {{
  T a = {first[0].replace("V", "x[i]")}, b = {second[0].replace("V", "y[i]")};
{lines}}}
"""
    head = "#include <metal_stdlib>\nusing namespace metal;\n"
    return head + f"typedef {metal} T;\n" + kernels.replace("BITS", str(bits))


@pytest.mark.parametrize("metal", TYPES)
def test_distances(metal, tmp_path):
    dtype = TYPES[metal]
    bits = 8 * dtype().itemsize
    random = np.random.default_rng(7)
    x, y = random.integers(0, 2**bits - 1, (2, SIZE), dtype, endpoint=True)
    edges = [0, 1, 2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1]
    x[: len(edges)], y[4 : 4 + len(edges)] = edges, edges
    source = interpreter.from_text(source_of(metal, bits), tmp_path)
    for i, (_, first) in enumerate(OPERANDS.values()):
        for j, (_, second) in enumerate(OPERANDS.values()):
            out = np.zeros(len(DISTANCES) * SIZE, dtype)
            launch = {"threads": SIZE, "group": 32}
            source.compare(f"k{i}{j}", x, y, out, **launch)
            source.run(f"k{i}{j}", x, y, out, **launch)
            want = [
                abs(first(int(x[n]), bits, n % 32) - second(int(y[n]), bits, n % 32))
                for n in range(SIZE)
            ]
            for at, form in enumerate(DISTANCES):
                got = out[at * SIZE : (at + 1) * SIZE].tolist()
                assert got == want, f"{form} of operands {i} and {j}"
