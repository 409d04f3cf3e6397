"""What to write instead: advice after a compiler's message about a kernel's body."""

from __future__ import annotations

import difflib
import re

from bessemer.authoring.attributes import THREAD_ATTRIBUTES

_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'(.*)")
_UNKNOWN_TYPE = re.compile(r"unknown type name '(\w+)'(.*)")
_NO_MEMBER = re.compile(r"no member named '(\w+)' in 'metal::tensor<")
_MATH_OF_C = re.compile(
    r"(a?(?:sin|cos|tan)h?|atan2|exp2?|log(?:2|10)?|sqrt|rsqrt|pow|fabs|floor|ceil|"
    r"round|trunc|fmod|fma|fmin|fmax|erf)f"
)

# Names that authors give to thread attributes.
_USUAL_NAMES = {
    "gid": ("uint", "thread_position_in_grid"),
    "lid": ("uint", "thread_position_in_threadgroup"),
    "tid": ("uint", "thread_position_in_threadgroup"),
    "tgid": ("uint", "threadgroup_position_in_grid"),
    "lane": ("uint", "thread_index_in_simdgroup"),
    "lane_id": ("uint", "thread_index_in_simdgroup"),
    "simd_lane_id": ("uint", "thread_index_in_simdgroup"),
    "simd_group_id": ("uint", "simdgroup_index_in_threadgroup"),
    # Other languages.
    "threadIdx": ("uint3", "thread_position_in_threadgroup"),
    "blockIdx": ("uint3", "threadgroup_position_in_grid"),
    "blockDim": ("uint3", "threads_per_threadgroup"),
    "gridDim": ("uint3", "threadgroups_per_grid"),
    "get_global_id": ("uint3", "thread_position_in_grid"),
    "get_local_id": ("uint3", "thread_position_in_threadgroup"),
    "get_group_id": ("uint3", "threadgroup_position_in_grid"),
    **{name: ("uint", name) for name in THREAD_ATTRIBUTES},
}
# Functions of other languages.
_METAL_NAMES = {
    "__syncthreads": "threadgroup_barrier(mem_flags::mem_threadgroup)",
    "__syncwarp": "simdgroup_barrier(mem_flags::mem_threadgroup)",
    "__shfl_sync": "simd_shuffle(value, lane)",
    "__shfl_xor_sync": "simd_shuffle_xor(value, mask)",
    "__shfl_down_sync": "simd_shuffle_down(value, delta)",
    "__shfl_up_sync": "simd_shuffle_up(value, delta)",
    "atomicAdd": "atomic_fetch_add_explicit(address, value, memory_order_relaxed)",
    "barrier": "threadgroup_barrier(mem_flags::mem_threadgroup)",
    "std": "metal::, or no prefix",
    "__expf": "fast::exp",
}


def hint(message: str, part: str, kernel) -> str:
    """Advice on a message about `part` ("src" or "helper_src"), or ""."""
    if match := _UNDECLARED.match(message):
        name, suggested = match.groups()
        return _unknown_name(name, part, kernel, "did you mean" in suggested)
    if match := _UNKNOWN_TYPE.match(message):
        return _unknown_type(match.group(1), kernel)
    if match := _NO_MEMBER.match(message):
        return (
            "a tensor has get_extent(i), innermost first: get_extent(0) is the last "
            "size of the torch shape; and get_rank()"
        )
    if message.startswith("member reference base type 'uint'"):
        return (
            "for .x, .y and .z the MetalParameter needs the type 'uint2' or 'uint3'; "
            f"the kernel declares {_declared(kernel)}"
        )
    is_no_array = message.startswith("subscripted value is not") or message.endswith(
        "does not provide a subscript operator"
    )
    if "one subscript per dimension" in message or (is_no_array and part == "src"):
        return (
            "a tensor takes all its subscripts in one bracket, innermost first: "
            "x[column, row]; an input without dimensions is a value and takes none"
        )
    if message.endswith("should not return a value") and part == "src":
        return (
            "a kernel returns nothing: write its results, as in "
            f"{kernel.result_names[0]}[...] = ..., and leave with a plain return;"
        )
    if message.startswith(("cannot use 'throw'", "cannot use 'try'")):
        return "Metal has no exceptions; write a value that shows the failure"
    if message.endswith("file not found"):
        return (
            "a kernel of a model carries its whole text: there are only Metal's own "
            "headers, so put what the file holds into helper_src"
        )
    if message == "function definition is not allowed here":
        return (
            "src is the body of the kernel, whose signature is generated: statements "
            "only; functions go into helper_src"
        )
    return ""


def _unknown_name(name: str, part: str, kernel, is_suggested: bool) -> str:
    names = _names(kernel)
    if name in _METAL_NAMES:
        return f"Metal has no {name}; write {_METAL_NAMES[name]}"
    if part == "helper_src" and name in names:
        return (
            f"helper_src stands before the kernel, whose {name!r} it does not see: "
            "pass it as an argument of the function"
        )
    if match := _MATH_OF_C.fullmatch(name):
        return f"Metal has no {name}; write {match.group(1)}"
    if name == "printf":
        return "Metal has no printf; write the value to a result to see it"
    if is_suggested:
        return ""
    near = _nearest(name, names)
    if not near and name in _USUAL_NAMES:
        dtype, attribute = _USUAL_NAMES[name]
        return (
            f"for the attribute [[{attribute}]] add MetalParameter({_plain(name)!r}, "
            f"{dtype!r}, {attribute!r}) to metal_params"
        )
    hint = f"; did you mean {near!r}?" if near else ""
    return f"the kernel declares {_declared(kernel)}{hint}"


def _unknown_type(name: str, kernel) -> str:
    if name in _METAL_NAMES:
        return f"Metal has no {name}; write {_METAL_NAMES[name]}"
    if name.isupper() and kernel.input_names:
        return (
            f"to have {name} stand for an input's element type, pass "
            f"template_dtypes={{{kernel.input_names[0]!r}: {name!r}}}"
        )
    return ""


def _names(kernel) -> dict[str, str]:
    return {
        **dict.fromkeys(kernel.input_names, "input"),
        **dict.fromkeys(kernel.result_names, "result"),
        **{p.name: f"{p.dtype} [[{p.attr}]]" for p in kernel.metal_params},
    }


def _declared(kernel) -> str:
    return ", ".join(f"{name} ({what})" for name, what in _names(kernel).items())


def _nearest(name: str, names) -> str:
    """The nearest name; upper and lower case are near."""
    folded = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), folded, 1)
    return folded[near[0]] if near else ""


def _plain(name: str) -> str:
    """A name for the parameter of that attribute."""
    return name if len(name) < 20 and not name.startswith("get_") else "id"
