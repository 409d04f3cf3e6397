"""Assets, models and NDArray: the conveniences and what they refuse."""

import asyncio
import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import torch
from models import Unary, convert, make_silu

from bessemer.errors import AssetError
from bessemer.runtime import (
    AIModel,
    AIModelAsset,
    AIModelAssetMetadata,
    ComputeUnitKind,
    NDArray,
    SpecializationOptions,
    StorageKind,
)


class TwoInputs(torch.nn.Module):
    def forward(self, x, i):
        return x + 1, i * 2


@pytest.fixture(scope="module")
def asset(tmp_path_factory):
    program = convert(
        TwoInputs(),
        (torch.zeros(2, 4), torch.zeros(3, dtype=torch.int64)),
        input_names=["x", "i"],
        output_names=["z_first", "a_second"],
    )
    metadata = AIModelAssetMetadata(author="A", model_description="D")
    metadata.set_custom("key", "value")
    folder = tmp_path_factory.mktemp("asset")
    return program.save_asset(folder / "deep" / "two.aimodel", metadata)


@pytest.fixture(scope="module")
def function(asset):
    return AIModel.open(asset.path).load_function("main")


X, J = np.zeros((2, 4), np.float32), np.array([1, 2, 3], np.int32)


# Running.


def test_awaited_calls(asset):
    async def run():
        async with asset.executable() as model:
            function = model.load_function("main")
            calls = [function({"x": NDArray(X + k), "i": NDArray(J)}) for k in range(8)]
            results = await asyncio.gather(*calls)
        return function, results

    function, results = asyncio.run(run())
    for k, result in enumerate(results):
        assert list(result) == ["z_first", "a_second"]
        np.testing.assert_array_equal(result["z_first"].numpy(), X + k + 1)
        np.testing.assert_array_equal(result["a_second"].numpy(), J * 2)
    # After the context, and without the model.
    gc.collect()
    assert asyncio.run(function({"x": NDArray(X), "i": J}))["z_first"].shape == [2, 4]


def test_function_outlives_its_model(asset):
    function = AIModel.open(asset.path).load_function("main")
    gc.collect()
    assert function.run({"x": X, "i": J})["z_first"][0, 0] == 1


def test_descriptors(function):
    desc = function.desc
    assert (desc.name, desc.input_names, desc.state_names) == ("main", ["x", "i"], [])
    assert desc.output_names == ["z_first", "a_second"]
    x = desc.input_descriptor("x")
    assert (x.dtype, x.rank, x.shape) == ("float32", 2, [2, 4])
    assert x.storage_kind == "bytes"
    assert desc.output_descriptor("a_second").dtype == "int32"
    with pytest.raises(KeyError, match="No input descriptor named: zz"):
        desc.input_descriptor("zz")


def test_names_of_functions(asset):
    model = AIModel.open(asset.path)
    assert model.function_names == ["main"]
    with pytest.raises(KeyError, match="No function named 'nope'"):
        model.load_function("nope")


ACCEPTED = [
    X.tolist(),
    torch.zeros(2, 4),
    X.astype(np.float64),
    X.T.copy().T,
    np.zeros((2, 8), np.float32)[:, ::2],
    NDArray(X, backing=StorageKind.METAL),
    NDArray(X, backing=StorageKind.IO_SURFACE),
]


@pytest.mark.parametrize("x", ACCEPTED)
@pytest.mark.parametrize("i", [J, J.astype(np.int64), torch.tensor([1, 2, 3])])
def test_accepted_inputs(function, x, i):
    result = function.run({"x": x, "i": i})
    np.testing.assert_array_equal(result["z_first"], X + 1)
    np.testing.assert_array_equal(result["a_second"], J * 2)


REFUSED = [
    ({"x": X}, RuntimeError, "i: missing input of function 'main'"),
    ({"x": X, "i": J, "q": X}, RuntimeError, "q is not a declared input of this fun"),
    ({1: X}, RuntimeError, "^Key for 'inputs' dict must be a string.$"),
    (
        {"x": X.astype(np.float16), "i": J},
        RuntimeError,
        "^x has an invalid scalar type: float16, expected: float32$",
    ),
    (
        {"x": np.zeros((3, 4), np.float32), "i": J},
        RuntimeError,
        r"^x has an invalid shape: \[3, 4\], expected: \[2, 4\]$",
    ),
    ({"x": X[0], "i": J}, RuntimeError, "x has an invalid shape"),
    (
        {"x": "no", "i": J},
        TypeError,
        '^Value for "x" in input is not an NDArray. It is a str',
    ),
    ({"x": X, "i": [1, 2, 2**40]}, RuntimeError, "i holds integers beyond the 32 bits"),
    (
        {"x": X.astype(np.float64) + 1e39, "i": J},
        RuntimeError,
        "x holds numbers beyond the range of float32",
    ),
]


