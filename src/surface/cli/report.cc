#include "surface/cli/report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "surface/cli/reports.h"
#include "surface/cli/workplace.h"
#include "views/views.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"DIR", false, true, "folders of tasks or campaigns; the present one by default"}};
constexpr OptionRow k_options[] = {
    {"--format", "NAME", "text", "text, md (the whole story on one page) or json", "read in a terminal"},
    {"--summary", "", "", "one line a campaign"},
};

enum class Format { text, md, json };

}  // namespace
}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::Format> {
  using T = cli::Format;
  static constexpr EnumName<T> table[] = {{T::text, "text"}, {T::md, "md"}, {T::json, "json"}};
};
}  // namespace hone

namespace hone::cli {
namespace {

Result<Format> format_of(const Context& context) {
  if (context.json()) return Format::json;
  const std::string word = context.arguments.text_or("format", "text");
  if (const auto format = value_of<Format>(word)) return *format;
  const std::vector<std::string> known{"text", "md", "json"};
  return Error{ErrorCode::usage,
               fmt::format("there is no format '{}'{}", word, did_you_mean(word, known)),
               {},
               "",
               "one of: text, md, json"};
}

std::vector<fs::path> folders_of(const Context& context) {
  std::vector<fs::path> folders;
  for (const std::string& word : context.arguments.all("DIR")) folders.push_back(campaign_folder(context, word));
  if (folders.empty()) folders.push_back(campaign_folder(context, std::nullopt));
  return folders;
}

Result<std::string> page_of(const fs::path& folder) {
  HONE_TRY(const ReadCampaign read, read_whole(folder));
  HONE_TRY(views::Files files, views::make_views(read.log.state, read.task, read.blobs));
  return files["reports/report.md"];
}

Result<int> print_pages(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    HONE_TRY(const std::string page, page_of(folder));
    print(page);
  }
  return 0;
}

Result<int> report(Context& context) {
  HONE_TRY(const Format format, format_of(context));
  const std::vector<fs::path> folders = folders_of(context);
  const bool summary = context.arguments.has("summary");
  if (format == Format::md && !summary) return print_pages(folders);
  ReportsDocument document;
  for (const fs::path& folder : folders) {
    HONE_TRY(document.reports.emplace_back(), summary_of(folder));
  }
  if (format == Format::json) {
    const bool alone = folders.size() == 1 && !summary;
    return print_json(alone ? json::to_text(document.reports.front()) : json::to_text(document)), 0;
  }
  if (summary) return print(report::to_table(document.reports)), 0;
  for (const report::Summary& one : document.reports) print(report::to_text(one));
  return 0;
}

}  // namespace

Command report_command() {
  return {"report",
          "What a campaign found and proved",
          "Made from the log and its blobs alone, on this or any other machine, also while another hone works.",
          k_arguments,
          k_options,
          report};
}

}  // namespace hone::cli
