"""Kernels of c10/metal's REGISTER_*_OP: what their names say, how they are launched.

The order of buffers follows PyTorch's host code. It has moved between releases:
each form states its parameters, and a kernel with others is not launched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch

# Metal's element types: torch's, and their number in c10::metal::ScalarType.
TYPES = {
    "uchar": (torch.uint8, 0),
    "char": (torch.int8, 1),
    "short": (torch.int16, 2),
    "int": (torch.int32, 3),
    "long": (torch.int64, 4),
    "half": (torch.float16, 5),
    "float": (torch.float32, 6),
    "half2": (torch.complex32, 8),
    "float2": (torch.complex64, 9),
    "bool": (torch.bool, 11),
    "bfloat": (torch.bfloat16, 15),
    "ushort": (torch.uint16, 27),
    "uint": (torch.uint32, 28),
    "ulong": (torch.uint64, 29),
}
_NUMBERS = dict(TYPES.values())
_TYPE = "|".join(sorted(TYPES, key=len, reverse=True))
_VARIANTS = "(?:_scalar|_lhs|_rhs|_broadcast|_castout|_cast|_ilp[0-9]*)*"
_NAME = re.compile(
    rf"(?P<operator>.+?)_(?P<form>(?:dense|strided){_VARIANTS})"
    rf"(?:_(?P<output>{_TYPE}))?_(?P<input>{_TYPE})"
)
_SPELLINGS = {"int64_t": "long", "uint32_t": "uint"}
_ILP = 4


@dataclass(frozen=True)
class Form:
    """`parameters` are those after the tensors; `layouts` what it is made for."""

    parameters: tuple[str, ...]
    layouts: tuple[str, ...] = ("dense",)
    cast: str = ""  # "in": of the inputs, "out": of the result.


_LONGS = "long *"
_STRIDED = ("dense", "strided", "broadcast", "inner-contiguous")
UNARY = {
    "dense": Form(("uint &",)),
    "dense_scalar": Form(()),
    "strided": Form((_LONGS,) * 3 + ("uint &",), _STRIDED),
    "dense_castout": Form(("uint2 &",), cast="out"),
    "dense_castout_ilp": Form(("uint3 &",), cast="out"),
    "strided_castout": Form((_LONGS,) * 3 + ("uint2 &",), _STRIDED, "out"),
}
BINARY = {
    "dense": Form(()),
    "dense_ilp4": Form(("uint &",)),
    "dense_cast": Form(("uint4 &",), cast="in"),
    "dense_scalar": Form((), ("scalar",)),
    "dense_scalar_lhs": Form((), ("scalar first",)),
    "dense_scalar_cast": Form(("uint4 &",), ("scalar",), "in"),
    "dense_scalar_lhs_cast": Form(("uint4 &",), ("scalar first",), "in"),
    "dense_broadcast": Form(("long &",), ("row",)),
    "dense_broadcast_rhs": Form(("long &",), ("row first",)),
    "dense_broadcast_cast": Form(("long &", "uint4 &"), ("row",), "in"),
    "dense_broadcast_rhs_cast": Form(("long &", "uint4 &"), ("row first",), "in"),
    "strided": Form((_LONGS,) * 4 + ("uint3 &",), _STRIDED),
    "strided_cast": Form((_LONGS,) * 4 + ("uint4 &",), _STRIDED, "in"),
    "strided_castout": Form((_LONGS,) * 4 + ("uint4 &",), _STRIDED, "out"),
}


@dataclass(frozen=True)
class Functor:
    """A kernel of a functor: `neg_dense_float_float`."""

    kernel: str
    operator: str
    form: str
    output: torch.dtype | None  # None: the launch says.
    input: torch.dtype
    arity: int = 0  # 0: its parameters are those of no known form.

    @property
    def launch(self) -> Form:
        return (UNARY if self.arity == 1 else BINARY)[self.form]


def parse(kernel: str, arguments) -> Functor | None:
    """None for a kernel with another kind of name."""
    found = _NAME.fullmatch(kernel)
    if found is None:
        return None
    types = {
        name: TYPES[found[name]][0] if found[name] else None
        for name in ("output", "input")
    }
    parameters = [
        f"{_SPELLINGS.get(a.type_name, a.type_name)} {'&' if a.is_reference else '*'}"
        for a in arguments
    ]
    arity = 0
    for count, forms in (1, UNARY), (2, BINARY):
        form, tensors = forms.get(found["form"]), parameters[: 1 + count]
        pointers = [t for t in tensors if t.endswith("*")]
        if (
            form
            and len(pointers) == 1 + count
            and tuple(parameters[1 + count :]) == form.parameters
        ):
            arity = count
    return Functor(kernel, found["operator"], found["form"], **types, arity=arity)


def launch(functor: Functor, kernel, output: torch.Tensor, inputs) -> None:
    """Runs it over all of `output`; `inputs` have its shape, but for scalars and rows."""
    tensors = [output, *inputs]
    parameters, threads = _parameters(functor, tensors)
    casts = {
        i: "int32"
        for i, value in enumerate(parameters, len(tensors))
        if functor.launch.parameters[i - len(tensors)].startswith("uint")
        and isinstance(value, list)
    }
    # One size of groups, since code is made for each.
    group = [64, *[1] * (len(threads) - 1)]
    kernel(*tensors, *parameters, threads=threads, group_size=group, arg_casts=casts)


def _parameters(functor: Functor, tensors) -> tuple[list, list[int]]:
    """What follows the tensors, and the numbers of threads."""
    if functor.form.startswith("strided"):
        return _strided(functor, tensors)
    output, first, last = tensors[0], tensors[1], tensors[-1]
    count, cast = output.numel(), functor.launch.cast
    is_wide = functor.launch.parameters[-1:] in (("uint &",), ("uint3 &",))
    parameters = []
    if "broadcast" in functor.form:
        row = first if "rhs" in functor.form else last
        parameters.append(max(row.numel(), 1))
    if cast == "out":
        kind = [output.element_size(), _number(output), count]
        parameters.append(kind if is_wide else kind[:2])
    elif cast == "in":
        sizes = [first.element_size(), last.element_size()]
        parameters.append([*sizes, _number(first), _number(last)])
    elif is_wide:
        parameters.append(count)
    return parameters, [-(-count // _ILP) if is_wide else count]


def _strided(functor: Functor, tensors) -> tuple[list, list[int]]:
    output, cast = tensors[0], functor.launch.cast
    sizes = list(reversed(output.shape)) or [1]
    strides = [_strides(tensor) or [0] for tensor in tensors]
    if functor.arity == 2:
        # Three numbers, or four with those of the types.
        kinds = [_number(tensor) for tensor in (*tensors[1:], output)]
        last = [len(sizes), *(kinds if cast else [0, 0])]
        return [sizes, *strides, last], [output.numel()]
    # The strides of the input come first here.
    last = [len(sizes), _number(output)] if cast else len(sizes)
    rows = output.numel() // sizes[0] if sizes[0] else 0
    return [sizes, *strides[::-1], last], [sizes[0], rows]


def _strides(tensor: torch.Tensor) -> list[int]:
    """In bytes, innermost first."""
    return [s * tensor.element_size() for s in reversed(tensor.stride())]


def _number(tensor: torch.Tensor) -> int:
    return _NUMBERS[tensor.dtype]
