// A whole history, one event a line without its chain: what folds can be sealed into a log, and every view of it can be
// made, whatever verdicts the blobs hold. Input after the first NUL byte is the content of every blob.
#include "campaign/state.h"
#include "fuzz.h"
#include "record/log_line.h"
#include "views/views.h"

using namespace hone;

namespace {

task::Task small_task() {
  task::Task task;
  task.name = "scale";
  task.cases = {{"large", {{"n", int64_t{64}}}, {task::Purpose::time}, false, 1.0}};
  return task;
}

// Lines that cannot follow are left out, as the log would never hold them.
campaign::State fold(std::string_view lines) {
  campaign::State state;
  Digest hash;
  for (const std::string& line : split_lines(lines)) {
    auto event = campaign::from_line(line);
    if (!event) continue;
    event->sequence = state.sequence + 1;
    const auto sealed = record::seal(campaign::to_line(*event), hash);
    if (!sealed) continue;
    event->hash = sealed->hash.hex();
    if (campaign::apply(state, *event)) hash = sealed->hash;
  }
  return state;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::Task task = small_task();
  const std::string_view text = fuzz::text_of(data, size);
  const size_t end = text.find('\0');
  const campaign::State state = fold(text.substr(0, end));
  const std::string blob(end == std::string_view::npos ? "" : text.substr(end + 1));
  const auto read_blob = [&](const Digest&) -> Result<std::string> { return blob; };
  const auto views = views::make_views(state, task, read_blob);
  if (!views) return 0;
  for (const auto& [path, content] : *views)
    fuzz::require(views::is_view_path(path), "a view stands where views stand");
  return 0;
}
