"""TorchConverter: exported programs in, a program out."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from bessemer import _bessemer, naming
from bessemer.errors import (
    ArgumentError,
    CompileError,
    KernelCompileWarning,
    UnsupportedError,
)
from bessemer.options import check_text
from bessemer.torch.decompositions import get_decomp_table
from bessemer.torch.kernel_check import check_kernel, warn_of_unused_names
from bessemer.torch.metal_kernel import NAMESPACE, TorchMetalKernel
from bessemer.torch.program import AIProgram
from bessemer.torch.walker import GraphWalker, graph_nodes


class Mode(enum.Enum):
    """How much the program tells of where it came from."""

    DEBUG = "debug"
    RELEASE = "release"


@dataclass
class _Staged:
    exported: torch.export.ExportedProgram
    input_names: list[str] | None
    output_names: list[str] | None
    state_names: list[str] | None


class TorchConverter:
    """Converts exported PyTorch programs, custom Metal kernels included."""

    def __init__(self, *, mode: Mode = Mode.DEBUG):
        self.mode = mode
        self._staged: dict[str, _Staged] = {}
        self._kernels: dict[str, TorchMetalKernel] = {}

    def register_custom_kernels(self, kernels) -> TorchConverter:
        """Makes kernels known; their names must be unique in one converter."""
        if isinstance(kernels, str) or not isinstance(kernels, Iterable):
            raise ArgumentError(
                f"register_custom_kernels takes a list of kernels, got {kernels!r}"
            )
        for kernel in kernels:
            if not isinstance(kernel, TorchMetalKernel):
                raise ArgumentError(
                    "register_custom_kernels takes TorchMetalKernel objects, got "
                    f"{kernel!r}"
                )
            for known in self._kernels.values():
                if known.name == kernel.name:
                    raise ValueError(
                        f"'{NAMESPACE}::{kernel.name}.default' is already registered; "
                        "set allow_override=True to replace it"
                    )
            self._kernels[kernel.target] = kernel
        return self

    def register_torch_lowering(
        self, qualified_name: str, allow_override: bool = False
    ):
        """Lowerings written in Python are not part of this version."""
        namespace, separator, operator = qualified_name.partition("::")
        if not (namespace and separator and operator):
            raise ValueError(
                f"qualified_name must be 'namespace::op_name', got {qualified_name!r}"
            )
        raise UnsupportedError(
            f"register_torch_lowering({qualified_name!r}): lowerings written in Python "
            "are not supported; write the operation as a TorchMetalKernel"
        )

    def add_exported_program(
        self,
        exported_program: torch.export.ExportedProgram,
        *,
        input_names: list[str] | None = None,
        output_names: list[str] | None = None,
        state_names: list[str] | None = None,
        entrypoint_name: str = "main",
    ) -> TorchConverter:
        """Stages a program as one entry point; its operators are checked now."""
        if not isinstance(entrypoint_name, str) or not entrypoint_name:
            raise ValueError(
                f"entrypoint_name must be a non-empty string, got {entrypoint_name!r}"
            )
        if not isinstance(exported_program, torch.export.ExportedProgram):
            raise ArgumentError(
                "add_exported_program takes what torch.export.export returns, got "
                f"{type(exported_program).__name__}"
            )
        for names in (input_names, output_names, state_names, [entrypoint_name]):
            if isinstance(names, str):
                raise ArgumentError(
                    f"names are a list of str, got {names!r}; write [{names!r}]"
                )
            if names is not None and not isinstance(names, (list, tuple)):
                raise ArgumentError(f"names are a list of str, got {names!r}")
            for name in names or ():
                if not isinstance(name, str):
                    raise ArgumentError(f"names are a list of str, got {names!r}")
                check_text("a name", name)
        if entrypoint_name in self._staged:
            raise ValueError(
                f"A program with entrypoint_name={entrypoint_name!r} is already "
                "staged. Each staged program must have a unique entrypoint_name."
            )
        _check_decomposed(exported_program)
        self._staged[entrypoint_name] = _Staged(
            exported_program, input_names, output_names, state_names
        )
        return self

    def add_pytorch_module(
        self,
        model: torch.nn.Module,
        *,
        export_fn,
        externalize_modules=None,
        **options,
    ) -> TorchConverter:
        """Exports with `export_fn(model)`, decomposes and stages the result."""
        if externalize_modules:
            raise UnsupportedError(
                "externalize_modules is not supported: leave it out, and the modules "
                "are converted as part of the program"
            )
        exported = export_fn(model).run_decompositions(get_decomp_table())
        return self.add_exported_program(exported, **options)

    def clear(self, *, entrypoints: list[str] | None = None) -> None:
        """Drops staged programs; registered kernels stay."""
        for name in list(self._staged) if entrypoints is None else entrypoints:
            self._staged.pop(name, None)

    def to_coreai(self, *, entrypoints: list[str] | None = None) -> AIProgram:
        """The program of the staged entry points (or of those named)."""
        chosen = {
            name: staged
            for name, staged in self._staged.items()
            if entrypoints is None or name in entrypoints
        }
        if not chosen:
            raise RuntimeError(
                "No programs to convert. Call add_exported_program() or "
                "add_pytorch_module() first."
            )
        program = _bessemer.Program.create()
        sources = {}
        for name, staged in chosen.items():
            walker = GraphWalker(program, staged.exported, self._kernels)
            sources |= walker.run(
                name, staged.input_names, staged.output_names, staged.state_names
            )
        program.lower_torch()
        program.verify()
        _check_kernels(sources)
        return AIProgram(program)


def _check_decomposed(exported: torch.export.ExportedProgram) -> None:
    calls = {
        node.target
        for node in graph_nodes(exported)
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
    }
    table = get_decomp_table()
    # The table also knows the sizes of tensors, which stay in every program.
    left = sorted(
        str(t) for t in calls if t in table and not str(t).startswith("aten.sym_")
    )
    if left:
        raise ValueError(
            "The exported program contains non-decomposed ops: "
            f"{', '.join(left)}. Please call run_decompositions(get_decomp_table()) "
            "on it first."
        )
    unknown = sorted(
        str(t)
        for t in calls
        if t.namespace == "aten" and not _bessemer.has_torch_lowering(str(t))
    )
    if unknown:
        raise ValueError(
            "The exported program contains unsupported ATen ops: "
            f"{', '.join(unknown)}. Use register_torch_lowering() to provide a custom "
            "lowering for these ops. (Bessemer takes no lowerings written in Python: use "
            "other operators, or a TorchMetalKernel of your own.)"
        )


def _check_kernels(sources: dict) -> None:
    """Compiles every kernel: bad Metal is the author's error, now."""
    failures, sound = [], {}
    for kernel, source in sources.values():
        failure = check_kernel(kernel, source)
        if failure is not None:
            failures.append(failure)
        else:
            sound[kernel.target] = kernel
    for kernel in sound.values():
        warn_of_unused_names(kernel)
    if not failures:
        return
    message = "\n".join(str(failure) for failure in failures)
    if naming.original:
        warnings.warn(message, KernelCompileWarning, stacklevel=3)
        return
    raise CompileError(message, [d for f in failures for d in f.diagnostics])
