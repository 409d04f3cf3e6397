"""More rules of Metal's language and library, in the form of test_msl_rules.py.

Chapters are those of the Metal Shading Language Specification 4.0.
"""

# Section 2: data types.
TYPES = [
    *[(f"{t} is {n} bytes (2.1)", f"static_assert(sizeof({t}) == {n});", None)
      for t, n in [("bool", 1), ("char", 1), ("int8_t", 1), ("uchar", 1), ("uint8_t", 1),
                   ("short", 2), ("int16_t", 2), ("ushort", 2), ("uint16_t", 2),
                   ("int", 4), ("int32_t", 4), ("uint", 4), ("uint32_t", 4),
                   ("long", 8), ("int64_t", 8), ("ulong", 8), ("uint64_t", 8),
                   ("half", 2), ("bfloat", 2), ("float", 4), ("size_t", 8),
                   ("ptrdiff_t", 8)]],
    *[(f"{t} is {n} bytes, so aligned (2.2)",
       f"static_assert(sizeof({t}) == {n} && alignof({t}) == {n});", None)
      for t, n in [("bool2", 2), ("char2", 2), ("char3", 4), ("uchar4", 4),
                   ("short2", 4), ("short3", 8), ("ushort4", 8), ("int2", 8),
                   ("int3", 16), ("uint4", 16), ("long2", 16), ("long3", 32),
                   ("half2", 4), ("half3", 8), ("half4", 8), ("float2", 8),
                   ("float3", 16), ("float4", 16)]],
    *[(f"{t} is {n} bytes, aligned to {a} (2.2.3)",
       f"static_assert(sizeof({t}) == {n} && alignof({t}) == {a});", None)
      for t, n, a in [("packed_char3", 3, 1), ("packed_short3", 6, 2),
                      ("packed_ushort2", 4, 2), ("packed_int3", 12, 4),
                      ("packed_uint4", 16, 4), ("packed_half3", 6, 2),
                      ("packed_float2", 8, 4), ("packed_float3", 12, 4),
                      ("packed_long2", 16, 8)]],
    *[(f"{t} is {n} bytes, aligned to {a} (2.3)",
       f"static_assert(sizeof({t}) == {n} && alignof({t}) == {a});", None)
      for t, n, a in [("half2x2", 8, 4), ("half3x3", 24, 8), ("half4x4", 32, 8),
                      ("float2x2", 16, 8), ("float3x2", 24, 8), ("float2x3", 32, 16),
                      ("float3x3", 48, 16), ("float4x2", 32, 8), ("float4x4", 64, 16)]],
    ("int is 32 bits wide (2.1)", "n[0] = 2147483647 + n[1];", None),
    ("suffix u (2.1)", "static_assert(sizeof(1u) == 4); n[0] = 1u;", None),
    ("suffix l (2.1)", "static_assert(sizeof(1l) == 8); n[0] = 1l;", None),
    ("suffix ul (2.1)", "static_assert(sizeof(1ul) == 8); n[0] = 1ul;", None),
    ("suffix h (2.1)", "static_assert(sizeof(1.0h) == 2); f[0] = 1.0h;", None),
    ("suffix H (2.1)", "static_assert(sizeof(1.0H) == 2); f[0] = 1.0H;", None),
    ("suffix bf (2.1)", "static_assert(sizeof(1.0bf) == 2); f[0] = 1.0bf;", None),
    ("suffix F (2.1)", "static_assert(sizeof(1.0F) == 4); f[0] = 1.0F;", None),
    ("hexadecimal floats (2.1)", "f[0] = 0x1.8p3f;", None),
    ("binary literals (2.1)", "n[0] = 0b101;", None),
    ("digit separators (C++14)", "n[0] = 1'000'000;", None),
    ("char is signed (2.1)", "static_assert(char(-1) < 0);", None),
    ("components xyzw (2.2)", "float4 v = 1; f[0] = v.x + v.y + v.z + v.w;", None),
    ("components rgba (2.2)", "float4 v = 1; f[0] = v.r + v.g + v.b + v.a;", None),
    ("components by index (2.2)", "float4 v = 1; f[0] = v[0] + v[3];", None),
    ("no third of two (2.2)", "float2 v = 1; f[0] = v.z;", "no member named 'z'"),
    ("no fourth of three (2.2)", "float3 v = 1; f[0] = v.w;", "no member named 'w'"),
    ("no fifth component (2.2)", "float4 v = 1; f[0] = v.s;", "no member named 's'"),
    ("constant index out of range (2.2)", "float4 v = 1; f[0] = v[4];", "out of range"),
    ("negative constant index (2.2)", "int2 v = 1; n[0] = v[-1];", "out of range"),
    ("five components (2.2)", "float4 v = 1; f[0] = v.xyzwx.x;", "no member named"),
    ("swizzles repeat when read (2.2)", "float4 v = 1; f[0] = v.xxxx.w;", None),
    ("a swizzle of a swizzle (2.2)", "float4 v = 1; f[0] = v.wzyx.xy.y;", None),
    ("swizzle store of two (2.2)", "float4 v = 1; v.yz = float2(1, 2); f[0] = v.z;", None),
    ("compound swizzle store (2.2)", "float4 v = 1; v.xy += float2(1); f[0] = v.x;", None),
    ("swizzle of packed (2.2.3)", "packed_float3 v = 1; f[0] = v.zyx.x;", None),
    ("packed index (2.2.3)", "packed_float3 v = 1; v[1] = 2; f[0] = v[1];", None),
    ("packed to vector (2.2.3)", "packed_float3 p = 1; float3 v = p; f[0] = v.x;", None),
    ("vector to packed (2.2.3)", "float3 v = 1; packed_float3 p = v; f[0] = p.x;", None),
    ("nested vector constructor (2.2.1)",
     "float4 v = float4(float3(1, 2, 3), 4); f[0] = v.w;", None),
    ("scalar and vector (2.2.1)", "float3 v = float3(1, float2(2, 3)); f[0] = v.z;", None),
    ("braces (2.2.1)", "float3 v = {1, 2, 3}; f[0] = v.z;", None),
    ("too many scalars (2.2.1)", "int2 v = int2(1, 2, 3); n[0] = v.x;", "no matching"),
    ("too few scalars (2.2.1)", "int3 v = int3(1, 2); n[0] = v.x;", "needs 3"),
    ("different length (2.2.2)", "float3 a = 1; float2 b = a; f[0] = b.x;", "no viable"),
    ("different elements (2.2.2)", "float3 a = 1; half3 b = a; f[0] = b.x;", "no viable"),
    ("vec<T, n> (2.2)", "vec<float, 3> v = float3(1); f[0] = v.y;", None),
    ("matrix columns (2.3)", "float2x2 m(float2(1, 2), float2(3, 4)); f[0] = m[1].x;", None),
    ("matrix scalars (2.3.2)", "float2x2 m(1, 2, 3, 4); f[0] = m[1][0];", None),
    ("matrix columns in braces (2.3)",
     "float2x2 m{{1, 2}, {3, 4}}; half3x2 h = {{1, 2}, {3, 4}, {5, 6}}; "
     "f[0] = m[1].x + h[2].y + float2x2({1, 2}, {3, 4})[1][1];", None),
    ("matrix columns of a wrong length (2.3)",
     "float2x2 m{{1, 2, 3}, {3, 4, 5}};", "no matching constructor"),
    ("matrix of half (2.3)", "half4x4 m(1.0h); f[0] = m[3][3];", None),
    ("matrix of int (2.3)", "int2x2 m;", "int2x2"),
    ("matrix<T, c, r> (2.3)", "matrix<float, 3, 2> m = float3x2(1); f[0] = m[2].y;", None),
    ("as_type same size (2.17)", "n[0] = as_type<int>(f[0]);", None),
    ("as_type of vectors (2.17)", "f[0] = as_type<float2>(uint2(1)).x;", None),
    ("as_type other size (2.17)", "n[0] = as_type<int>(short(1));", "same size"),
    ("atomic_int (2.6)", "threadgroup atomic_int a; atomic_store_explicit(&a, 1,"
     " memory_order_relaxed);", None),
    ("atomic_uint (2.6)", "threadgroup atomic_uint a; atomic_store_explicit(&a, 1u,"
     " memory_order_relaxed);", None),
    ("atomic_bool (2.6)", "threadgroup atomic_bool a; atomic_store_explicit(&a, true,"
     " memory_order_relaxed);", None),
    ("atomic<int> (2.6)", "threadgroup atomic<int> a; atomic_fetch_add_explicit(&a, 1,"
     " memory_order_relaxed);", None),
    ("array<T, n> (2.12)", "array<float, 4> a = {1, 2, 3, 4}; f[0] = a[3] + a.size();", None),
    ("enumerations (C++17)", "enum class E { a, b }; n[0] = int(E::b);", None),
    ("unions (C++17)", "union U { float f; uint u; } u; u.f = 1; n[0] = u.u;", None),
    ("bit fields (C++17)", "struct S { uint a : 3; } s; s.a = 5; n[0] = s.a;", None),
    ("auto (C++17)", "auto x = f[0]; f[1] = x;", None),
    ("if constexpr (C++17)", "if constexpr (sizeof(int) == 4) n[0] = 1;", None),
    ("structured bindings (C++17)",
     "struct P { int a, b; }; auto [a, b] = P{1, 2}; n[0] = a + b;", None),
    ("fold expressions (C++17)",
     "scope: template <typename... T> int sum(T... x) { return (x + ... + 0); }", None),
]  # fmt: skip

