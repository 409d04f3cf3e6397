template <typename T> [[kernel]] void scale(device T *x) { x[0] *= T(SCALE); }
template [[host_name("from_header")]] [[kernel]] void scale<float>(device float *);
