#include "surface/cli/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "record/log_reader.h"
#include "surface/cli/workplace.h"
#include "views/figures.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"TASK", false, false, "the task's or the campaign's folder; the present one by default"}};
constexpr OptionRow k_options[] = {
    {"--type", "TYPE", "", "only events of this type, for example promoted"},
    {"--last", "N", "", "only the last N of them"},
};
constexpr size_t k_shown_bytes = 160;

// Text that hone did not write: one line of it, escaped.
std::string quoted(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string out = quote_untrusted(text, k_shown_bytes);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string brief(const std::string& digest) { return digest.substr(0, 12); }

std::string gain_text(const std::optional<double>& speedup) {
  return speedup ? ", " + views::speedup_text(*speedup) : "";
}

// One line an event. A type without a row of its own is told by its fields.
struct Teller {
  template <class Event>
  std::string operator()(const Event& e) const {
    return quoted(json::to_text(e));
  }
  std::string operator()(const campaign::CampaignOpened& e) const {
    return fmt::format("{} on {} ({})", quoted(e.task_name), quoted(e.pins.device_name), quoted(e.device_reason));
  }
  std::string operator()(const campaign::Rebaselined& e) const {
    return fmt::format("on {}, {}", quoted(e.pins.device_name), quoted(e.pins.toolchain));
  }
  std::string operator()(const campaign::SessionStarted& e) const {
    return fmt::format("{} (pid {})", quoted(e.command), e.pid);
  }
  std::string operator()(const campaign::TargetChosen& e) const {
    return fmt::format("{} ({})", e.target_s ? human_time(*e.target_s) : "none", quoted(e.origin));
  }
  std::string operator()(const campaign::TailTorn& e) const {
    return fmt::format("{} bytes kept in torn/{}", e.bytes, quoted(e.kept_in));
  }
  std::string operator()(const campaign::CandidateAdded& e) const {
    return fmt::format("{} by {}, {} file(s), {} tunable(s), {} option(s)", brief(e.candidate), quoted(e.origin),
                       e.files.size(), e.values.size(), e.options.size());
  }
  std::string operator()(const campaign::Asked& e) const {
    return fmt::format("{}: {}", quoted(e.job), quoted(e.command));
  }
  std::string operator()(const campaign::Judged& e) const {
    const std::string reason = e.reason.empty() ? "" : " (" + quoted(e.reason) + ")";
    return fmt::format("{} {}: {}{}{}", name_of(e.question), brief(e.candidate), name_of(e.outcome), reason,
                       gain_text(e.speedup));
  }
  std::string operator()(const campaign::BaselineSet& e) const { return fmt::format("v0 is {}", brief(e.candidate)); }
  std::string operator()(const campaign::Diagnosed& e) const {
    return fmt::format("{} is bound by {} ({} confidence): {}", brief(e.candidate), quoted(e.bottleneck),
                       quoted(e.confidence), quoted(e.reason));
  }
  std::string operator()(const campaign::ExperimentStarted& e) const {
    return fmt::format("{}, tier {}: {}", e.experiment, e.tier, quoted(e.change));
  }
  std::string operator()(const campaign::Searched& e) const {
    return fmt::format("experiment {}: {} configuration(s){}", e.experiment, e.configurations,
                       e.best ? ", best " + brief(*e.best) : "");
  }
  std::string operator()(const campaign::CandidateOffered& e) const {
    return fmt::format("experiment {}: {}", e.experiment, brief(e.candidate));
  }
  std::string operator()(const campaign::ComparisonCharged& e) const {
    return fmt::format("k = {}, alpha = {:.3g}: {} against {}", e.k, e.alpha, brief(e.candidate), brief(e.incumbent));
  }
  std::string operator()(const campaign::ComparisonAbandoned& e) const {
    return fmt::format("{}: {}", quoted(e.job), quoted(e.reason));
  }
  std::string operator()(const campaign::RoundMeasured& e) const {
    return fmt::format("{} round {}: {}", quoted(e.stage), e.index, signed_percent(e.gain, 2));
  }
  std::string operator()(const campaign::Decided& e) const {
    return fmt::format("experiment {}: {}{}", e.experiment, name_of(e.status),
                       e.reason.empty() ? "" : " (" + quoted(e.reason) + ")");
  }
  std::string operator()(const campaign::Promoted& e) const {
    return fmt::format("v{} is {}, experiment {}", e.version, brief(e.candidate), e.experiment);
  }
  std::string operator()(const campaign::Demoted& e) const {
    return fmt::format("v{}, back to v{}: {}", e.version, e.to, quoted(e.reason));
  }
  std::string operator()(const campaign::Parked& e) const {
    return fmt::format("{}, experiment {}: {}", brief(e.candidate), e.experiment, quoted(e.reason));
  }
  std::string operator()(const campaign::Unparked& e) const {
    return fmt::format("{}: {}", brief(e.candidate), quoted(e.reason));
  }
  std::string operator()(const campaign::DeadEnd& e) const {
    return fmt::format("{} from {}: {}", quoted(e.group), brief(e.context), quoted(e.reason));
  }
  std::string operator()(const campaign::BudgetReserved& e) const {
    return fmt::format("{:.3g} s of device time for {}", e.device_seconds, quoted(e.job));
  }
  std::string operator()(const campaign::BudgetSettled& e) const {
    return fmt::format("{:.3g} s of device time for {}", e.device_seconds, quoted(e.job));
  }
  std::string operator()(const campaign::FinalConfirmed& e) const {
    return fmt::format("{} against v0{}{}", brief(e.candidate), gain_text(e.speedup),
                       e.speedup_interval ? " " + views::interval_text(*e.speedup_interval) : "");
  }
  std::string operator()(const campaign::Stopped& e) const {
    return fmt::format("{}: {}", name_of(e.status), quoted(e.reason));
  }
};

template <size_t... I>
std::vector<std::string> type_names(std::index_sequence<I...>) {
  return {std::string(std::variant_alternative_t<I, campaign::EventBody>::type)...};
}

Status check_type(const std::optional<std::string>& type) {
  const auto known = type_names(std::make_index_sequence<std::variant_size_v<campaign::EventBody>>());
  if (!type || std::find(known.begin(), known.end(), *type) != known.end()) return ok();
  return Error{ErrorCode::usage,
               fmt::format("no event is of type '{}'{}", *type, did_you_mean(*type, known)),
               {},
               "",
               "one of: " + join(known, ", ")};
}

struct Entry {
  campaign::Event event;
  std::string line;
};

struct Chosen {
  std::deque<Entry> entries;
  uint64_t torn_bytes = 0;
};

Result<Chosen> choose(const fs::path& log, const std::optional<std::string>& type, std::optional<uint64_t> last) {
  Chosen chosen;
  HONE_TRY(const record::LogContent content,
           record::read_log(log, [&](std::string_view line, uint64_t number) -> Status {
             auto event = campaign::from_line(line);
             if (!event)
               return Error{ErrorCode::refused, event.error().what, {log.string(), static_cast<uint32_t>(number), 0}};
             if (type && campaign::type_of(event->body) != *type) return ok();
             chosen.entries.push_back({*std::move(event), std::string(line)});
             if (last && chosen.entries.size() > *last) chosen.entries.pop_front();
             return ok();
           }));
  chosen.torn_bytes = content.torn.size();
  return chosen;
}

std::string to_text(const Chosen& chosen) {
  std::vector<std::vector<std::string>> rows{{"seq", "time", "type", "what"}};
  for (const auto& [event, line] : chosen.entries)
    rows.push_back({std::to_string(event.sequence), event.time, std::string(campaign::type_of(event.body)),
                    short_text(event.body)});
  return align_table(rows);
}

LogDocument document_of(Chosen chosen) {
  LogDocument document;
  for (Entry& entry : chosen.entries) document.events.push_back({std::move(entry.line)});
  document.torn_bytes = chosen.torn_bytes;
  return document;
}

Result<int> log(Context& context) {
  const fs::path file = campaign_folder(context, context.arguments.text("TASK")) / "log.jsonl";
  const auto type = context.arguments.text("type");
  HONE_CHECK(check_type(type));
  HONE_TRY(const auto last, context.arguments.count("last"));
  if (!path_exists(file))
    return Error{ErrorCode::usage,
                 fmt::format("there is no campaign in {}", file.parent_path().string()),
                 {},
                 "",
                 "start one with `hone run TASK`, or name its folder with -C"};
  HONE_TRY(Chosen chosen, choose(file, type, last));
  context.json() ? print_json(json::to_text(document_of(std::move(chosen)))) : print(to_text(chosen));
  return 0;
}

}  // namespace

std::string short_text(const campaign::EventBody& body) { return std::visit(Teller(), body); }

Command log_command() {
  return {"log",
          "The event log, one line an event",
          "Verifies the chain while it reads. --json gives the events as they are kept.",
          k_arguments,
          k_options,
          log};
}

}  // namespace hone::cli
