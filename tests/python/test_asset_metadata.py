"""What an asset says of itself: changed whole or not at all, read with care."""

import json
import os

import pytest
import torch
from models import convert

import bessemer
from bessemer.errors import AssetError
from bessemer.runtime import AIModel, AIModelAsset


@pytest.fixture
def asset(tmp_path):
    program = convert(torch.nn.ReLU(), (torch.ones(2),))
    return program.save_asset(tmp_path / "a.aimodel")


def content(asset):
    return {p.name: p.read_bytes() for p in asset.path.iterdir()}


@pytest.mark.parametrize(
    "field, value, words",
    [
        ("author", 5, "author must be a str, got 5"),
        ("author", object(), "author must be a str"),
        ("license", "\udcff", "no character of UTF-8"),
        ("creator_defined_metadata", [1], "must be a dict of str by str"),
        ("creator_defined_metadata", None, "must be a dict of str by str"),
        ("creator_defined_metadata", {"a": 1}, r"creator_defined_metadata\['a'\] must"),
        ("creator_defined_metadata", {2: "a"}, "the key 2 of"),
    ],
)
def test_a_wrong_change_leaves_the_asset(asset, field, value, words):
    before = content(asset)
    with pytest.raises(ValueError, match=words):
        asset.update_metadata(lambda m: setattr(m, field, value))
    assert content(asset) == before and asset.is_valid


def test_a_change_keeps_mode_and_the_rest(asset):
    path = asset.path / "metadata.json"
    path.chmod(0o640)
    names = set(content(asset))
    asset.update_metadata(lambda m: (setattr(m, "author", "Ä"), m.set_custom("k", "v")))
    assert path.stat().st_mode & 0o777 == 0o640
    assert set(content(asset)) == names and asset.is_valid
    assert asset.metadata.author == "Ä"
    assert asset.metadata.creator_defined_metadata == {"k": "v"}


def test_a_failure_while_writing_leaves_nothing(asset, monkeypatch):
    before = content(asset)

    def fail(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        asset.update_metadata(lambda m: setattr(m, "author", "B"))
    assert content(asset) == before


@pytest.mark.parametrize(
    "member, value, words",
    [
        ("author", 5, "'author' must be a string"),
        ("creationDate", 5, "'creationDate' must be a string"),
        ("creatorDefinedMetadata", [1], "'creatorDefinedMetadata' must be an object"),
    ],
)
def test_foreign_members_are_named(asset, member, value, words):
    path = asset.path / "metadata.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {member: value}))
    with pytest.raises(AssetError, match=words):
        _ = asset.metadata
    with pytest.raises(AssetError, match=words) as caught:
        AIModel.open(asset.path)
    assert "json.exception" not in str(caught.value)


def test_a_date_in_another_form_is_none(asset):
    path = asset.path / "metadata.json"
    stored = json.loads(path.read_text()) | {"creationDate": "yesterday"}
    path.write_text(json.dumps(stored))
    assert asset.metadata.creation_date is None and asset.is_valid


@pytest.mark.parametrize("text", ["[" * 100000, "[]", "{", '{"author": "\\ud800'])
def test_broken_files(asset, text):
    (asset.path / "metadata.json").write_text(text)
    with pytest.raises(AssetError, match=r"metadata\.json"):
        _ = asset.metadata
    assert not asset.is_valid


def test_a_link_to_an_asset_stays_a_link(asset, tmp_path):
    link = tmp_path / "link.aimodel"
    link.symlink_to(asset.path.name)
    program = convert(torch.nn.Tanh(), (torch.ones(3),))
    program.save_asset(link)
    assert link.is_symlink()
    function = AIModel.open(asset.path).load_function("main")
    assert function.desc.input_descriptor(function.desc.input_names[0]).shape == [3]


def test_names_that_no_file_can_have(asset, tmp_path):
    program = asset.program
    with pytest.raises(ValueError, match="longer than file systems take"):
        program.save_asset(tmp_path / ("a" * 300 + ".aimodel"))
    longest = tmp_path / ("a" * 247 + ".aimodel")
    program.save_asset(longest)
    assert AIModelAsset.load(longest).is_valid
    for use in (
        program.save_asset,
        AIModel.open,
        lambda path: bessemer.compile("", include_dirs=[path]),
    ):
        with pytest.raises(ValueError, match="zero byte"):
            use("a\0.aimodel")
