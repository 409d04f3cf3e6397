"""set_hardware_constraints."""

import pytest
import torch
from models import Unary, call, convert, load, make_silu

from bessemer.authoring import AllocationType, HardwareConstraints, OSVersion


@pytest.fixture(scope="module")
def program():
    kernel = make_silu()
    names = {"input_names": ["x"], "output_names": ["y"]}
    return convert(Unary(kernel), (torch.ones(8),), [kernel], **names)


def buffer(*alignments):
    return HardwareConstraints(AllocationType.MTLBuffer, list(alignments), [1])


def test_plain_memory_fulfils_them(program, tmp_path):
    program.set_hardware_constraints("main", {"x": buffer(1, 1)})
    program.save_asset(tmp_path / "other.aimodel", minimum_os=OSVersion.v27)
    (y,) = call(load(program, tmp_path), torch.ones(8))
    torch.testing.assert_close(y, torch.nn.functional.silu(torch.ones(8)))


@pytest.mark.parametrize(
    "entrypoint, constraints, error, message",
    [
        ("nope", {}, ValueError, "graph 'nope' not found in program"),
        ("main", {"q": buffer(1)}, ValueError, "'main' has no input 'q'; it has: x"),
        ("main", {"x": 3}, TypeError, "must be HardwareConstraints, got int"),
        ("main", {"x": buffer(64, 1)}, ValueError, "arrays are contiguous here"),
    ],
)
def test_what_is_refused(entrypoint, constraints, error, message, program):
    with pytest.raises(error, match=message):
        program.set_hardware_constraints(entrypoint, constraints)
