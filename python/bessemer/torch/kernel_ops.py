"""A call of a TorchMetalKernel as operations of the program."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import torch

from bessemer import memory, naming
from bessemer.errors import KernelWarning
from bessemer.torch import attributes as attr
from bessemer.torch.constants import vector
from bessemer.torch.dispatch import check_numbers
from bessemer.torch.dtypes import TORCH_TYPES, ir_name, tensor_type
from bessemer.torch.locations import describe, kernel_location, location, place
from bessemer.torch.sizes import size_text

# Scalars: annotation -> (Metal type, how the program holds it).
_SCALARS = {
    float: ("float", torch.float32),
    int: ("int", torch.int32),
    bool: ("bool", torch.uint8),
}

_LARGEST_RANK = 8  # BSM_MAX_RANK of bessemer/abi/launch.h


def constrained(plain: str, rank: int) -> str:
    """A tensor type in a buffer, as every kernel argument is."""
    alignments = "x".join(["1"] * (rank + 1))
    interleave = "x".join(["1"] * rank)
    return (
        f"{plain[:-1]}, #coreaix.hw_constraints<MTLBuffer, "
        f"alignments: [{alignments}], interleave: [{interleave}]>>"
    )


@dataclass
class _Input:
    """One argument of a kernel at a call."""

    value: object  # An FX node, or the number of a literal.
    metal: str
    plain: str  # The type without constraints.
    rank: int
    scalar: bool = False
    literal: bool = False


class KernelEmitter:
    """Emits kernel operations into a walker's graph; shares equal vectors."""

    def __init__(self, walker):
        self.walker = walker
        self.sources: dict = {}
        self._vectors: dict = {}

    def emit(self, node: torch.fx.Node, kernel) -> list:
        """The values of the kernel's results."""
        walker, where = self.walker, location(node)
        count = len(kernel.input_names)
        grid, group, *shapes = node.args[count:]
        check_numbers("threads_per_grid", grid)
        check_numbers("threads_per_thread_group", group)
        inputs = self._inputs(node, kernel, node.args[:count])
        results = self._results(node, kernel, shapes)
        source = kernel.specialise(
            [(entry.rank, entry.metal, entry.scalar) for entry in inputs],
            [(rank, metal) for rank, metal, _ in results],
            [
                (entry.metal, name, entry.value)
                for name, entry in zip(kernel.input_names, inputs, strict=True)
                if entry.literal
            ],
        )
        self.sources[source.name] = (kernel, source)

        operands = [
            walker.emit(
                "coreaix.copy_with_constraints",
                [self._operand(entry)],
                [constrained(entry.plain, entry.rank)],
                {},
                where,
            )[0]
            for entry in inputs
        ]
        operands += [self._vector(v, node) for v in (grid, group, *shapes)]
        segments = f"array<i32: {count}, 1, 1, {len(shapes)}>"
        outputs = walker.emit(
            "coreai.metal4_kernel",
            operands,
            [constrained(plain, rank) for rank, _, plain in results],
            {
                "kernel_name": attr.string(source.name),
                "kernel_source": attr.string(source.text),
                "operandSegmentSizes": segments,
            },
            kernel_location(node, kernel, source),
        )
        return [
            walker.emit(
                "coreaix.copy_discarding_constraints", [value], [plain], {}, where
            )[0]
            for value, (_, _, plain) in zip(outputs, results, strict=True)
        ]

    def check_types(self, node: torch.fx.Node, kernel) -> None:
        """Refuses element types that kernels do not take."""
        count = len(kernel.input_names)
        self._inputs(node, kernel, node.args[:count])
        self._results(node, kernel, node.args[count + 2 :])

    def _inputs(self, node, kernel, values) -> list[_Input]:
        inputs = []
        kinds = kernel.reference.kinds
        for i, (name, kind, value) in enumerate(
            zip(kernel.input_names, kinds, values, strict=True)
        ):
            if kind is torch.Tensor:
                tensor = value.meta["val"]
                metal = _metal_type(
                    f"kernel input at index {i}", tensor.dtype, name, kernel, node
                )
                _check_rank(tensor, name, kernel, node)
                plain = tensor_type(tensor.shape, tensor.dtype)
                inputs.append(_Input(value, metal, plain, tensor.dim()))
            elif isinstance(value, torch.fx.Node):
                inputs.append(_Input(value, "int", "tensor<si32>", 0, scalar=True))
            else:
                metal, dtype = _SCALARS[kind]
                plain = tensor_type((), dtype)
                inputs.append(
                    _Input(kind(value), metal, plain, 0, scalar=True, literal=True)
                )
        return inputs

    def _operand(self, entry: _Input):
        if not entry.literal:
            return self.walker.values[entry.value][0]
        dtype = next(
            dtype for metal, dtype in _SCALARS.values() if metal == entry.metal
        )
        return self.walker.program.constant(
            self.walker.block, memory.from_torch(torch.tensor(entry.value, dtype=dtype))
        )

    def _results(self, node, kernel, shapes) -> list[tuple[int, str, str]]:
        value = node.meta["val"]
        tensors = list(value) if isinstance(value, (list, tuple)) else [value]
        results = []
        for i, (name, tensor, shape) in enumerate(
            zip(kernel.result_names, tensors, shapes, strict=True)
        ):
            metal = _metal_type(
                f"Result type at index {i}", tensor.dtype, name, kernel, node
            )
            _check_rank(tensor, name, kernel, node)
            for axis, (actual, given) in enumerate(
                zip(tensor.shape, shape, strict=True)
            ):
                if isinstance(given, int) and not isinstance(actual, int):
                    _refuse_fixed_size(
                        f"{place(node)}kernel {kernel.name!r}: result_shapes[{i}] (for "
                        f"{name!r}) has the fixed size {given} in dimension {axis}, "
                        f"which is dynamic ({size_text(actual)}); compute it from an "
                        "input's .shape"
                    )
            plain = tensor_type(tensor.shape, tensor.dtype)
            results.append((tensor.dim(), metal, plain))
        return results

    def _vector(self, sizes, node):
        """A vector of sizes, some of them symbolic."""
        key = (self.walker.block, *sizes)
        if key in self._vectors:
            return self._vectors[key]
        walker = self.walker
        if all(isinstance(size, int) for size in sizes):
            value = walker.program.constant(walker.block, vector(list(sizes)))
        else:
            operands: list = []
            items = attr.array([walker.argument(s, operands, node) for s in sizes])
            value = walker.emit(
                "torch.call",
                operands,
                [f"tensor<{len(sizes)}xui32>"],
                {
                    "target": attr.string("bessemer.shape_vector"),
                    "arguments": attr.array([items]),
                },
                location(node),
            )[0]
        self._vectors[key] = value
        return value


