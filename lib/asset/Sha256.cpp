//===- Sha256.cpp - SHA-256 through libcrypto -----------------------------===//
#include "asset/Asset.h"

#include <openssl/sha.h>

using namespace bessemer;

std::array<uint8_t, 32> asset::sha256(std::string_view bytes) {
  std::array<uint8_t, 32> digest;
  static_assert(digest.size() == SHA256_DIGEST_LENGTH);
  SHA256(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(),
         digest.data());
  return digest;
}

std::string asset::toHex(const std::array<uint8_t, 32> &digest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}
