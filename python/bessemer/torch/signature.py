"""What torch_defn takes and returns, checked against a kernel's names."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass

import torch

_INPUTS = {torch.Tensor: "Tensor", float: "float", bool: "bool", int: "SymInt"}
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass
class ReferenceSignature:
    """torch_defn's parameters and results."""

    signature: inspect.Signature
    kinds: list[type]  # torch.Tensor, int, float or bool of every parameter.
    result: str  # "tensor", "tuple" or "list".

    def schema(self, result_names: list[str]) -> str:
        """The schema of the torch op: the inputs, the dispatch, the shapes."""
        inputs = [
            f"{_INPUTS[kind]} {name}"
            for kind, name in zip(self.kinds, self.signature.parameters, strict=True)
        ]
        inputs += ["SymInt[] threads_per_grid", "SymInt[] threads_per_thread_group"]
        inputs += [f"SymInt[] result_shape_{name}" for name in result_names]
        returns = {
            "tensor": "Tensor",
            "list": "Tensor[]",
            "tuple": f"({', '.join(['Tensor'] * len(result_names))})",
        }
        return f"({', '.join(inputs)}) -> {returns[self.result]}"

    def bind(self, args, keywords) -> list:
        """The values of all parameters in order; defaults filled in."""
        bound = self.signature.bind(*args, **keywords)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.signature.parameters]


def read_signature(
    torch_defn, input_names: list[str], result_names: list[str]
) -> ReferenceSignature:
    """Raises TypeError or ValueError where torch_defn does not fit."""
    signature = _signature(torch_defn)
    parameters = list(signature.parameters.values())
    for parameter in parameters:
        if parameter.kind in _VARIADIC:
            raise TypeError(
                "custom kernels do not support variadic parameters (*args / "
                f"**kwargs); got parameter {parameter.name!r} with kind "
                f"{parameter.kind.description}"
            )
    for parameter in parameters:
        if not any(parameter.annotation is kind for kind in _INPUTS):
            raise TypeError(
                "custom kernels only support `torch.Tensor`, `float`, `bool` and "
                f"`int` inputs, got {parameter.annotation}{_advice(parameter)}"
            )
    if len(parameters) != len(input_names):
        raise ValueError(
            "torch function should have same number of parameters as specified by "
            f"input names, expected {len(input_names)}, got {len(parameters)}"
        )
    result = _read_result(signature.return_annotation, result_names)
    return ReferenceSignature(signature, [p.annotation for p in parameters], result)


def _advice(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return f": parameter {parameter.name!r} of torch_defn needs an annotation"
    return f" for parameter {parameter.name!r} of torch_defn"


def _signature(torch_defn) -> inspect.Signature:
    if not callable(torch_defn):
        raise TypeError(
            "torch_defn must be a function with annotated parameters, got "
            f"{torch_defn!r}"
        )
    try:
        # eval_str: annotations may be postponed (PEP 563).
        return inspect.signature(torch_defn, eval_str=True)
    except NameError as error:
        raise NameError(
            f"an annotation of torch_defn cannot be resolved: {error}; import it in "
            "the module that defines torch_defn, not under TYPE_CHECKING"
        ) from None
    except ValueError:
        raise TypeError(
            f"{torch_defn!r} has no signature to read; wrap it in a function with "
            "annotated parameters"
        ) from None


def _read_result(annotation, result_names: list[str]) -> str:
    if annotation is torch.Tensor:
        if len(result_names) != 1:
            raise ValueError(
                "torch_defn returns a single torch.Tensor, but result_names has "
                f"{len(result_names)} entries: {result_names}"
            )
        return "tensor"
    origin, members = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is list and members == (torch.Tensor,):
        return "list"
    if origin is tuple and members and set(members) == {torch.Tensor}:
        if len(members) != len(result_names):
            raise ValueError(
                f"torch_defn returns tuple of {len(members)} tensors, but "
                f"result_names has {len(result_names)} entries: {result_names}"
            )
        return "tuple"
    raise TypeError(
        "Metal kernels only support return types of `torch.Tensor`, "
        "`list[torch.Tensor]`, or `tuple[torch.Tensor]` (with a concrete number of "
        f"tuple members). The torch callback has a return type of {annotation}"
    )
