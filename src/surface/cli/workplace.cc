#include "surface/cli/workplace.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "device/accelerators.h"
#include "device/backends.h"
#include "device/choose.h"
#include "device/cpu/calibrate.h"
#include "device/cpu/empty_launch.h"
#include "device/cpu/topology.h"
#include "device/header_roots.h"
#include "device/launcher/calibrate.h"
#include "execute/clocks.h"
#include "execute/local.h"
#include "execute/tape.h"
#include "loop/contract.h"
#include "surface/cli/device_record.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr double k_first_calibration_seconds = 6.0;  // once per device, before its first campaign

Result<std::vector<int>> cores_of(const Context& context) {
  const auto list = context.arguments.text("cores");
  if (!list) return std::vector<int>();
  return device::cpu::parse_core_list(*list);
}

// Vendors' drivers are asked only for kernels that may run on their devices.
Result<device::Choice> chosen_device(const Context& context, task::Language language) {
  Processes processes;
  const device::Accelerators found =
      language == task::Language::cpp ? device::Accelerators() : device::list_accelerators(processes);
  return device::choose_device(context.arguments.text_or("device", "auto"), language, found.devices, found.absent);
}

std::optional<std::string> id_of(const device::Choice& choice) {
  if (!choice.accelerator) return std::nullopt;
  return choice.accelerator->place ? choice.accelerator->place : std::optional(choice.accelerator->uuid);
}

Result<Bench> open_tape(const std::string& path) {
  HONE_TRY(execute::Tape tape, execute::read_tape(path));
  return Bench{execute::make_tape_executor(std::move(tape)), std::nullopt, "the tape " + path, std::nullopt};
}

std::string words_on_cores(const device::Identity& identity, bool asked) {
  if (!identity.is_of_cores()) return "";
  std::vector<std::string> cores;
  for (const int core : identity.cores) cores.push_back(std::to_string(core));
  return fmt::format(
      ", pinned to core {} ({})", join(cores, ","),
      asked ? "asked for with --cores" : "the last of the cores that it may use; --cores chooses others");
}

std::string reason_for(const device::Identity& identity, const device::Choice& choice, bool asked) {
  const std::string pinned = words_on_cores(identity, asked);
  if (!choice.accelerator) return "cpu" + pinned;
  std::vector<std::string> parts{
      fmt::format("{}, {}, {}{}", device::place_of(*choice.accelerator), identity.name, choice.reason, pinned)};
  // Who set one may think that it chose.
  std::ranges::move(device::notes_on_hiding(device::cuda::environment_variables()), std::back_inserter(parts));
  return join(parts, "; ");
}

Result<campaign::DeviceRecord> record_of(const device::Choice& choice) {
  if (choice.accelerator) return published_record(*choice.accelerator);
  HONE_TRY(const device::cpu::Topology topology, device::cpu::read_topology());
  return published_record(topology);
}

// What a candidate or hone itself may change: a header root among it would be no thing of its own. A contract that is
// frozen in a campaign has the campaign around it and its task beside that.
std::vector<fs::path> folders_of_work(const Context& context, const task::Task& task) {
  std::vector<fs::path> folders{task.folder, user_cache_folder(), user_data_folder()};
  const fs::path campaign =
      task.folder.filename() == "contract" ? task.folder.parent_path() : campaign_folder(context, task.folder.string());
  folders.push_back(campaign);
  if (const auto beside = task_beside(campaign)) folders.push_back(*beside);
  return folders;
}

}  // namespace

Result<task::Language> language_of_device(const Context& context) {
  constexpr task::Language k_languages[] = {task::Language::cuda, task::Language::hip, task::Language::opencl};
  const std::string word = context.arguments.text_or("device", "auto");
  if (word == "auto" || word == "cpu") return task::Language::cpp;
  std::optional<Error> why;
  for (const task::Language language : k_languages) {
    const auto choice = chosen_device(context, language);
    if (choice) return language;
    why = choice.error();
    if (word == name_of(language)) break;  // the kind of devices that runs it
  }
  return *why;
}

