"""What `./dev demo` shows: one kernel's way from a string in Python to a result.

A SiLU kernel written in Metal is exported inside a PyTorch model, converted, saved
as one .aimodel, loaded and run at several sizes; then between two Linear layers;
then with a typo, to show the diagnostic. Every number is compared with
PyTorch's; the exit status is 1 if one is wrong.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

TOLERANCE = 1e-5


class Steps:
    """Prints each step with the time it took."""

    def __init__(self):
        self.wrong = False

    def run(self, name, action):
        start = time.perf_counter()
        result = action()
        milliseconds = (time.perf_counter() - start) * 1e3
        print(f"  {name:<34}{milliseconds:9.1f} ms", flush=True)
        return result

    def compare(self, name, actual, expected):
        """The largest difference; remembers whether it is too large."""
        difference = (actual - expected).abs().max().item()
        good = actual.shape == expected.shape and difference <= TOLERANCE
        self.wrong |= not good
        print(f"  {name:<34}{difference:9.1e} {'ok' if good else 'WRONG'}", flush=True)


def make_kernel(source):
    from bessemer.torch import MetalParameter, TorchMetalKernel

    return TorchMetalKernel(
        "fused_silu",
        input_names=["x"],
        result_names=["y"],
        src=source,
        torch_defn=reference(),
        metal_params=[MetalParameter("id", "uint", "thread_position_in_grid")],
    )


def reference():
    import torch

    def silu(x: torch.Tensor) -> torch.Tensor:
        return x * torch.sigmoid(x)

    return silu


def silu_module(kernel):
    """The kernel over all elements of a tensor, as a module."""
    import torch

    class SiLU(torch.nn.Module):
        def forward(self, x):
            flat = x.reshape(-1)
            n = flat.shape[0]
            y = kernel(
                flat,
                threads_per_grid=(n, 1, 1),
                threads_per_thread_group=(256, 1, 1),
                result_shapes=[[n]],
            )
            return y.reshape(x.shape)

    return SiLU()


def convert(model, example, kernel, dynamic):
    """An exported program, and the conversion still to be done."""
    import torch

    from bessemer.torch import TorchConverter, get_decomp_table

    shapes = {"x": {0: torch.export.Dim("n", min=2, max=1 << 24)}} if dynamic else None
    exported = torch.export.export(model.eval(), (example,), dynamic_shapes=shapes)
    exported = exported.run_decompositions(get_decomp_table())
    converter = TorchConverter().register_custom_kernels([kernel])
    return converter.add_exported_program(
        exported, input_names=["x"], output_names=["y"]
    )


def run(function, x):
    import torch

    return torch.from_numpy(function.run({"x": x})["y"].numpy())


GOOD = """
    if (id >= x.get_extent(0)) { return; }
    const float v = float(x[id]);
    y[id] = v / (1.0f + metal::precise::exp(-v));
"""

MISTYPED = """
    if (id >= x.get_extent(0)) { return; }
    const float v = float(x[id]);
    y[id] = v / (1.0f + metal::precise::exp(-w));
"""


def show_kernel(steps, folder):
    import torch

    from bessemer.runtime import AIModel

    print("A SiLU kernel in Metal, at any size:")
    kernel = make_kernel(GOOD)
    model = silu_module(kernel)
    converter = steps.run(
        "export", lambda: convert(model, torch.randn(4096), kernel, dynamic=True)
    )
    program = steps.run("convert, compile the kernel", converter.to_coreai)
    asset = steps.run("save", lambda: program.save_asset(folder / "fused_silu.aimodel"))
    loaded = steps.run("load", lambda: AIModel.open(asset.path))
    function = steps.run("plan, compile", lambda: loaded.load_function("main"))
    for n in (4096, 100_003, 33):
        x = torch.randn(n)
        y = steps.run(f"run, {n} elements", lambda x=x: run(function, x))
        steps.compare("largest error against PyTorch", y, reference()(x))
    print(f"  saved as {asset.path}")


def show_model(steps, folder):
    import torch

    from bessemer.runtime import AIModel

    print("The kernel between two Linear layers:")
    torch.manual_seed(0)
    kernel = make_kernel(GOOD)
    model = torch.nn.Sequential(
        torch.nn.Linear(256, 512), silu_module(kernel), torch.nn.Linear(512, 10)
    )
    x = torch.randn(32, 256)

    class Wrapped(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = model

        def forward(self, x):
            return self.layers(x)

    converter = steps.run("export", lambda: convert(Wrapped(), x, kernel, False))
    program = steps.run("convert, compile the kernel", converter.to_coreai)
    asset = steps.run("save", lambda: program.save_asset(folder / "mlp.aimodel"))
    loaded = steps.run("load", lambda: AIModel.open(asset.path))
    function = steps.run("plan, compile", lambda: loaded.load_function("main"))
    y = steps.run("run, batch of 32", lambda: run(function, x))
    with torch.no_grad():
        steps.compare("largest error against PyTorch", y, model(x))
    print(f"  saved as {asset.path}")


def show_diagnostic(steps):
    import torch

    from bessemer import CompileError

    print("The same kernel with a typo:")
    kernel = make_kernel(MISTYPED)
    converter = convert(silu_module(kernel), torch.randn(64), kernel, dynamic=False)
    try:
        converter.to_coreai()
    except CompileError as error:
        print("  " + str(error).replace("\n", "\n  "))
        if any("'w'" in diagnostic.message for diagnostic in error.diagnostics):
            return
    print("  no diagnostic names the undeclared 'w'")
    steps.wrong = True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="keeps the .aimodel folders there")
    folder = parser.parse_args().folder
    if folder:
        return show(folder)
    with tempfile.TemporaryDirectory(prefix="bessemer-") as temporary:
        return show(Path(temporary))


def show(folder: Path) -> int:
    steps = Steps()
    steps.run("import PyTorch and Bessemer", lambda: __import__("bessemer.torch"))
    show_kernel(steps, folder)
    show_model(steps, folder)
    show_diagnostic(steps)
    print("WRONG RESULTS" if steps.wrong else "All results agree with PyTorch.")
    return 1 if steps.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
