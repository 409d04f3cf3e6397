"""Models with kernels, from PyTorch through an .aimodel and back."""

import torch

from bessemer.runtime import AIModel
from bessemer.torch import (
    MetalParameter,
    TorchConverter,
    TorchMetalKernel,
    get_decomp_table,
)

ID = MetalParameter("id", "uint", "thread_position_in_grid")
GID = MetalParameter("gid", "uint2", "thread_position_in_grid")


def export(model, args, dynamic_shapes=None):
    exported = torch.export.export(model.eval(), args, dynamic_shapes=dynamic_shapes)
    return exported.run_decompositions(get_decomp_table())


def convert(model, args, kernels=(), dynamic_shapes=None, **names):
    converter = TorchConverter().register_custom_kernels(kernels)
    converter.add_exported_program(export(model, args, dynamic_shapes), **names)
    return converter.to_coreai()


def load(program, folder, name="main"):
    """A function of the program, by way of an asset in `folder`."""
    asset = program.save_asset(folder / "model.aimodel")
    return AIModel.open(asset.path).load_function(name)


def call(function, *tensors):
    """The results as torch tensors, in declared order."""
    inputs = dict(zip(function.desc.input_names, tensors, strict=True))
    results = function.run(inputs).values()
    return [torch.from_dlpack(torch_view(array)) for array in results]


def torch_view(array):
    """An array that torch.from_dlpack takes; NumPy's bfloat16 has no DLPack."""
    data = array.numpy()
    if array.dtype == "bfloat16":
        return torch.from_numpy(data.view("int16")).view(torch.bfloat16)
    return data


class Elementwise(torch.nn.Module):
    """A kernel over vectors of one length, one thread an element."""

    def __init__(self, kernel, results=1):
        super().__init__()
        self.kernel, self.results = kernel, results

    def forward(self, *args):
        n = args[0].shape[0]
        return self.kernel(
            *args,
            threads_per_grid=(n, 1, 1),
            threads_per_thread_group=(min(n, 256), 1, 1),
            result_shapes=[list(args[0].shape)] * self.results,
        )


class Unary(Elementwise):
    def forward(self, x):
        return super().forward(x)


class Binary(Elementwise):
    def forward(self, x, y):
        return super().forward(x, y)


def silu_reference(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(x)


def make_silu(src=None, name="fused_silu"):
    return TorchMetalKernel(
        name,
        ["x"],
        ["y"],
        src
        or """
    if (id >= x.get_extent(0)) { return; }
    const float v = float(x[id]);
    y[id] = v / (1.0f + metal::precise::exp(-v));
""",
        silu_reference,
        [ID],
    )


def make_add():
    def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y

    return TorchMetalKernel(
        "vector_add", ["x", "y"], ["output"], "output[id] = x[id] + y[id];", add, [ID]
    )
