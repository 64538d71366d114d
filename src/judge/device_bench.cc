#include "judge/device_bench.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/disk.h"
#include "base/text.h"
#include "device/backends.h"
#include "diagnose/roofline.h"
#include "judge/constants.h"
#include "judge/hidden.h"
#include "stats/estimate.h"
#include "task/launch.h"
#include "task/read_launch.h"

namespace hone::judge {

namespace {

using campaign::Outcome;

struct FaultRow {
  device::FaultKind kind;
  Outcome outcome;
  std::string_view reason;
};

// What a fault of a candidate's process means for the verdict.
constexpr FaultRow k_faults[] = {
    {device::FaultKind::crashed, Outcome::runtime_error, "crashed"},
    {device::FaultKind::timed_out, Outcome::timeout, "deadline"},
    {device::FaultKind::bad_return, Outcome::runtime_error, "returned an error"},
    {device::FaultKind::load_failed, Outcome::launch_error, "could not be loaded"},
    {device::FaultKind::launch_refused, Outcome::launch_error, "could not be launched"},
    {device::FaultKind::too_many_threads, Outcome::violation, "threads"},
    {device::FaultKind::memory, Outcome::out_of_memory, "memory"},
};

Outcome outcome_of(device::CompileFault fault) {
  return fault == device::CompileFault::timeout ? Outcome::timeout : Outcome::compile_error;
}

std::string_view words_of(device::CompileFault fault) {
  switch (fault) {
    case device::CompileFault::compile_error:
      return "it does not compile";
    case device::CompileFault::timeout:
      return "its build ran past [limits] build_seconds";
    case device::CompileFault::no_entry:
      return "it does not define the entry function with C linkage";
  }
  return "";
}

}  // namespace

DeviceBench::DeviceBench(const task::Task& task, const JudgingJob& job, device::Device& device, Inside inside)
    : task_(task),
      job_(job),
      device_(device),
      secret_(inside.secret),
      oracle_(std::move(inside.oracle)),
      ceilings_(job.ceilings) {}

Result<std::unique_ptr<DeviceBench>> DeviceBench::make(const task::Task& task, const JudgingJob& job,
                                                       device::Device& device, Inside inside) {
  std::unique_ptr<DeviceBench> bench(new DeviceBench(task, job, device, std::move(inside)));
  HONE_CHECK(bench->bind_cases());
  HONE_CHECK(bench->add_neighbours());
  HONE_CHECK(bench->make_oracle());
  return bench;
}

Status DeviceBench::add_case(const task::Case& one, ContentSource source) {
  const auto bound = task::bind_case(task_, one);
  if (!bound) return veiled(bound.error(), one);
  auto content = CaseContent::make(task_, *bound, source);
  if (!content) return veiled(content.error(), one);
  contents_.push_back(std::make_unique<CaseContent>(*std::move(content)));
  return ok();
}

// Golden files hold one content of a case. Whoever knows it knows the answers, so every case has contents made anew
// besides, which v0 answers; of these the timed ones are timed.
Status DeviceBench::bind_cases() {
  const bool golden = task_.oracle.kind == task::OracleKind::golden;
  for (const task::Case& one : task_.cases) {
    const bool timed = one.is(task::Purpose::time);
    const bool in_files = golden && !one.hidden;  // of a hidden case there are none
    if (in_files && one.is(task::Purpose::verify)) HONE_CHECK(add_case(one, ContentSource::golden));
    HONE_CHECK(add_case(one, ContentSource::fills));
    if (!timed) continue;
    timed_.push_back(contents_.back().get());
    timed_weights_.push_back(one.weight);
  }
  if (golden)
    report_.notes.emplace_back(
        "contents beside the golden ones are judged against v0 under the contract's rule: the files hold one each");
  return ok();
}

namespace {

using Bindings = std::map<std::string, task::BoundValue>;

// Where an axis may go from a case's value: a step to either side, nowhere, its least value, or anywhere below.
int64_t move_axis(const task::Axis& axis, int64_t value, Draws& draws) {
  const task::AxisRange range = task::stated_range(axis);
  const int64_t step = range.multiple_of;
  const int64_t least = (range.minimum + step - 1) / step * step;
  switch (draws.below(5)) {
    case 0:
      return value - step;
    case 1:
      return value + step;
    case 2:
      return least;
    case 3:
      return least +
             step * static_cast<int64_t>(draws.below(static_cast<uint64_t>(std::max(value - least, step) / step)));
    default:
      return value;
  }
}

// Shapes beside a hidden one would tell of it.
std::vector<const task::Case*> public_verify_cases(const task::Task& task) {
  std::vector<const task::Case*> cases = task.cases_for(task::Purpose::verify);
  std::erase_if(cases, [](const task::Case* one) { return one->hidden; });
  return cases;
}

// What a case binds to a floating scalar; nothing of other arguments and of axes.
std::optional<double> floating_scalar(const task::Task& task, const std::string& name, const Bindings& bind) {
  const auto argument = std::find_if(task.arguments.begin(), task.arguments.end(),
                                     [&name](const task::Argument& one) { return one.name == name; });
  const auto found = bind.find(name);
  if (argument == task.arguments.end() || !task::is_floating(argument->dtype) || found == bind.end())
    return std::nullopt;
  return std::visit([](auto value) { return static_cast<double>(value); }, found->second);
}

// A number anywhere between the least and the largest that the public cases show.
double between_shown(const task::Task& task, const std::string& scalar, double value, Draws& draws) {
  double low = value;
  double high = value;
  for (const task::Case* one : public_verify_cases(task)) {
    const double shown = floating_scalar(task, scalar, one->bind).value_or(value);
    low = std::min(low, shown);
    high = std::max(high, shown);
  }
  return low + (high - low) * static_cast<double>(draws.below(k_scalar_steps + 1)) / k_scalar_steps;
}

// Floating scalars move between what is shown: a candidate may know those, and no others. Whole numbers stay, since
// they may name a mode.
Bindings with_other_scalars(const task::Task& task, Bindings bind, Draws& draws) {
  for (auto& [name, value] : bind) {
    if (const auto number = floating_scalar(task, name, bind)) value = between_shown(task, name, *number, draws);
  }
  return bind;
}

// A binding beside `one`; which axes move and where is the secret's business.
Bindings beside(const task::Task& task, const task::Case& one, Draws& draws) {
  Bindings bind = with_other_scalars(task, one.bind, draws);
  for (const task::Axis& axis : task.axes) {
    const auto found = bind.find(axis.name);
    if (found == bind.end() || !std::holds_alternative<int64_t>(found->second)) continue;
    found->second = move_axis(axis, std::get<int64_t>(found->second), draws);
  }
  return bind;
}

// Scalars make no other shape.
Bindings shape_of(const task::Task& task, Bindings bind) {
  std::erase_if(bind, [&](const auto& one) { return task.find_axis(one.first) == nullptr; });
  return bind;
}

// A shape inside the public range that no case shows and no earlier neighbour has; where there is none, other scalars
// alone.
std::optional<task::Case> draw_neighbour(const task::Task& task, const task::Case& one, std::set<Bindings>& known,
                                         Draws& draws) {
  for (size_t i = 0; i < k_neighbour_draws; ++i) {
    const Bindings bind = beside(task, one, draws);
    if (known.contains(shape_of(task, bind))) continue;
    const auto neighbour = task::synthetic_case(task, bind, "");
    if (!neighbour) continue;  // outside the public range
    known.insert(shape_of(task, bind));
    return *neighbour;
  }
  const Bindings bind = with_other_scalars(task, one.bind, draws);
  if (bind == one.bind) return std::nullopt;
  const auto neighbour = task::synthetic_case(task, bind, "");
  return neighbour ? std::optional(*neighbour) : std::nullopt;
}

}  // namespace

// Hidden neighbour shapes: what a fast path for the shapes shown would get wrong.
Status DeviceBench::add_neighbours() {
  std::vector<const task::Case*> cases = public_verify_cases(task_);
  std::set<Bindings> known;
  for (const task::Case& one : task_.cases) known.insert(shape_of(task_, one.bind));
  Draws draws(secret_.sub_key({"neighbours", "", "", 0, 0, 0}));
  draws.shuffle(cases);
  for (size_t i = 0; i < k_neighbours && !cases.empty(); ++i) {
    auto neighbour = draw_neighbour(task_, *cases[i % cases.size()], known, draws);
    if (!neighbour) continue;
    neighbour->id = fmt::format("neighbour-{}", neighbours_.size() + 1);
    HONE_TRY(const task::BoundCase bound, task::bind_case(task_, *neighbour));
    auto content = CaseContent::make(task_, bound);
    if (!content) continue;  // files hold the content of one shape alone
    neighbours_.push_back(std::make_unique<CaseContent>(*std::move(content)));
  }
  return ok();
}

Status DeviceBench::make_oracle() {
  if (oracle_) return ok();
  if (task_.oracle.kind == task::OracleKind::c_function) {
    HONE_TRY(auto host, device::open_host({device_.identity().cores, 1}));
    oracle_ = make_c_function_oracle(task_, std::move(host));
  } else if (task_.oracle.kind == task::OracleKind::golden) {
    oracle_ = make_golden_oracle(task_);
  }
  return ok();
}

Result<std::optional<Failure>> DeviceBench::build(ArmName arm, const task::Candidate& candidate) {
  BuiltArm built;
  HONE_TRY(auto failure, build_into(arm, candidate, built));
  if (failure) return std::optional<Failure>(std::move(failure));
  arms_[arm] = std::move(built);
  return std::optional<Failure>();
}

namespace {

// The candidate's files, and the contract's own sources that it may not edit.
Result<std::vector<task::CandidateFile>> all_files(const task::Task& task, const task::Candidate& candidate) {
  std::vector<task::CandidateFile> files = candidate.files;
  for (const std::string& source : task.kernel.sources) {
    if (candidate.find(source) != nullptr) continue;
    HONE_TRY(std::string bytes, read_file(task.folder / source));
    files.push_back({source, false, std::move(bytes)});
  }
  return files;
}

Result<std::vector<device::LaunchedKernel>> launched_kernels(const task::Task& task, const task::Variant& variant) {
  std::vector<device::LaunchedKernel> kernels;
  const bool launched = task.kernel.call == task::Call::launch;
  HONE_TRY(const auto launches, launched ? task::launches_of(task, variant) : task::calls_of(task));
  for (const task::Launch& launch : launches)
    kernels.push_back(
        {launch.entry.empty() ? task.kernel.entry : launch.entry, task::handed(task, task::handed_over(task, launch))});
  return kernels;
}

Result<device::CompileRequest> compile_request(const task::Task& task, const JudgingJob& job,
                                               const task::Candidate& candidate) {
  device::CompileRequest request;
  request.header_roots = job.header_roots;
  HONE_TRY(request.files, all_files(task, candidate));
  request.sources = task.kernel.sources;
  request.entry = task.kernel.entry;
  request.macros = task::tunable_values(task, candidate.variant);
  request.options = task::option_ids(task, candidate.variant);
  request.threads = task.limits.threads;
  request.deadline = from_seconds(task.limits.build_seconds);
  HONE_TRY(request.launches, launched_kernels(task, candidate.variant));
  return request;
}

}  // namespace

std::vector<task::Candidate> DeviceBench::still_to_build(std::span<const task::Candidate> candidates) const {
  std::vector<task::Candidate> missing(candidates.begin(), candidates.end());
  if (!reference_ordered_ && job_.baseline) missing.push_back(to_candidate(*job_.baseline));
  std::erase_if(missing, [this](const task::Candidate& one) { return built_ahead_.contains(one.digest); });
  return missing;
}

void DeviceBench::order_reference(std::vector<device::BuildOrder>& orders) {
  const bool again = std::exchange(reference_ordered_, true);
  if (again || !oracle_) return;
  if (auto order = oracle_->build_order(); order && *order) orders.push_back(**std::move(order));
}

// What cannot even be asked for is said when its turn comes, as is all else.
void DeviceBench::build_ahead(std::span<const task::Candidate> candidates, const std::function<bool()>& stop) {
  const Stopwatch waiting(report_.build_seconds);
  std::vector<device::BuildOrder> orders;
  std::vector<Digest> names;
  for (const task::Candidate& candidate : still_to_build(candidates)) {
    auto request = compile_request(task_, job_, candidate);
    if (!request) continue;
    orders.push_back({&device_, *std::move(request)});
    names.push_back(candidate.digest);
  }
  order_reference(orders);
  auto answers = pool_.run(orders, stop);
  for (size_t i = 0; i < names.size(); ++i) {
    if (answers[i]) built_ahead_[names[i]] = *std::move(answers[i]);
  }
}

Result<device::CompileOutcome> DeviceBench::compiled(const task::Candidate& candidate) {
  if (const auto ahead = built_ahead_.find(candidate.digest); ahead != built_ahead_.end()) return ahead->second;
  HONE_TRY(const device::CompileRequest request, compile_request(task_, job_, candidate));
  const Stopwatch waiting(report_.build_seconds);
  return device_.compile(request);
}

Result<std::optional<Failure>> DeviceBench::build_into(ArmName arm, const task::Candidate& candidate, BuiltArm& out) {
  HONE_TRY(const device::CompileOutcome compiled, this->compiled(candidate));
  if (compiled.fault) {
    const std::string why =
        compiled.explanation.empty() ? std::string(words_of(*compiled.fault)) : compiled.explanation;
    return std::optional<Failure>(Failure{outcome_of(*compiled.fault), arm, std::string(name_of(*compiled.fault)),
                                          "the candidate was not built: " + why, compiled.messages, std::nullopt});
  }
  out = {candidate, *compiled.artefact};
  return std::optional<Failure>();
}

// The arms of a stage share one secret order of all pads, from opposite ends of its middle: 32 rounds repeat no pad at
// all, 64 none within an arm.
uint32_t DeviceBench::next_pad(std::string_view stage, ArmName arm) {
  std::vector<uint32_t> pads(device::k_pads);
  std::iota(pads.begin(), pads.end(), 0u);
  Draws draws(secret_.sub_key({"pads", "", stage, 0, 0, 0}));
  draws.shuffle(pads);
  const uint64_t first = arm == ArmName::candidate ? pads.size() / 2 : 0;
  return pads[(first + loads_[{std::string(stage), arm}]++) % pads.size()];
}

namespace {

// To those that run it is an input.
void seal_derived(const task::Task& task, std::vector<device::ParameterLayout>& parameters) {
  for (size_t p = 0; p < parameters.size(); ++p) {
    if (task.arguments[p].role == task::Role::derived) parameters[p].written = false;
  }
}

}  // namespace

Result<DeviceBench::LoadAnswer> DeviceBench::load(ArmName arm, const std::vector<const CaseContent*>& cases, int sets,
                                                  const LayoutName& layout) {
  const Digest layout_key =
      secret_.sub_key({"layout", "", layout.stage, layout.round, attempts_, static_cast<uint64_t>(arm)});
  ++attempts_;
  device::LoadRequest request;
  request.artefact = arms_.at(arm).artefact;
  request.entry = task_.kernel.entry;
  request.context = context_of(arm, layout);
  const bool sees_hidden =
      std::any_of(cases.begin(), cases.end(), [](const CaseContent* one) { return one->bound().hidden; });
  std::vector<const CaseContent*> sized = loads_every_case(sets) ? public_cases() : std::vector<const CaseContent*>();
  sized.insert(sized.end(), cases.begin(), cases.end());
  request.parameters = parameter_layout(task_, sized);
  for (const CaseContent* one : sized) {
    const auto steps = steps_of(arm, *one);
    if (!steps) return LoadAnswer{{}, unlaunchable(arm, steps.error(), *one)};
    std::ranges::move(steps->all(), std::back_inserter(request.steps));
  }
  request.sets = sets;
  request.threads = task_.limits.threads;
  request.memory_limit_bytes = task_.limits.device_bytes;
  request.library_calls = task_.policy.library_calls ? device::LibraryCalls::allowed : device::LibraryCalls::refused;
  request.pad = next_pad(layout.stage, arm);
  uint64_t seeds[2];
  memcpy(seeds, layout_key.bytes.data(), sizeof seeds);
  request.layout_seed = seeds[0];
  if (prepares_apart()) seal_derived(task_, request.parameters);
  const Stopwatch loading(report_.step_seconds["load"]);
  HONE_TRY(device::LoadOutcome outcome, device_.load(request));
  if (outcome.fault) return LoadAnswer{{}, as_told_of_load(failure_of(arm, *outcome.fault), sees_hidden)};
  LoadAnswer answer{{arm, std::move(outcome.arm), sets, 0, sees_hidden}, std::nullopt};
  HONE_TRY(answer.failure, load_preparer(answer.loaded, std::move(request), seeds[1]));
  HONE_CHECK(learn_occupancy(answer.loaded));
  return answer;
}

// A process that prepares knows the weights, and could keep them laid out and in its caches for its launches: on a
// device nothing stays, here nobody wipes its memory. So it launches nothing else, and has nothing to write but what it
// is to make.
Result<std::optional<Failure>> DeviceBench::load_preparer(LoadedArm& arm, device::LoadRequest request,
                                                          uint64_t layout_seed) {
  if (!prepares_apart()) return std::optional<Failure>();
  for (size_t p = 0; p < request.parameters.size(); ++p)
    request.parameters[p].written = task::is_space(task_.arguments[p].role);
  request.sets = 1;
  request.layout_seed = layout_seed;
  HONE_TRY(device::LoadOutcome outcome, device_.load(request));
  if (outcome.fault) return std::optional(as_told_of_load(failure_of(arm.name, *outcome.fault), arm.saw_hidden));
  arm.preparer = std::move(outcome.arm);
  return std::optional<Failure>();
}

// The timed case of the largest weight, and of several the first, that may be spoken of.
const CaseContent* DeviceBench::shown_case() const {
  const CaseContent* shown = nullptr;
  double weight = 0;
  for (size_t i = 0; i < timed_.size(); ++i) {
    if (timed_[i]->bound().hidden || (shown != nullptr && timed_weights_[i] <= weight)) continue;
    shown = timed_[i];
    weight = timed_weights_[i];
  }
  return shown;
}

// Of either arm, once for what was built and before anything is launched: it costs no launch, and tells no device
// which arm it has. A kernel that is launched more than once is told as it is first.
Status DeviceBench::learn_occupancy(LoadedArm& arm) {
  BuiltArm& built = arms_.at(arm.name);
  const CaseContent* shown = shown_case();
  if (task_.kernel.call != task::Call::launch || built.occupancy || shown == nullptr) return ok();
  const auto launched = steps_of(arm.name, *shown);
  if (!launched) return ok();  // a load for that case says why
  const std::vector<device::LaunchStep> steps = launched->all();
  built.occupancy.emplace();
  HONE_TRY(const auto found, arm.arm->occupancy(steps));
  for (size_t i = 0; i < steps.size(); ++i) {
    if (found[i]) built.occupancy->emplace(steps[i].entry, *found[i]);
  }
  return ok();
}

// Every load has buffers as large as any public case asks for, so that their sizes do not tell what it is for; where
// so many sets of them would take half of the memory, as large as its own cases ask for.
bool DeviceBench::loads_every_case(int sets) const {
  uint64_t bytes = 0;
  for (const device::ParameterLayout& one : parameter_layout(task_, public_cases())) bytes += one.capacity_bytes;
  return bytes <= room_for_sets() / static_cast<uint64_t>(std::max(sets, 1));
}

bool DeviceBench::is_device_only() const { return device_.identity().trust == device::Trust::device_only; }

// Bytes that the sets of one arm may take together. A device holds both arms, and what its driver needs.
uint64_t DeviceBench::room_for_sets() const {
  return is_device_only() ? device_.identity().memory_bytes / 4 : task_.limits.device_bytes / 2;
}

// Sets that an arm takes turns with, besides those of a group.
int DeviceBench::sets_in_turn() const {
  constexpr uint64_t k_fewest = 2;
  if (!is_device_only()) return k_fewest;
  uint64_t bytes = 1;
  for (const device::ParameterLayout& one : parameter_layout(task_, timed_)) bytes += one.capacity_bytes;
  return static_cast<int>(std::clamp<uint64_t>(room_for_sets() / bytes, k_fewest, k_sets_of_a_device));
}

Spots DeviceBench::spots(const LaunchName& name, double probability, int sets) const {
  std::vector<const CaseContent*> others = loads_every_case(sets) ? public_cases() : std::vector<const CaseContent*>();
  std::erase_if(others,
                [](const CaseContent* one) { return one->source() == ContentSource::golden; });  // known by heart
  return {Draws(secret_.sub_key(name)), probability, timed_, std::move(others)};
}

// A process that has seen a hidden case can tell of it in any later launch.
Failure DeviceBench::as_told(const LoadedArm& arm, Failure failure, const CaseContent& content) const {
  if (arm.saw_hidden && !content.bound().hidden) {
    failure.message = fmt::format("the case '{}' fails ({}), in a process that knows a hidden one", content.bound().id,
                                  failure.reason);
    failure.details.clear();
  }
  return veiled(std::move(failure), content.bound());
}

// What any device of the language would refuse is the contract's or the candidate's mistake and told as such.
Result<std::vector<task::BoundLaunch>> DeviceBench::launches_here(const task::Variant& variant,
                                                                  const task::BoundCase& bound) const {
  if (task_.kernel.call != task::Call::launch) return task::host_calls(task_);
  const task::LaunchLimits widest = task::widest_limits(task_.kernel.language);
  const device::Identity& identity = device_.identity();
  auto launches = task::bind_launches(task_, variant, bound, identity.launch_limits.value_or(widest));
  if (launches || !task::bind_launches(task_, variant, bound, widest)) return launches;
  Error refused = launches.error();
  refused.what = fmt::format("the device {} takes less than is asked: {}", identity.name, refused.what);
  return refused;
}

std::vector<device::LaunchStep> DeviceBench::Steps::all() const {
  std::vector<device::LaunchStep> all = preparing;
  all.insert(all.end(), running.begin(), running.end());
  return all;
}

// What hone starts itself of an arm in one case; of a host function nothing but where it is prepared.
Result<DeviceBench::Steps> DeviceBench::steps_of(ArmName arm, const CaseContent& content) const {
  Steps steps;
  HONE_TRY(const auto launches, launches_here(arms_.at(arm).candidate.variant, content.bound()));
  for (const task::BoundLaunch& launch : launches) {
    auto& phase = launch.phase == task::Phase::prepare ? steps.preparing : steps.running;
    phase.push_back({launch.entry, launch.grid, launch.block, launch.cluster, launch.dynamic_shared_bytes,
                     launch.cooperative, launch.arguments});
  }
  return steps;
}

Result<std::vector<device::TensorMapPlan>> DeviceBench::tensor_maps_of(ArmName arm, const CaseContent& content) const {
  std::vector<device::TensorMapPlan> maps;
  for (size_t i = 0; i < task_.arguments.size(); ++i) {
    if (task_.arguments[i].role != task::Role::tensor_map) continue;
    const task::Scope scope = task::launch_scope(task_, arms_.at(arm).candidate.variant, content.bound());
    HONE_TRY(task::BoundTensorMap map, task::bind_tensor_map(task_, content.bound(), scope, i));
    maps.push_back({i, std::move(map)});
  }
  return maps;
}

// The contract's launches were worked out when it was read: what fails now are the candidate's own.
Failure DeviceBench::unlaunchable(ArmName arm, const Error& error, const CaseContent& content) const {
  return veiled({Outcome::launch_error, arm, "could not be launched", error.what, "", std::nullopt}, content.bound());
}

// Both arms may share a context where that can only lead to a confirmation (JUDGE.md 1).
bool DeviceBench::are_apart(std::string_view stage) const { return stage == "confirmation"; }

// A process has a speed of its own on a device (0.1 us of a launch were seen between two), since its code and its
// buffers lie elsewhere. So the coin of the round says which of the two processes an arm gets.
std::string DeviceBench::context_of(ArmName arm, const LayoutName& layout) const {
  if (!are_apart(layout.stage)) return "";
  const bool exchanged = (secret_.sub_key({"apart", "", layout.stage, layout.round, 0, 0}).bytes[0] & 1) != 0;
  return (arm == ArmName::candidate) == exchanged ? "one process" : "another process";
}

// Sizes of buffers are there to be read before anything is launched.
Failure DeviceBench::as_told_of_load(Failure failure, bool sees_hidden) const {
  if (!sees_hidden) return failure;
  failure.message = fmt::format("it fails ({}) while it is being loaded for a hidden case", failure.reason);
  failure.details.clear();
  return failure;
}

Failure DeviceBench::failure_of(ArmName arm, const device::Fault& fault) const {
  for (const FaultRow& row : k_faults) {
    if (row.kind == fault.kind)
      return {row.outcome, arm, std::string(row.reason), fault.message, fault.output, std::nullopt};
  }
  return {Outcome::runtime_error, arm, "", fault.message, fault.output, std::nullopt};
}

namespace {

std::optional<Failure> violation_in(ArmName arm, const device::Collected& collected) {
  if (collected.guards_intact && collected.inputs_intact) return std::nullopt;
  return Failure{Outcome::violation,  arm, collected.guards_intact ? "inputs" : "guards",
                 collected.violation, "",  std::nullopt};
}

}  // namespace

Digest DeviceBench::in_block(const Digest& sub_key, const LaunchName& block) const {
  return prepares() && !prepares_apart() ? device::in_block(sub_key, secret_.sub_key(block)) : sub_key;
}

// All launches of a request are of one block. What is prepared is no secret of the judge's, and still none of it lies
// on the device but while it is being made.
Result<std::optional<Failure>> DeviceBench::prepare(LoadedArm& arm, const LaunchRequest& request) {
  if (!prepares()) return std::optional<Failure>();
  const Digest& key = request.sub_keys.front();
  const Digest block = device::block_key(key);
  PreparedCase& prepared = arm.prepared[request.content];
  if (prepared.block == block && prepared.distribution == request.distribution) return std::optional<Failure>();
  HONE_TRY(Steps steps, steps_of(arm.name, *request.content));
  if (steps.preparing.empty()) return std::optional<Failure>();
  const Stopwatch held(report_.device_seconds);
  const Stopwatch preparing(report_.step_seconds["prepare"]);
  const device::StagePlan plan = device::preparing(
      request.content->stage_plan(key, request.distribution, device::CacheState::warm), std::move(steps.preparing));
  device::Arm& preparer = arm.preparer ? *arm.preparer : *arm.arm;
  HONE_TRY(device::Preparation made, device::prepare(preparer, 0, plan, from_seconds(task_.limits.case_seconds)));
  std::optional<Failure> failure;
  if (made.outcome.fault) failure = failure_of(arm.name, *made.outcome.fault);
  if (!failure) failure = violation_in(arm.name, made.collected);
  if (failure) {
    failure->message = "while it prepares: " + failure->message;
    return std::optional(as_told(arm, *std::move(failure), *request.content));
  }
  prepare_ns_[arm.name].push_back(made.outcome.nanoseconds.value_or(0));
  prepared = {block, request.distribution, std::move(made.derived)};
  return failure;
}

// Inputs, poison, guards, caches: every launch of a group has its own set and its own content.
Result<std::vector<int>> DeviceBench::stage(LoadedArm& arm, const LaunchRequest& request) {
  const Stopwatch staging(report_.step_seconds["stage"]);
  std::vector<int> sets;
  if (request.buffers == Buffers::same && arm.next_set > 0) --arm.next_set;
  HONE_TRY(const Steps steps, steps_of(arm.name, *request.content));
  HONE_TRY(const std::vector<device::TensorMapPlan> maps, tensor_maps_of(arm.name, *request.content));
  for (const Digest& key : request.sub_keys) {
    const int set = arm.next_set++ % arm.sets;
    device::StagePlan plan = request.content->stage_plan(key, request.distribution, cache_state());
    plan.steps = steps.running;
    plan.tensor_maps = maps;
    if (const auto prepared = arm.prepared.find(request.content); prepared != arm.prepared.end())
      device::hand_over(prepared->second.derived, plan);
    HONE_CHECK(arm.arm->stage(set, plan));
    sets.push_back(set);
  }
  return sets;
}

// What devices do in their own order is waited for here.
Result<device::LaunchOutcome> DeviceBench::timed(LoadedArm& arm, const std::vector<int>& sets) {
  const Stopwatch launching(report_.step_seconds["launch"]);
  return arm.arm->launch(sets, from_seconds(task_.limits.case_seconds));
}

// Steps 2 to 7 of JUDGE.md 2 for one timed unit.
Result<LaunchResult> DeviceBench::launch(LoadedArm& arm, const LaunchRequest& request) {
  HONE_TRY(std::optional<Failure> unprepared, prepare(arm, request));
  if (unprepared) return LaunchResult{0, std::nullopt, {}, std::move(unprepared)};
  const Stopwatch held(report_.device_seconds);
  HONE_TRY(const std::vector<int> sets, stage(arm, request));
  arm.arm->expect(request.ranges);
  HONE_TRY(const device::LaunchOutcome timed, this->timed(arm, sets));
  return collected(arm, request, sets, timed);
}

Result<LaunchResult> DeviceBench::collected(LoadedArm& arm, const LaunchRequest& request, const std::vector<int>& sets,
                                            const device::LaunchOutcome& outcome) {
  LaunchResult result;
  if (outcome.fault) {
    result.failure = as_told(arm, failure_of(arm.name, *outcome.fault), *request.content);
    return result;
  }
  result.nanoseconds = outcome.nanoseconds.value_or(0);
  result.disturbed_fraction = outcome.disturbed_fraction;
  const Stopwatch collecting(report_.step_seconds["collect"]);
  for (const int set : sets) {
    HONE_TRY(device::Collected collected, arm.arm->collect(set, request.ranges));
    if (auto violation = violation_in(arm.name, collected); violation && !result.failure)
      result.failure = as_told(arm, *std::move(violation), *request.content);
    result.gathered.push_back(std::move(collected.bytes));
    HONE_CHECK(arm.arm->scrub(set));
  }
  return result;
}

device::CacheState DeviceBench::cache_state() const {
  return task_.policy.cache == task::CacheState::cold ? device::CacheState::cold : device::CacheState::warm;
}

std::vector<size_t> DeviceBench::written_parameters() const {
  std::vector<size_t> written;
  for (size_t i = 0; i < task_.arguments.size(); ++i) {
    if (task::is_written(task_.arguments[i].role)) written.push_back(i);
  }
  return written;
}

std::vector<device::Range> DeviceBench::whole_outputs(const CaseContent& content) const {
  std::vector<device::Range> ranges;
  for (const size_t i : written_parameters()) ranges.push_back({i, 0, content.bound().arguments[i].bytes});
  return ranges;
}

namespace {

campaign::KernelUse use_of(const device::KernelResources& kernel, const OccupancyByKernel& occupancy) {
  campaign::KernelUse use{kernel.kernel, kernel.registers, kernel.shared_bytes, kernel.local_bytes};
  const auto found = occupancy.find(kernel.kernel);
  if (found == occupancy.end()) return use;
  use.resident_blocks = found->second.resident_blocks;
  use.occupancy_fraction = found->second.thread_fraction;
  return use;
}

std::string note_of_preparing(ArmName arm, bool apart, const std::vector<double>& times_ns) {
  return fmt::format("what the {} prepares {} takes {} (p50 of {}), which counts to no launch", name_of(arm),
                     apart ? "for each pair of launches" : "once for many launches",
                     human_time(stats::median(times_ns) * 1e-9), times_ns.size());
}

}  // namespace

BenchReport DeviceBench::report() const {
  BenchReport report = report_;
  const device::Identity& identity = device_.identity();
  report.device_key = identity.key().hex();
  report.device_name = identity.name;
  report.trust = std::string(name_of(identity.trust));
  report.toolchain = identity.toolchain;
  report.layers = device_.active_layers();
  if (const auto candidate = arms_.find(ArmName::candidate); candidate != arms_.end()) {
    for (const device::KernelResources& one : candidate->second.artefact.resources)
      report.kernels.push_back(use_of(one, candidate->second.occupancy.value_or(OccupancyByKernel())));
  }
  if (!job_.header_roots.empty())
    report.notes.push_back("built with headers outside the task: " + device::words_of(job_.header_roots));
  if (auto line = device_.conditions()) report.notes.push_back(*std::move(line));
  for (const auto& [arm, times_ns] : prepare_ns_)
    report.notes.push_back(note_of_preparing(arm, prepares_apart(), times_ns));
  if (rounds_in_bad_conditions_ > 0)
    report.notes.push_back(
        fmt::format("the machine was disturbed during {}, again and again: their disturbed quads were kept",
                    counted(rounds_in_bad_conditions_, "round")));
  if (oracle_speed() == OracleSpeed::slow)
    report.notes.push_back(
        fmt::format("one reference call takes {:.2f} s: timed launches are checked whole {} times a stage",
                    slowest_oracle_seconds_, k_slow_checks_per_stage));
  return report;
}

}  // namespace hone::judge
