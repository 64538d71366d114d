#include "device/header_roots.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/disk.h"
#include "base/text.h"

namespace hone::device {

namespace {

constexpr std::string_view k_prefix = "HONE_INCLUDE_";
constexpr size_t k_quoted_bytes = 200;

std::string shown(const fs::path& path) { return quote_untrusted(path.string(), k_quoted_bytes); }

// ---- a tree ----

Error unfit(std::string what, std::string why = "", std::string help = "") {
  return {ErrorCode::usage, std::move(what), {}, std::move(why), std::move(help)};
}

Error unreadable(const fs::path& path, const std::error_code& error) {
  return unfit(fmt::format("{} cannot be read: {}", shown(path), error.message()));
}

Error too_much(const fs::path& folder) {
  return unfit(
      fmt::format("{} holds more than {} files or {}", shown(folder), k_header_files, human_bytes(k_header_bytes)),
      "all of it is read to know which headers a build used",
      "name the folder of the headers alone, for example one that ends in /include");
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// What root starts confined runs as a user of its own, and would find the root closed: no fault of a candidate's.
Status require_open(const fs::path& path, const fs::file_status& status) {
  const auto wanted =
      fs::is_directory(status) ? fs::perms::others_read | fs::perms::others_exec : fs::perms::others_read;
  if (geteuid() != 0 || fs::is_symlink(status) || (status.permissions() & wanted) == wanted) return ok();
  return unfit(fmt::format("{} is not open to others", shown(path)), "builds run as another user",
               "chmod -R o+rX on the root");
}

struct Entry {
  fs::path path;  // relative
  bool is_link = false;
};

// What a folder holds besides folders, sorted; links are not followed.
Result<std::vector<Entry>> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  HONE_CHECK(require_open(folder, fs::status(folder, error)));
  fs::recursive_directory_iterator walk(folder, error);
  if (error) return unreadable(folder, error);
  while (walk != fs::recursive_directory_iterator()) {
    const fs::path path = walk->path();
    const fs::file_status status = walk->symlink_status(error);
    if (error) return unreadable(path, error);
    if (!fs::is_directory(status)) entries.push_back({path.lexically_relative(folder), fs::is_symlink(status)});
    if (!fs::is_directory(status) && !fs::is_symlink(status) && !fs::is_regular_file(status))
      return unfit(fmt::format("{} is neither a file nor a folder", shown(path)));
    HONE_CHECK(require_open(path, status));
    if (entries.size() > k_header_files) return too_much(folder);
    walk.increment(error);
    if (error) return unreadable(path, error);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.path < b.path; });
  return entries;
}

// The text of a link that stays below the folder: a build reads what it leads to, which then is part of the digest.
Result<std::string> read_link(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(folder / path, error);
  if (error || !is_within(target, folder))
    return unfit(fmt::format("{} is a link that leads out of {}", shown(folder / path), shown(folder)),
                 "what it leads to could change without being noticed", "put a copy in its place");
  const fs::path text = fs::read_symlink(folder / path, error);
  if (error) return unreadable(folder / path, error);
  return text.string();
}

Result<std::string> read_header(const fs::path& path) {
  auto bytes = read_file(path, k_header_bytes);
  if (!bytes) return unfit(fmt::format("{} cannot be read", shown(path))).because(bytes.error());
  return bytes;
}

}  // namespace

Result<HeaderTree> read_header_tree(const fs::path& folder) {
  HONE_TRY(const std::vector<Entry> entries, entries_of(folder));
  HeaderTree tree;
  Sha256 hash;
  hash.add_field("hone.headers/1");
  for (const Entry& entry : entries) {
    HONE_TRY(const std::string content,
             entry.is_link ? read_link(folder, entry.path) : read_header(folder / entry.path));
    hash.add_field(entry.is_link ? "link" : "file").add_field(entry.path.string()).add_field(content);
    tree.files += 1;
    tree.bytes += content.size();
    if (tree.bytes > k_header_bytes) return too_much(folder);
  }
  tree.digest = hash.finish().hex();
  return tree;
}

// ---- names ----