@pytest.mark.parametrize("inputs, error, message", REFUSED)
def test_refused_inputs(function, inputs, error, message):
    with pytest.raises(error, match=message):
        function.run(inputs)


def test_specialization_options(asset):
    for options in (
        SpecializationOptions.default(),
        SpecializationOptions.cpu_only(),
        SpecializationOptions.from_preferred_compute_unit_kind(ComputeUnitKind.gpu),
    ):
        model = asyncio.run(AIModel.load(str(asset.path), options))
        assert model.specialization_options is options


# Assets.


def test_metadata(asset):
    metadata = AIModelAsset.load(str(asset.path)).metadata
    assert (metadata.author, metadata.model_description) == ("A", "D")
    assert metadata.creator_defined_metadata == {"key": "value"}
    assert metadata.creation_date > 1e9


def test_update_metadata(tmp_path):
    asset = save_silu(tmp_path / "m.aimodel")
    asset.update_metadata(lambda m: setattr(m, "license", "BSD"))
    assert AIModelAsset.load(asset.path).metadata.license == "BSD"
    assert asset.is_valid


def test_program_of_an_asset(asset):
    assert "coreai.graph @main" in str(asset.program)


def save_silu(path):
    kernel = make_silu()
    return convert(Unary(kernel), (torch.zeros(16),), [kernel]).save_asset(path)


def test_only_the_extension_is_accepted(tmp_path):
    with pytest.raises(
        ValueError,
        match=r"^save_asset path must use the \.aimodel extension, got '\.foo'$",
    ):
        save_silu(tmp_path / "m.foo")


def test_saving_replaces(tmp_path):
    path = tmp_path / "m.aimodel"
    save_silu(path)
    (path / "stray").write_text("")
    assert sorted(p.name for p in save_silu(str(path)).path.iterdir()) == [
        "main.hash",
        "main.mlirb",
        "metadata.json",
    ]


def test_two_processes_write_the_same_bytes(tmp_path):
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from test_runtime import save_silu; save_silu(Path(sys.argv[2]))"
    )
    contents = []
    for seed in ("1", "2"):
        path = tmp_path / seed / "m.aimodel"
        subprocess.run(
            [sys.executable, "-c", code, str(Path(__file__).parent), str(path)],
            check=True,
            env=os.environ
            | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1700000000"},
        )
        contents.append({f.name: f.read_bytes() for f in path.iterdir()})
    assert contents[0] == contents[1]


def truncate(path):
    file = path / "main.mlirb"
    file.write_bytes(file.read_bytes()[:100])


def flip(path):
    file = path / "main.mlirb"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x10
    file.write_bytes(data)


def new_version(path):
    file = path / "metadata.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"assetVersion": "9.9"}))


