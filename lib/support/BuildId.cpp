//===- BuildId.cpp - Identity of the linked code --------------------------===//
#include "support/BuildId.h"

#include <cstdint>
#include <cstring>
#include <link.h>

using namespace bessemer;

namespace {
struct Search {
  uintptr_t address; ///< Some address inside the wanted object.
  std::string found;
};
} // namespace

static bool contains(const dl_phdr_info &object, uintptr_t address) {
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin &&
        address < begin + segment.p_memsz)
      return true;
  }
  return false;
}

static std::string toHex(const unsigned char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

/// The GNU build id in one PT_NOTE segment, or nothing.
static std::string buildIdIn(const char *note, const char *end) {
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, note, sizeof(header));
    const char *name = note + sizeof(header);
    const char *data = name + ((header.n_namesz + 3) & ~3u);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        std::memcmp(name, "GNU", 4) == 0)
      return toHex(reinterpret_cast<const unsigned char *>(data),
                   header.n_descsz);
    note = data + ((header.n_descsz + 3) & ~3u);
  }
  return {};
}

static int visit(dl_phdr_info *object, size_t, void *opaque) {
  auto &search = *static_cast<Search *>(opaque);
  if (!contains(*object, search.address))
    return 0;
  for (unsigned i = 0; i < object->dlpi_phnum && search.found.empty(); ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *note =
        reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr);
    search.found = buildIdIn(note, note + segment.p_memsz);
  }
  return 1;
}

const std::string &bessemer::buildId() {
  static const std::string id = [] {
    Search search{reinterpret_cast<uintptr_t>(&visit), {}};
    dl_iterate_phdr(visit, &search);
    return search.found;
  }();
  return id;
}
