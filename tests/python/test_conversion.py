"""Exported programs to the text of a program: kernels, constants, errors."""

import re
import warnings

import pytest
import torch
from models import (
    GID,
    ID,
    Binary,
    Elementwise,
    Unary,
    convert,
    export,
    make_add,
    make_silu,
)

import bessemer
from bessemer.torch import TorchConverter, TorchMetalKernel

SIXTEEN = (torch.zeros(16), torch.zeros(16))
CONSTRAINED = (
    "tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], "
    "interleave: [1]>>"
)


def test_kernel_in_the_graph():
    kernel = make_add()
    text = str(convert(Binary(kernel), SIXTEEN, [kernel], input_names=["x", "y"]))
    ((name, source),) = kernel.kernel_cache.values()
    assert '%arg0: tensor<16xf32> {coreai.name = "x"}' in text
    assert text.count("coreaix.copy_with_constraints") == 2
    assert f": (tensor<16xf32>) -> {CONSTRAINED}" in text
    assert "coreai.metal4_kernel kernel_args(" in text
    assert f'kernel_name = "{name}"' in text
    assert "coreaix.copy_discarding_constraints" in text
    assert "tensor<3xui32>" in text and "tensor<1xui32>" in text
    escaped = source.replace("\\", "\\\\").replace('"', "\\22").replace("\n", "\\0A")
    assert f'kernel_source = "{escaped}"' in text


def test_dynamic_sizes_stay_symbolic():
    kernel = make_silu()
    sizes = {"x": {0: torch.export.Dim("n", min=2, max=10_000)}}
    text = str(convert(Unary(kernel), (torch.zeros(16),), [kernel], sizes))
    assert "tensor<?xf32>" in text and "coreai.get_shape" in text


def test_the_same_program_twice():
    def text():
        kernel = make_silu()
        program = convert(
            Unary(kernel), (torch.zeros(16),), [kernel], output_names=["y"]
        )
        return str(program)

    assert text() == text()


def test_programs_round_trip_through_text():
    from bessemer.torch import AIProgram

    kernel = make_silu()
    text = str(convert(Unary(kernel), (torch.zeros(16),), [kernel]))
    assert str(AIProgram.parse(text)) == text


def test_no_absolute_path_in_an_asset(tmp_path):
    kernel = make_silu()
    program = convert(Unary(kernel), (torch.zeros(16),), [kernel])
    asset = program.save_asset(tmp_path / "m.aimodel")
    for file in asset.path.iterdir():
        assert str(tmp_path).encode() not in file.read_bytes()
        assert __file__.encode() not in file.read_bytes()


def test_unused_optimize_is_kept():
    kernel = make_silu()
    assert convert(Unary(kernel), (torch.zeros(16),), [kernel]).optimize() is None


# Registration and staging.


def test_registering_twice():
    kernel = make_silu(name="dupk")
    for kernels in ([kernel, kernel], [kernel, make_silu(name="dupk")]):
        with pytest.raises(
            ValueError,
            match=r"^'coreai_metal_kernels::dupk\.default' is already registered; set "
            r"allow_override=True to replace it$",
        ):
            TorchConverter().register_custom_kernels(kernels)


def test_not_registered():
    kernel = make_silu(name="unregistered")
    with pytest.raises(
        ValueError,
        match=r"^unable to handle call function op: target: unregistered\.default, "
        r"namespace: coreai_metal_kernels; register it",
    ):
        convert(Unary(kernel), (torch.zeros(16),))


def test_registering_after_the_program():
    kernel = make_silu()
    converter = TorchConverter()
    converter.add_exported_program(export(Unary(kernel), (torch.zeros(16),)))
    converter.register_custom_kernels([kernel])
    assert "metal4_kernel" in str(converter.to_coreai())


def test_another_kernel_of_the_name_is_registered():
    first, second = make_silu(name="samename"), make_silu(name="samename")
    with pytest.raises(ValueError, match="another TorchMetalKernel named 'samename'"):
        convert(Unary(second), (torch.zeros(16),), [first])


