"""Whole programs of kernel authors: static and dynamic, in several element types.

Every program is converted, saved, loaded and compared with PyTorch; afterwards a
process that never saw the kernels loads the assets and must get the same bits.
"""

from __future__ import annotations

import subprocess
import sys

import ml_dtypes  # noqa: F401 - NumPy arrays of bfloat16
import numpy as np
import pytest
import torch
from models import call, convert, load
from programs import gathers, quantised, rows, transformers
from programs.program import TOLERANCES

PROGRAMS = [
    program
    for module in (rows, quantised, transformers, gathers)
    for program in module.PROGRAMS
]
CASES = [(p, dtype, "dynamic") for p in PROGRAMS for dtype in p.dtypes]
CASES += [(p, torch.float32, "static") for p in PROGRAMS]
NAMES = [f"{p.name}-{str(d).removeprefix('torch.')}-{kind}" for p, d, kind in CASES]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return tmp_path_factory.mktemp("assets")


def compare(actual, expected, atol):
    expected = [expected] if isinstance(expected, torch.Tensor) else list(expected)
    assert len(actual) == len(expected)
    for got, want in zip(actual, expected, strict=True):
        assert got.shape == want.shape
        tolerance = TOLERANCES.get(want.dtype, {"rtol": 0, "atol": 0})
        tolerance = tolerance | {"atol": max(atol, tolerance["atol"])}
        if got.dtype == torch.int8 and atol:  # Quantised: one step.
            assert (got.int() - want.int()).abs().max() <= 1
            continue
        torch.testing.assert_close(got, want, **tolerance)


@pytest.mark.parametrize("program, dtype, kind", CASES, ids=NAMES)
def test_program(program, dtype, kind, saved):
    model = program.model().eval()
    if dtype.is_floating_point:
        model = model.to(dtype)
    n, other = program.sizes
    inputs = program.inputs(n, dtype)
    shapes = program.dynamic_shapes(inputs) if kind == "dynamic" else None
    names = {"input_names": list(inputs)}
    converted = convert(model, tuple(inputs.values()), program.kernels, shapes, **names)
    folder = saved / f"{program.name}-{str(dtype).removeprefix('torch.')}-{kind}"
    folder.mkdir()
    function = load(converted, folder)
    for size in [n] if kind == "static" else [n, other, 1]:
        values = program.inputs(size, dtype)
        with torch.no_grad():
            expected = model(*values.values())
        actual = call(function, *values.values())
        compare(actual, expected, program.atol)
    arrays = {f"in_{name}": plain(value) for name, value in values.items()}
    arrays |= {f"out_{i}": plain(value) for i, value in enumerate(actual)}
    np.savez(folder / "case.npz", **arrays)


def plain(tensor):
    """NumPy's files do not hold bfloat16."""
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)
    return tensor.detach().numpy()


FRESH = """
import sys
from pathlib import Path
import ml_dtypes, numpy as np
from bessemer.runtime import AIModel
assert "torch" not in sys.modules
count = 0
for folder in sorted(Path(sys.argv[1]).iterdir()):
    case = dict(np.load(folder / "case.npz"))
    function = AIModel.open(folder / "model.aimodel").load_function("main")
    inputs = {}
    for name in function.desc.input_names:
        data = case["in_" + name]
        if function.desc.input_descriptor(name).dtype == "bfloat16":
            data = data.view(ml_dtypes.bfloat16)
        inputs[name] = data
    for i, result in enumerate(function.run(inputs).values()):
        data = result.numpy()
        if result.dtype == "bfloat16":
            data = data.view(np.int16)
        np.testing.assert_array_equal(data, case[f"out_{i}"], folder.name)
    count += 1
print(count)
"""


def test_a_fresh_process_gets_the_same(saved):
    """Atomic additions aside, whose order is open."""
    for folder in saved.glob("scatter_add-*"):
        folder.rename(saved.parent / folder.name)
    command = [sys.executable, "-c", FRESH, str(saved)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) == len(list(saved.iterdir()))
