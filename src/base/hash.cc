#include "base/hash.h"

#include <openssl/sha.h>

#include <vector>

namespace hone {

// The low-level SHA256_* functions: the EVP interface would pull all of libcrypto into the static binary.
struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256::~Sha256() = default;

Sha256& Sha256::add(Bytes bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::add_field(std::string_view text) {
  const uint64_t size = text.size();
  std::array<std::byte, 8> prefix{};
  for (size_t i = 0; i < prefix.size(); ++i) prefix[i] = static_cast<std::byte>(size >> (8 * i));
  return add(prefix).add(text);
}

Digest Sha256::finish() {
  Digest digest;
  SHA256_Final(digest.bytes.data(), &state_->context);
  return digest;
}

Digest sha256(Bytes bytes) { return Sha256().add(bytes).finish(); }

Digest hmac_sha256(Bytes key, Bytes message) {
  constexpr size_t k_block_bytes = 64;
  std::array<std::byte, k_block_bytes> inner{};
  std::array<std::byte, k_block_bytes> outer{};
  std::vector<std::byte> used(key.begin(), key.end());
  if (used.size() > k_block_bytes) {
    const Digest hashed = sha256(key);
    const auto view = std::as_bytes(std::span(hashed.bytes));
    used.assign(view.begin(), view.end());
  }
  used.resize(k_block_bytes);
  for (size_t i = 0; i < k_block_bytes; ++i) {
    inner[i] = used[i] ^ std::byte{0x36};
    outer[i] = used[i] ^ std::byte{0x5c};
  }
  const Digest first = Sha256().add(inner).add(message).finish();
  return Sha256().add(outer).add(std::as_bytes(std::span(first.bytes))).finish();
}

std::string to_hex(std::span<const uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string Digest::hex() const { return to_hex(bytes); }

namespace {

std::optional<uint8_t> nibble(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint8_t>(c - 'a' + 10);
  return std::nullopt;
}

}  // namespace

std::optional<Digest> Digest::from_hex(std::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.bytes.size()) return std::nullopt;
  for (size_t i = 0; i < digest.bytes.size(); ++i) {
    const auto high = nibble(hex[2 * i]);
    const auto low = nibble(hex[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    digest.bytes[i] = static_cast<uint8_t>(*high << 4 | *low);
  }
  return digest;
}

}  // namespace hone
