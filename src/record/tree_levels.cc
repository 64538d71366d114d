#include "record/tree_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace hone::record {

std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_in_parent(const std::string& path) { return path.substr(path.rfind('/') + 1); }

namespace {

std::set<std::string> folders_of(std::span<const TreeFile> files) {
  std::set<std::string> folders{""};
  for (const TreeFile& file : files) {
    for (std::string folder = parent_of(file.path); !folder.empty(); folder = parent_of(folder)) folders.insert(folder);
  }
  return folders;
}

size_t depth_of(const std::string& folder) {
  return folder.empty() ? 0 : 1 + static_cast<size_t>(std::ranges::count(folder, '/'));
}

bool is_git_folder(std::string part) {
  std::ranges::transform(part, part.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return part == ".git";
}

bool can_stand_in_a_tree(const std::string& path) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (path.empty() || std::ranges::any_of(path, is_control)) return false;
  return std::ranges::none_of(split(path, '/'), [](const std::string& part) {
    return part.empty() || part == "." || part == ".." || is_git_folder(part);
  });
}

}  // namespace

std::vector<std::vector<std::string>> folders_by_depth(std::span<const TreeFile> files) {
  std::map<size_t, std::vector<std::string>, std::greater<>> levels;
  for (const std::string& folder : folders_of(files)) levels[depth_of(folder)].push_back(folder);
  std::vector<std::vector<std::string>> deepest_first;
  for (auto& [depth, folders] : levels) deepest_first.push_back(std::move(folders));
  return deepest_first;
}

Status check_paths(std::span<const TreeFile> files) {
  std::set<std::string> taken = folders_of(files);
  for (const TreeFile& file : files) {
    if (!can_stand_in_a_tree(file.path))
      return Error{ErrorCode::internal,
                   fmt::format("'{}' cannot be a path in the store", quote_untrusted(file.path, 200))};
    if (!taken.insert(file.path).second)
      return Error{ErrorCode::internal, fmt::format("'{}' stands twice in a tree for the store", file.path)};
  }
  return ok();
}

}  // namespace hone::record
