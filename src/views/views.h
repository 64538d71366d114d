// Views: the files that show a campaign. Each is a pure function of the folded State, the contract and the blobs that
// State names, under one view format; all can be deleted and written again byte for byte. docs/views.md lists them.
// Nothing here reads a clock, the environment or another view. Failure: see story.h for making them; io for writing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "views/story.h"

namespace hone::views {

// Changes whenever the same State gives other bytes.
constexpr int k_view_format = 1;

// Content by path, relative to the campaign's folder.
using Files = std::map<std::string, std::string>;

Result<Files> make_views(const campaign::State& state, const task::Task& task, const ReadBlob& read_blob);

// Whether a relative path is one that some State could have a view at.
bool is_view_path(std::string_view path);

// Writes what differs, each file whole or not at all, and removes view files that this State does not have. Files that
// are no views are left alone. Views need no fsync: the log is the truth.
Status write_views(Disk& disk, const fs::path& folder, const Files& views);

enum class FaultKind { missing, different, stale };

struct ViewFault {
  std::string path;
  FaultKind kind = FaultKind::missing;
  friend bool operator==(const ViewFault&, const ViewFault&) = default;
};

// What write_views would change; empty when every view is as it should be. Sorted by path.
Result<std::vector<ViewFault>> check_views(const fs::path& folder, const Files& views);

}  // namespace hone::views

namespace hone {
template <>
struct EnumNames<views::FaultKind> {
  using T = views::FaultKind;
  static constexpr EnumName<T> table[] = {{T::missing, "missing"}, {T::different, "different"}, {T::stale, "stale"}};
};
}  // namespace hone