fs::path task_folder(const std::optional<std::string>& task) {
  const fs::path path = task.value_or(".");
  if (!fs::is_regular_file(path) && path.filename() != "task.toml") return path;
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path campaign_folder(const Context& context, const std::optional<std::string>& task) {
  if (const auto folder = context.arguments.text("C")) return *folder;
  const fs::path where = task_folder(task);
  // Inside a campaign's own folder, or given one, that is the one.
  if (path_exists(where / "log.jsonl")) return where;
  return loop::default_campaign_folder(where);
}

std::optional<fs::path> task_beside(const fs::path& campaign) {
  const fs::path absolute = fs::absolute(campaign / ".").lexically_normal().parent_path();
  return absolute.extension() == ".hone" ? std::optional(fs::path(absolute).replace_extension()) : std::nullopt;
}

Result<std::unique_ptr<device::Device>> open_named_device(const Context& context, task::Language language,
                                                          int threads) {
  HONE_TRY(const device::Choice choice, chosen_device(context, language));
  HONE_TRY(const auto cores, cores_of(context));
  return device::open_device({language, cores, threads, id_of(choice).value_or("")});
}

namespace {

Result<device::Ceilings> ceilings_of_cores(const device::Identity& identity, int threads, double budget_seconds) {
  HONE_TRY(device::Ceilings ceilings, device::cpu::calibrate(identity, threads, budget_seconds));
  HONE_TRY(const auto host, device::open_host({identity.cores, threads}));
  HONE_TRY(ceilings.empty_launch_seconds, device::cpu::measure_empty_launch(*host, threads));
  return ceilings;
}

}  // namespace

Result<device::Ceilings> calibrate_now(const Context& context, device::Device& device, int threads,
                                       double budget_seconds) {
  const device::Identity& identity = device.identity();
  HONE_TRY(device::Ceilings ceilings, identity.is_of_cores() ? ceilings_of_cores(identity, threads, budget_seconds)
                                                             : device::launcher::calibrate(device, budget_seconds));
  ceilings.measured_at = to_iso8601(context.clock->wall_time());
  HONE_CHECK(device::store_ceilings(*context.disk, ceilings));
  return ceilings;
}

Result<Bench> open_bench(const Context& context, const task::Task& task, Calibration calibration) {
  if (const auto tape = context.arguments.text("tape")) return open_tape(*tape);
  HONE_TRY(const auto header_roots, device::find_header_roots(task.kernel.include, folders_of_work(context, task)));
  HONE_TRY(const device::Choice choice, chosen_device(context, task.kernel.language));
  HONE_TRY(const auto cores, cores_of(context));
  execute::LocalRequest request;
  request.header_roots = header_roots;
  request.language = task.kernel.language;
  request.cores = cores;
  request.threads = task.limits.threads;
  request.device = id_of(choice);
  request.waiting = [](const std::string& why) { print_error("waiting: " + why + "\n"); };
  Bench bench;
  HONE_TRY(const execute::Clocks clocks, execute::parse_clocks(context.arguments.text_or("clocks", "as-is")));
  HONE_TRY(bench.executor, execute::make_local_executor(request));
  HONE_TRY(bench.executor, execute::with_clocks(std::move(bench.executor), clocks));
  HONE_TRY(const device::Identity identity, bench.executor->identity());
  bench.reason = reason_for(identity, choice, !cores.empty());
  HONE_TRY(bench.device, record_of(choice));
  HONE_TRY(bench.ceilings, device::load_ceilings(identity.key().hex(), task.limits.threads));
  if (!bench.ceilings && calibration == Calibration::when_missing) {
    print_error("calibrating this device, once\n");
    HONE_TRY(const auto device, open_named_device(context, task.kernel.language, task.limits.threads));
    HONE_TRY(bench.ceilings, calibrate_now(context, *device, task.limits.threads, k_first_calibration_seconds));
  }
  return bench;
}

Result<task::Task> contract_of(const fs::path& campaign, const fs::path& folder) {
  if (path_exists(campaign / "contract" / "task.toml")) return task::require_task(campaign / "contract");
  return task::require_task(folder);
}

namespace {

bool is_version(const std::string& word) {
  return word.size() > 1 && word[0] == 'v' &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

constexpr size_t k_shortest_prefix = 8;

}  // namespace

Result<std::string> digest_named(const campaign::State& state, const std::string& word) {
  if (state.versions.empty()) return Error{ErrorCode::usage, "this campaign has no baseline yet", {}, "", "hone run"};
  if (word == "best") return state.incumbent()->candidate;
  if (word == "baseline") return state.versions.front().candidate;
  if (is_version(word)) {
    const uint64_t number = std::stoull(word.substr(1, 18));
    if (number < state.versions.size()) return state.versions[number].candidate;
    return Error{ErrorCode::usage,
                 fmt::format("there is no {}: this campaign goes up to v{}", word, state.versions.size() - 1)};
  }
  std::vector<std::string> matching;
  for (const auto& [digest, added] : state.candidates) {
    if (word.size() >= k_shortest_prefix && digest.starts_with(word)) matching.push_back(digest);
  }
  if (matching.size() == 1) return matching.front();
  return Error{ErrorCode::usage,
               fmt::format("'{}' names {}", word, matching.empty() ? "no candidate" : "several candidates"),
               {},
               "",
               "name a folder, vK, best, baseline or at least 8 digits of a digest"};
}

Result<Named> name_candidate(const task::Task& task, const fs::path& campaign, const std::string& word) {
  if (fs::is_directory(word)) {
    HONE_TRY(task::Candidate candidate, task::read_candidate(task, word));
    return Named{std::move(candidate), word};
  }
  HONE_TRY(const loop::ReadOnly read, loop::read_campaign(campaign));
  HONE_TRY(const std::string digest, digest_named(read.state, word));
  HONE_TRY(task::Candidate candidate, loop::restore_candidate(read.state, digest, [&](const std::string& blob) {
             return loop::read_blob(campaign, blob);
           }));
  return Named{std::move(candidate), word};
}

}  // namespace hone::cli
