"""Inputs never used and results never written, found in a body's text."""

import warnings

import pytest
import torch
from models import ID, Unary, convert

from bessemer.authoring.lint import unused_inputs, unwritten_results
from bessemer.errors import KernelWarning
from bessemer.torch import TorchMetalKernel

WRITES = [
    "y[id] = x[id];",
    "y[a, b] += 1;",
    "y[a][b] = 1;",
    "++y[id];",
    "y[id]--;",
    "y[id].x = 2;",
    "auto t = y.slice<1, 1>(0, 0); t[0] = 1;",
    "auto alias = y;",
    "store(y, id);",
    "set(y[id], 1);",
    "set(id, y[id]);",
    "atomic_fetch_add_explicit(&y[id], 1, memory_order_relaxed);",
    "device float &r = y[id]; r = 1;",
]
READS = [
    "",
    "x[id] = 1;",
    "// y[id] = 1;",
    '/* y[id] = 1; */ auto s = "y[id] = 1";',
    "float v = y[id] + 1;",
    "uint n = y.get_extent(0);",
    "if (y[id] == 1) x[id] = 2;",
    "yy[id] = 1;",
]


@pytest.mark.parametrize("body", WRITES)
def test_what_may_write(body):
    assert unwritten_results(["y"], body, "") == []


@pytest.mark.parametrize("body", READS)
def test_what_only_reads(body):
    assert unwritten_results(["y"], body, "") == ["y"]


def test_uses():
    assert unused_inputs(["x", "z"], "y[id] = x[id]; // z", "") == ["z"]
    assert unused_inputs(["z"], "y[id] = READ;", "#define READ z[id]") == []
    assert unwritten_results(["y"], "PUT;", "#define PUT y[id] = 1") == []


def test_warnings_at_conversion():
    def clone(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel("idle", ["x"], ["y"], "", clone, [ID])
    with pytest.warns(KernelWarning) as caught:
        convert(Unary(kernel), (torch.zeros(4),), [kernel])
    (message,) = (str(w.message) for w in caught if w.category is KernelWarning)
    assert message.startswith("kernel 'idle' (") and "test_lint.py:" in message
    assert "the body never uses the input 'x'" in message
    assert "the body never writes the result 'y'" in message


def test_no_warning_for_a_sound_kernel():
    def clone(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel("sound", ["x"], ["y"], "y[id] = x[id];", clone, [ID])
    with warnings.catch_warnings():
        warnings.simplefilter("error", KernelWarning)
        convert(Unary(kernel), (torch.zeros(4),), [kernel])
