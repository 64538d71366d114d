// Header roots: folders of headers outside the task, which a build may read: `[kernel] include = ["cutlass"]` asks for
// one by its name, and HONE_INCLUDE_CUTLASS in hone's environment says where it is. A contract names no folder: what a
// build may see of a machine is its owner's to say. A root is known by the digest of what it holds, so that the same
// headers elsewhere are the same root, and others under the same name are not.
// Plain values; any thread. Failure: usage, saying what to type (a name that nothing is set for, a folder that cannot
// serve); environment, where a root is no longer what it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "sandbox/root_plan.h"

namespace hone::device {

struct HeaderRoot {
  std::string name;    // "cutlass"
  std::string folder;  // absolute, links resolved
  std::string digest;  // SHA-256 over relative names and contents
  friend bool operator==(const HeaderRoot&, const HeaderRoot&) = default;
};

// Of one root: more is likely to be a folder that was not meant, and reading it would take long.
inline constexpr size_t k_header_files = 20'000;
inline constexpr uint64_t k_header_bytes = 256ull << 20;

struct HeaderTree {
  std::string digest;
  uint64_t files = 0;
  uint64_t bytes = 0;
};

// Everything below a folder. A link counts as what it says and must not lead out; what is neither file, folder nor link
// is refused.
Result<HeaderTree> read_header_tree(const std::filesystem::path& folder);

std::string header_variable(std::string_view name);  // "cutlass" → "HONE_INCLUDE_CUTLASS"
// The names that the environment sets, sorted.
std::vector<std::string> names_of_header_roots();
struct FoundRoot {
  HeaderRoot root;
  uint64_t files = 0;
  uint64_t bytes = 0;
};
// A root must not overlap the folders `apart`, which hold what a candidate or hone itself may change.
Result<FoundRoot> find_header_root(const std::string& name, std::span<const std::filesystem::path> apart);
Result<std::vector<HeaderRoot>> find_header_roots(std::span<const std::string> names,
                                                  std::span<const std::filesystem::path> apart);
Status require_unchanged(std::span<const HeaderRoot> roots);

// What a build takes of them: compiler flags in the contract's order, what its process is lent, and its cache key.
std::vector<std::string> include_flags(std::span<const HeaderRoot> roots);
std::vector<sandbox::Mount> header_mounts(std::span<const HeaderRoot> roots);
void add_to_key(Sha256& key, std::span<const HeaderRoot> roots);

std::string words_of(std::span<const HeaderRoot> roots);  // "cutlass 0123456789ab, …": for pins and reports

template <class A>
void describe(A& a, HeaderRoot& v) {
  a.field("name", v.name);
  a.field("folder", v.folder);
  a.field("digest", v.digest);
}

}  // namespace hone::device
