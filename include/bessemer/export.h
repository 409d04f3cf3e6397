//===- export.h - Symbols of the shared library -----------------*- C++ -*-===//
#ifndef BESSEMER_EXPORT_H
#define BESSEMER_EXPORT_H

/// Marks what libbessemer exports; everything else in it is hidden.
#define BESSEMER_API __attribute__((visibility("default")))

#endif // BESSEMER_EXPORT_H
