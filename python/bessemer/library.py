"""Metal source in, kernels to call out."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from bessemer import _bessemer
from bessemer.arguments import (
    CALL_OPTIONS,
    bind_arguments,
    constant_bits,
    dimensions,
    threadgroup_lengths,
)
from bessemer.devices import Device, resolve
from bessemer.errors import ArgumentError, NameNotFoundError
from bessemer.options import (
    check_choices,
    check_text,
    include_folders,
    macros,
    read_source,
)


def compile(
    source: str | Path,
    *,
    include_dirs: Iterable[str | os.PathLike] = (),
    defines: Mapping[str, object] | None = None,
    math: str = "relaxed",
    language: str = "4.0",
    function_constants: Mapping[int | str, object] | None = None,
    device: Device | str | None = None,
) -> Library:
    """Compiles Metal source (a str) or a file (a Path).

    Raises CompileError with every diagnostic. `function_constants` maps an index or
    a name to a value; `device` is where the kernels run when they are called.
    """
    file_name, text = read_source(source)
    check_choices(math, language)
    folders = include_folders(include_dirs)
    if isinstance(source, Path) and '"' in text:  # quoted includes
        folders = [source.parent, *folders]
    options = {
        "source": text,
        "file_name": file_name,
        "first_line": 1,
        "include_dirs": folders,
        "defines": macros(defines),
        "math": math,
        "language": language,
    }
    if function_constants is not None and not isinstance(function_constants, Mapping):
        raise ArgumentError(
            "function_constants must be a dict of values by index or name, got "
            f"{function_constants!r}"
        )
    library = _bessemer.compile(**options, function_constants={})
    if function_constants:
        # The bits of a value depend on its constant's type, known from here.
        bits = _constants(library.function_constants, function_constants)
        library = _bessemer.compile(**options, function_constants=bits)
    return Library(library, resolve(device), text)


def _constants(declared, values: Mapping) -> dict[int, int]:
    by_key = {c.index: c for c in declared} | {c.name: c for c in declared}
    bits: dict[int, int] = {}
    for key, value in values.items():
        if key not in by_key:
            names = ", ".join(f"{c.name} ({c.index})" for c in declared) or "none"
            raise ArgumentError(
                f"the source has no function constant {key!r}; it has: {names}"
            )
        constant = by_key[key]
        if constant.index in bits:
            raise ArgumentError(
                f"function constant {constant.name} ({constant.index}) is given twice, "
                "by name and by index"
            )
        bits[constant.index] = constant_bits(constant, value)
    return bits


class Library:
    """Compiled source. `library["name"]` and `library.name` are kernels."""

    def __init__(self, library: _bessemer.Library, device: Device, text: str = ""):
        self._library = library
        self._text = text
        self._device = device
        self._infos = {info.name: info for info in library.kernels}
        self._kernels: dict[str, Kernel] = {}

    @property
    def kernels(self) -> list[str]:
        """The exported names, in source order."""
        return list(self._infos)

    @property
    def diagnostics(self) -> list[_bessemer.Diagnostic]:
        """Warnings and notes of the compilation."""
        return self._library.diagnostics

    def emit(
        self,
        kernel: str,
        form: str,
        *,
        group_size=(0, 0, 0),
        target: str = "cpu",
        complete_groups: bool = False,
    ) -> str | bytes:
        """The code of a kernel: "ir", "llvm" or "asm" as text, "object" as bytes.

        `group_size` is the threadgroup the code is for, zeros are any. `target` is
        "cpu" or "nvidia:sm_90" (from sm_80 on), which has "ptx" instead of "asm"
        and "object". `complete_groups`: only for grids that are a multiple of the
        threadgroup, as a dispatch of such a grid uses it.
        """
        if kernel not in self._infos:
            raise NameNotFoundError(self._unknown(kernel))
        for what, value in (("form", form), ("target", target)):
            if not isinstance(value, str):
                raise ArgumentError(f"emit: {what} must be a str, got {value!r}")
            check_text(f"emit: {what}", value)
        group = (0, 0, 0)
        if group_size != group:
            group = dimensions(f"kernel {kernel!r}: group_size", group_size)
        return self._library.emit(kernel, form, group, target, bool(complete_groups))

    def __getitem__(self, name: str) -> Kernel:
        if not isinstance(name, str):
            raise ArgumentError(
                f"library[...] takes the name of a kernel, got {name!r}; it has: "
                f"{', '.join(self._infos) or 'none'}"
            )
        if name not in self._kernels:
            if name not in self._infos:
                raise NameNotFoundError(self._unknown(name))
            kernel = _bessemer.Kernel.create(self._library, name, self._device)
            self._kernels[name] = Kernel(kernel)
        return self._kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except NameNotFoundError as error:
            # Without obj Python adds no suggestion of its own.
            raise AttributeError(str(error), name=name, obj=None) from None

    def _unknown(self, name) -> str:
        near = difflib.get_close_matches(str(name), self._infos, 3, 0.5)
        if near:
            return f"no kernel {name!r}; did you mean {' or '.join(map(repr, near))}?"
        names = ", ".join(self._infos) or "none"
        if re.search(rf"\b{re.escape(str(name))}\s*\(", self._text):
            return (
                f"no kernel {name!r}: {name} is a function without the word `kernel`; "
                f"the library has: {names}"
            )
        return f"no kernel {name!r}; the library has: {names}"

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._infos

    def __iter__(self):
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    def __dir__(self):
        return [*super().__dir__(), *self._infos]

    def __repr__(self) -> str:
        return f"<bessemer.Library: {', '.join(self._infos) or 'no kernels'}>"


class Kernel:
    """A kernel ready for one device; calling it runs it to completion."""

    def __init__(self, kernel: _bessemer.Kernel):
        self._kernel = kernel
        self._info = kernel.info
        self.name = self._info.name
        self.arguments = self._info.arguments
        self.max_threads_per_threadgroup = self._info.max_threads_per_threadgroup
        self.thread_execution_width = self._info.thread_execution_width
        self.static_threadgroup_memory = self._info.static_threadgroup_memory

    def __call__(
        self,
        /,
        *args,
        threads=None,
        groups=None,
        group_size=None,
        threadgroup_memory: Mapping[int | str, int] | None = None,
        **named,
    ) -> None:
        """Runs the kernel over `threads` (edge groups are cut) or `groups`.

        Positional argument i binds buffer i, a gap takes None; keywords bind by
        name. Arrays are bound without a copy and written in place.
        Threadgroup arguments take their size in bytes, by name (`t=1024`) or in
        `threadgroup_memory`, by name or index.
        """
        self._check_words(named)
        if (threads is None) == (groups is None):
            raise ArgumentError(
                f"kernel {self.name!r}: give exactly one of threads= and groups="
            )
        where = f"kernel {self.name!r}:"
        threads = dimensions(f"{where} threads", threads)
        if group_size is None:
            group_size = self._default_group(threads)
        lengths = self._threadgroup_memory(threadgroup_memory, named)
        self._kernel.run(
            bind_arguments(self.name, self.arguments, args, named),
            threads=threads,
            groups=dimensions(f"{where} groups", groups),
            group_size=dimensions(f"{where} group_size", group_size),
            threadgroup_memory=lengths,
        )

    def _check_words(self, named: dict) -> None:
        """Names a keyword that is neither an argument nor an option."""
        known = [argument.name for argument in self.arguments]
        for word in named:
            if word not in known:
                near = difflib.get_close_matches(word, [*known, *CALL_OPTIONS], 1)
                hint = f"; did you mean {near[0]}=?" if near else ""
                raise ArgumentError(
                    f"kernel {self.name!r} has no argument {word!r}; it has: "
                    f"{', '.join(map(str, self.arguments)) or 'none'}{hint}"
                )

    def _threadgroup_memory(self, lengths, named: dict) -> dict[int, int]:
        """Bytes by index. Names stand for indices; those in `named` are taken out."""
        label = f"kernel {self.name!r}: threadgroup_memory"
        indices = {
            a.name: a.index for a in self.arguments if a.kind == "threadgroup memory"
        }
        if isinstance(lengths, Mapping):
            lengths = {indices.get(key, key): n for key, n in lengths.items()}
        lengths = threadgroup_lengths(label, lengths)
        for name, index in indices.items():
            if name in named:
                if index in lengths:
                    raise ArgumentError(
                        f"{label}: the size of {name!r} is given twice, here and as "
                        f"{name}="
                    )
                lengths |= threadgroup_lengths(label, {index: named.pop(name)})
            if not lengths.get(index):
                raise ArgumentError(
                    f"kernel {self.name!r}: argument {name!r} is threadgroup memory; "
                    f"give its size in bytes, as {name}=bytes or "
                    f"threadgroup_memory={{{name!r}: bytes}}"
                )
        return lengths

    def _default_group(self, threads):
        if threads is None:
            raise ArgumentError(
                f"kernel {self.name!r}: groups= needs group_size=(x, y, z)"
            )
        return (max(1, min(threads[0], self.max_threads_per_threadgroup, 256)), 1, 1)

    def __repr__(self) -> str:
        return f"<bessemer.Kernel {self.name}({', '.join(map(str, self.arguments))})>"
