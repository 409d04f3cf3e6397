// Numeric macros and constants.
#pragma once

#define INFINITY __builtin_inf()
#define NAN __builtin_nan("")
#define HUGE_VALF __builtin_inf()
#define HUGE_VALH ((half)__builtin_inf())
#define MAXFLOAT 3.40282347e+38
#define FLT_MAX 3.40282347e+38
#define FLT_MIN 1.17549435e-38
#define FLT_EPSILON 1.19209290e-07
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MAXHALF ((half)65504.0)
#define HALF_MAX ((half)65504.0)
#define HALF_MIN ((half)6.103515625e-05)
#define HALF_EPSILON ((half)9.765625e-04)
#define HALF_DIG 2
#define HALF_MANT_DIG 11
#define HALF_MAX_EXP 16
#define HALF_MIN_EXP (-13)

#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1l)
#define ULONG_MAX 18446744073709551615ul

#define M_E_F 2.71828182845904523536
#define M_LOG2E_F 1.44269504088896340736
#define M_LOG10E_F 0.43429448190325182765
#define M_LN2_F 0.69314718055994530942
#define M_LN10_F 2.30258509299404568402
#define M_PI_F 3.14159265358979323846
#define M_PI_2_F 1.57079632679489661923
#define M_PI_4_F 0.78539816339744830962
#define M_1_PI_F 0.31830988618379067154
#define M_2_PI_F 0.63661977236758134308
#define M_2_SQRTPI_F 1.12837916709551257390
#define M_SQRT2_F 1.41421356237309504880
#define M_SQRT1_2_F 0.70710678118654752440
#define M_E_H ((half)M_E_F)
#define M_LOG2E_H ((half)M_LOG2E_F)
#define M_LOG10E_H ((half)M_LOG10E_F)
#define M_LN2_H ((half)M_LN2_F)
#define M_LN10_H ((half)M_LN10_F)
#define M_PI_H ((half)M_PI_F)
#define M_PI_2_H ((half)M_PI_2_F)
#define M_PI_4_H ((half)M_PI_4_F)
#define M_1_PI_H ((half)M_1_PI_F)
#define M_2_PI_H ((half)M_2_PI_F)
#define M_2_SQRTPI_H ((half)M_2_SQRTPI_F)
#define M_SQRT2_H ((half)M_SQRT2_F)
#define M_SQRT1_2_H ((half)M_SQRT1_2_F)
