#include "views/views.h"

#include <fmt/format.h>

#include <algorithm>

#include "views/iteration_log.h"
#include "views/memory.h"
#include "views/published.h"
#include "views/report_page.h"

namespace hone::views {

namespace {

constexpr std::string_view k_memory_folder = "memory";

struct SingleView {
  std::string_view path;
  bool needs_baseline;  // it tells of the incumbent
  std::string (*content)(const Story& story);
};

constexpr SingleView k_single_views[] = {
    {"experiments/README.md", false, iteration_log},
    {"metrics.json", true, [](const Story& story) { return json::pretty(json::to_text(metrics_of(story))); }},
    {"reports/benchmark.json", true,
     [](const Story& story) { return json::pretty(json::to_text(benchmark_of(story))); }},
    {"reports/report.md", false, report_page},
};

std::string memory_path(uint64_t version) { return fmt::format("{}/v{}.json", k_memory_folder, version); }

// "v" and a number without leading zeros, ".json".
bool is_memory_name(std::string_view name) {
  if (!name.starts_with("v") || !name.ends_with(".json")) return false;
  const std::string_view number = name.substr(1, name.size() - 6);
  const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return !number.empty() && digits && (number.size() == 1 || number[0] != '0');
}

}  // namespace

Result<Files> make_views(const campaign::State& state, const task::Task& task, const ReadBlob& read_blob) {
  HONE_TRY(const Story story, read_story(state, task, read_blob));
  Files files;
  for (const SingleView& view : k_single_views) {
    if (!view.needs_baseline || story.baseline()) files.emplace(view.path, view.content(story));
  }
  for (uint64_t version = 0; version < story.steps.size(); ++version)
    files.emplace(memory_path(version), json::pretty(json::to_text(memory_of(story, version))));
  return files;
}

bool is_view_path(std::string_view path) {
  for (const SingleView& view : k_single_views) {
    if (view.path == path) return true;
  }
  return path.starts_with("memory/") && is_memory_name(path.substr(k_memory_folder.size() + 1));
}

namespace {

// Only the places where views can be are looked at: the campaign's folder also holds blobs and git objects.
Result<std::vector<std::string>> existing_views(const fs::path& folder) {
  std::vector<std::string> found;
  for (const SingleView& view : k_single_views) {
    if (path_exists(folder / view.path)) found.emplace_back(view.path);
  }
  if (!path_exists(folder / k_memory_folder)) return found;
  HONE_TRY(const auto files, list_files(folder / k_memory_folder));
  for (const fs::path& file : files) {
    const std::string path = (fs::path(k_memory_folder) / file).generic_string();
    if (is_view_path(path)) found.push_back(path);
  }
  return found;
}

std::optional<FaultKind> fault_of(const fs::path& file, const std::string& content) {
  if (!path_exists(file)) return FaultKind::missing;
  const auto bytes = read_file(file);
  if (bytes && *bytes == content) return std::nullopt;
  return FaultKind::different;
}

}  // namespace

Result<std::vector<ViewFault>> check_views(const fs::path& folder, const Files& views) {
  std::vector<ViewFault> faults;
  for (const auto& [path, content] : views) {
    if (const auto kind = fault_of(folder / path, content)) faults.push_back({path, *kind});
  }
  HONE_TRY(const auto existing, existing_views(folder));
  for (const std::string& path : existing) {
    if (!views.contains(path)) faults.push_back({path, FaultKind::stale});
  }
  std::sort(faults.begin(), faults.end(), [](const ViewFault& a, const ViewFault& b) { return a.path < b.path; });
  return faults;
}

Status write_views(Disk& disk, const fs::path& folder, const Files& views) {
  for (const auto& [path, content] : views) HONE_CHECK(write_file_if_changed(disk, folder / path, content));
  HONE_TRY(const auto existing, existing_views(folder));
  for (const std::string& path : existing) {
    if (!views.contains(path)) HONE_CHECK(disk.remove(folder / path));
  }
  return ok();
}

}  // namespace hone::views
