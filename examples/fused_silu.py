"""A PyTorch model with a Metal kernel: written, converted, saved, loaded, run."""

import asyncio
import tempfile
from pathlib import Path

import torch
import torch.nn as nn

from bessemer.runtime import AIModel, NDArray
from bessemer.torch import (
    MetalParameter,
    TorchConverter,
    TorchMetalKernel,
    get_decomp_table,
)


def torch_silu(x: torch.Tensor) -> torch.Tensor:
    """The reference: shapes during export, values in eager PyTorch."""
    return x * torch.sigmoid(x)


SILU_SRC = """
    if (id >= x.get_extent(0)) { return; }
    const float v = float(x[id]);
    y[id] = v / (1.0f + metal::precise::exp(-v));
"""

silu_kernel = TorchMetalKernel(
    "fused_silu",
    input_names=["x"],
    result_names=["y"],
    src=SILU_SRC,
    torch_defn=torch_silu,
    metal_params=[MetalParameter("id", "uint", "thread_position_in_grid")],
)


class SiLUModel(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.shape[0]
        return silu_kernel(
            x,
            threads_per_grid=(n, 1, 1),
            threads_per_thread_group=(min(n, 256), 1, 1),
            result_shapes=[list(x.shape)],
        )


async def main() -> None:
    x = torch.randn(4096, dtype=torch.float16)
    exported = torch.export.export(SiLUModel().eval(), args=(x,))
    exported = exported.run_decompositions(get_decomp_table())

    converter = TorchConverter()
    converter.register_custom_kernels([silu_kernel])
    converter.add_exported_program(exported, input_names=["x"], output_names=["y"])
    program = converter.to_coreai()

    with tempfile.TemporaryDirectory() as folder:
        asset = program.save_asset(Path(folder) / "silu.aimodel")
        model = await AIModel.load(asset.path)
        function = model.load_function("main")
        outputs = await function({"x": NDArray(x)})

    y = torch.from_numpy(outputs["y"].numpy())
    error = (y.float() - torch_silu(x.float())).abs().max().item()
    print(f"largest error against PyTorch: {error:.2e}")
    torch.testing.assert_close(y, torch_silu(x), rtol=1e-3, atol=1e-3)


if __name__ == "__main__":
    asyncio.run(main())
