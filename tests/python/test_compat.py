"""Scripts written for the original names, unchanged."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import asyncio, sys, tempfile
from importlib.metadata import version
from pathlib import Path
import numpy as np
import torch
import torch.nn as nn
from coreai.authoring import MetalParameter
from coreai.runtime import NDArray, StorageKind
from coreai_torch import TorchConverter, TorchMetalKernel, get_decomp_table


def torch_add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


custom_add = TorchMetalKernel(
    "vector_add",
    input_names=["x", "y"],
    result_names=["output"],
    src=SRC,
    torch_defn=torch_add,
    metal_params=[MetalParameter("id", "uint", "thread_position_in_grid")],
)


class AddModel(nn.Module):
    def forward(self, x, y):
        return custom_add(
            x,
            y,
            threads_per_grid=(x.shape[0], 1, 1),
            threads_per_thread_group=(1, 1, 1),
            result_shapes=[list(x.shape)],
        )


exported = torch.export.export(AddModel().eval(), args=(torch.ones(16), torch.ones(16)))
exported = exported.run_decompositions(get_decomp_table())
converter = TorchConverter()
converter.register_custom_kernels([custom_add])
converter.add_exported_program(
    exported, input_names=["x", "y"], output_names=["result"]
)
program = converter.to_coreai()


async def run():
    asset = program.save_asset(Path(tempfile.mkdtemp()) / "add.aimodel")
    async with asset.executable() as model:
        function = model.load_function("main")
        x = np.arange(16, dtype=np.float32)
        array = NDArray(data=x, backing=StorageKind.METAL)
        outputs = await function({"x": array, "y": array})
        return outputs["result"].numpy(), x


result, x = asyncio.run(run())
assert (result == 2 * x).all()
print(sys.argv[1:], version("coreai-torch"), version("coreai-core"))
"""


