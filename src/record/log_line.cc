#include "record/log_line.h"

#include <fmt/format.h>

#include "base/json.h"

namespace hone::record {

namespace {

constexpr std::string_view k_prev_key = ",\"prev\":\"";
constexpr std::string_view k_hash_key = ",\"hash\":\"";
constexpr std::string_view k_end = "\"}";
constexpr size_t k_hex_bytes = 64;
constexpr size_t k_prev_field_bytes = k_prev_key.size() + k_hex_bytes + 1;
constexpr size_t k_hash_field_bytes = k_hash_key.size() + k_hex_bytes + k_end.size();

Error bad_body(std::string_view problem) {
  return {ErrorCode::internal, fmt::format("a line for the log {}", problem)};
}

Status check_body(std::string_view body) {
  if (body.size() + k_prev_field_bytes + k_hash_field_bytes > k_max_line_bytes)
    return bad_body(fmt::format("would be longer than {} bytes: more goes to a blob", k_max_line_bytes));
  if (body.find('\n') != std::string_view::npos) return bad_body("holds a newline");
  const auto document = json::parse(body);
  if (!document) return bad_body("is not JSON").because(document.error());
  if (!document->IsObject() || document->ObjectEmpty()) return bad_body("is not an object with fields");
  if (body.front() != '{' || body.back() != '}') return bad_body("is not compact");
  if (document->HasMember("prev") || document->HasMember("hash")) return bad_body("brings its own chain");
  return ok();
}

}  // namespace

Result<SealedLine> seal(std::string_view body, const Digest& previous) {
  HONE_CHECK(check_body(body));
  body.remove_suffix(1);
  SealedLine line;
  line.text.reserve(body.size() + k_prev_field_bytes + k_hash_field_bytes + 1);
  line.text.append(body).append(k_prev_key).append(previous.hex()).append("\"");
  line.hash = sha256(line.text);
  line.text.append(k_hash_key).append(line.hash.hex()).append(k_end).append("\n");
  return line;
}

std::optional<ChainFields> chain_of(std::string_view line) {
  if (line.size() < k_prev_field_bytes + k_hash_field_bytes) return std::nullopt;
  const std::string_view hashed = line.substr(0, line.size() - k_hash_field_bytes);
  const std::string_view hash_field = line.substr(hashed.size());
  const std::string_view body = hashed.substr(0, hashed.size() - k_prev_field_bytes);
  const std::string_view prev_field = hashed.substr(body.size());
  if (!hash_field.starts_with(k_hash_key) || !hash_field.ends_with(k_end)) return std::nullopt;
  if (!prev_field.starts_with(k_prev_key) || !prev_field.ends_with('"')) return std::nullopt;
  return ChainFields{body, hashed, prev_field.substr(k_prev_key.size(), k_hex_bytes),
                     hash_field.substr(k_hash_key.size(), k_hex_bytes)};
}

std::string body_of(std::string_view line) {
  const auto chain = chain_of(line);
  return chain ? std::string(chain->body) + "}" : std::string(line);
}

}  // namespace hone::record
