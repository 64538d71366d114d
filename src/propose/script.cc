#include "propose/script.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"

namespace hone::propose {

namespace {

struct ScriptLine {
  int tier = 1;
  std::optional<std::string> group;
  std::optional<std::string> hypothesis;
  std::string change;
  std::optional<std::map<std::string, std::string>> values;
  std::optional<std::vector<std::string>> options;
  std::optional<std::string> folder;
};

template <class A>
void describe(A& a, ScriptLine& v) {
  a.field("tier", v.tier);
  a.field("group", v.group);
  a.field("hypothesis", v.hypothesis);
  a.field("change", v.change);
  a.field("values", v.values);
  a.field("options", v.options);
  a.field("folder", v.folder);
}

class Script final : public Proposer {
 public:
  Script(std::filesystem::path file, std::vector<ScriptLine> lines)
      : file_(std::move(file)), lines_(std::move(lines)) {}
  std::string_view name() const override { return "script"; }
  std::string identity() const override {
    return "script:" + std::filesystem::absolute(file_).lexically_normal().string();
  }
  Source source() const override { return Source::written; }

  Result<std::optional<Plan>> plan(const Brief& brief) override {
    const ScriptLine* line = line_of(brief);
    if (line == nullptr) return std::optional<Plan>();
    return std::optional(Plan{line->tier, line->group.value_or(fmt::format("script/{}", brief.turn)),
                              line->hypothesis.value_or("as the script says"), line->change,
                              "time of every timed case falls"});
  }

  Result<Proposal> propose(const Brief& brief, const Plan&, const Screener&) override {
    const ScriptLine* line = line_of(brief);
    if (line == nullptr) return Proposal{};
    task::Variant variant = brief.from.variant;
    if (line->values) variant.values = *line->values;
    if (line->options) variant.options = *line->options;
    HONE_TRY(variant, task::read_variant(*brief.task, task::canonical_text(variant), file_.string()));
    Proposal proposal;
    proposal.candidate = task::with_variant(brief.from, variant);
    if (line->folder) {
      HONE_TRY(const task::Candidate files, task::read_candidate(*brief.task, file_.parent_path() / *line->folder));
      proposal.candidate = task::with_variant(files, variant);
    }
    proposal.reason = line->change;
    return proposal;
  }

 private:
  const ScriptLine* line_of(const Brief& brief) const {
    const uint64_t index = brief.turn - 1;
    return index < lines_.size() ? &lines_[index] : nullptr;
  }

  std::filesystem::path file_;
  std::vector<ScriptLine> lines_;
};

}  // namespace

Result<std::unique_ptr<Proposer>> make_script(const std::filesystem::path& file) {
  HONE_TRY(const std::string text, read_file(file));
  std::vector<ScriptLine> lines;
  uint32_t number = 0;
  for (const std::string& line_text : split_lines(text)) {
    ++number;
    auto line = json::from_text<ScriptLine>(line_text);
    if (!line)
      return Error{
          ErrorCode::contract, line.error().what, {file.string(), number, 0}, "", "docs/script.md shows the format"};
    lines.push_back(*std::move(line));
  }
  return std::unique_ptr<Proposer>(std::make_unique<Script>(file, std::move(lines)));
}

}  // namespace hone::propose