# Section 3: operators.
OPERATORS = [
    *[(f"vector {op} vector (3.1)", f"float3 a = 1, b = 2; f[0] = (a {op} b).y;", None)
      for op in "+-*/"],
    *[(f"vector {op} scalar (3.1)", f"float3 a = 1; f[0] = (a {op} 2.0f).y;", None)
      for op in "+-*/"],
    *[(f"int vector {op} int vector (3.1)", f"int3 a = 1, b = 2; n[0] = (a {op} b).y;", None)
      for op in ("%", "&", "|", "^", "<<", ">>")],
    *[(f"comparison {op} gives bool3 (3.1)",
       f"float3 a = 1, b = 2; bool3 r = a {op} b; n[0] = r.x;", None)
      for op in ("<", ">", "<=", ">=", "==", "!=")],
    *[(f"float {op} float (3.1)", f"f[0] = f[1] {op} f[2];", "invalid operands")
      for op in ("%", "&", "|", "^", "<<", ">>")],
    ("~ of an integer vector (3.1)", "int3 a = 1; n[0] = (~a).x;", None),
    ("~ of a float (3.1)", "f[0] = ~f[1];", "invalid argument type"),
    ("! of a bool vector (3.1)", "bool3 a = true; n[0] = (!a).x;", None),
    ("&& of bool vectors (3.1)", "bool3 a = true, b = false; n[0] = (a && b).x;", None),
    ("?: with a vector condition (3.1)",
     "bool3 c = true; float3 v = c ? float3(1) : float3(2);", ""),
    ("++ of a vector (3.1)", "int3 a = 1; ++a; a--; n[0] = a.x;", None),
    ("vectors of different lengths (3.1)",
     "float3 a = 1; float2 b = 1; f[0] = (a + b).x;", "invalid operands"),
    ("vectors of different elements (3.1)",
     "float3 a = 1; int3 b = 1; f[0] = (a + b).x;", "invalid operands"),
    ("matrix * vector (3.2)", "float3x3 m(1); float3 v = 1; f[0] = (m * v).x;", None),
    ("vector * matrix (3.2)", "float3x3 m(1); float3 v = 1; f[0] = (v * m).x;", None),
    ("matrix * matrix (3.2)", "float2x3 a(1); float3x2 b(1); f[0] = (a * b)[0][0];", None),
    ("matrix * scalar (3.2)", "float3x3 m(1); f[0] = (m * 2.0f)[0][0];", None),
    ("matrix + matrix (3.2)", "float3x3 m(1); f[0] = (m + m)[0][0];", None),
    ("matrix sizes that do not fit (3.2)",
     "float2x2 a(1); float3x3 b(1); f[0] = (a * b)[0][0];", "invalid operands"),
    ("matrix + scalar (3.2)", "float2x2 a(1); f[0] = (a + 1.0f)[0][0];", "invalid"),
    ("negated matrix (3.2)", "float2x2 a(1); f[0] = (-a)[0][0];", None),
]  # fmt: skip

