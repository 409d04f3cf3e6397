"""The command line on models: states, and what is saved."""

import numpy as np
import pytest
import torch
from command_line import bessemer, refused
from models import convert


class Accumulator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("acc", torch.zeros(3))
        self.register_buffer("total", torch.zeros(2, 2))

    def forward(self, x):
        self.acc.add_(x)
        self.total.add_(x.sum())
        return self.acc * 2


@pytest.fixture(scope="module")
def asset(tmp_path_factory):
    program = convert(
        Accumulator(),
        (torch.ones(3),),
        input_names=["x"],
        state_names=["acc", "total"],
        output_names=["total"],
    )
    path = tmp_path_factory.mktemp("models") / "m.aimodel"
    program.save_asset(path)
    return path


def test_states_begin_as_zeros_or_as_given(asset):
    result = bessemer("run", asset, "--input", "x=1,2,3")
    assert result.stdout.splitlines() == [
        "total: float32[3] 2 4 6",
        "acc: float32[3] 1 2 3",
        "total: float32[2, 2] 6 6 6 6",
    ]
    words = "--input x=1,2,3 --state acc=10,20,30 --state total=1,2,3,4"
    result = bessemer("run", asset, words)
    assert result.stdout.splitlines() == [
        "total: float32[3] 22 44 66",
        "acc: float32[3] 11 22 33",
        "total: float32[2, 2] 7 8 9 10",
    ]


def test_runs_continue_from_saved_states(asset, tmp_path):
    words = ["run", asset, "--input x=1,2,3 --save out/put"]
    result = bessemer(*words, cwd=tmp_path)
    assert result.stdout.splitlines() == [
        "total: float32[3] -> out/put/total.npy",
        "acc: float32[3] -> out/put/acc.npy",
        "total: float32[2, 2] -> out/put/total.state.npy",
    ]
    words += ["--state acc=out/put/acc.npy --state total=out/put/total.state.npy"]
    assert bessemer(*words, cwd=tmp_path).returncode == 0
    saved = tmp_path / "out" / "put"
    np.testing.assert_array_equal(np.load(saved / "acc.npy"), [2, 4, 6])
    np.testing.assert_array_equal(np.load(saved / "total.npy"), [4, 8, 12])
    np.testing.assert_array_equal(
        np.load(saved / "total.state.npy"), np.full((2, 2), 12)
    )


@pytest.mark.parametrize(
    "words, message",
    [
        ("--input acc=1,1,1", "'acc' is its state: --state acc=1,1,1"),
        ("--input x=1,1,1 --state x=1", "'x' is its input: --input x=1"),
        ("--input x=1,1,1 --state ac=1", "has states: acc, total; did you mean 'acc'?"),
        ("--input x=1,1,1 --input x=2,2,2", "--input x=2,2,2: 'x' is given twice"),
        ("--input x=1,1,1 --state acc=1,2", "acc"),
        ("--input x=1,1,1 --state acc=a", "state 'acc': 'a' is no number"),
        ("--input x=1,1,1 --save /dev/null", "cannot write '/dev/null/total.npy'"),
    ],
)
def test_refuses(asset, words, message):
    assert refused(bessemer("run", asset, words), message)
