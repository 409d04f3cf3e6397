"""mlx.core.fast.metal_kernel: a Metal kernel from the text of its body."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bessemer import _bessemer
from bessemer.devices import resolve
from bessemer.mlx import arrays
from bessemer.mlx.signature import Body, write
from bessemer.options import check_text

_HEADERS = Path(__file__).parent / "metal"
_MATH_MODES = ("safe", "relaxed", "fast")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_INT = range(-(2**31), 2**31)


def metal_kernel(
    name: str,
    input_names,
    output_names,
    source: str,
    header: str = "",
    ensure_row_contiguous: bool = True,
    atomic_outputs: bool = False,
    compile_options: Mapping[str, str] | None = None,
) -> CustomKernel:
    """A kernel whose signature is generated from the arrays it is called with.

    `source` is the body of the function and `header` stands before it. The body may
    name thread attributes (`thread_position_in_grid`) and `x_shape`, `x_strides`,
    `x_ndim` of an input `x`. Inputs are made row-contiguous first unless
    `ensure_row_contiguous` is false.
    """
    if not output_names:
        raise ValueError("[metal_kernel] Must specify at least one output.")
    for label, text in ("source", source), ("header", header), ("name", name):
        if not isinstance(text, str):
            raise TypeError(f"[metal_kernel] {label} must be a str, got {text!r}")
        check_text(f"the {label} of a metal_kernel", text)
    if not re.fullmatch(r"\w+", name):
        raise ValueError(
            f"[metal_kernel] {name!r} cannot be part of a function's name."
        )
    names = [*input_names, *output_names]
    for word in names:
        if not isinstance(word, str) or not _IDENTIFIER.fullmatch(word):
            raise ValueError(f"[metal_kernel] {word!r} is no identifier.")
        if names.count(word) > 1:
            raise ValueError(f"[metal_kernel] The name {word!r} is given twice.")
    body = Body(
        name, tuple(input_names), tuple(output_names), source, header, atomic_outputs
    )
    return CustomKernel(body, ensure_row_contiguous, _math_mode(compile_options))


def _math_mode(options) -> str:
    if options is not None and not isinstance(options, Mapping):
        raise ValueError("[metal_kernel] Expected `compile_options` to be a dict.")
    for option in options or {}:
        if option != "math_mode":
            raise ValueError(f"[metal_kernel] Unknown compile option `{option}`.")
    mode = (options or {}).get("math_mode", "safe")
    if mode not in _MATH_MODES:
        raise ValueError(
            "[metal_kernel] Expected math_mode to be 'safe', 'relaxed', or 'fast'."
        )
    return mode


class CustomKernel:
    """What metal_kernel returns: a function of arrays."""

    def __init__(self, body: Body, ensure_row_contiguous: bool, math: str):
        self._body = body
        self._ensure_row_contiguous = ensure_row_contiguous
        self._math = math
        self._kernels: dict[str, _bessemer.Kernel] = {}  # By their source.

    def __call__(
        self,
        *,
        inputs,
        output_shapes,
        output_dtypes,
        grid,
        threadgroup,
        template=None,
        init_value=None,
        verbose: bool = False,
        stream=None,
    ) -> list:
        """Runs `grid` threads in groups of `threadgroup`; returns the outputs.

        `template` has pairs of a name and a bool, int or dtype, or is a dict of
        them. Outputs begin as
        `init_value`, else as zeros. `stream` says nothing here: calls return when
        the kernel has run.
        """
        body = self._body
        self._check_size("inputs", inputs, body.input_names)
        self._check_size("output_shapes", output_shapes, body.output_names)
        self._check_size("output_dtypes", output_dtypes, body.output_names)
        grid, threadgroup = _sizes("grid", grid), _sizes("threadgroup", threadgroup)
        template = _template(template)
        shapes = [
            _shape(name, shape)
            for name, shape in zip(body.output_names, output_shapes, strict=True)
        ]
        given, inputs = inputs, list(map(self._input, body.input_names, inputs))
        text = write(body, inputs, output_dtypes, template)
        if verbose:
            print(f"Generated source code for `{body.name}`:\n```\n{text}\n```")
        kernel = self._kernel(text)
        outputs = [
            arrays.full(shape, dtype, 0 if init_value is None else init_value)
            for shape, dtype in zip(shapes, output_dtypes, strict=True)
        ]
        self._run(kernel, inputs, outputs, grid, threadgroup)
        return [arrays.like_inputs(output, given) for output in outputs]

    def _check_size(self, label: str, values, names) -> None:
        if len(values) != len(names):
            raise ValueError(
                f"[metal_kernel] Expected `{label}` to have size {len(names)} but got "
                f"size {len(values)}."
            )

    def _input(self, name: str, value) -> np.ndarray:
        try:
            array = arrays.to_numpy(value)
        except OverflowError:
            raise OverflowError(
                f"[metal_kernel] input {name!r} is {value}, and numbers are int32; pass "
                "an array of int64"
            ) from None
        if self._ensure_row_contiguous or not arrays.is_walkable(array):
            return np.ascontiguousarray(array).reshape(array.shape)
        return array

    def _kernel(self, text: str) -> _bessemer.Kernel:
        if text not in self._kernels:
            library = _bessemer.compile(
                source=text,
                file_name=f"custom_kernel_{self._body.name}",
                first_line=1,
                include_dirs=[_HEADERS],
                defines=[],
                math=self._math,
                language="4.0",
                function_constants={},
            )
            name = f"custom_kernel_{self._body.name}"
            self._kernels[text] = _bessemer.Kernel.create(library, name, resolve(None))
        return self._kernels[text]

    def _run(self, kernel, inputs, outputs, grid, threadgroup) -> None:
        group = tuple(min(g, t) for g, t in zip(grid, threadgroup, strict=True))
        size = threadgroup[0] * threadgroup[1] * threadgroup[2]
        most = kernel.info.max_threads_per_threadgroup
        if size > most:
            raise ValueError(
                f"Thread group size ({size}) is greater than  the maximum allowed "
                f"threads per threadgroup ({most})."
            )
        values = []
        for name, array in zip(self._body.input_names, inputs, strict=True):
            values.append(array)
            if array.ndim:
                values += [_detail(array, d) for d in self._body.details(name)]
        bound = [
            arrays.bind(argument, value)
            for argument, value in zip(
                kernel.info.arguments, [*values, *outputs], strict=True
            )
        ]
        if 0 in grid:
            return
        kernel.run(
            bound, threads=grid, groups=None, group_size=group, threadgroup_memory={}
        )


def _detail(array: np.ndarray, detail: str) -> np.ndarray:
    if detail == "shape":
        return np.array(array.shape, np.int32)
    if detail == "ndim":
        return np.array(array.ndim, np.int32)
    return np.array([s // array.itemsize for s in array.strides], np.int64)


def _sizes(label: str, value) -> tuple[int, int, int]:
    try:
        x, y, z = value
    except (TypeError, ValueError):
        raise ValueError(
            f"[metal_kernel] `{label}` has three sizes, got {value!r}"
        ) from None
    x, y, z = _integers(f"`{label}`", (x, y, z))
    least = 1 if label == "threadgroup" else 0
    if not all(least <= size < 2**32 for size in (x, y, z)):
        raise ValueError(f"[metal_kernel] `{label}` is out of range: {value!r}")
    return x, y, z


def _integers(what: str, sizes) -> tuple[int, ...]:
    try:
        return tuple(map(operator.index, sizes))
    except TypeError:
        raise TypeError(
            f"[metal_kernel] {what} has integers as sizes, got {sizes!r}"
        ) from None


def _shape(name: str, value) -> tuple[int, ...]:
    """Of an output; an integer is the shape of one dimension."""
    what = f"the shape of output {name!r}"
    shape = _integers(what, value if np.iterable(value) else (value,))
    if any(size < 0 for size in shape):
        raise ValueError(f"[metal_kernel] {what} is out of range: {value!r}")
    return shape


def _template(value) -> list[tuple]:
    """Pairs of name and value."""
    pairs = list(value.items() if isinstance(value, Mapping) else value or ())
    names = set()
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                "[metal_kernel] `template` has pairs of a name and a value, got "
                f"{pair!r}"
            )
        name, argument = pair
        if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
            raise ValueError(f"[metal_kernel] {name!r} in `template` is no identifier.")
        if name in names:
            raise ValueError(f"[metal_kernel] `template` has {name!r} twice.")
        names.add(name)
        if isinstance(argument, (int, np.integer)) and int(argument) not in _INT:
            raise ValueError(
                f"[metal_kernel] {name!r} in `template` is out of range for an int of "
                f"32 bits: {argument}"
            )
    return [tuple(pair) for pair in pairs]
