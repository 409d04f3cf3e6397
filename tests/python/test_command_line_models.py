"""The command line on models: bessemer inspect and run."""

import json
import os
import shutil
import subprocess
import warnings

import numpy as np
import pytest
import torch
from models import ID, Elementwise, convert

from bessemer import naming
from bessemer.runtime import AIModelAssetMetadata
from bessemer.torch import TorchMetalKernel

BESSEMER = shutil.which("bessemer") or os.path.join(
    os.environ.get("BESSEMER_BUILD", ""), "bin", "bessemer"
)


def twice(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


KERNEL = TorchMetalKernel(
    "twice",
    input_names=["x"],
    result_names=["y"],
    src="if (id < x.get_extent(0)) y[id] = 2 * x[id];",
    torch_defn=twice,
    metal_params=[ID],
)


class Model(torch.nn.Module):
    def forward(self, x, table):
        doubled = KERNEL(
            x,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(32, 1, 1),
            result_shapes=[list(x.shape)],
        )
        return doubled + 1, table @ table


@pytest.fixture(scope="module")
def asset(tmp_path_factory):
    program = convert(
        Model(),
        (torch.ones(8), torch.ones(3, 3)),
        [KERNEL],
        {"x": {0: torch.export.Dim("n", min=2, max=100)}, "table": {}},
        input_names=["x", "table"],
        output_names=["y", "square"],
    )
    path = tmp_path_factory.mktemp("models") / "m.aimodel"
    metadata = AIModelAssetMetadata(author="A. Author", license="MIT")
    metadata.set_custom("colour", "red")
    program.save_asset(path, metadata)
    return path


def bessemer(*arguments, cwd=None):
    return subprocess.run(
        [BESSEMER, *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )


def test_inspect(asset):
    result = bessemer("inspect", asset)
    assert result.returncode == 0, result.stderr
    lines = [line.strip() for line in result.stdout.splitlines()]
    size = (asset / "main.mlirb").stat().st_size
    assert lines[0] == f"{asset}: {size} bytes"
    for line in (
        "author: A. Author",
        "license: MIT",
        "colour: red",
        "function main",
        "input x: float32[n]",
        "input table: float32[3, 3]",
        "output y: float32[?]",
        "output square: float32[3, 3]",
        "n: 2 to 100",
    ):
        assert line in lines, result.stdout
    assert any(line.startswith("kernel twice") for line in lines), result.stdout


def test_inspect_json(asset):
    result = bessemer("inspect", asset, "--json")
    contents = json.loads(result.stdout)
    assert contents["metadata"]["creator_defined"] == {"colour": "red"}
    (function,) = contents["functions"]
    assert function["name"] == "main" and function["states"] == []
    assert function["inputs"] == [
        {"name": "x", "dtype": "float32", "shape": ["n"]},
        {"name": "table", "dtype": "float32", "shape": [3, 3]},
    ]
    assert function["outputs"][0]["shape"] == ["?"]
    assert function["dimensions"] == [{"name": "n", "min": 2, "max": 100}]
    x, y = function["kernels"][0]["arguments"]
    assert (x["name"], x["access"], x["kind"]) == ("x", "read", "tensor")
    assert (y["name"], y["access"], y["space"]) == ("y", "write", "device")
    assert result.stdout.startswith('{\n  "bytes": ')


def test_inspect_shows_the_interface_of_a_model_that_does_not_compile(tmp_path):
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setattr(naming, "original", True)
        bad = TorchMetalKernel(
            "bad", ["x"], ["y"], "y[id] = nothing;", twice, metal_params=[ID]
        )
        program = convert(Elementwise(bad), (torch.ones(4),), [bad], input_names=["x"])
    program.save_asset(tmp_path / "bad.aimodel")
    for words in ([], ["--json"]):
        result = bessemer("inspect", "bad.aimodel", *words, cwd=tmp_path)
        assert result.returncode == 2
        assert "function" in result.stdout and "float32" in result.stdout
        assert "undeclared identifier 'nothing'" in result.stderr
        assert "test_command_line_models.py:" in result.stderr


def test_run(asset, tmp_path):
    np.save(tmp_path / "x.npy", np.arange(5, dtype=np.float32))
    words = ["--input", "x=x.npy", "--input", "table=1,0,0,0,2,0,0,0,3"]
    result = bessemer("run", asset, *words, cwd=tmp_path)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "y: float32[5] 1 3 5 7 9",
        "square: float32[3, 3] 1 0 0 0 4 0 0 0 9",
    ]
    words += ["--random", "--save", "out/put"]
    result = bessemer("run", asset, *words, cwd=tmp_path)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "y: float32[5] -> out/put/y.npy",
        "square: float32[3, 3] -> out/put/square.npy",
    ]
    y = np.load(tmp_path / "out" / "put" / "y.npy")
    np.testing.assert_array_equal(y, [1, 3, 5, 7, 9])


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "input 'x' (float32[n]) is missing: --input x=FILE.npy"),
        (
            ["--random"],
            "input 'x' (float32[n]) has no fixed size, and --random chooses none: "
            "--input x=random[...] with its sizes",
        ),
        (["--input", "X=1"], "function 'main' has inputs: x, table; did you mean 'x'?"),
        (["--function", "mian"], "no function named 'mian'; there is: main"),
        (["--random", "--input", "x=random[101]"], "x"),
        (["--random", "--input", "x=random:int32[8]"], "x"),
    ],
    ids=str,
)
def test_run_refuses(asset, words, message):
    result = bessemer("run", asset, *words)
    assert result.returncode == 2 and message in result.stderr, result.stderr


def test_what_is_no_model(tmp_path):
    for verb in ("inspect", "run"):
        result = bessemer(verb, tmp_path)
        assert result.returncode == 2
        assert "is not a complete asset: metadata.json is missing" in result.stderr
