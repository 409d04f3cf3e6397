//===- UndefinedConstants.h - Function constants without values -*- C++ -*-===//
#ifndef BESSEMER_MSL_UNDEFINEDCONSTANTS_H
#define BESSEMER_MSL_UNDEFINEDCONSTANTS_H

#include "msl/Reflection.h"

namespace bessemer::msl {

/// A source is read with zeros for the function constants that the host gave no
/// value. This notes which of them each kernel with code would use, directly,
/// in functions it calls, or by way of constants computed from them. Code that
/// is_function_constant_defined() switches off does not count.
void findMissingConstants(clang::ASTContext &context,
                          const ReflectedSource &reflected,
                          std::vector<KernelRecord> &kernels);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_UNDEFINEDCONSTANTS_H
