"""Profilers of functions, and summaries of assets."""

import pytest
import torch
from models import Unary, call, convert, make_silu

from bessemer.errors import UnsupportedError
from bessemer.runtime import AIModel, LogEvent, Profiler


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = make_silu()
        self.layer = torch.nn.Linear(4, 300)

    def forward(self, x):
        return self.layer(x).relu().relu()


@pytest.fixture
def asset(tmp_path):
    program = convert(Model().eval(), (torch.ones(2, 4),), input_names=["x"])
    return program.save_asset(tmp_path / "m.aimodel")


def test_a_profiler_hears_of_compilations_and_runs(asset):
    events = []

    def begin(event):
        events.append(("begin", event))
        return len(events)

    def end(event, interval):
        events.append((interval, event))

    model = AIModel.open(asset.path)
    function = model.load_function("main", profiler=Profiler(begin, end))
    for _ in range(2):
        call(function, torch.ones(2, 4))
    assert [(mark, event.phase) for mark, event in events] == [
        ("begin", "compile"), (1, "compile"),
        ("begin", "inference"), (3, "inference"),
        ("begin", "inference"), (5, "inference"),
    ]  # fmt: skip
    times = [event.timestamp for _, event in events]
    assert times == sorted(times) and all(isinstance(e, LogEvent) for _, e in events)
    assert {event.compile_ids.id for _, event in events} == {0}


def test_one_callback_is_that_of_the_begin(asset):
    events = []
    function = AIModel.open(asset.path).load_function(
        "main", None, Profiler(events.append)
    )
    call(function, torch.ones(2, 4))
    assert [event.phase for event in events] == ["compile", "inference"]


def test_what_is_refused(asset):
    model = AIModel.open(asset.path)
    with pytest.raises(TypeError, match="a Profiler takes functions, got 3"):
        Profiler(3)
    with pytest.raises(TypeError, match="profiler must be a Profiler, got 3"):
        model.load_function("main", profiler=3)
    with pytest.raises(UnsupportedError, match="return the value from the model"):
        model.load_function("main", intermediate_logger=object())


def test_summary(asset):
    summary = asset.summary()
    assert summary.functions == ["main"]
    assert summary.storage_types["f32"] == 4 * 300 + 300
    assert summary.operation_distribution["coreai.relu"] == 2
    text = str(summary)
    assert text.startswith("functions: main\nstorage_types:\n  f32: 1500\n")
    assert "  coreai.relu: 2" in text
    assert asset.summary(include_statistics=False).operation_distribution == {}


def test_the_source_of_a_kernel_is_one_operation(tmp_path):
    kernel = make_silu()
    program = convert(Unary(kernel), (torch.ones(8),), [kernel])
    summary = program.save_asset(tmp_path / "k.aimodel").summary()
    assert summary.operation_distribution["coreai.metal4_kernel"] == 1
