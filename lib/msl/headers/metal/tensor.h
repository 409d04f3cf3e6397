// tensor<T, extents, descriptor>: a handle of a tensor that the host binds.
// Subscripts, extents and strides are innermost first.
#pragma once

namespace metal {

// The layout of bsm_tensor in the launch interface.
struct __tensor_descriptor {
  __global void *address;
  ulong bytes;
  long strides[8];
  int extents[8];
  uint rank;
  uint argument;
};

void __checkIndex(bool ok, const __constant __tensor_descriptor *tensor,
                  uint dimension, long index)
    __asm__("bsm.check_index") __attribute__((nothrow));

constexpr size_t dynamic_extent = (size_t)-1;

template <typename I, size_t... E> struct extents {
  using index_type = I;
  static constexpr size_t rank() { return sizeof...(E); }
};
template <typename I, size_t rank, size_t... E>
struct __dynamic_extents : __dynamic_extents<I, rank - 1, E..., dynamic_extent> {
};
template <typename I, size_t... E> struct __dynamic_extents<I, 0, E...> {
  using type = extents<I, E...>;
};
template <typename I, size_t rank>
using dextents = typename __dynamic_extents<I, rank>::type;

struct tensor_handle {};
struct tensor_inline {};
struct tensor_offset {};

template <typename T, typename E, typename... D> struct tensor {
  static_assert(sizeof(T) == 0,
                "only tensor<device T, extents, tensor_handle> is supported");
};

template <typename T, typename I, size_t... E>
struct tensor<T, extents<I, E...>, tensor_handle> {
  using element_type = T;
  using value_type = remove_cvref_t<T>;
  using index_type = I;
  using extents_type = extents<I, E...>;

  static constexpr size_t get_rank() { return sizeof...(E); }
  static constexpr size_t rank() { return sizeof...(E); }
  I get_extent(size_t dimension) const {
    return (I)descriptor->extents[dimension];
  }
  // The innermost dimension is dense.
  I get_stride(size_t dimension) const {
    return dimension == 0 ? 1 : (I)descriptor->strides[dimension];
  }
  T *data() const { return (T *)descriptor->address; }

  // One index per dimension, each checked against its extent.
  template <typename... X> T &operator[](X... index) const {
    static_assert(sizeof...(X) == rank(),
                  "a tensor takes one subscript per dimension");
    static_assert((__isNumber<X> && ...), "a tensor subscript is an integer");
    long offset = 0;
    uint dimension = 0;
    ((offset += checked(dimension++, (long)index)), ...);
    return data()[offset];
  }
  template <typename J, size_t n> T &operator[](array<J, n> index) const {
    static_assert(n == rank(), "a tensor takes one subscript per dimension");
    return at(index, make_index_sequence<n>());
  }

private:
  template <typename A, size_t... i>
  T &at(A index, index_sequence<i...>) const {
    return (*this)[index[i]...];
  }
  long checked(uint dimension, long index) const {
    // Extents are not negative; as unsigned numbers they compare as the guard
    // `if (id >= t.get_extent(0)) return;` does, so that it proves the check.
    bool ok = (ulong)index < (ulong)(uint)descriptor->extents[dimension];
    __checkIndex(ok, descriptor, dimension, index);
    return dimension == 0 ? index : index * descriptor->strides[dimension];
  }

  const __constant __tensor_descriptor *descriptor;
};

} // namespace metal
