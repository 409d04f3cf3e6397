//===- Keywords.h - Words of the language -----------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_KEYWORDS_H
#define BESSEMER_MSL_KEYWORDS_H

namespace clang {
class IdentifierTable;
} // namespace clang

namespace bessemer::msl {

/// Frees the names that OpenCL and C++ reserve and Metal does not, and makes
/// keywords of the forms with underscores that the headers use.
void setKeywords(clang::IdentifierTable &identifiers);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_KEYWORDS_H
