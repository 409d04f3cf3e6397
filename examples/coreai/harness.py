"""What the programs of this folder share: export, convert, save, load, run.

They are written for the names `coreai` and `coreai_torch`. On a machine without
the original packages: python -m bessemer.compat PROGRAM.py
"""

import asyncio
import tempfile
from pathlib import Path

import torch
from coreai.runtime import NDArray, StorageKind
from coreai_torch import TorchConverter, get_decomp_table


def export(model, args, dynamic_shapes=None):
    program = torch.export.export(
        model.eval(), args=args, dynamic_shapes=dynamic_shapes
    )
    return program.run_decompositions(get_decomp_table())


def convert(model, args, kernels, dynamic_shapes=None, **names):
    converter = TorchConverter()
    converter.register_custom_kernels(kernels)
    converter.add_exported_program(export(model, args, dynamic_shapes), **names)
    return converter.to_coreai()


async def call(function, *tensors):
    """The results as NumPy arrays, in declared order."""
    names = function.desc.input_names
    inputs = {
        name: NDArray(data=tensor, backing=StorageKind.METAL)
        for name, tensor in zip(names, tensors, strict=True)
    }
    outputs = await function(inputs)
    return [outputs[name].numpy() for name in function.desc.output_names]


def run(program, *calls, entrypoint="main"):
    """Saves the program, loads it and makes the calls, a tuple of tensors each."""

    async def run_all():
        with tempfile.TemporaryDirectory() as folder:
            asset = program.save_asset(Path(folder) / "model.aimodel")
            async with asset.executable() as model:
                function = model.load_function(entrypoint)
                return [await call(function, *tensors) for tensors in calls]

    return asyncio.run(run_all())


def dispatch(grid, group, *shapes):
    """The three arguments that every call of a kernel needs."""
    return {
        "threads_per_grid": grid,
        "threads_per_thread_group": group,
        "result_shapes": list(shapes),
    }
