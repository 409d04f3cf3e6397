"""The Metal source of a custom kernel, from its body and the arrays of a call."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bessemer import memory

METAL_TYPES = {
    "bool": "bool",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "float16": "float16_t",
    "bfloat16": "bfloat16_t",
    "float32": "float",
    "complex64": "complex64_t",
}
# Inputs with fewer elements lie in constant memory.
_CONSTANT_BELOW = 8
_UINT3 = (
    "dispatch_threads_per_threadgroup",
    "grid_origin",
    "grid_size",
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "threadgroups_per_grid",
    "threads_per_grid",
    "threads_per_threadgroup",
)
_UINT = (
    "dispatch_quadgroups_per_threadgroup",
    "dispatch_simdgroups_per_threadgroup",
    "quadgroup_index_in_threadgroup",
    "quadgroups_per_threadgroup",
    "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup",
    "thread_execution_width",
    "thread_index_in_quadgroup",
    "thread_index_in_simdgroup",
    "thread_index_in_threadgroup",
    "threads_per_simdgroup",
)
_ATTRIBUTES = {name: "uint3" for name in _UINT3} | {name: "uint" for name in _UINT}
# What a kernel may ask of an input `x`: x_shape, x_strides, x_ndim.
_DETAILS = {
    "shape": "constant int *",
    "strides": "constant int64_t *",
    "ndim": "constant int &",
}


def dtype_name(dtype) -> str:
    """Of a NumPy dtype or type, an MLX Dtype, or a name."""
    text = str(dtype)
    for prefix in "mlx.core.", "torch.":
        if text.startswith(prefix):
            return text.removeprefix(prefix)
    return memory.dtype_name(np.dtype(dtype))


def metal_type(dtype, what: str) -> str:
    name = dtype_name(dtype)
    if name not in METAL_TYPES:
        raise ValueError(
            f"[metal_kernel] {what} has the dtype {name}, which Metal does not have; "
            f"it has {', '.join(METAL_TYPES)}"
        )
    return METAL_TYPES[name]


@dataclass(frozen=True)
class Body:
    """What a kernel is made with."""

    name: str
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    source: str
    header: str
    atomic_outputs: bool

    def mentions(self, word: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", self.source) is not None

    def details(self, name: str) -> list[str]:
        """Which of shape, strides and ndim of an input the body mentions."""
        return [detail for detail in _DETAILS if self.mentions(f"{name}_{detail}")]


def write(body: Body, inputs, output_dtypes, template) -> str:
    """The whole source; `inputs` are arrays, `template` pairs of name and value."""
    parameters = []
    for name, array in zip(body.input_names, inputs, strict=True):
        space = "constant" if array.size < _CONSTANT_BELOW else "device"
        element = metal_type(array.dtype, f"input {name!r}")
        parameters.append(f"const {space} {element} {'*' if array.ndim else '&'}{name}")
        if array.ndim:
            parameters += [f"{_DETAILS[d]}{name}_{d}" for d in body.details(name)]
    for name, dtype in zip(body.output_names, output_dtypes, strict=True):
        element = metal_type(dtype, f"output {name!r}")
        element = f"atomic<{element}>" if body.atomic_outputs else element
        parameters.append(f"device {element} *{name}")
    parameters = [f"{p} [[buffer({i})]]" for i, p in enumerate(parameters)]
    parameters += [
        f"{kind} {name} [[{name}]]"
        for name, kind in _ATTRIBUTES.items()
        if body.mentions(name)
    ]
    function = f"custom_kernel_{body.name}"
    lines = ['#include "mlx_utils.h"']
    if body.header:
        lines += [f'#line 1 "{body.name} header"', body.header]
    if template:
        kinds = ", ".join(f"{_template(value)[0]} {name}" for name, value in template)
        lines.append(f"template <{kinds}>")
    lines += [
        f"[[kernel]] void {function}(\n    " + ",\n    ".join(parameters) + ") {",
        f'#line 1 "{body.name} source"',
        body.source,
        "}",
    ]
    if template:
        instance = f"{function}<{', '.join(_template(v)[1] for _, v in template)}>"
        lines.append(
            f'template [[host_name("{function}")]] [[kernel]] '
            f"decltype({instance}) {instance};"
        )
    return "\n".join(lines) + "\n"


def _template(value) -> tuple[str, str]:
    """Kind and spelling of a template argument."""
    if isinstance(value, (bool, np.bool_)):
        return "bool", str(bool(value)).lower()
    if isinstance(value, (int, np.integer)):
        return "int", str(int(value))
    try:
        return "typename", metal_type(value, "a template argument")
    except TypeError:
        raise ValueError(
            "[metal_kernel] Invalid template argument. Must be a dtype, `int` or "
            f"`bool`, got {value!r}"
        ) from None