def python(*arguments, cwd, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


def write(folder, text, name="script.py"):
    (folder / name).write_text(text)
    return name


def test_a_script_runs_unchanged(tmp_path):
    script = write(tmp_path, 'SRC = "output[id] = x[id] + y[id];"\n' + SCRIPT)
    result = python("-m", "bessemer.compat", script, "a", "-b", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "['a', '-b'] 0.4.3 1.0.0b3\n"


def test_bad_metal_warns_at_conversion_and_fails_at_load(tmp_path):
    script = write(tmp_path, 'SRC = "A[s] = sdfs"\n' + SCRIPT)
    result = python("-m", "bessemer.compat", script, cwd=tmp_path)
    assert result.returncode == 1
    assert "KernelCompileWarning" in result.stderr
    last = result.stderr[result.stderr.rindex("Error: ") :]
    assert last.startswith(
        "Error: Kernel coreai.metal4_kernel invoked with invalid parameters"
    )
    assert "sdfs" in last


NAMES = """
import coreai, coreai.authoring, coreai.authoring.metal, coreai.runtime, coreai_torch
import os, bessemer
root = os.path.dirname(bessemer.__file__) + os.sep
for module in (coreai, coreai.authoring, coreai.runtime, coreai_torch):
    assert module.__file__.startswith(root), module.__file__
assert coreai.authoring.metal.PARAMETER_LIMIT == 31
"""


def test_children_see_the_names_too(tmp_path):
    write(tmp_path, NAMES, "child.py")
    script = write(
        tmp_path,
        "import subprocess, sys\n"
        "sys.exit(subprocess.run([sys.executable, 'child.py']).returncode)\n" + NAMES,
    )
    result = python("-m", "bessemer.compat", script, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_install_and_modules(tmp_path):
    write(tmp_path, NAMES, "module.py")
    assert python("-m", "bessemer.compat", "-m", "module", cwd=tmp_path).returncode == 0
    code = f"import bessemer.compat; bessemer.compat.install('coreai'){NAMES}"
    result = python("-c", code, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("status", [0, 3])
def test_exit_status_is_the_scripts(status, tmp_path):
    script = write(tmp_path, f"import sys; sys.exit({status})")
    assert python("-m", "bessemer.compat", script, cwd=tmp_path).returncode == status


@pytest.mark.parametrize("form", ["-c", "-", "folder"])
def test_forms_of_python(form, tmp_path):
    code = NAMES + "import sys\nprint(__name__, sys.argv, 'helper' in dir())"
    folder = tmp_path / "folder"
    folder.mkdir()
    write(folder, "", "helper.py")
    write(folder, f"import helper{code}", "__main__.py")
    words = ["-c", code] if form == "-c" else [form]
    result = subprocess.run(
        [sys.executable, "-m", "bessemer.compat", *words, "a", "-b"],
        cwd=tmp_path,
        input=code,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    is_folder = form == "folder"
    assert result.stdout == f"__main__ {[form, 'a', '-b']} {is_folder}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["-m"], ["-c"], ["-x"], ["missing.py"], ["."]]
)
def test_usage(arguments, tmp_path):
    result = python("-m", "bessemer.compat", *arguments, cwd=tmp_path)
    assert result.returncode == 2 and result.stderr


def test_install_after_an_original_was_imported(tmp_path):
    write(tmp_path, "", "coreai_torch.py")
    code = "import coreai_torch, bessemer.compat; bessemer.compat.install()"
    result = python("-c", code, cwd=tmp_path)
    assert result.returncode == 1
    assert "'coreai_torch' is already imported from" in result.stderr


def test_unknown_names():
    from bessemer import compat

    with pytest.raises(ValueError, match="cannot stand in for 'tensorflow'"):
        compat.install("tensorflow")


def test_pytest_plugin(tmp_path):
    write(tmp_path, f"def test():\n    exec({NAMES!r})\n", "test_names.py")
    result = python(
        "-m", "pytest", "-q", "-p", "bessemer.compat.pytest_plugin", cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout


WORKERS = """
import multiprocessing, subprocess, sys

NAMES = {names!r}


def worker(queue):
    exec(NAMES)
    queue.put("seen")


def test_a_worker_that_reads_its_program():
    # As pytest-xdist starts its workers.
    bootstrap = "import sys;exec(eval(sys.stdin.readline()))"
    result = subprocess.run(
        [sys.executable, "-u", "-c", bootstrap], input=repr(NAMES) + "\\n", text=True
    )
    assert result.returncode == 0


def test_a_spawned_worker():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=worker, args=(queue,))
    process.start()
    assert queue.get(timeout=100) == "seen"
    process.join()
"""


def test_workers_of_a_test_run(tmp_path):
    write(tmp_path, WORKERS.format(names=NAMES), "test_workers.py")
    result = python(
        "-m", "pytest", "-q", "-p", "bessemer.compat.pytest_plugin", cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout


MISSING = """
import importlib, bessemer.compat
bessemer.compat.install("coreai", "mlx")
ways_out = {
    "coreai._compiler": "coreai.authoring and coreai.runtime",
    "coreai.authoring.graph": "torch.nn.Module",
    "coreai.authoring.Module": "TorchConverter",
    "coreai.authoring.metal.Other": "torch.nn.Module",
    "coreai.runtime.ImageDescriptor": "as an NDArray",
    "coreai_torch.ExternalizeSpec": "plain function of PyTorch",
    "coreai_torch.composite_ops": "plain function of PyTorch",
    "coreai_torch.debugging": "bessemer.torch.validate",
    "coreai_torch.externalize": "plain function of PyTorch",
    "coreai_torch.generate_composite_decl": "plain function of PyTorch",
    "coreai_torch.register_torch_lowering": "TorchMetalKernel",
}
try:
    from mlx import nn
except ImportError:  # No MLX here, or one without it.
    for name in "mlx.nn", "mlx.core.fft", "mlx.core.fast.rms_norm", "mlx.core.random.key":
        ways_out[name] = "install mlx"
for name, way_out in ways_out.items():
    package, _, last = name.rpartition(".")
    statements = [f"import {package} as p; p.{last}"]
    if not package.endswith((".metal", ".random")):  # No packages.
        statements += [f"import {name}", f"from {package} import {last}"]
    for statement in statements:
        try:
            exec(statement)
        except (ImportError, AttributeError) as error:
            text = str(error)
        else:
            raise AssertionError(f"no error: {statement}")
        assert f"{name} is not part of Bessemer" in text, (statement, text)
        assert way_out in text, (statement, text)
for module in "benchmarker", "comparator", "validator":
    try:
        importlib.import_module(f"coreai_torch.debugging.{module}")
    except ImportError as error:
        assert "coreai_torch.debugging is not part of Bessemer" in str(error)
    else:
        raise AssertionError(f"no error: {module}")
import coreai_torch
assert not hasattr(coreai_torch, "debugging")
"""


def test_names_that_are_missing_say_what_to_do(tmp_path):
    result = python("-c", MISSING, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
