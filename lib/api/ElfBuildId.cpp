//===- ElfBuildId.cpp - The GNU build id of an ELF file -------------------===//
#include "api/ElfBuildId.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <optional>

using namespace bessemer;

/// A struct at `offset`, if it lies inside.
template <typename T>
static std::optional<T> readAt(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

static std::string toHex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

static std::string buildIdInNotes(std::string_view notes) {
  auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t(3); };
  while (auto header = readAt<ElfW(Nhdr)>(notes, 0)) {
    uint64_t data = sizeof(*header) + padded(header->n_namesz);
    if (data + header->n_descsz > notes.size())
      return {};
    if (header->n_type == NT_GNU_BUILD_ID &&
        notes.substr(sizeof(*header), header->n_namesz) ==
            std::string_view("GNU\0", 4))
      return toHex(notes.substr(data, header->n_descsz));
    uint64_t next = data + padded(header->n_descsz);
    if (next > notes.size())
      return {};
    notes.remove_prefix(next);
  }
  return {};
}

std::string api::elfBuildId(std::string_view file) {
  auto header = readAt<ElfW(Ehdr)>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] !=
          (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
    return {};
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    auto segment = readAt<ElfW(Phdr)>(
        file, header->e_phoff + uint64_t(i) * header->e_phentsize);
    if (!segment)
      return {};
    if (segment->p_type != PT_NOTE || segment->p_offset > file.size())
      continue;
    std::string id =
        buildIdInNotes(file.substr(segment->p_offset, segment->p_filesz));
    if (!id.empty())
      return id;
  }
  return {};
}