def _refuse_fixed_size(message: str) -> None:
    """Scripts for the original names rely on such programs being converted."""
    if not naming.original:
        raise ValueError(message)
    warnings.warn(message, KernelWarning, stacklevel=2)


def _check_rank(tensor, name: str, kernel, node) -> None:
    if tensor.dim() > _LARGEST_RANK:
        raise ValueError(
            f"{place(node)}kernel {kernel.name!r}: {name!r} has rank {tensor.dim()}; "
            f"tensors of kernels have at most {_LARGEST_RANK} dimensions, so reshape "
            "it before the call"
        )


def _instead(dtype: torch.dtype) -> str:
    if dtype == torch.bool:
        return ": pass x.to(torch.uint8)"
    if dtype.is_complex:
        return ": pass torch.view_as_real(x)"
    return ""


def _metal_type(label: str, dtype: torch.dtype, name: str, kernel, node) -> str:
    element = TORCH_TYPES.get(dtype)
    if element is None or element.metal is None:
        raise TypeError(
            f"{label} has unsupported dtype: {ir_name(dtype)} ({name!r} of kernel "
            f"{kernel.name!r}, {describe(node)}); kernels take float16, bfloat16, "
            f"float32 and integers of 8 to 32 bits{_instead(dtype)}"
        )
    return element.metal
