//===- Keywords.cpp - Words of the language -------------------------------===//
#include "msl/Keywords.h"

#include "clang/Basic/IdentifierTable.h"

using namespace bessemer;
using namespace clang;

void msl::setKeywords(IdentifierTable &identifiers) {
  auto keyword = [&](const char *name, tok::TokenKind kind) {
    IdentifierInfo &info = identifiers.get(name);
    if (info.getTokenID() == tok::identifier)
      info.revertIdentifierToTokenID(kind);
  };
  keyword("__global", tok::kw___global);
  keyword("__local", tok::kw___local);
  keyword("__constant", tok::kw___constant);
  // `double` is declared in the headers, as unavailable.
  for (const char *name :
       {"float", "double", "global", "local", "constant", "kernel", "generic",
        "read_only", "write_only", "read_write", "pipe", "vec_step"}) {
    IdentifierInfo &info = identifiers.get(name);
    if (info.getTokenID() != tok::identifier)
      info.revertTokenIDToIdentifier();
  }
  // Metal's floating types in Clang's terms (Target.cpp).
  keyword("__bfloat", tok::kw_float);
  keyword("float", tok::kw_double);
  keyword("__double", tok::kw_double);
}