# Section 6: the library.
UNARY = """acos acosh asin asinh atan atanh ceil cos cosh cospi exp exp2 exp10 fabs
floor fract log log2 log10 rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi trunc
saturate sign""".split()
BINARY = "atan2 copysign fdim fmax fmin fmod pow powr max min step nextafter".split()
TERNARY = "clamp fma mix smoothstep fmax3 fmin3 fmedian3 max3 min3 median3".split()
INTEGER = "abs clz ctz popcount reverse_bits".split()
INTEGER2 = "absdiff addsat hadd mulhi rhadd rotate subsat max min".split()
INTEGER3 = "clamp madhi madsat mad24 max3 min3 median3".split()
GROUP = """simd_sum simd_product simd_min simd_max simd_broadcast_first
simd_prefix_inclusive_sum simd_prefix_exclusive_sum quad_sum quad_min quad_max""".split()
LIBRARY = [
    *[(f"{name} of float, half and vectors (6.5)",
       f"f[0] = {name}(f[1]) + {name}(half(1)) + {name}(float3(1)).x;", None)
      for name in UNARY],
    *[(f"{name} of float, half and vectors (6.5)",
       f"f[0] = {name}(f[1], f[2]) + {name}(half(1), half(2)) +"
       f" {name}(float3(1), float3(2)).x;", None) for name in BINARY],
    *[(f"{name} of float and vectors (6.3, 6.5)",
       f"f[0] = {name}(f[1], f[2], f[3]) + {name}(float3(1), float3(2), float3(3)).x;",
       None) for name in TERNARY],
    *[(f"{name} of integers (6.4)",
       f"n[0] = {name}(n[1]) + {name}(short(1)) + {name}(int3(1)).x;", None)
      for name in INTEGER],
    *[(f"{name} of integers (6.4)",
       f"n[0] = {name}(n[1], n[2]) + {name}(uint3(1), uint3(2)).x;", None)
      for name in INTEGER2],
    *[(f"{name} of integers (6.4)", f"n[0] = {name}(n[1], n[2], n[3]);", None)
      for name in INTEGER3],
    *[(f"{name} (6.9.2, 6.9.3)", f"f[0] = {name}(f[1]); n[0] = {name}(n[1]);", None)
      for name in GROUP],
    *[(f"{name} does not exist (6.5)", f"f[0] = {name}(f[1]);", "undeclared")
      for name in ("erf", "expm1", "log1p", "cbrt", "tgamma", "lgamma")],
    *[(f"{name} of two does not exist (6.5)", f"f[0] = {name}(f[1], f[2]);", "undeclared")
      for name in ("hypot", "remainder")],
    *[(f"{name} returns bool (6.6)", f"static_assert(sizeof({name}(f[0])) == 1);", None)
      for name in ("isnan", "isinf", "isfinite", "isnormal", "signbit")],
    ("sincos (6.5)", "float x; f[0] = sincos(f[1], x); f[1] = x;", None),
    ("frexp (6.5)", "int e; f[0] = frexp(f[1], e); n[0] = e;", None),
    ("ldexp (6.5)", "f[0] = ldexp(f[1], 3);", None),
    ("modf (6.5)", "float w; f[0] = modf(f[1], w); f[1] = w;", None),
    ("ilogb (6.5)", "n[0] = ilogb(f[1]);", None),
    ("precise:: (6.5)", "f[0] = precise::sin(f[1]);", None),
    ("fast:: (6.5)", "f[0] = fast::sin(f[1]);", None),
    ("select (6.6)", "f[0] = select(f[1], f[2], n[0] > 0);", None),
    ("select of vectors (6.6)", "f[0] = select(float3(1), float3(2), bool3(true)).x;", None),
    ("all and any (6.6)", "n[0] = all(bool3(true)) + any(bool3(false));", None),
    ("dot (6.8)", "f[0] = dot(float3(1), float3(2));", None),
    ("dot of integers (6.8)", "n[0] = dot(int3(1), int3(2));", "dot takes floating"),
    ("cross (6.8)", "f[0] = cross(float3(1), float3(2)).x;", None),
    ("cross of two components (6.8)", "f[0] = cross(float2(1), float2(2)).x;", "no matching"),
    ("length, distance, normalize (6.8)",
     "f[0] = length(float3(1)) + distance(float3(1), float3(2)) + normalize(float3(1)).x;",
     None),
    ("determinant, transpose (6.7)",
     "f[0] = determinant(float3x3(1)) + transpose(float2x3(1))[0][0];", None),
    ("determinant is of square matrices (6.7)", "f[0] = determinant(float2x3(1));", "no matching"),
    ("extract_bits (6.4)", "n[0] = extract_bits(n[1], 3, 4);", None),
    ("insert_bits (6.4)", "n[0] = insert_bits(n[1], n[2], 3, 4);", None),
    ("pack (6.14)", "n[0] = pack_float_to_unorm4x8(float4(1));", None),
    ("unpack (6.14)", "f[0] = unpack_unorm4x8_to_float(uint(n[0])).x;", None),
    ("sin of text", 'f[0] = sin("1");', "no matching"),
    ("sin of nothing", "f[0] = sin();", "no matching"),
    ("two arguments of three", "f[0] = clamp(f[1], f[2]);", "no matching"),
    ("threadgroup_barrier (6.9.1)", "threadgroup_barrier(mem_flags::mem_threadgroup);", None),
    ("barrier flags join (6.9.1)",
     "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);", None),
    ("a barrier wants flags (6.9.1)", "threadgroup_barrier();", "no matching"),
    ("flags are no integers (6.9.1)", "threadgroup_barrier(1);", "no matching"),
    ("simdgroup_barrier (6.9.1)", "simdgroup_barrier(mem_flags::mem_none);", None),
    ("simd_shuffle (6.9.2)", "f[0] = simd_shuffle(f[1], 3);", None),
    ("simd_ballot (6.9.2)", "n[0] = simd_all(n[1] > 0) + simd_any(n[1] > 0);", None),
    ("simd_and of integers (6.9.2)", "n[0] = simd_and(n[1]);", None),
    ("an atomic of a plain int (6.15)",
     "atomic_fetch_add_explicit(n, 1, memory_order_relaxed);", "atomic_int"),
    ("an atomic needs an order (6.15)",
     "threadgroup atomic_int a; atomic_fetch_add_explicit(&a, 1);", "no matching"),
    ("only relaxed before 4.1 (6.15)", "threadgroup atomic_int a;"
     "atomic_fetch_add_explicit(&a, 1, memory_order_bogus);", "memory_order_bogus"),
    ("simdgroup matrices (6.7)", "simdgroup_float8x8 a(1), b(2), d; simdgroup_multiply(d, a, b);"
     " simdgroup_store(d, f, 8);", None),
    ("numeric_limits (6.10)", "n[0] = numeric_limits<int>::max();", None),
    ("type traits (6.13)", "static_assert(is_same_v<float, float> && is_floating_point_v<half>);",
     None),
    ("the std library (1.5)", "std::sort(f, f + 1);", "std"),
    ("assert (1.5)", "assert(f[0] > 0);", "undeclared"),
    ("printf (1.5)", 'printf("x");', "undeclared"),
]  # fmt: skip

