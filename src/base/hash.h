// SHA-256: content addresses, the log's chain, digests of tasks and candidates; HMAC-SHA256 for the judge's sub-keys.
// Pure functions over bytes; nothing can fail. Digest compares as bytes and prints as 64 lower-case hex digits.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hone {

using Bytes = std::span<const std::byte>;

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

struct Digest {
  std::array<uint8_t, 32> bytes{};

  std::string hex() const;
  std::string short_hex() const { return hex().substr(0, 12); }
  static std::optional<Digest> from_hex(std::string_view hex);
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  Sha256& add(Bytes bytes);
  Sha256& add(std::string_view text) { return add(bytes_of(text)); }
  // Length-prefixed, so that ("ab","c") and ("a","bc") differ.
  Sha256& add_field(std::string_view text);
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest sha256(Bytes bytes);
inline Digest sha256(std::string_view text) { return sha256(bytes_of(text)); }
Digest hmac_sha256(Bytes key, Bytes message);

std::string to_hex(std::span<const uint8_t> bytes);

}  // namespace hone
