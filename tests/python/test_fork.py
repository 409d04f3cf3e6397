"""Forked children work while threads of the parent compile, load and dispatch."""

import subprocess
import sys

import pytest

FORKS = """
import os, signal, sys, tempfile, threading, time
import numpy as np
import bessemer

SOURCE = '''
#include <metal_stdlib>
using namespace metal;
kernel void add(device const float *x, device float *y, constant float &a,
                uint i [[thread_position_in_grid]]) { y[i] = x[i] + a; }
'''
library = bessemer.compile(SOURCE)
x = np.arange(20000, dtype=np.float32)

def variant(number):
    return bessemer.compile(SOURCE.replace("+ a", f"+ a * {number}.5f"))

def dispatch(number):
    y = np.zeros_like(x)
    library.add(x, y, 2, threads=x.size)
    assert (y == x + 2).all()

def compile(number):
    y = np.zeros_like(x)
    variant(number).add(x, y, 2, threads=x.size)
    assert (y == x + 2 * number + 1).all()

WORK

def in_threads(work, count):
    def loop(first):
        number = first
        while not stop:
            work(number)
            number += count
    stop = []
    threads = [threading.Thread(target=loop, args=(1000 * i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    return threads, stop

def fork_all(works, forks):
    loads = [in_threads(work, 2) for work in works]
    time.sleep(0.3)
    for number in range(forks):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                for work in works:
                    work(10**6 + number)
                os._exit(0)
            except BaseException as error:
                print(repr(error), flush=True)
                os._exit(1)
        _, status = os.waitpid(child, 0)
        if status:
            print("child", number, "status", status, flush=True)
    for threads, stop in loads:
        stop.append(True)
        for thread in threads:
            thread.join()
    print("done")
"""

MODELS = """
import torch
from bessemer.runtime import AIModel
from bessemer.torch import TorchConverter, get_decomp_table
torch.set_num_threads(1)
network = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3), torch.nn.Flatten(), torch.nn.Linear(144, 64),
    torch.nn.ReLU()).eval()
example = torch.ones(2, 1, 8, 8)
exported = torch.export.export(network, (example,))
converter = TorchConverter().add_exported_program(
    exported.run_decompositions(get_decomp_table()), input_names=["x"],
    output_names=["y"])
folder = tempfile.TemporaryDirectory()
converter.to_coreai().save_asset(folder.name + "/network.aimodel")
function = AIModel.open(folder.name + "/network.aimodel").load_function("main")
expected = network(example).detach().numpy()

def run(number):
    y = function.run({"x": example})["y"].numpy()
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)

def load(number):
    AIModel.open(folder.name + "/network.aimodel").load_function("main")
"""


@pytest.mark.parametrize(
    ("works", "definitions"),
    [("dispatch, compile", ""), ("run, load, compile", MODELS)],
    ids=["kernels", "models"],
)
def test_children_work(works, definitions):
    forks = 30 if not definitions else 15
    program = FORKS.replace("WORK", definitions) + f"fork_all([{works}], {forks})"
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert result.stdout == "done\n", result.stdout + result.stderr