DAMAGE = {
    "truncated": truncate,
    "bit flipped": flip,
    "empty": lambda path: (path / "main.mlirb").write_bytes(b""),
    "garbage": lambda path: (path / "main.mlirb").write_bytes(b"garbage" * 99),
    "no program": lambda path: (path / "main.mlirb").unlink(),
    "no hash": lambda path: (path / "main.hash").unlink(),
    "wrong hash": lambda path: (path / "main.hash").write_bytes(bytes(32)),
    "no metadata": lambda path: (path / "metadata.json").unlink(),
    "broken metadata": lambda path: (path / "metadata.json").write_text("{"),
    "unknown version": new_version,
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_assets_are_errors(kind, tmp_path):
    asset = save_silu(tmp_path / "m.aimodel")
    assert asset.is_valid
    DAMAGE[kind](asset.path)
    assert not AIModelAsset.load(asset.path).is_valid
    with pytest.raises((AssetError, LookupError)) as caught:
        AIModel.open(asset.path)
    assert "m.aimodel" in str(caught.value)


def test_missing_assets():
    asset = AIModelAsset.load("nowhere.aimodel")
    assert not asset.is_valid
    with pytest.raises(FileNotFoundError, match="nowhere.aimodel"):
        asyncio.run(AIModel.load("nowhere.aimodel"))
    with pytest.raises(AssetError, match="nowhere.aimodel"):
        AIModel.open("nowhere.aimodel")


# NDArray.

DTYPES = [
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "float16",
    "float32",
    "float64",
    "bool",
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_ndarray_types(dtype):
    data = np.arange(6).reshape(2, 3).astype(dtype)
    array = NDArray(data)
    assert (array.dtype, array.shape, array.strides) == (dtype, [2, 3], [3, 1])
    np.testing.assert_array_equal(array.numpy(), data)


def test_ndarray_of_bfloat16():
    tensor = torch.tensor([1.0, 2.5], dtype=torch.bfloat16)
    array = NDArray(tensor)
    assert array.dtype == "bfloat16"
    assert array.numpy().dtype == ml_dtypes.bfloat16
    assert NDArray(array.numpy()).numpy().tolist() == [1.0, 2.5]


FOREIGN = {
    torch.float8_e5m2: "float8e5m2",
    torch.float8_e4m3fn: "float8e4m3fn",
    torch.complex64: "cfloat32",
    torch.complex128: "cfloat64",
}


@pytest.mark.parametrize("dtype", FOREIGN, ids=str)
def test_ndarray_of_other_types(dtype):
    array = NDArray(torch.tensor([1.0, 2.0]).to(dtype))
    assert array.dtype == FOREIGN[dtype]
    assert array.numpy().astype("complex64").tolist() == [1, 2]
    assert NDArray(array.numpy()).dtype == FOREIGN[dtype]


def test_ndarray_of_nibbles_and_conjugates():
    assert NDArray(np.ones(2, ml_dtypes.int4)).dtype == "int4"
    conjugate = torch.tensor([1 + 2j]).conj()
    assert NDArray(conjugate).numpy().tolist() == [1 - 2j]


@pytest.mark.parametrize("backing", StorageKind)
@pytest.mark.parametrize("make", [np.zeros, torch.zeros], ids=["numpy", "torch"])
def test_ndarray_shares_memory_on_request(make, backing):
    data = make(3)
    array = NDArray(data, backing, copy=False)
    data[1] = 5
    assert array.numpy().tolist() == [0, 5, 0] and array.storage_kind is backing
    assert np.shares_memory(NDArray(array, copy=False)[...], array[...])


@pytest.mark.parametrize(
    "data", [[1.0], np.zeros((2, 3)).T, torch.zeros(4)[::2], torch.ones(1) * 1j]
)
def test_ndarray_says_what_it_cannot_share(data):
    if isinstance(data, torch.Tensor) and data.is_complex():
        data = data.conj()
    with pytest.raises(ValueError, match=r"^NDArray\(copy=False\): .* leave copy=Fa"):
        NDArray(data, copy=False)


def test_ndarray_of_bfloat16_by_dlpack():
    tensor = torch.tensor([1.0, 2.5], dtype=torch.bfloat16)
    assert torch.equal(torch.from_dlpack(NDArray(tensor)), tensor)


def test_ndarray_copies():
    data = np.zeros(3, np.float32)
    array = NDArray(data)
    data[0] = 1
    array.numpy()[1] = 1
    assert array.numpy().tolist() == [0, 0, 0]


def test_ndarray_protocols():
    array = NDArray([[1.0, 2.0]])
    assert np.asarray(array).shape == (1, 2) and len(array) == 1
    assert torch.equal(torch.from_dlpack(array), torch.tensor([[1.0, 2.0]]).double())
    assert "1., 2." in repr(array) and array[0, 1] == 2
    assert NDArray(np.zeros((0, 2))).strides == [0, 0]
    assert NDArray(np.arange(6).reshape(2, 3).T).strides == [2, 1]
    assert NDArray(np.zeros(1, np.complex64)).dtype == "cfloat32"


@pytest.mark.parametrize(
    "data", [3, "text", None, np.zeros(1, ">f4"), torch.zeros(1, requires_grad=True)]
)
def test_ndarray_refuses(data):
    with pytest.raises(TypeError, match="Unable to create NDArray"):
        NDArray(data)


def test_ndarray_backing_and_descriptor(function):
    with pytest.raises(TypeError, match="backing must be a StorageKind, got str"):
        NDArray([1], backing="metal")
    zeros = NDArray.from_descriptor(function.desc.input_descriptor("x"))
    assert zeros.dtype == "float32" and not zeros.numpy().any()
