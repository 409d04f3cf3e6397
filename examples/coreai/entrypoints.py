"""Several entry points in one asset; the kernel is registered once."""

import asyncio
import tempfile
from pathlib import Path

import numpy as np
import torch
from coreai.runtime import AIModelAsset
from coreai_torch import MetalParameter, TorchConverter, TorchMetalKernel
from harness import call, dispatch, export


def torch_relu(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x)


relu = TorchMetalKernel(
    "kernel_relu",
    ["x"],
    ["y"],
    "if (gid.x < x.get_extent(0) && gid.y < x.get_extent(1))\n"
    "    y[gid.x, gid.y] = max(x[gid.x, gid.y], 0.0f);",
    torch_relu,
    [MetalParameter("gid", "uint2", "thread_position_in_grid")],
)


class Encoder(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = torch.nn.Linear(features, 8)

    def forward(self, x):
        h = self.linear(x)
        return relu(
            h, **dispatch((h.shape[1], h.shape[0], 1), (8, 8, 1), list(h.shape))
        )


class Detector(torch.nn.Module):
    def forward(self, image, text):
        return torch.softmax(image @ text.T, -1), image.sum(-1)


async def main():
    torch.manual_seed(1)
    image, text, detector = Encoder(20).eval(), Encoder(5).eval(), Detector()
    pixels, ids = torch.randn(3, 20), torch.randn(4, 5)
    features = torch.randn(3, 8), torch.randn(4, 8)
    converter = TorchConverter().register_custom_kernels([relu])
    converter.add_exported_program(
        export(image, (pixels,)),
        entrypoint_name="image_encode",
        input_names=["pixel_values"],
        output_names=["image_features"],
    )
    converter.add_exported_program(
        export(text, (ids,)),
        entrypoint_name="text_encode",
        input_names=["input_ids"],
        output_names=["text_features"],
    )
    converter.add_exported_program(
        export(detector, features),
        entrypoint_name="detect",
        input_names=["image_features", "text_features"],
        output_names=["scores", "energy"],
    )
    program = converter.to_coreai()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "three.aimodel"
        program.save_asset(path)
        async with AIModelAsset.load(path).executable() as model:
            assert sorted(model.function_names) == [
                "detect",
                "image_encode",
                "text_encode",
            ]
            (a,) = await call(model.load_function("image_encode"), pixels)
            (b,) = await call(model.load_function("text_encode"), ids)
            detect = model.load_function("detect")
            assert detect.desc.output_names == ["scores", "energy"]
            scores, energy = await call(
                detect, torch.from_numpy(a), torch.from_numpy(b)
            )
    with torch.no_grad():
        expected = detector(image(pixels), text(ids))
    np.testing.assert_allclose(scores, expected[0].numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(energy, expected[1].numpy(), rtol=1e-4, atol=1e-5)
    print("three entry points, one kernel: right")


asyncio.run(main())
