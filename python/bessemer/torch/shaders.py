"""torch.mps.compile_shader on any machine.

library = compile_shader(source)
library.kernel(x, 2.0, threads=x.numel(), group_size=64)
"""

from __future__ import annotations

import difflib
import operator
import os
from pathlib import Path

import torch

from bessemer import _bessemer
from bessemer.devices import resolve
from bessemer.errors import (
    CompileError,
    InputError,
    ShaderSyntaxError,
    UnknownShaderKernelError,
)
from bessemer.options import check_text
from bessemer.torch.shader_arguments import bind_arguments
from bessemer.torch.shader_errors import error_buffer

# c10/metal/*.h, which sources include.
_HEADERS = Path(torch.__file__).parent / "include"


def compile_shader(source: str) -> ShaderLibrary:
    """Compiles Metal source; its kernels are the attributes of the result.

    Raises SyntaxError with `program_source:LINE:COL: error: ...`. Maths is safe
    unless PYTORCH_MPS_FAST_MATH is set.
    """
    if not isinstance(source, str):
        raise TypeError(f"source is a str with Metal text, got {type(source).__name__}")
    check_text("the source", source)
    fast = os.environ.get("PYTORCH_MPS_FAST_MATH", "0") not in ("", "0")
    try:
        library = _bessemer.compile(
            source=source,
            file_name="program_source",
            first_line=1,
            include_dirs=[_HEADERS],
            defines=[],
            math="fast" if fast else "safe",
            language="4.0",
            function_constants={},
        )
    except CompileError as error:
        raise ShaderSyntaxError(str(error), error.diagnostics) from None
    return ShaderLibrary(library)


class ShaderLibrary:
    """`library.name` is a kernel; dir() lists their names."""

    def __init__(self, library: _bessemer.Library):
        self._library = library
        self._names = [info.name for info in library.kernels]
        self._kernels: dict[str, ShaderKernel] = {}

    def __getattr__(self, name: str) -> ShaderKernel:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._kernels:
            self._kernels[name] = self._create(name)
        return self._kernels[name]

    def _create(self, name: str) -> ShaderKernel:
        if name not in self._names:
            near = difflib.get_close_matches(name, self._names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownShaderKernelError(
                f"Failed to create function state object for: {name}{hint}",
                name=name,
                obj=None,  # So that Python adds no suggestion of its own.
            )
        try:
            kernel = _bessemer.Kernel.create(self._library, name, resolve(None))
        except CompileError as error:
            raise ShaderSyntaxError(str(error), error.diagnostics) from None
        return ShaderKernel(kernel)

    def __dir__(self) -> list[str]:
        return self._names

    def _signatures(self) -> dict[str, list]:
        """The arguments of each kernel."""
        return {info.name: info.arguments for info in self._library.kernels}

    def __repr__(self) -> str:
        return f"<ShaderLibrary: {', '.join(self._names) or 'no kernels'}>"


class ShaderKernel:
    """A kernel to call: positional argument i is buffer i."""

    def __init__(self, kernel: _bessemer.Kernel):
        self._kernel = kernel
        self._info = kernel.info

    @property
    def max_threads_per_threadgroup(self) -> int:
        return self._info.max_threads_per_threadgroup

    @property
    def thread_execution_width(self) -> int:
        return self._info.thread_execution_width

    @property
    def static_thread_group_memory_length(self) -> int:
        return self._info.static_threadgroup_memory

    def __call__(
        self, *args, threads=None, group_size=None, arg_casts=None, error_buf_idx=None
    ) -> None:
        """Runs the kernel over `threads`, by default one for each element of the
        first tensor.

        Tensors are bound from their first element on, strides ignored; numbers are
        float32 and int64, or what `arg_casts` says ("fp16", or a dict by index).
        `error_buf_idx` is the buffer that TORCH_REPORT_ERROR writes to.
        """
        name = self._info.name
        threads = _sizes(name, "threads", threads)
        group_size = _sizes(name, "group_size", group_size)
        if threads is None:
            tensors = [a for a in args if isinstance(a, torch.Tensor)]
            threads = [tensors[0].numel()] if tensors else []
        if not 1 <= len(threads) <= 3:
            raise InputError("Number of threads is undefined or has wrong dimension")
        group_size = self._group(threads, group_size)
        own = {} if error_buf_idx is None else {error_buf_idx: error_buffer}
        arguments = bind_arguments(self._info, args, arg_casts, own)
        if 0 in threads:
            return
        self._kernel.run(
            arguments,
            threads=(*threads, *[1] * (3 - len(threads))),
            groups=None,
            group_size=group_size,
            threadgroup_memory={},
        )

    def _group(self, threads: list[int], sizes: list[int] | None) -> tuple:
        most = self.max_threads_per_threadgroup
        if sizes is None:
            sizes = [max(1, min(threads[0], most)) if len(threads) == 1 else most]
        elif len(sizes) != len(threads):
            raise InputError(
                f"kernel {self._info.name!r}: threads has {len(threads)} dimensions and "
                f"group_size has {len(sizes)}; give both the same number"
            )
        size = (*sizes, *[1] * (3 - len(sizes)))
        if size[0] * size[1] * size[2] > most:
            raise ValueError(f"Threadgroup size exceeds {most} limit")
        return size

    def __repr__(self) -> str:
        arguments = ", ".join(map(str, self._info.arguments))
        return f"<ShaderKernel {self._info.name}({arguments})>"


def _sizes(kernel: str, label: str, value) -> list[int] | None:
    if value is None:
        return None
    items = value if isinstance(value, (list, tuple, torch.Size)) else [value]
    try:
        sizes = [operator.index(item) for item in items]
    except TypeError:
        raise InputError(
            f"kernel {kernel!r}: {label} is an integer or one to three integers, got "
            f"{value!r}"
        ) from None
    least = 1 if label == "group_size" else 0
    if not all(least <= size < 2**32 for size in sizes):
        raise InputError(f"kernel {kernel!r}: {label} is out of range: {value!r}")
    return sizes
