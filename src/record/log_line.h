// One line of log.jsonl, sealed into the chain of all lines before it.
//
// Constraints: UTF-8, compact JSON object, one line, at most 64 KiB with its newline; larger things are blobs that a
// line names. Layout:      BODY,"prev":"64 hex","hash":"64 hex"}\n   BODY is the caller's object without its closing
// brace;
//              prev is the hash of the line before (64 zeros in the first line);
//              hash is the SHA-256 of this line's bytes before `,"hash":`, thus of BODY and prev.
// Recovery and versioning: docs/log.md, with an example that a test reads.
// Pure functions; a body that breaks the constraints is a defect of the caller (ErrorCode::internal). Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"

namespace hone::record {

constexpr size_t k_max_line_bytes = 64 * 1024;  // the newline counts

// A point of the chain: what "the log up to here" means. {0, zeros} is the empty log.
struct Head {
  uint64_t lines = 0;
  Digest hash = {};
  friend bool operator==(const Head&, const Head&) = default;
};

struct SealedLine {
  std::string text;  // with its newline
  Digest hash;
};

// `body` is a compact JSON object with at least one field and neither "prev" nor "hash".
Result<SealedLine> seal(std::string_view body, const Digest& previous);

// The chain fields of a line (without newline), as written; views into it. Nothing when the line does not end in them.
struct ChainFields {
  std::string_view body;    // the object without its closing brace
  std::string_view hashed;  // the bytes that the hash covers
  std::string_view prev;    // 64 characters
  std::string_view hash;    // 64 characters
};
std::optional<ChainFields> chain_of(std::string_view line);

// The object as it was given to seal().
std::string body_of(std::string_view line);

}  // namespace hone::record
