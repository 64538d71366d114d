// docs/events.md is made from the events themselves: this test writes it (HONE_REBASE=1) or holds it to what the code
// says, and reads every worked example that stands there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/testing/golden.h"
#include "base/text.h"
#include "campaign/testing/sample_events.h"

namespace hone::campaign {
namespace {

constexpr std::string_view k_introduction = R"(# Events

Everything that can happen in a campaign. One event is one line of `log.jsonl`; appending one is the only way to change a
campaign, and folding all of them (`campaign::apply`) the only way to know it.

    {"seq":12,"time":"2026-11-29T18:24:30.123Z","type":"promoted", fields of the type, "prev":"…","hash":"…"}

- `seq` counts from 1 without gaps. `time` is ISO 8601 in UTC with milliseconds. `type` says which fields follow.
- Fields stand in the order of the tables below. A field marked optional is left out when there is nothing to say; it is never
  0 or null instead.
- `prev` and `hash` chain the lines (docs/log.md). The examples are shown without them.
- A type or a field that this hone does not know is refused: an older hone must not guess what a newer one meant. A new kind of
  event, or a new field, is a new format of the campaign only if older lines could no longer be read.
- What is larger than a line, or came from outside, is a blob; the event names it by its SHA-256 (docs/blobs.md).
- A history that cannot be (a version twice, a round of no comparison, …) is refused while folding, with the event and the rule.

This page is generated from the code: `HONE_REBASE=1 campaign_tests` rewrites it, and the test fails when it is out of date.
)";

struct EventText {
  std::string_view type;
  std::string_view text;
};
constexpr EventText k_event_texts[] = {
    {"campaign_opened",
     "The first event: what is to be made faster, where, with what. Needs: nothing before it but torn tails."},
    {"rebaselined",
     "The pins changed and the user asked to go on: answers, dead ends, the diagnosis and the final "
     "confirmation are forgotten. Needs: no open comparison."},
    {"session_started", "A `hone run` or `hone resume` begins; the status of the session before is cleared."},
    {"target_chosen", "The session's target, known once the baseline's time is. Needs: a session."},
    {"tail_torn", "A crash had torn the last line; its bytes were kept aside."},
    {"candidate_added", "A candidate's files are stored. Needs: not added before."},
    {"asked",
     "Somebody asks between runs (`hone verify`, `measure`, `compare`): the job that follows is charged and paid for "
     "like "
     "any other, belongs to no experiment, and no run decides by its answer. Needs: v0, a new job."},
    {"judged", "An answer of the judge, kept by key. Closes the comparison of the same job. Needs: the candidate."},
    {"baseline_set", "v0 is verified, measured and committed. Needs: no version yet."},
    {"diagnosed", "What limits a candidate, and in which order the tiers are to be tried."},
    {"experiment_started",
     "One hypothesis and one change. Needs: v0, no open experiment, the next number, a known parent."},
    {"searched", "A search inside the open experiment's group: evidence for the proposer, never a verdict."},
    {"candidate_offered", "The open experiment hands a candidate to the judge."},
    {"comparison_charged",
     "A comparison's error is charged before its first round. Needs: no open comparison, k one more than before."},
    {"comparison_abandoned",
     "The open comparison will have no verdict; its k stays charged. Needs: that comparison is open."},
    {"round_measured", "One round of the open comparison, durable before the next begins."},
    {"decided", "The open experiment ends with its status."},
    {"promoted",
     "A version becomes the incumbent; git follows. Needs: the next number, the incumbent's commit as parent."},
    {"demoted", "A version was found wrong; an older one is the incumbent again."},
    {"parked", "A candidate that lost a little is kept, because a later change may need it."},
    {"unparked", "The candidate is parked no more. Needs: parked."},
    {"dead_end", "This group, from this incumbent, is not tried again."},
    {"budget_reserved", "Device time is set aside before a job. Needs: not reserved before."},
    {"budget_settled", "The job's true cost. Needs: its reservation."},
    {"final_confirmed", "The best version was compared with v0 directly."},
    {"stopped", "The session ends. A terminal status is never overwritten within a session."},
};

struct FieldText {
  std::string_view name;
  std::string_view text;
};
constexpr FieldText k_field_texts[] = {
    {"alpha", "level of the confirmation, α_k"},
    {"anchor", "`lines:hash` of the log before this event; also in the commit's trailer"},
    {"best", "digest of the fastest configuration found"},
    {"best_ratio", "its time over the incumbent's time, paired"},
    {"bottleneck", "memory, compute, latency"},
    {"bytes", "length of the torn tail"},
    {"candidate", "digest of the candidate"},
    {"candidate_s", "summary time of the candidate, seconds"},
    {"change", "what is changed, in words"},
    {"command", "the command line"},
    {"commit", "git commit of the version"},
    {"confidence", "low, medium, high"},
    {"configurations", "how many were tried"},
    {"context", "digest of the incumbent it was tried from"},
    {"contract", "task.toml, oracle and golden files, editable files as they were"},
    {"date_s", "date of the commit, seconds since 1970"},
    {"decision_rule", "when the change is kept"},
    {"delta", "relative change of speed, + is faster"},
    {"device_limit_s", "device time of the campaign, seconds"},
    {"device", "the published fields of a device record, for readers; absent of a tape"},
    {"device_reason", "why this device and these cores"},
    {"device_seconds", "device time, seconds"},
    {"enables", "which later change needs it"},
    {"expected", "the metric movement that is expected"},
    {"expected_gain", "fraction that the later change may bring"},
    {"expires_after", "number of the experiment after which it is given up"},
    {"experiment", "number, from 1"},
    {"files", "path, mode and blob of every file"},
    {"floor_s", "physical floor, seconds"},
    {"format", "of the campaign: 1"},
    {"fraction_of_floor", "floor over time, 1 = at the floor"},
    {"gain", "ln of the speed-up in this round"},
    {"group", "what may change: tunables of one tier, one option, …"},
    {"hypothesis", "why it should be faster"},
    {"incumbent", "digest of what the candidate is compared with"},
    {"incumbent_s", "summary time of the incumbent, seconds"},
    {"index", "of the round within its stage, from 0"},
    {"invalidation", "when it may be tried again"},
    {"iteration_limit", "iterations of this session and the interrupted ones that it goes on from"},
    {"job", "the judging job"},
    {"k", "number of the comparison in the campaign, from 1"},
    {"kept_in", "path below the campaign's folder"},
    {"key", "all that the answer depends on"},
    {"options", "compile-option ids"},
    {"launches", "`[[launch]]` tables of its own; absent: the contract's"},
    {"origin", "baseline, tune, script, manual"},
    {"outcome", "of the judge"},
    {"own_seconds", "neither compiler, kernel, oracle nor git"},
    {"parent", "what it stands on: a digest, of `promoted` a commit"},
    {"pid", "of the process"},
    {"pins", "what all numbers are bound to"},
    {"process_start", "start time of the process, to tell a recycled pid"},
    {"proposer", "who proposes the changes"},
    {"question", "verify, measure, screen, compare, …"},
    {"reason", "why, in words"},
    {"samples", "blob of the raw round"},
    {"selftest", "what the last selftest of the judge on this device said"},
    {"source", "where the diagnosis comes from"},
    {"speedup", "incumbent's time over candidate's time"},
    {"speedup_interval", "its 95 % interval"},
    {"stage", "stage1, confirmation"},
    {"status", "of the experiment or the session"},
    {"steps", "blob of all configurations with their outcomes"},
    {"target_origin", "where the target comes from"},
    {"target_s", "summary time to reach, seconds"},
    {"task_name", "name of the task"},
    {"tier", "1 launch and tile, 2 memory access, 3 compute, 4 latency, 5 architecture"},
    {"tier_order", "tiers in the order of promise"},
    {"time_limit_s", "of the session, seconds"},
    {"to", "the version that is the incumbent again"},
    {"tree", "git tree of the version"},
    {"values", "tunables that differ from their default"},
    {"verdict", "blob of the judge's answer, hone.verdict/1"},
    {"version", "number of the version"},
    {"wall_seconds", "of the session"},
    {"warnings", "what makes the diagnosis doubtful"},
};

template <class Row, size_t N>
std::string text_of(const Row (&rows)[N], std::string_view Row::*key, std::string_view name) {
  for (const Row& row : rows) {
    if (row.*key == name) return std::string(row.text);
  }
  ADD_FAILURE() << "docs/events.md has no words for '" << name << "'";
  return "";
}

template <class T>
std::string kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return "true or false";
  else if constexpr (NamedEnum<T>)
    return "word";
  else if constexpr (std::integral<T>)
    return "integer";
  else if constexpr (std::floating_point<T>)
    return "number";
  else if constexpr (std::is_same_v<T, std::string>)
    return "text";
  else if constexpr (json::IsVector<T>::value)
    return "list of " + kind_of<typename T::value_type>();
  else if constexpr (json::IsMap<T>::value)
    return "text by name";
  else
    return "object";
}