def test_staging():
    exported = export(torch.nn.ReLU(), (torch.zeros(4),))
    converter = TorchConverter()
    with pytest.raises(
        RuntimeError, match="^No programs to convert. Call add_exported"
    ):
        converter.to_coreai()
    assert converter.add_exported_program(exported, entrypoint_name="a") is converter
    with pytest.raises(
        ValueError,
        match=r"^A program with entrypoint_name='a' is already staged\. Each staged "
        r"program must have a unique entrypoint_name\.$",
    ):
        converter.add_exported_program(exported, entrypoint_name="a")
    with pytest.raises(RuntimeError, match="No programs to convert"):
        converter.to_coreai(entrypoints=["b"])
    converter.add_exported_program(exported, entrypoint_name="b")
    text = str(converter.to_coreai())
    assert "@a" in text and "@b" in text
    converter.clear(entrypoints=["a", "unknown"])
    assert "@a" not in str(converter.to_coreai())
    with pytest.raises(ValueError, match="entrypoint_name must be a non-empty string"):
        converter.add_exported_program(exported, entrypoint_name="")


def test_operators_are_checked_when_staged():
    class Inverse(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.inv(x)

    exported = export(Inverse(), (torch.eye(3),))
    with pytest.raises(
        ValueError,
        match=r"^The exported program contains unsupported ATen ops: "
        r"aten\.linalg_inv_ex\.default\. Use register_torch_lowering\(\)"
        r".*TorchMetalKernel of your own",
    ):
        TorchConverter().add_exported_program(exported)
    raw = torch.export.export(torch.nn.Linear(2, 2).eval(), (torch.zeros(1, 2),))
    with pytest.raises(
        ValueError,
        match=r"^The exported program contains non-decomposed ops: "
        r"aten\.linear\.default\. Please call run_decompositions\(",
    ):
        TorchConverter().add_exported_program(raw)


@pytest.mark.parametrize(
    "names, message",
    [
        (
            {"input_names": ["a", "b"]},
            "Graph has 1 live inputs (['input']), but input_names has 2 entries "
            "(['a', 'b']).",
        ),
        (
            {"output_names": ["a", "b"]},
            "Graph has 1 live outputs (['relu']), but output_names has 2 entries "
            "(['a', 'b']).",
        ),
    ],
)
def test_name_counts(names, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        convert(torch.nn.ReLU(), (torch.zeros(4),), **names)


def test_one_tensor_under_two_names():
    class Twice(torch.nn.Module):
        def forward(self, x):
            y = x.relu()
            return y, y

    text = str(convert(Twice(), (torch.zeros(4),), output_names=["a", "b"]))
    assert '"a"' in text and '"b"' in text


def test_lowering_names():
    with pytest.raises(
        ValueError,
        match="^qualified_name must be 'namespace::op_name', got 'aten.relu.default'$",
    ):
        TorchConverter().register_torch_lowering("aten.relu.default")


# Element types and shapes of kernel arguments.


@pytest.mark.parametrize(
    "dtype, name",
    [(torch.float8_e5m2, "f8E5M2"), (torch.complex64, "complex<f32>")],
)
def test_unsupported_input_types(dtype, name):
    def to_float(x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(x.shape)

    kernel = TorchMetalKernel("foreign_in", ["x"], ["y"], "", to_float, [ID])
    message = f"kernel input at index 0 has unsupported dtype: {name} ('x' of kernel "
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        convert(Unary(kernel), (torch.zeros(4).to(dtype),), [kernel])


def test_unsupported_result_types():
    def to_eight(x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.float8_e5m2)

    class Eight(Elementwise):
        def forward(self, x):
            return super().forward(x).to(torch.float32)

    kernel = TorchMetalKernel("foreign_out", ["x"], ["y"], "", to_eight, [ID])
    with pytest.raises(
        TypeError, match="^Result type at index 0 has unsupported dtype: f8E5M2"
    ):
        convert(Eight(kernel), (torch.zeros(4),), [kernel])


def test_too_many_parameters():
    def add(*tensors):
        return sum(tensors)

    names = [f"x{i}" for i in range(31)]
    parameters = ", ".join(f"{name}: torch.Tensor" for name in names)
    scope = {"torch": torch}
    exec(f"def f({parameters}) -> torch.Tensor: return {' + '.join(names)}", scope)
    kernel = TorchMetalKernel("many", names, ["y"], "", scope["f"], [])

    class Many(torch.nn.Module):
        def forward(self, x):
            return kernel(
                *[x] * 31,
                threads_per_grid=(1, 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[list(x.shape)],
            )

    with pytest.raises(ValueError, match="^metal kernels support 31 inputs, got 32$"):
        convert(Many(), (torch.zeros(4),), [kernel])


def test_fixed_result_shape_under_a_dynamic_dimension():
    kernel = make_silu()

    class Fixed(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(x.shape[0], 1, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[[16]],
            )

    sizes = {"x": {0: torch.export.Dim("n", min=2, max=100)}}
    with pytest.raises(ValueError, match="fixed size 16 in dimension 0"):
        convert(Fixed(), (torch.zeros(16),), [kernel], sizes)


def test_changed_inputs_are_refused():
    class Change(torch.nn.Module):
        def forward(self, x):
            x.add_(1)
            return x * 2

    with pytest.raises(ValueError, match="changes 'x'.*inputs stay what they are"):
        convert(Change(), (torch.zeros(4),))


def test_other_control_flow_is_refused():
    from torch._higher_order_ops import scan

    class Scan(torch.nn.Module):
        def forward(self, x):
            return scan(lambda a, b: (a + b, a + b), x[0], x)[1]

    with pytest.raises(ValueError, match="scan cannot be converted"):
        convert(Scan(), (torch.zeros(4, 2),))


def test_integers_beyond_32_bits_in_a_buffer():
    class Big(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("big", torch.tensor([2**40]))

        def forward(self, x):
            return x + self.big

    with pytest.raises(ValueError, match="'big' holds integers beyond 32 bits"):
        convert(Big(), (torch.zeros(1),))


# Metal that does not compile.

BAD_SRC = """
    if (id >= x.get_extent(0)) { return; }
    y[id] = sdfs;
"""


def source_position(marker):
    with open(__file__) as file:
        lines = file.readlines()
    line = next(i for i, text in enumerate(lines, 1) if marker in text)
    return line, lines[line - 1].index(marker) + 1, lines[line - 1].rstrip("\n")


def test_diagnostics_point_into_this_file():
    kernel = make_bad()
    with pytest.raises(bessemer.CompileError) as caught:
        convert(Unary(kernel), (torch.zeros(4),), [kernel])
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    line, column, text = source_position("sdfs;")
    assert (error.file, error.line, error.column) == (__file__, line, column)
    assert error.source_line == text and "sdfs" in error.message
    shown = str(caught.value).splitlines()
    assert f"{__file__}:{line}:{column}: error: {error.message}" in shown
    caret = shown[shown.index(text) + 1]
    assert caret.index("^") == column - 1


def make_bad(src=BAD_SRC):
    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    return TorchMetalKernel("bad", ["x"], ["y"], src, copy, [ID])


def test_diagnostics_of_a_computed_source():
    kernel = make_bad("\n".join(["int a = 1;", "y[id] = " + "nothing" + "here;"]))
    with pytest.raises(bessemer.CompileError) as caught:
        convert(Unary(kernel), (torch.zeros(4),), [kernel])
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert (error.file, error.line, error.column) == ("<kernel bad src>", 2, 9)


def test_original_names_warn_instead(monkeypatch):
    from bessemer import naming
    from bessemer.errors import KernelCompileWarning

    monkeypatch.setattr(naming, "original", True)
    kernel = make_bad()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        convert(Unary(kernel), (torch.zeros(4),), [kernel])
    (warning,) = [w for w in caught if w.category is KernelCompileWarning]
    assert "sdfs" in str(warning.message)


def test_attribute_of_two_components():
    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel(
        "two", ["x"], ["y"], "y[gid.x, gid.y] = x[gid.x, gid.y];", copy, [GID]
    )

    class Two(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(x.shape[1], x.shape[0], 1),
                threads_per_thread_group=(4, 4, 1),
                result_shapes=[list(x.shape)],
            )

    text = str(convert(Two(), (torch.zeros(3, 5),), [kernel]))
    assert "alignments: [1x1x1], interleave: [1x1]" in text
