// packed_vec<T, N>: as vec, without padding, aligned as its element.
#pragma once

namespace metal {

template <typename T> struct packed_vec<T, 2> : __vector_operators<T, 2> {
  __BSM_COMPONENTS2
  __BSM_VECTOR_MEMBERS(packed_vec, vec)
  __BSM_SWIZZLES2
};
template <typename T> struct packed_vec<T, 3> : __vector_operators<T, 3> {
  __BSM_COMPONENTS3
  __BSM_VECTOR_MEMBERS(packed_vec, vec)
  __BSM_SWIZZLES3
};
template <typename T> struct packed_vec<T, 4> : __vector_operators<T, 4> {
  __BSM_COMPONENTS4
  __BSM_VECTOR_MEMBERS(packed_vec, vec)
  __BSM_SWIZZLES4
};

#undef __BSM_COMPONENTS2
#undef __BSM_COMPONENTS3
#undef __BSM_COMPONENTS4
#undef __BSM_VECTOR_MEMBERS
#undef __BSM_VECTOR_ASSIGNS
#undef __BSM_VECTOR_ASSIGN

} // namespace metal
