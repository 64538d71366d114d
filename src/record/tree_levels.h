// The folders of a set of files, deepest first, as git wants them: a tree object names the trees below it, so those
// come before. Pure. Failure: internal for a path that git or a file system could not hold.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/git_store.h"

namespace hone::record {

// The folders that need a tree object, grouped by depth, deepest first; the last group is the root alone.
std::vector<std::vector<std::string>> folders_by_depth(std::span<const TreeFile> files);

std::string parent_of(const std::string& path);
std::string name_in_parent(const std::string& path);

// Relative, no empty part, no "." or "..", nothing named .git, no control characters; no path twice, none that is a
// folder of another.
Status check_paths(std::span<const TreeFile> files);

}  // namespace hone::record
