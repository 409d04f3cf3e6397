//===- TextLimits.cpp - Text that the parser must not see -----------------===//
#include "ir/TextLimits.h"

#include "llvm/ADT/StringRef.h"

using namespace bessemer;
using llvm::StringRef;

static constexpr unsigned deepestNesting = 1000;

/// The index behind a string literal that starts at `i`.
static size_t skipString(StringRef text, size_t i) {
  for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    if (text[i] == '\\')
      ++i;
  return i + 1;
}

static Error errorAt(StringRef text, size_t i, const std::string &message) {
  StringRef before = text.take_front(i);
  size_t line = before.count('\n') + 1;
  size_t column = i - (before.rfind('\n') + 1) + 1;
  return makeError(ErrorKind::InvalidArgument, std::to_string(line) + ":" +
                                                   std::to_string(column) +
                                                   ": " + message);
}

Status bessemer::checkTextLimits(std::string_view view) {
  StringRef text(view.data(), view.size());
  unsigned depth = 0;
  for (size_t i = 0; i < text.size();) {
    StringRef rest = text.drop_front(i);
    if (rest.front() == '"') {
      i = skipString(text, i);
      continue;
    }
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (rest.starts_with("affine_map<") || rest.starts_with("affine_set<"))
      return errorAt(text, i, "programs have no affine maps or sets");
    if (rest.starts_with("->")) {
      i += 2;
      continue;
    }
    if (StringRef("([{<").contains(rest.front()) && ++depth > deepestNesting)
      return errorAt(text, i,
                     "brackets are nested more than " +
                         std::to_string(deepestNesting) + " deep");
    if (StringRef(")]}>").contains(rest.front()) && depth > 0)
      --depth;
    ++i;
  }
  return {};
}
