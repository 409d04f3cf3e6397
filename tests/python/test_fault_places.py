"""Faults of kernels in models name the line of the user's file."""

import re
import subprocess
import sys

import pytest
import torch
from models import convert

from bessemer.errors import CompileError, KernelFault
from bessemer.runtime import AIModel
from bessemer.torch import MetalParameter, TorchMetalKernel, eager_kernels

ID = MetalParameter("id", "uint", "thread_position_in_grid")
HELPER = """
template <typename T> float look(T x, int i) {
  return x[i];  // in the helper
}
"""
LINES = open(__file__).read().split("\n")
LOAD = """
import sys
import numpy as np
from bessemer.runtime import AIModel
AIModel.open(sys.argv[1]).load_function("main").run({"x": np.zeros(64, np.float32)})
"""


def scaled(x: torch.Tensor, c: float) -> torch.Tensor:
    return x * c


def plain(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def make(name, src, reference=plain, **options):
    names = ["x", "c"] if reference is scaled else ["x"]
    return TorchMetalKernel(name, names, ["y"], src, reference, [ID], **options)


KERNELS = {
    "block": make(
        "block",
        """
        float v = 1;
        y[id] = v * x[id + 64];  // in the block
        """,
    ),
    "pieces": make(
        "pieces",
        "float v = 1;\n"  # Comments keep the pieces apart.
        "y[id] = v * x[id + 64];\n",  # in the pieces
    ),
    "helper": make("helper", "y[id] = look(x, id + 64);", helper_src=HELPER),
    "scalar": make(
        "scalar",
        """y[id] = c *
        x[id + 64];  // in the scalar
        """,
        scaled,
    ),
    "template": make(
        "template",
        """
        TYPE a = x[id]; TYPE
        b = x[id + 64];  // in the template
        y[id] = a + b;
        """,
        template_dtypes={"x": "TYPE"},
    ),
}
FAULT = "index 64 of tensor 'x' is out of range in dimension 0"


class Model(torch.nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def forward(self, x):
        inputs = [x, 2.0][: len(self.kernel.input_names)]
        return self.kernel(
            *inputs,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(32, 1, 1),
            result_shapes=[list(x.shape)],
        )


def saved(kernel, folder):
    program = convert(Model(kernel), (torch.zeros(64),), [kernel], input_names=["x"])
    program.save_asset(folder / "model.aimodel")
    return folder / "model.aimodel"


def line_of(name):
    return next(n for n, text in enumerate(LINES, 1) if f"in the {name}" in text)


@pytest.fixture(params=KERNELS)
def case(request):
    """A kernel that faults, and the line that it should name."""
    return KERNELS[request.param], line_of(request.param)


def test_in_this_process_the_file_has_its_folder(case, tmp_path):
    kernel, line = case
    function = AIModel.open(saved(kernel, tmp_path)).load_function("main")
    with pytest.raises(KernelFault) as caught:
        function.run({"x": torch.zeros(64)})
    place = f"function 'main': {__file__}:{line}: kernel '{kernel.name}': {FAULT}"
    assert str(caught.value).startswith(place)
    assert str(caught.value).endswith(f"({LINES[line - 1].strip()})")


def test_elsewhere_the_asset_knows_the_line(case, tmp_path):
    kernel, line = case
    path = saved(kernel, tmp_path)
    place = f"test_fault_places.py:{line}: kernel '{kernel.name}': {FAULT}"
    for command in (
        [sys.executable, "-c", LOAD, path],
        ["bessemer", "run", path, "--random"],
    ):
        result = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=120
        )
        assert f"function 'main': {place}" in result.stderr, result.stderr
        assert result.returncode != 0


def test_eager_kernels_say_the_same(case):
    kernel, line = case
    with eager_kernels(), pytest.raises(KernelFault) as caught:
        Model(kernel)(torch.zeros(64))
    place = f"{__file__}:{line}: kernel '{kernel.name}': {FAULT}"
    assert str(caught.value).startswith(place)


def test_assets_hold_no_folders(case, tmp_path):
    program = (saved(case[0], tmp_path) / "main.mlirb").read_bytes()
    assert b"test_fault_places.py" in program
    for folder in (str(tmp_path), __file__.rpartition("/")[0]):
        assert folder.encode() not in program


def test_text_made_at_run_time_is_counted_from_its_beginning(tmp_path):
    made = make("made", "\n".join(["float v = 1;", "y[id] = v * x[id + 64];"]))
    function = AIModel.open(saved(made, tmp_path)).load_function("main")
    with pytest.raises(
        KernelFault, match=re.escape(f"<kernel made src>:2: kernel 'made': {FAULT}")
    ):
        function.run({"x": torch.zeros(64)})


def test_a_memory_fault_names_the_kernel_and_where_it_was_made(tmp_path):
    wild = make(
        "wild", "device float *p = (device float *)&x[id]; y[id] = p[1ul << 40];"
    )
    function = AIModel.open(saved(wild, tmp_path)).load_function("main")
    with pytest.raises(
        KernelFault, match=rf"{re.escape(__file__)}:\d+: kernel 'wild' stopped with"
    ):
        function.run({"x": torch.zeros(64)})


# The texts stand on the lines that call the helper.
ONE = make("same", "y[id] = v;")  # in the first of two
TWO = make("same", "y[id] = v;")  # in the second of two
BOTH = [make("same", "y[id] = x[id + 64];")]  # in the third of equal faults
BOTH += [make("same", "y[id] = x[id + 64];")]  # in the fourth of equal faults


@pytest.mark.parametrize(
    ("kernel", "name"), [(ONE, "first of two"), (TWO, "second of two")]
)
def test_errors_tell_equal_texts_apart(kernel, name, tmp_path):
    with pytest.raises(CompileError) as caught:
        saved(kernel, tmp_path)
    line = line_of(name)
    assert f"{__file__}:{line}:" in str(caught.value)


@pytest.mark.parametrize(
    ("kernel", "name"),
    zip(BOTH, ["third of equal faults", "fourth of equal faults"], strict=True),
)
def test_faults_tell_equal_texts_apart(kernel, name, tmp_path):
    function = AIModel.open(saved(kernel, tmp_path)).load_function("main")
    with pytest.raises(KernelFault, match=f":{line_of(name)}: kernel 'same'"):
        function.run({"x": torch.zeros(64)})
