"""TorchMetalKernel: a Metal kernel that torch.export sees as a custom op."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import DataDependentOutputException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from bessemer import naming
from bessemer.authoring.metal import CustomMetalKernel
from bessemer.authoring.parameter import MetalParameter
from bessemer.errors import KernelCallError, ResultShapeError
from bessemer.torch import eager
from bessemer.torch.dispatch import (
    check_not_empty,
    check_results,
    check_shapes,
    check_triple,
)
from bessemer.torch.eager import run_eagerly
from bessemer.torch.locations import call_site
from bessemer.torch.signature import read_signature

# What PyTorch raises when a traced function asks a tensor for its values.
_VALUE_READS = (DataDependentOutputException, GuardOnDataDependentSymNode)
# Where its shape environment keeps symbols for values that were just read.
_PENDING = "pending_fresh_unbacked_symbols"
NAMESPACE = "coreai_metal_kernels"
# How far out a helper that makes kernels may get the text from.
_CALLS = 8
# Names of torch ops in use: the second kernel of a name gets an op of its own, so
# that calling either runs its own reference.
_used_op_names: set[str] = set()


class TorchMetalKernel(CustomMetalKernel):
    """Binds a Metal kernel's body to a PyTorch reference.

    The reference gives shapes during export and values in eager mode; the body is
    what a converted program runs.
    """

    def __init__(
        self,
        name: str,
        input_names: list[str],
        result_names: list[str],
        src: str,
        torch_defn: Callable[..., Any],
        metal_params: list[MetalParameter] | None = None,
        helper_src: str | None = None,
        template_dtypes: dict[str, str] | None = None,
    ) -> None:
        super().__init__(
            name,
            input_names,
            result_names,
            src,
            metal_params,
            helper_src,
            template_dtypes,
        )
        self._check_texts()
        self.torch_defn = torch_defn
        self.reference = read_signature(torch_defn, self.input_names, self.result_names)
        self.calls = _calls(self)
        self.op_name = _unused_op_name(name)
        if naming.original:  # There, no two objects share the names of sources.
            self._name_salt = self.op_name.removeprefix(name)
        self.torch_custom_op = self._define_op()

    @property
    def target(self) -> str:
        """The key of this kernel's torch op in an exported graph."""
        return f"{NAMESPACE}::{self.op_name}.default"

    def _define_op(self):
        def trace(*values):
            count = len(self.input_names)
            results = self._call_reference(values[:count])
            check_results(results, values[count + 2 :], self.result_names)
            return results

        def run(*values):
            results = trace(*values)
            return run_eagerly(self, values, results) if eager.on else results

        def packed(function):
            if self.reference.result == "tensor":
                return lambda *values: function(*values)[0]
            kind = list if self.reference.result == "list" else tuple
            return lambda *values: kind(function(*values))

        op = torch.library.custom_op(
            f"{NAMESPACE}::{self.op_name}",
            packed(run),
            mutates_args=(),
            schema=self.reference.schema(self.result_names),
        )
        op.register_fake(packed(self._explaining(trace)))
        op.register_autograd(self._refuse_gradient)
        return op

    def _explaining(self, trace):
        """`trace` on tensors without values; says why a reference cannot do it."""

        def run(*values):
            mode = detect_fake_mode(values)
            pending = getattr(mode and mode.shape_env, _PENDING, [])
            known = len(pending)
            try:
                results = trace(*values)
            except _VALUE_READS as error:
                raise self._value_read(f" ({error})") from error
            if len(pending) > known:  # Sizes made of values: t.item().
                del pending[known:]
                raise self._value_read("")
            return results

        return run

    def _value_read(self, detail: str) -> RuntimeError:
        return RuntimeError(
            f"kernel {self.name!r}: torch_defn reads the values of a tensor, which have "
            "none while a model is exported: use operators (torch.index_select, "
            f"torch.where) in place of .item(), int(t[0]) or `if t > 0`{detail}"
        )

    def _refuse_gradient(self, context, *gradients):
        raise RuntimeError(
            f"kernel {self.name!r} has no gradient: no autograd formula was registered "
            "for a Metal kernel; call it under torch.no_grad(), or train with its "
            "torch_defn"
        )

    def _call_reference(self, values) -> list[torch.Tensor]:
        """torch_defn's results, none of which is an input's memory."""
        args, keywords = [], {}
        for value, parameter in zip(
            values, self.reference.signature.parameters.values(), strict=True
        ):
            if parameter.kind is parameter.KEYWORD_ONLY:
                keywords[parameter.name] = value
            else:
                args.append(value)
        results = self.torch_defn(*args, **keywords)
        if isinstance(results, torch.Tensor):
            results = [results]
        if not isinstance(results, (list, tuple)) or not all(
            isinstance(result, torch.Tensor) for result in results
        ):
            raise TypeError(
                f"kernel {self.name!r}: torch_defn returned {results!r}; it must "
                "return tensors"
            )
        results = list(results)
        seen = {_storage(v) for v in values if isinstance(v, torch.Tensor)}
        for i, result in enumerate(results):
            if _storage(result) in seen:
                results[i] = result.clone()
            seen.add(_storage(results[i]))
        return results

    def __call__(
        self,
        /,
        *args: Any,
        threads_per_grid: tuple[int, int, int],
        threads_per_thread_group: tuple[int, int, int],
        result_shapes: list[list[int]],
        **inputs: Any,
    ) -> Any:
        """The results, as torch_defn returns them.

        `args` are the inputs, in the order of input_names. The grid and the
        threadgroup count threads along Metal's axes, innermost first; each of
        `result_shapes` is in PyTorch's order.
        """
        grid = check_triple("threads_per_grid", threads_per_grid)
        group = check_triple("threads_per_thread_group", threads_per_thread_group)
        shapes = check_shapes(result_shapes, self.result_names)
        check_not_empty(grid, group, shapes)
        if inputs or len(args) != len(self.input_names):
            try:
                args = self.reference.bind(args, inputs)
            except TypeError as error:
                raise KernelCallError(
                    f"{NAMESPACE}::{self.name}() takes {len(self.input_names)} inputs "
                    f"({', '.join(self.input_names) or 'none'}), got "
                    f"{len(args) + len(inputs)}: {error}"
                ) from None
        self._check_kinds(args)
        with call_site():
            if torch.compiler.is_dynamo_compiling():
                return self.torch_custom_op(*args, grid, group, *shapes)
            try:
                return self.torch_custom_op(*args, grid, group, *shapes)
            except ResultShapeError as error:
                # A new one: PyTorch's frames of the call help nobody.
                caller = sys._getframe(1)
                place = f"{caller.f_code.co_filename}:{caller.f_lineno}"
                text = f"{place}: kernel {self.name!r}: {error}"
                raise ResultShapeError(text) from None

    def _check_kinds(self, args) -> None:
        """Refuses what PyTorch's own message would not explain."""
        if torch.compiler.is_dynamo_compiling():
            return
        for name, kind, value in zip(
            self.input_names, self.reference.kinds, args, strict=True
        ):
            fits = {
                torch.Tensor: isinstance(value, torch.Tensor),
                int: not isinstance(value, (float, torch.SymFloat)),
            }.get(kind, True)
            if kind is not torch.Tensor:
                fits = fits and not isinstance(value, (str, bytes, type(None)))
            if not fits:
                wanted = "torch.Tensor" if kind is torch.Tensor else kind.__name__
                raise KernelCallError(
                    f"{NAMESPACE}::{self.name}() takes a {wanted} for {name!r}, got "
                    f"{value!r} of type {type(value).__name__}"
                )


def _storage(tensor: torch.Tensor):
    return tensor.untyped_storage()._cdata


def _unused_op_name(name: str) -> str:
    candidate, number = name, 1
    while candidate in _used_op_names:
        number += 1
        candidate = f"{name}_{number}"
    _used_op_names.add(candidate)
    return candidate


def _calls(kernel) -> list[tuple[str, int]]:
    """File and line of the calls that made `kernel`, past subclasses' __init__, from
    the inside outwards."""
    frame = sys._getframe(2)
    while frame.f_code.co_name == "__init__" and any(
        value is kernel for value in frame.f_locals.values()
    ):
        frame = frame.f_back
    calls = []
    while frame and len(calls) < _CALLS:
        calls.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return calls
