#include "loop/exclude.h"

#include "base/text.h"

namespace hone::loop {

namespace {

std::optional<std::string> git_answer(Processes& processes, const fs::path& folder,
                                      const std::vector<std::string>& question) {
  std::vector<std::string> argv{"git", "-C", folder.string(), "rev-parse"};
  argv.insert(argv.end(), question.begin(), question.end());
  const auto done = processes.run({.argv = argv});
  if (!done || !done->succeeded()) return std::nullopt;
  return std::string(trim(done->output));
}

}  // namespace

void exclude_from_git(Processes& processes, Disk& disk, const fs::path& campaign_folder) {
  const fs::path parent = fs::absolute(campaign_folder).lexically_normal().parent_path();
  const auto top = git_answer(processes, parent, {"--show-toplevel"});
  const auto file = git_answer(processes, parent, {"--git-path", "info/exclude"});
  if (!top || !file) return;
  const fs::path exclude = fs::path(*file).is_absolute() ? fs::path(*file) : parent / *file;
  const std::string line =
      "/" + fs::absolute(campaign_folder).lexically_normal().lexically_relative(*top).string() + "/";
  std::string text = read_file(exclude).value_or("");
  for (const std::string& present : split_lines(text)) {
    if (present == line) return;
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::ignore = disk.make_directories(exclude.parent_path());
  std::ignore = write_file(disk, exclude, text + line + "\n");
}

}  // namespace hone::loop
