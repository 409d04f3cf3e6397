"""set_static_shape_config: functions of fixed sizes in place of a dynamic one."""

import pytest
import torch
from models import ID, call, convert, export, load

from bessemer.runtime import AIModel
from bessemer.torch import TorchConverter, TorchMetalKernel

ROWS = torch.export.Dim("rows", min=2, max=64)
COLUMNS = torch.export.Dim("columns", max=9)


def double(x: torch.Tensor) -> torch.Tensor:
    return x + x


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = TorchMetalKernel(
            "double", ["x"], ["y"], "y[id] = x[id] + x[id];", double, [ID]
        )
        self.weight = torch.nn.Parameter(torch.randn(3, 300))

    def forward(self, x, y):
        z = (torch.cat([x, x]) @ self.weight).sum(1)
        z = self.kernel(
            z,
            threads_per_grid=(z.shape[0], 1, 1),
            threads_per_thread_group=(1, 1, 1),
            result_shapes=[list(z.shape)],
        )
        return z, x @ y


SHAPES = {"x": {0: ROWS}, "y": {1: COLUMNS}}
ARGS = (torch.ones(8, 3), torch.ones(3, 4))
NAMES = {"input_names": ["x", "y"], "output_names": ["z", "w"]}


@pytest.fixture
def model():
    return Model().eval()


@pytest.fixture
def program(model):
    return convert(model, ARGS, [model.kernel], SHAPES, **NAMES)


def test_each_configuration_is_a_function(model, program, tmp_path):
    config = {"c1": {"x": (2, 3)}, "c2": {"x": (5, 3), "y": (3, 7)}}
    assert program.set_static_shape_config("main", config) is None
    names = AIModel.open(program.save_asset(tmp_path / "m.aimodel").path)
    assert names.function_names == ["main_c1", "main_c2"]
    for name, rows, columns in (
        ("main_c1", 2, 4),
        ("main_c1", 2, 9),
        ("main_c2", 5, 7),
    ):
        x, y = torch.randn(rows, 3), torch.randn(3, columns)
        results = call(load(program, tmp_path, name), x, y)
        for actual, expected in zip(results, model(x, y), strict=True):
            torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name, shape", [("main_c1", (3, 3)), ("main_c2", (4, 3))])
def test_other_sizes_are_refused(name, shape, program, tmp_path):
    program.set_static_shape_config("main", {"c1": {"x": (2, 3)}, "c2": {"x": (5, 3)}})
    with pytest.raises(ValueError, match="dimension 0 is ., but it must be at"):
        call(load(program, tmp_path, name), torch.ones(shape), torch.ones(3, 4))


def test_other_functions_stay(model, tmp_path):
    converter = TorchConverter().register_custom_kernels([model.kernel])
    for entry in ("main", "second"):
        exported = export(model, ARGS, SHAPES)
        converter.add_exported_program(exported, entrypoint_name=entry, **NAMES)
    program = converter.to_coreai()
    program.set_static_shape_config("main", {"c1": {"x": (2, 3), "y": (3, 1)}})
    asset = AIModel.open(program.save_asset(tmp_path / "m.aimodel").path)
    assert sorted(asset.function_names) == ["main_c1", "second"]
    second = load(program, tmp_path, "second")
    for rows in (3, 30):
        call(second, torch.ones(rows, 3), torch.ones(3, 4))


@pytest.mark.parametrize(
    "entry, config, error, message",
    [
        ("nope", {"c": {}}, ValueError, "^graph 'nope' not found in program$"),
        ("main", {"c": {"q": (1,)}}, ValueError, "no input 'q'; there is: x, y"),
        (
            "main",
            {"c": {"x": (2,)}},
            RuntimeError,
            r"x has rank 2, got the shape \[2\]",
        ),
        ("main", {"c": {"x": (2, 4)}}, ValueError, "dimension 1 of x is 3, got 4"),
        ("main", {"c": {"x": (1, 3)}}, ValueError, "of x must be from 2 to 64, got 1"),
        ("main", {"c": {"y": (3, 10)}}, ValueError, "y must be from 0 to 9, got 10"),
        ("main", {}, ValueError, "needs at least one configuration"),
        ("main", {"a b": {}}, ValueError, "letters, digits and _, got 'a b'"),
        ("main", {"c": 3}, TypeError, "must map inputs to shapes, got 3"),
        ("main", [], ValueError, "takes a dict of shapes by input by suffix"),
    ],
)
def test_what_is_refused(entry, config, error, message, program):
    with pytest.raises(error, match=message):
        program.set_static_shape_config(entry, config)
