"""Scripts written for torch.mps, unchanged."""

import subprocess
import sys

SCRIPT = """
import subprocess, sys
import torch

assert torch.backends.mps.is_available() and torch.mps.device_count() == 1
device = torch.device("mps")
library = torch.mps.compile_shader('''
#include <c10/metal/error.h>
kernel void full(device float* out, constant float& value,
                 uint i [[thread_position_in_grid]]) { out[i] = value; }
kernel void fail(device float* out, device c10::metal::ErrorMessages* errors) {
  TORCH_REPORT_ERROR(errors, "failed");
}
''')
x = torch.zeros(16, device="mps")
library.full(x, 3.5)
assert (x.cpu() == 3.5).all()
library.fail(x, threads=1, error_buf_idx=1)
try:
    torch.mps.synchronize()
except torch.AcceleratorError as error:
    assert str(error).startswith("failed")
else:
    raise AssertionError("no error")

import io

for map_location in "mps", "mps:0", device:
    file = io.BytesIO()
    torch.save({"x": x}, file)
    file.seek(0)
    assert torch.equal(torch.load(file, map_location=map_location)["x"], x)
start, end = (torch.mps.Event(enable_timing=True) for _ in range(2))
start.record()
end.record()
end.synchronize()
assert end.query() and start.elapsed_time(end) >= 0
try:
    torch.mps.Event().elapsed_time(end)
except RuntimeError as error:
    assert "enable_timing=True" in str(error)
else:
    raise AssertionError("no error")

y = torch.arange(3, device=device).to("mps").to(device=device, dtype=torch.float)
assert torch.nn.Linear(3, 2).to("mps")(y).shape == (2,)
torch.mps.manual_seed(1)
a = torch.randn(3, device="mps:0")
torch.manual_seed(1)
assert torch.equal(a, torch.randn(3))
with torch.device("mps"):
    assert torch.zeros(2).device.type == "cpu"
torch.set_default_device("mps")
assert torch.zeros(2).device.type == "cpu"
torch.set_default_device(None)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) + torch.zeros(3, device=x.device)


for strict in False, True:
    torch.export.export(Model(), (torch.randn(3),), strict=strict)
assert torch.compile(Model(), backend="eager")(torch.ones(3)).tolist() == [1] * 3
if len(sys.argv) == 1:
    sys.exit(subprocess.run([sys.executable, __file__, "child"]).returncode)
"""


def test_a_script_and_its_child(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "bessemer.compat", str(script)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_install_after_torch_was_imported(tmp_path):
    code = (
        "import torch, bessemer.compat; bessemer.compat.install('mps');"
        "from bessemer import naming; assert not naming.original;"
        "assert torch.zeros(3, device='mps').tolist() == [0] * 3;"
        "assert dir(torch.mps.compile_shader('kernel void k() {}')) == ['k']"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_other_site_customisations_are_kept(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import sys; sys.customised = True\n")
    code = (
        "import os, subprocess, sys, bessemer.compat; bessemer.compat.install('mps');"
        f"os.environ['PYTHONPATH'] += os.pathsep + {str(folder)!r};"
        "sys.exit(subprocess.run([sys.executable, '-c',"
        "'import sys; assert sys.customised']).returncode)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