std::string header_variable(std::string_view name) {
  std::string variable(k_prefix);
  for (const char c : name) variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

std::vector<std::string> names_of_header_roots() {
  std::vector<std::string> names;
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string_view text(*line);
    if (!text.starts_with(k_prefix)) continue;
    std::string name(text.substr(k_prefix.size(), text.find('=') - k_prefix.size()));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

namespace {

// Some compilers take an option apart at these.
bool can_be_an_option(const std::string& folder) {
  return std::none_of(folder.begin(), folder.end(), [](unsigned char c) {
    return c <= ' ' || c == 0x7f || std::string_view("\"'\\,;$`").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

Error how_to_set(const std::string& name, std::string why) {
  const std::string variable = header_variable(name);
  return unfit(
      fmt::format("there is no header root '{}': {} {}", name, variable, why),
      "[kernel] include names folders of headers outside the task, and this machine's owner says where they are",
      fmt::format("export {}=/path/to/its/include", variable));
}

Result<fs::path> folder_named(const std::string& name) {
  const char* value = getenv(header_variable(name).c_str());
  if (value == nullptr || *value == '\0') return how_to_set(name, "is not set");
  const fs::path said(value);
  if (!said.is_absolute()) return how_to_set(name, fmt::format("is '{}', which is no absolute path", shown(said)));
  std::error_code error;
  fs::path folder = fs::canonical(said, error);
  if (error || !fs::is_directory(folder, error))
    return how_to_set(name, fmt::format("is '{}', which is no folder here", shown(said)));
  if (!can_be_an_option(folder.string()))
    return how_to_set(name, fmt::format("is '{}', and compilers take that name apart", shown(folder)));
  return folder;
}

Status require_apart(const std::string& name, const fs::path& folder, std::span<const fs::path> apart) {
  for (const fs::path& other : apart) {
    std::error_code error;
    const fs::path there = fs::weakly_canonical(fs::absolute(other, error) / "", error).lexically_normal();
    const fs::path known = there.has_filename() ? there : there.parent_path();
    if (error || is_within(folder, known) || is_within(known, folder))
      return how_to_set(name, fmt::format("is {}, which overlaps {}", shown(folder), shown(known)));
  }
  return ok();
}

}  // namespace

Result<FoundRoot> find_header_root(const std::string& name, std::span<const fs::path> apart) {
  HONE_TRY(const fs::path folder, folder_named(name));
  HONE_CHECK(require_apart(name, folder, apart));
  const auto tree = read_header_tree(folder);
  if (!tree) return how_to_set(name, fmt::format("is {}, which cannot serve", shown(folder))).because(tree.error());
  return FoundRoot{{name, folder.string(), tree->digest}, tree->files, tree->bytes};
}

Result<std::vector<HeaderRoot>> find_header_roots(std::span<const std::string> names, std::span<const fs::path> apart) {
  std::vector<HeaderRoot> roots;
  for (const std::string& name : names) {
    HONE_TRY(FoundRoot found, find_header_root(name, apart));
    roots.push_back(std::move(found.root));
  }
  return roots;
}

Status require_unchanged(std::span<const HeaderRoot> roots) {
  for (const HeaderRoot& root : roots) {
    const auto tree = read_header_tree(root.folder);
    if (tree && tree->digest == root.digest) continue;
    Error error{ErrorCode::environment,
                fmt::format("the header root '{}' ({}) changed while hone was at work", root.name, shown(root.folder)),
                {},
                "builds before and after would not be of the same headers",
                "leave it alone, or start the command again"};
    if (!tree) return std::move(error).because(tree.error());
    return error;
  }
  return ok();
}

// ---- builds ----

std::vector<std::string> include_flags(std::span<const HeaderRoot> roots) {
  std::vector<std::string> flags;
  for (const HeaderRoot& root : roots) flags.push_back("-I" + root.folder);
  return flags;
}

std::vector<sandbox::Mount> header_mounts(std::span<const HeaderRoot> roots) {
  std::vector<sandbox::Mount> mounts;
  for (const HeaderRoot& root : roots) mounts.push_back({root.folder, sandbox::Access::read_only});
  return mounts;
}

void add_to_key(Sha256& key, std::span<const HeaderRoot> roots) {
  for (const HeaderRoot& root : roots) key.add_field("headers").add_field(root.folder).add_field(root.digest);
}

std::string words_of(std::span<const HeaderRoot> roots) {
  std::vector<std::string> words;
  for (const HeaderRoot& root : roots) words.push_back(fmt::format("{} {}", root.name, root.digest.substr(0, 12)));
  return join(words, ", ");
}

}  // namespace hone::device
