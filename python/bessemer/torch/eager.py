"""Eager calls of a kernel run its reference, or its Metal body on the CPU.

`with eager_kernels():` (or BESSEMER_EAGER_KERNELS=1 in the environment) makes
eager calls run the body: the quickest way to see what a kernel computes.
"""

from __future__ import annotations

import contextlib
import os
import weakref

import torch

import bessemer
from bessemer.authoring.places import in_python
from bessemer.errors import InputError, KernelFault
from bessemer.torch.dtypes import NARROWED, TORCH_TYPES
from bessemer.torch.kernel_check import check_kernel

on = os.environ.get("BESSEMER_EAGER_KERNELS", "0") not in ("", "0")
# The compiled bodies of every kernel, by the names of their sources.
_bodies: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


@contextlib.contextmanager
def eager_kernels(enabled: bool = True):
    """Within it, eager calls of TorchMetalKernel objects run their Metal body."""
    global on
    before, on = on, enabled
    try:
        yield
    finally:
        on = before


def run_eagerly(kernel, values, references) -> list[torch.Tensor]:
    """The body's results; `references` have the shapes and dtypes to return."""
    count = len(kernel.input_names)
    grid, group = (tuple(int(size) for size in sizes) for sizes in values[count:][:2])
    results = [torch.zeros(r.shape, dtype=_stored(r)) for r in references]
    if 0 not in grid:
        source = kernel.specialise(*_signature(kernel, values[:count], references))
        compiled = _compile(kernel, source)
        names = kernel.input_names
        inputs = [_argument(*pair) for pair in zip(names, values[:count], strict=True)]
        try:
            compiled(*inputs, *results, threads=grid, group_size=group)
        except KernelFault as error:
            raise KernelFault(in_python(str(error), kernel, source)) from None
    return [
        result.to(reference.dtype)
        for result, reference in zip(results, references, strict=True)
    ]


def _compile(kernel, source):
    """The kernel; errors are those of a conversion, with the user's places."""
    bodies = _bodies.setdefault(kernel, {})
    if source.name not in bodies:
        failure = check_kernel(kernel, source)
        if failure is not None:
            raise failure
        bodies[source.name] = bessemer.compile(source.text)[source.name]
    return bodies[source.name]


def _signature(kernel, values, references):
    """What CustomMetalKernel.specialise takes."""
    kinds = kernel.reference.kinds
    inputs, scalars = [], []
    for name, kind, value in zip(kernel.input_names, kinds, values, strict=True):
        if kind is torch.Tensor:
            inputs.append((value.dim(), _metal(kernel, name, value.dtype), False))
        else:
            inputs.append((0, kind.__name__, True))
            scalars.append((kind.__name__, name, kind(value)))
    results = [
        (reference.dim(), _metal(kernel, name, reference.dtype))
        for name, reference in zip(kernel.result_names, references, strict=True)
    ]
    return inputs, results, scalars


def _metal(kernel, name: str, dtype: torch.dtype) -> str:
    element = TORCH_TYPES.get(dtype)
    if element is None or element.metal is None:
        raise TypeError(
            f"{name!r} of kernel {kernel.name!r} has unsupported dtype: {dtype}"
        )
    return element.metal


def _stored(tensor: torch.Tensor) -> torch.dtype:
    return NARROWED.get(tensor.dtype, tensor.dtype)


def _argument(name: str, value):
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    narrow = value.to(_stored(value))
    if narrow.dtype != value.dtype and not _holds(narrow, value):
        raise InputError(
            f"{name} holds numbers beyond the range of "
            f"{str(narrow.dtype).removeprefix('torch.')}, in which kernels get it"
        )
    return narrow.contiguous() if narrow.dim() else narrow.reshape(1)


def _holds(narrow: torch.Tensor, value: torch.Tensor) -> bool:
    """Whether the range of a narrower type was enough."""
    if narrow.is_floating_point():
        return torch.equal(narrow.isfinite(), value.isfinite())
    return torch.equal(narrow.to(value.dtype), value)