# Sections 4 and 5: address spaces, functions, attributes.
KERNELS = [
    *[(f"[[{name}]] of uint (5.2.3)",
       f"kernel void b(device uint *p, uint i [[{name}]]) {{ p[0] = i; }}", None)
      for name in """thread_position_in_grid threads_per_grid threads_per_threadgroup
      thread_position_in_threadgroup thread_index_in_threadgroup threads_per_simdgroup
      threadgroup_position_in_grid threadgroups_per_grid thread_index_in_simdgroup
      simdgroup_index_in_threadgroup simdgroups_per_threadgroup
      thread_index_in_quadgroup quadgroup_index_in_threadgroup
      dispatch_threads_per_threadgroup thread_execution_width""".split()],
    *[(f"[[{name}]] of {t} (5.2.3)",
       f"kernel void b(device uint *p, {t} i [[{name}]]) {{ p[0] = i.x; }}", None)
      for name in ("thread_position_in_grid", "threads_per_grid",
                   "thread_position_in_threadgroup", "threadgroup_position_in_grid")
      for t in ("uint2", "uint3", "ushort3")],
    *[(f"[[{name}]] is a scalar (5.2.3)",
       f"kernel void b(device uint *p, uint2 i [[{name}]]) {{ p[0] = i.x; }}",
       "cannot have type")
      for name in ("thread_index_in_threadgroup", "thread_index_in_simdgroup",
                   "simdgroup_index_in_threadgroup", "threads_per_simdgroup")],
    *[(f"no attribute of {t} (5.2.3)",
       f"kernel void b(device uint *p, {t} i [[thread_position_in_grid]]) {{}}",
       "cannot have type") for t in ("half", "float2", "bool", "uint4")],
    ("a misspelt attribute (5.2.3)",
     "kernel void b(device uint *p, uint i [[thred_position_in_grid]]) {}",
     "did you mean 'thread_position_in_grid'"),
    ("[[kernel]] (5.1)", "[[kernel]] void b(device uint *p) { p[0] = 1; }\nkernel void c() {}",
     None),
    ("kernels do not return (5.1)", "kernel float b() { return 1; }\nkernel void c() {}",
     "must return void"),
    ("host_name (5.1)", '[[host_name("x")]] kernel void b(device uint *p) { p[0] = 1; }', None),
    ("host_name is not empty (5.1)", '[[host_name("")]] kernel void b() {}', "host_name"),
    ("two of one name (5.1)",
     '[[host_name("x")]] kernel void b() {}\n[[host_name("x")]] kernel void c() {}',
     "second kernel"),
    ("template kernels (5.1)",
     "template <typename T> [[kernel]] void b(device T *p) { p[0] = 1; }\n"
     'template [[host_name("bi")]] [[kernel]] void b<int>(device int *);\nkernel void c() {}',
     None),
    ("kernels in namespaces (5.1)", "namespace a { kernel void b(device uint *p) { p[0] = 1; } }",
     None),
    ("buffer index range (5.2.1)", "kernel void b(device int *p [[buffer(31)]]) {}",
     "out of range"),
    ("buffer index sign (5.2.1)", "kernel void b(device int *p [[buffer(-1)]]) {}",
     "non-negative"),
    ("buffer index is a number (5.2.1)", 'kernel void b(device int *p [[buffer("a")]]) {}',
     "integer constant"),
    ("references (5.2.1)", "kernel void b(device int &p, constant float &c) { p = c; }", None),
    ("structs by reference (5.2.1)",
     "struct S { float a; int b; };\n"
     "kernel void b(constant S &s, device float *p) { p[0] = s.a + s.b; }", None),
    ("structs by value (5.2.1)", "struct S { float a; };\nkernel void b(S s) {}", "no attribute"),
    ("threadgroup arguments (5.2.2)",
     "kernel void b(threadgroup float *t [[threadgroup(0)]]) { t[0] = 1; }", None),
    ("31 buffers (5.2.1)",
     "kernel void b(" + ", ".join(f"device int *p{i}" for i in range(32)) + ") {}",
     "more than 31"),
    ("max_total_threads_per_threadgroup (5.1.3)",
     "[[max_total_threads_per_threadgroup(64)]] kernel void b() {}", None),
    ("of none (5.1.3)", "[[max_total_threads_per_threadgroup(0)]] kernel void b() {}", "thread"),
    ("function constants (5.8)",
     "constant int a [[function_constant(0)]];\n"
     "kernel void b(device int *p) { p[0] = is_function_constant_defined(a) ? a : 3; }", None),
    ("have no initialiser (5.8)",
     "constant int a [[function_constant(0)]] = 1;\nkernel void b() {}", "initialiser"),
    ("one index, one constant (5.8)",
     "constant int a [[function_constant(0)]];\nconstant int c [[function_constant(0)]];\n"
     "kernel void b() {}", "same index"),
    ("index range (5.8)",
     "constant int a [[function_constant(65536)]];\nkernel void b() {}", "65535"),
    ("textures (2.9)",
     "kernel void b(texture2d<float> t [[texture(0)]]) {}", "not supported"),
    ("samplers (2.10)", "kernel void b(sampler s [[sampler(0)]]) {}", "not supported"),
    ("static kernels (5.1)", "static kernel void b(device int *p) { p[0] = 1; }", None),
    ("kernels without a namespace's name (5.1)",
     "namespace { kernel void b(device int *p) { p[0] = 1; } }", None),
    ("function pointers (2.3)",
     "int g(int x) { return x; }\nkernel void b(device int *p)"
     " { int (*q)(int) = g; p[0] = q(1); }", None),
    ("virtual functions (1.5.4)", "struct S { virtual void f() {} };\nkernel void b() {}",
     "virtual"),
    ("asm (1.5.4)", 'asm("nop");\nkernel void b() {}', "asm"),
    ("extern (1.5.4)", "extern constant int a;\nkernel void b() {}", "extern"),
    ("undefined functions (5.1)",
     "int g(int);\nkernel void b(device int *p) { p[0] = g(1); }", "does not define"),
    ("recursive macros (C++17)", "#define A A\nkernel void b() {}", None),
    ("long double (2.1)", "kernel void b() { long double x = 1; }", "Metal has no double"),
    ("an undeclared name (C++17)", "kernel void b(device int *p) { p[id] = p[id + 1]; }", "'id'"),
    ("a misspelt type (C++17)", "kernel void b(device flaot *p) {}", "did you mean 'float'"),
    ("a misspelt function (C++17)",
     "kernel void b(device float *p) { p[0] = clmap(p[1], 0.0f, 1.0f); }",
     "did you mean 'clamp'"),
    ("a misspelt namespace (C++17)", "using namespace mteal;\nkernel void b() {}",
     "did you mean 'metal'"),
    ("a misspelt header (1.5.2)", "#include <metal_stdlb>\nkernel void b() {}",
     "did you mean 'metal_stdlib'"),
    ("a misspelt flag (6.9.1)",
     "kernel void b() { threadgroup_barrier(mem_flags::mem_threadgrup); }",
     "did you mean 'mem_threadgroup'"),
    ("an unknown pragma value (1.6.3)",
     "#pragma METAL fp math_mode(bogus)\nkernel void b() {}", "math_mode"),
    ("pragmas (1.6.3)",
     "#pragma METAL fp math_mode(safe)\n#pragma METAL fp contract(off)\nkernel void b() {}", None),
]  # fmt: skip

MORE_RULES = [*TYPES, *OPERATORS, *LIBRARY, *KERNELS]
