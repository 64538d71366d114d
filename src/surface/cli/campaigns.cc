#include "surface/cli/campaigns.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <iostream>

#include "base/json.h"
#include "base/text.h"
#include "diagnose/target.h"
#include "loop/contract.h"
#include "loop/opening.h"
#include "loop/run.h"
#include "propose/manual.h"
#include "propose/script.h"
#include "propose/tuner.h"
#include "surface/cli/hidden.h"
#include "surface/cli/init.h"
#include "surface/cli/parser.h"
#include "surface/cli/reports.h"
#include "surface/cli/terminal.h"
#include "surface/cli/workplace.h"
#include "surface/selftest/gate.h"
#include "surface/selftest/summary.h"
#include "task/read.h"

namespace hone::cli {

namespace {

// The first ones only where a campaign may begin.
constexpr size_t k_to_begin = 2;
constexpr OptionRow k_options[] = {
    k_reference_option,
    k_dims_option,
    {"--proposer", "NAME", "the interrupted run's, else tune", "who suggests changes: tune, script:FILE or manual",
     "it goes on as it began; the tuner needs nothing but this machine"},
    {"--max-iterations", "N", "5, none with --time",
     "stop after N experiments offered for judgement; +N: N more than an interrupted run has done",
     "MAX_ITERATIONS of the published tier loop"},
    {"--time", "DURATION", "", "stop starting experiments after this long, for example 40s or 10m"},
    {"--device-time", "DURATION", "", "stop when the campaign has used this much device time"},
    {"--target", "TIME", "from the contract, else 70 % of the binding ceiling",
     "a time to reach such as 1.5ms, or none", "the published tier loop's success level"},
    k_hidden_option,
    {"--executor", "NAME", "local", "where judging jobs run: local", "needs nothing but this machine"},
    {"--rebaseline", "", "", "measure v0 and the incumbent anew after device, compiler or hone changed"},
    {"--repair", "", "", "when the baseline is wrong, let the proposer repair it first"},
    k_cores_option,
    k_device_option,
    k_clocks_option,
    k_tape_option,
};

Result<std::unique_ptr<propose::Proposer>> make_proposer(const std::string& name, const fs::path& folder) {
  if (name == "tune") return propose::make_tuner();
  if (name == "manual") return propose::make_manual(folder);
  if (name.starts_with("script:")) return propose::make_script(name.substr(7));
  const std::vector<std::string> known{"tune", "manual", "script:FILE"};
  return Error{ErrorCode::usage,
               fmt::format("unknown proposer '{}'{}", name, did_you_mean(name, known)),
               {},
               "",
               "one of: tune, manual, script:FILE"};
}

// As an interrupted session's event names it; else the tuner.
std::string proposer_name(const Context& context, const fs::path& campaign) {
  if (const auto typed = context.arguments.text("proposer")) return *typed;
  const auto read = loop::read_campaign(campaign);
  const campaign::SessionStarted* before = read ? loop::interrupted_session(read->state) : nullptr;
  return before != nullptr ? before->proposer : "tune";
}

// "5", or "+5" on top of what an interrupted session did.
Result<loop::IterationLimit> iteration_limit(const std::string& text) {
  using Kind = loop::IterationLimit::Kind;
  const bool more = text.starts_with("+");
  const std::string_view digits = std::string_view(text).substr(more ? 1 : 0);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    return Error{ErrorCode::usage, fmt::format("--max-iterations takes a whole number or +N, not '{}'", text)};
  return loop::IterationLimit{more ? Kind::more : Kind::in_all, value};
}

Status read_limits(const Context& context, loop::RunRequest& request) {
  HONE_TRY(request.time_limit, context.arguments.duration("time"));
  HONE_TRY(const auto device_time, context.arguments.duration("device-time"));
  if (device_time) request.device_seconds_limit = to_seconds(*device_time);
  // With a time limit the default count would stop a fast campaign early; the time alone decides then.
  if (request.time_limit) request.iterations = loop::IterationLimit{loop::IterationLimit::Kind::unlimited, 0};
  if (const auto text = context.arguments.text("max-iterations")) {
    HONE_TRY(request.iterations, iteration_limit(*text));
  }
  return ok();
}

Status read_target(const Context& context, loop::RunRequest& request) {
  const auto typed = context.arguments.text("target");
  if (typed == "none") {
    request.target_choice = loop::TargetChoice::none;
  } else if (typed) {
    HONE_TRY(const auto duration, context.arguments.duration("target"));
    if (*duration <= Nanoseconds(0))
      return Error{ErrorCode::usage, "--target takes a time above 0, or none", {}, "no kernel takes no time", ""};
    request.target_seconds = to_seconds(*duration);
  }
  return ok();
}

Result<loop::RunRequest> make_request(const Context& context, const std::optional<std::string>& task) {
  loop::RunRequest request;
  request.task_folder = task_folder(task);
  request.campaign_folder = campaign_folder(context, task);
  request.command = context.command_line;
  if (context.arguments.has("rebaseline")) request.pinning = loop::Pinning::rebaseline;
  if (context.arguments.has("repair")) request.on_wrong_baseline = loop::OnWrongBaseline::repair;
  HONE_CHECK(read_limits(context, request));
  HONE_CHECK(read_target(context, request));
  return request;
}

Result<task::Task> task_of(const loop::RunRequest& request) {
  if (path_exists(request.campaign_folder / "log.jsonl") && path_exists(request.campaign_folder / "contract/task.toml"))
    return task::require_task(request.campaign_folder / "contract");
  return task::require_task(request.task_folder);
}

}  // namespace

std::span<const OptionRow> run_options() { return k_options; }
std::span<const OptionRow> resume_options() { return std::span(k_options).subspan(k_to_begin); }

Result<int> run_campaign(Context& context, const std::optional<std::string>& task) {
  if (context.arguments.text_or("executor", "local") != "local")
    return Error{
        ErrorCode::environment, "this hone runs judging jobs on this machine only", {}, "", "use --executor local"};
  HONE_TRY(loop::RunRequest request, make_request(context, task));
  HONE_TRY(const task::Task contract, task_of(request));
  HONE_CHECK(task::supported_here(contract));
  HONE_TRY(request.hidden_file, hidden_file(context, contract, {request.task_folder, request.campaign_folder}));
  HONE_TRY(auto proposer, make_proposer(proposer_name(context, request.campaign_folder), request.task_folder));
  HONE_TRY(const Bench bench, open_bench(context, contract, Calibration::when_missing));
  const auto display = make_display(context.json() ? Verbosity::quiet : Verbosity::normal, *context.clock);
  loop::RunServices services;
  services.disk = context.disk;
  services.clock = context.clock;
  services.processes = context.processes;
  services.display = display.get();
  services.executor = bench.executor.get();
  services.proposer = proposer.get();
  services.ceilings = bench.ceilings;
  services.device_reason = bench.reason;
  services.device = bench.device;
  HONE_TRY(const device::Identity identity, bench.executor->identity());
  if (const auto kept = kept_result(identity.key().hex())) services.selftest = sentence(*kept);
  services.cancelled = context.cancelled;
  HONE_TRY(const loop::RunReport report, loop::run(request, services));
  display->note(fmt::format("{}: {}", name_of(report.stop.status), report.stop.reason));
  return print_summary(context, request.campaign_folder);
}

}  // namespace hone::cli