// Archive that writes a table row a field.
class FieldTable {
 public:
  template <class T>
  void field(std::string_view name, const T&) {
    const std::string meaning = text_of(k_field_texts, &FieldText::name, name);
    if constexpr (json::IsOptional<T>::value) {
      out_ += fmt::format("| `{}` | {}, optional | {} |\n", name, kind_of<typename T::value_type>(), meaning);
    } else {
      out_ += fmt::format("| `{}` | {} | {} |\n", name, kind_of<T>(), meaning);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_ = "| field | kind | meaning |\n|---|---|---|\n";
};

std::string fields_of(EventBody body) {
  FieldTable fields;
  std::visit([&](auto& one) { describe(fields, one); }, body);
  return fields.take();
}

std::string page() {
  std::string out(k_introduction);
  uint64_t sequence = 0;
  for (const EventBody& body : testing::sample_events()) {
    ++sequence;
    const std::string type(type_of(body));
    out += fmt::format("\n## {}\n\n{}\n\n{}\n", type, text_of(k_event_texts, &EventText::type, type), fields_of(body));
    out += fmt::format("    {}\n", to_line({sequence, fmt::format("2026-01-02T00:00:{:02}.000Z", sequence), body, {}}));
  }
  return out;
}

fs::path page_path() { return fs::path(HONE_SOURCE_DIR) / "docs/events.md"; }

TEST(EventsPage, SaysWhatTheCodeSays) { hone::testing::expect_golden(page_path(), page()); }

TEST(EventsPage, EveryExampleCanBeRead) {
  const auto text = read_file(page_path());
  ASSERT_TRUE(text);
  std::map<std::string, int> seen;
  for (const std::string& line : split_lines(*text)) {
    if (!line.starts_with("    {") || line.find("…") != std::string::npos) continue;
    const auto event = from_line(trim(line));
    ASSERT_TRUE(event) << line << "\n" << to_text(event.error());
    EXPECT_EQ(to_line(*event), trim(line));
    ++seen[std::string(type_of(event->body))];
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<EventBody>);
}

}  // namespace
}  // namespace hone::campaign
