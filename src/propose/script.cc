#include "propose/script.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"

namespace hone::propose {

namespace {

struct ScriptLine {
  uint32_t number = 0;  // in the file, from 1
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
    auto candidate = candidate_of(brief, *line);
    if (!candidate) return at_line(*line, candidate.error());
    Proposal proposal;
    proposal.candidate = *std::move(candidate);
    proposal.reason = line->change;
    return proposal;
  }

 private:
  Result<task::Candidate> candidate_of(const Brief& brief, const ScriptLine& line) const {
    task::Variant variant = brief.from.variant;
    if (line.values) variant.values = *line.values;
    if (line.options) variant.options = *line.options;
    HONE_TRY(variant, task::read_variant(*brief.task, task::canonical_text(variant), ""));
    if (!line.folder) return task::with_variant(brief.from, variant);
    HONE_TRY(const task::Candidate files, task::read_candidate(*brief.task, file_.parent_path() / *line.folder));
    return task::with_variant(files, variant);
  }

  // Whatever is wrong with what a line asks for is found in the script, at that line.
  Error at_line(const ScriptLine& line, const Error& error) const {
    Error found{ErrorCode::contract, error.what, {file_.string(), line.number, 0}, error.why, error.help};
    if (found.help.empty()) found.help = "mend that line, then run the same command again";
    return found;
  }

  const ScriptLine* line_of(const Brief& brief) const {
    const uint64_t index = brief.turn - 1;
    return index < lines_.size() ? &lines_[index] : nullptr;
  }

  std::filesystem::path file_;
  std::vector<ScriptLine> lines_;
};

}  // namespace

Result<std::unique_ptr<Proposer>> make_script(const std::filesystem::path& file) {
  const auto read = read_file(file);
  if (!read)
    return Error{
        ErrorCode::usage, read.error().what, {}, "", "name the script: --proposer script:FILE (docs/script.md)"};
  std::vector<ScriptLine> lines;
  uint32_t number = 0;
  for (const std::string& line_text : split_lines(*read)) {
    ++number;
    auto line = json::from_text<ScriptLine>(line_text);
    if (!line)
      return Error{
          ErrorCode::contract, line.error().what, {file.string(), number, 0}, "", "docs/script.md shows the format"};
    if (line->tier < 1 || line->tier > 5)
      return Error{ErrorCode::contract,
                   fmt::format("there is no tier {}", line->tier),
                   {file.string(), number, 0},
                   "",
                   "write one from 1 to 5; docs/script.md says what they are"};
    line->number = number;
    lines.push_back(*std::move(line));
  }
  return std::unique_ptr<Proposer>(std::make_unique<Script>(file, std::move(lines)));
}

}  // namespace hone::propose
