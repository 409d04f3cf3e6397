"""What Metal knows of kernel parameters: attributes, their types, keywords."""

from __future__ import annotations

_VECTOR = {f"{base}{n}" for base in ("uint", "ushort") for n in ("", "2", "3")}
_SCALAR = {"uint", "ushort"}

# Attribute of a compute kernel's parameter -> the types it may have.
THREAD_ATTRIBUTES = {
    "dispatch_quadgroups_per_threadgroup": _SCALAR,
    "dispatch_simdgroups_per_threadgroup": _SCALAR,
    "dispatch_threads_per_threadgroup": _VECTOR,
    "grid_origin": _VECTOR,
    "grid_size": _VECTOR,
    "quadgroup_index_in_threadgroup": _SCALAR,
    "quadgroups_per_threadgroup": _SCALAR,
    "simdgroup_index_in_threadgroup": _SCALAR,
    "simdgroups_per_threadgroup": _SCALAR,
    "thread_execution_width": _SCALAR,
    "thread_index_in_quadgroup": _SCALAR,
    "thread_index_in_simdgroup": _SCALAR,
    "thread_index_in_threadgroup": _SCALAR,
    "thread_position_in_grid": _VECTOR,
    "thread_position_in_threadgroup": _VECTOR,
    "threadgroup_position_in_grid": _VECTOR,
    "threadgroups_per_grid": _VECTOR,
    "threads_per_grid": _VECTOR,
    "threads_per_simdgroup": _SCALAR,
    "threads_per_threadgroup": _VECTOR,
}

# Names that the generated signature itself uses; a parameter would hide them.
SIGNATURE_NAMES = frozenset(
    """
    tensor tensor_handle metal mpp int8_t uint8_t int16_t uint16_t int64_t uint64_t
    uint2 uint3 ushort2 ushort3
    """.split()
)

# Words that cannot name a parameter: C++ keywords and Metal's own.
KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char
    char16_t char32_t class compl const const_cast constexpr continue decltype
    default delete do double dynamic_cast else enum explicit export extern false
    float for friend goto if inline int long mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid
    typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    constant device fragment half kernel thread threadgroup threadgroup_imageblock
    vertex bfloat uint ushort uchar ulong visible
    """.split()
)
