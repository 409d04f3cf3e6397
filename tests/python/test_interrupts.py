"""Ctrl-C ends a dispatch whatever its kernel does, and the device works on."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

# Nothing that a compiler may take for a loop without an effect.
LOOPS = {
    "writes": "while (y[0] >= 0) { y[0] += 1; }",
    "spin": "while (atomic_load_explicit((device atomic_int *)y,"
    " memory_order_relaxed) == 0) {}",
    "barrier": "while (y[1] >= 0) { threadgroup_barrier(mem_flags::mem_device);"
    " y[1] += 1; }",
    "long": "float v = i; for (uint j = 0; j < 4000000000u; ++j)"
    " v = v * 1.5f + y[j & 7]; y[1] = v;",
}

PROLOGUE = """
import bessemer, numpy as np
source = '''
#include <metal_stdlib>
using namespace metal;
kernel void stuck(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  LOOP
}
kernel void add(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] += 1;
}
'''
device = bessemer.device("cpu", threads=THREADS)
library = bessemer.compile(source, device=device)
y = np.zeros(4096, np.float32)

def works():
    z = np.zeros(100000, np.float32)
    library.add(z, threads=100000)
    return bool((z == 1).all())
library.add(y, threads=1)
y[:] = 0
"""


def run_and_interrupt(program: str, interrupts: int = 1) -> str:
    """Starts the program, interrupts it once it says so, returns its output."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        first = process.stdout.readline()
        if first != "go\n":
            process.kill()
            pytest.fail(first + process.communicate()[0])
        for _ in range(interrupts):
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    return output


def program(body: str, loop: str = LOOPS["spin"], threads: int = 2) -> str:
    prologue = PROLOGUE.replace("LOOP", loop).replace("THREADS", str(threads))
    return prologue + textwrap.dedent(body)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("threads", "grid"), [(1, 8), (2, 8), (2, 4096)])
def test_one_interrupt_ends_a_dispatch(loop, threads, grid):
    body = f"""
        print("go", flush=True)
        try:
            library.stuck(y, threads={grid}, group_size=8)
        except KeyboardInterrupt:
            print("interrupted", works())
    """
    output = run_and_interrupt(program(body, LOOPS[loop], threads))
    assert output == "interrupted True\n"


def test_a_handler_decides():
    """One that does not raise lets the kernel go on, though it may dispatch."""
    body = """
        import signal
        calls = []
        def handler(*_):
            calls.append(works())
            if len(calls) == 2:
                raise RuntimeError("enough")
        signal.signal(signal.SIGINT, handler)
        print("go", flush=True)
        try:
            library.stuck(y, threads=8)
        except RuntimeError as error:
            print(error, calls, works())
    """
    assert run_and_interrupt(program(body), 2) == "enough [True, True] True\n"


@pytest.mark.parametrize("group", [8, 2048])
def test_a_handler_may_use_the_stack(group):
    body = f"""
        import signal
        def deep(n):
            return sorted([n], key=lambda m: deep(m - 1) if m else 0)
        def handler(*_):
            deep(100)
            raise RuntimeError("enough")
        signal.signal(signal.SIGINT, handler)
        print("go", flush=True)
        try:
            library.stuck(y, threads={group})
        except RuntimeError as error:
            print(error, works())
    """
    assert run_and_interrupt(program(body)) == "enough True\n"


MODEL = """
import asyncio, tempfile, torch
from bessemer.runtime import AIModel
from bessemer.torch import MetalParameter, TorchConverter, TorchMetalKernel, get_decomp_table

def same(x: torch.Tensor) -> torch.Tensor:
    return x + 0
kernel = TorchMetalKernel(
    "stuck", input_names=["x"], result_names=["y"],
    src="y[i] = 0; while (x[0] > y[i]) { y[i] -= 1; } y[i] = x[i];", torch_defn=same,
    metal_params=[MetalParameter("i", "uint", "thread_position_in_grid")])

class Model(torch.nn.Module):
    def forward(self, x):
        return kernel(x, threads_per_grid=(64, 1, 1), threads_per_thread_group=(32, 1, 1),
                      result_shapes=[[64]])

exported = torch.export.export(Model().eval(), (torch.zeros(64),))
converter = TorchConverter().register_custom_kernels([kernel])
converter.add_exported_program(exported.run_decompositions(get_decomp_table()),
                               input_names=["x"], output_names=["y"])
folder = tempfile.TemporaryDirectory()
converter.to_coreai().save_asset(folder.name + "/stuck.aimodel")
function = AIModel.open(folder.name + "/stuck.aimodel").load_function("main")

def works():
    y = function.run({"x": torch.full((64,), -1.0)})["y"].numpy()
    return bool((y == -1).all())
"""


def test_a_model_run_is_interrupted():
    body = """
print("go", flush=True)
try:
    function.run({"x": torch.ones(64)})
except KeyboardInterrupt:
    print("interrupted", works())
"""
    assert run_and_interrupt(MODEL + body) == "interrupted True\n"


def test_an_awaited_run_is_interrupted():
    body = """
async def main():
    print("go", flush=True)
    await function({"x": torch.ones(64)})
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", works())
"""
    assert run_and_interrupt(MODEL + body) == "interrupted True\n"


def test_a_task_is_cancelled():
    body = """
async def main():
    try:
        await asyncio.wait_for(function({"x": torch.ones(64)}), 0.3)
    except asyncio.TimeoutError:
        print("go", flush=True)
asyncio.run(main())
import time
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("ended", works())
"""
    assert run_and_interrupt(MODEL + body) == "ended True\n"
