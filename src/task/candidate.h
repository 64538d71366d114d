// Candidate: the editable files of a kernel and its variant.toml, as bytes, identified by their digest.
// The digest is SHA-256 over path, mode, length and bytes of every file, sorted by path; an absent variant.toml counts
// as the default one in canonical form, so that "no file" and "all defaults" are the same candidate. Plain values.
// Failures of reading: contract (a missing or forbidden file), io.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "task/task.h"

namespace hone::task {

// variant.toml, schema variant/1: what a candidate may choose besides its source text.
struct Variant {
  std::map<std::string, std::string> values;  // tunables that differ from their default
  std::vector<std::string> options;           // compile-option ids, sorted, on top of [kernel] flags
  std::string launches = {};                  // canonical [[launch]] tables in the contract's place; empty: its own
  friend bool operator==(const Variant&, const Variant&) = default;
};

struct CandidateFile {
  std::string path;  // relative to the task folder, no "..", no links
  bool executable = false;
  std::string bytes;
  friend bool operator==(const CandidateFile&, const CandidateFile&) = default;
};

struct Candidate {
  std::vector<CandidateFile> files;  // sorted by path; without variant.toml
  Variant variant;
  Digest digest;

  const CandidateFile* find(std::string_view path) const;
};

constexpr uint64_t k_candidate_file_limit_bytes = 1 << 20;  // no kernel source comes near

// Sorts files and options. The variant should be in normal form: see `normal`.
Candidate make_candidate(std::vector<CandidateFile> files, Variant variant);
// Reads the editable files and variant.toml of `folder`; other files there are not the candidate's. No links are
// followed.
Result<Candidate> read_candidate(const Task& task, const std::filesystem::path& folder);
// Same files, other choices.
Candidate with_variant(const Candidate& candidate, Variant variant);

std::string canonical_text(const Variant& variant);  // the bytes of variant.toml, sorted keys
// Checks names, values, constraints and options against the task; the answer is in normal form.
Result<Variant> read_variant(const Task& task, std::string_view text, const std::string& file_name);
// Without the values that are defaults anyway, options sorted: equal choices are equal variants and so equal digests.
Variant normal(const Task& task, Variant variant);

// Complete assignment: every parameter of the task, chosen or default.
std::map<std::string, std::string> tunable_values(const Task& task, const Variant& variant);
bool satisfies_constraints(const Task& task, const std::map<std::string, std::string>& values);
// Ids for flags_for: those of the kernel that the variant leaves in force (one per group), then the variant's.
std::vector<std::string> option_ids(const Task& task, const Variant& variant);

// Its launches, absent where the contract's hold.
std::optional<std::string> own_launches(const Variant& variant);

// The same assignment for expressions: integers and doubles where the text is one, else strings.
Scope scope_of(const std::map<std::string, std::string>& values);
bool is_tunable_value(std::string_view text);  // [A-Za-z0-9_.+-]+, at most 128 bytes: it reaches a command line

}  // namespace hone::task
