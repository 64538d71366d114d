#include "judge/keys.h"

#include <string.h>

#include <string>

#include "base/random.h"

namespace hone::judge {

namespace {

void append_field(std::string& message, std::string_view text) {
  message += std::to_string(text.size());
  message += ':';
  message += text;
}

}  // namespace

Secret::Secret() : bytes_(random_secret()) {}

Digest Secret::sub_key(const LaunchName& name) const {
  std::string message;
  for (const std::string_view text : {name.purpose, name.case_id, name.stage}) append_field(message, text);
  for (const uint64_t number : {name.round, name.attempt, name.launch}) append_field(message, std::to_string(number));
  return hmac_sha256(std::as_bytes(std::span(bytes_)), bytes_of(message));
}

uint64_t Draws::next() {
  const uint64_t counter = counter_++;
  const Digest block = hmac_sha256(std::as_bytes(std::span(key_.bytes)), std::as_bytes(std::span(&counter, 1)));
  uint64_t value = 0;
  memcpy(&value, block.bytes.data(), sizeof value);
  return value;
}

uint64_t Draws::below(uint64_t limit) {
  const uint64_t fair = UINT64_MAX - UINT64_MAX % limit;
  uint64_t value = next();
  while (value >= fair) value = next();
  return value % limit;
}

}  // namespace hone::judge
