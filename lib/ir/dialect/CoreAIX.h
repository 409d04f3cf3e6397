//===- CoreAIX.h - The coreaix dialect --------------------------*- C++ -*-===//
#ifndef BESSEMER_IR_DIALECT_COREAIX_H
#define BESSEMER_IR_DIALECT_COREAIX_H

#include "ir/dialect/CoreAI.h"

#include "ir/dialect/CoreAIXDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/dialect/CoreAIXAttributes.h.inc"

#define GET_OP_CLASSES
#include "ir/dialect/CoreAIX.h.inc"

#endif // BESSEMER_IR_DIALECT_COREAIX_H
