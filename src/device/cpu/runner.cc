#include "device/cpu/runner.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "device/cpu/futex.h"
#include "device/cpu/pin.h"
#include "device/opencl/launch_fault.h"
#include "device/scalar_bits.h"

namespace hone::device::cpu {

namespace {

// How long the judge sleeps before it looks whether the runner still lives. Waking costs microseconds, on the runner's
// own core.
constexpr Nanoseconds k_slice = std::chrono::milliseconds(50);
constexpr size_t k_output_cap_bytes = 64 << 10;

Status fits_limits(const RunnerRequest& request, const Buffers& buffers) {
  if (request.library.string().size() >= sizeof ControlPage::library ||
      request.processor.size() >= sizeof ControlPage::processor)
    return Error{ErrorCode::contract, fmt::format("the path or the name '{}' is too long", request.processor)};
  const std::vector<std::string> kernels = kernels_of(request.steps);
  const auto too_long = [](const std::string& kernel) { return kernel.size() >= sizeof ControlPage::kernels[0]; };
  if (kernels.size() > k_most_kernels || std::ranges::any_of(kernels, too_long))
    return Error{
        ErrorCode::contract,
        fmt::format("a contract launches at most {} kernels, with names of at most 255 bytes", k_most_kernels)};
  if (buffers.mapped_bytes() + request.room_bytes > request.memory_limit_bytes)
    return Error{ErrorCode::contract,
                 fmt::format("the buffers need {}, more than the limit of {} allows",
                             human_bytes(buffers.mapped_bytes()), human_bytes(request.memory_limit_bytes)),
                 {},
                 {},
                 "lower the sizes of the cases or raise [limits] device_bytes"};
  return ok();
}

Status has_c_types(const RunnerRequest& request) {
  for (const ParameterLayout& parameter : request.parameters) {
    const bool half = parameter.dtype == task::DType::f16 || parameter.dtype == task::DType::bf16;
    if (half && !parameter.is_buffer())
      return Error{ErrorCode::contract,
                   fmt::format("a scalar of type {} cannot be passed by value", name_of(parameter.dtype)),
                   {},
                   {},
                   "pass it as f32"};
  }
  return ok();
}

// A function with all parameters, in their order.
LaunchStep whole_call(const RunnerRequest& request) {
  LaunchStep step;
  step.entry = request.entry;
  for (size_t p = 0; p < request.parameters.size(); ++p) step.arguments.push_back(p);
  return step;
}

RunnerRequest with_steps(RunnerRequest request) {
  if (request.callee == CalleeKind::library && request.steps.empty()) request.steps = {whole_call(request)};
  return request;
}

// `kernels` is as the page numbers them.
Result<StepSlot> slot_of(const LaunchStep& step, const std::vector<std::string>& kernels) {
  const auto kernel = std::ranges::find(kernels, step.entry);
  if (kernel == kernels.end() || step.arguments.size() > k_most_parameters)
    return Error{ErrorCode::internal, fmt::format("the kernel '{}' was not loaded", step.entry)};
  StepSlot slot;
  slot.kernel = static_cast<uint32_t>(kernel - kernels.begin());
  std::ranges::copy(step.grid, slot.grid);
  std::ranges::copy(step.block, slot.block);
  slot.argument_count = static_cast<uint32_t>(step.arguments.size());
  std::ranges::transform(step.arguments, slot.arguments, [](size_t p) { return static_cast<uint8_t>(p); });
  return slot;
}

// Each function once, as its first step says.
Status write_functions(ControlPage& page, const RunnerRequest& request, const std::vector<std::string>& functions) {
  for (const std::string& function : functions) {
    const auto step = std::ranges::find(request.steps, function, &LaunchStep::entry);
    const auto returns = request.returns.find(function);
    page.returns_status[page.step_count[0]] =
        returns == request.returns.end() || returns->second == Returns::status ? 1 : 0;
    HONE_TRY(page.steps[0][page.step_count[0]++], slot_of(*step, functions));
  }
  return ok();
}

Status write_plan(ControlPage& page, const RunnerRequest& request, const Buffers& buffers) {
  page = ControlPage{};
  page.parameter_count = static_cast<uint32_t>(request.parameters.size());
  page.set_count = static_cast<uint32_t>(request.sets);
  page.threads = static_cast<uint32_t>(request.threads);
  page.callee = request.callee;
  request.library.string().copy(page.library, sizeof page.library - 1);
  request.processor.copy(page.processor, sizeof page.processor - 1);
  for (size_t p = 0; p < request.parameters.size(); ++p)
    page.parameters[p] = {request.parameters[p].kind, request.parameters[p].dtype};
  const std::vector<std::string> kernels = kernels_of(request.steps);
  for (const std::string& kernel : kernels) kernel.copy(page.kernels[page.kernel_count++], sizeof page.kernels[0] - 1);
  for (const Buffer& buffer : buffers.in_mapping_order()) page.buffers[page.buffer_count++] = buffer.slot;
  return request.callee == CalleeKind::library ? write_functions(page, request, kernels) : ok();
}

std::vector<int> cores_of(const RunnerRequest& request) {
  const size_t count = std::min(request.cores.size(), static_cast<size_t>(request.threads));
  return {request.cores.begin(), request.cores.begin() + static_cast<std::ptrdiff_t>(count)};
}

sandbox::Confinement confinement_of(const RunnerRequest& request, const SharedMemory& page, const Buffers& buffers,
                                    int output) {
  sandbox::Confinement confinement;
  confinement.profile = request.profile;
  confinement.argv = {"hone", std::string(name_of(request.profile))};
  confinement.environment = {{"LANG", "C.UTF-8"},
                             {"OMP_NUM_THREADS", std::to_string(request.threads)},
                             {"OMP_THREAD_LIMIT", std::to_string(request.threads)},
                             {"OMP_DYNAMIC", "false"}};
  confinement.system = request.system;
  confinement.environment.insert(request.environment.begin(), request.environment.end());
  confinement.mounts = {{request.library, sandbox::Access::read_only}};
  confinement.mounts.insert(confinement.mounts.end(), request.mounts.begin(), request.mounts.end());
  confinement.descriptors = buffers.descriptors();
  confinement.descriptors.insert(confinement.descriptors.begin(), page.fd());
  confinement.output = output;
  confinement.errors = output;
  confinement.cores = cores_of(request);
  confinement.address_space_bytes = request.memory_limit_bytes;
  return confinement;
}

// What the foreign code printed. A file and not a pipe, so that a flood meets the file limit and never blocks.
Result<Fd> output_file() {
  Fd file(memfd_create("hone-output", MFD_CLOEXEC));
  if (!file) return Error{ErrorCode::io, fmt::format("cannot create a file for output: {}", strerror(errno))};
  return file;
}

std::string read_output(const Fd& file) {
  std::string text(k_output_cap_bytes, '\0');
  const ssize_t got = pread(file.get(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return quote_untrusted(text, k_output_cap_bytes);
}

std::string describe_ending(const sandbox::Ending& ending) {
  const bool exited = ending.how == sandbox::Ending::How::exited;
  if (exited && ending.value == k_aborted) return "it aborted (a failed assertion, an uncaught exception or abort())";
  if (exited) return fmt::format("its process exited with status {}", ending.value);
  return fmt::format("its process was killed by signal {} ({})", ending.value, strsignal(ending.value));
}

// The runner's own failures come before any foreign code, but foreign code can use the same statuses: either way this
// arm is not fit.
std::string describe_start(const sandbox::Ending& ending) {
  const bool exited = ending.how == sandbox::Ending::How::exited;
  if (exited && ending.value == k_no_mapping) return "its buffers could not be mapped";
  if (exited && ending.value == k_no_confinement) return "its system calls could not be confined";
  return describe_ending(ending) + " while it was being loaded";
}

std::string loader_message(const ControlPage& page) {
  char message[sizeof page.message];
  memcpy(message, page.message, sizeof message);
  message[sizeof message - 1] = '\0';
  return quote_untrusted(message, sizeof message);
}

}  // namespace

Runner::Runner(RunnerRequest request, SharedMemory page, Buffers buffers, Fd output, sandbox::Child child)
    : request_(std::move(request)),
      kernels_(kernels_of(request_.steps)),
      page_(std::move(page)),
      buffers_(std::move(buffers)),
      output_(std::move(output)),
      child_(std::move(child)) {}

Result<RunnerStart> Runner::start(const RunnerRequest& asked, LayoutDice& dice) {
  const RunnerRequest request = with_steps(asked);
  HONE_CHECK(has_c_types(request));
  HONE_TRY(Buffers buffers, Buffers::make(request.parameters, request.sets, dice));
  HONE_CHECK(fits_limits(request, buffers));
  HONE_TRY(SharedMemory page, SharedMemory::make(sizeof(ControlPage), Others::may_write));
  HONE_TRY(Fd output, output_file());
  HONE_CHECK(write_plan(*reinterpret_cast<ControlPage*>(page.bytes().data()), request, buffers));
  HONE_TRY(sandbox::Child child, sandbox::spawn(confinement_of(request, page, buffers, output.get())));
  page.close_file();
  buffers.close_files();
  std::unique_ptr<Runner> runner(
      new Runner(request, std::move(page), std::move(buffers), std::move(output), std::move(child)));
  if (auto fault = runner->wait_until_ready()) return RunnerStart{nullptr, std::move(fault)};
  return RunnerStart{std::move(runner), std::nullopt};
}

std::optional<Fault> Runner::wait_until_ready() {
  const auto reported = [](uint32_t state) { return state != static_cast<uint32_t>(RunnerState::starting); };
  const Waited waited = wait_for(page().state, reported, request_.start_deadline);
  if (request_.between == BetweenLaunches::frozen && waited == Waited::done) child_.freeze();
  if (waited == Waited::too_late) return dead(FaultKind::timed_out, 0, "loading it took longer than its deadline");
  if (const auto ending = child_.wait(Nanoseconds(0)))
    return dead(FaultKind::load_failed, ending->value, describe_start(*ending));
  if (request_.callee == CalleeKind::opencl) own_threads_ = std::max<size_t>(threads_of(child_.pid()).size(), 1);
  if (load_word(page().state) == static_cast<uint32_t>(RunnerState::ready)) return std::nullopt;
  return dead(FaultKind::load_failed, 0, "it cannot be loaded: " + loader_message(page()));
}

// Whatever stands in the word is the runner's own word for it: the worst it can do is to end its launch early, or
// never.
template <class Done>
Runner::Waited Runner::wait_for(uint32_t& word, Done done, Nanoseconds deadline) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + deadline;
  while (true) {
    const uint32_t seen = load_word(word);
    if (done(seen)) return Waited::done;
    const Nanoseconds left = until - clock.now();
    if (left <= Nanoseconds(0)) return Waited::too_late;
    wait_on_word(word, seen, std::min(left, k_slice));
    if (load_word(word) == seen && child_.wait(Nanoseconds(0))) return Waited::ended;
  }
}

void Runner::set_scalar(int set, size_t parameter, const task::BoundValue& value) {
  page().scalars[set][parameter] = scalar_bits(request_.parameters[parameter].dtype, value);
}

void Runner::set_local(int set, size_t parameter, uint64_t bytes) { page().scalars[set][parameter] = bytes; }

Status Runner::set_steps(int set, std::span<const LaunchStep> steps) {
  if (steps.empty() && request_.callee == CalleeKind::library) return set_steps(set, std::array{whole_call(request_)});
  if (steps.size() > k_most_steps)
    return Error{ErrorCode::contract, fmt::format("a launch has at most {} steps", k_most_steps)};
  page().step_count[set] = static_cast<uint32_t>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    HONE_TRY(page().steps[set][i], slot_of(steps[i], kernels_));
  }
  return ok();
}

uint32_t Runner::write_order(std::span<const int> sets) {
  page().launch_count = static_cast<uint32_t>(sets.size());
  for (size_t i = 0; i < sets.size(); ++i) page().order[i] = static_cast<uint32_t>(sets[i]);
  page().failed_status = 0;
  const uint32_t ticket = load_word(page().finished) + 1;
  store_word(page().go, ticket);
  return ticket;
}

std::optional<Shares> Runner::shares() const {
  auto threads = arm_time_.times();
  const auto judge = judge_time_.times();
  const auto ran = ran_ns(child_.pid());
  if (!threads || !judge || !ran) return std::nullopt;
  return Shares{std::move(*threads), std::max<size_t>(cores_of(request_).size(), 1), *ran, judge->front()};
}

Result<LaunchOutcome> Runner::launch(std::span<const int> sets, Nanoseconds deadline) {
  if (fault_) return LaunchOutcome{std::nullopt, fault_};
  if (sets.empty() || sets.size() > k_most_sets) return Error{ErrorCode::internal, "a launch needs 1 to 64 sets"};
  const uint32_t ticket = write_order(sets);
  const bool freezes = request_.between == BetweenLaunches::frozen;
  const auto shares_before = shares();
  const int64_t start = judge_clock_ns();
  if (freezes) child_.thaw();
  wake_word(page().go);
  const Waited waited = wait_for(
      page().finished, [ticket](uint32_t done) { return done == ticket; }, deadline);
  if (freezes) child_.freeze();
  const int64_t end = judge_clock_ns();
  if (auto fault = fault_of(waited)) return remember(std::move(*fault));
  const auto window_ns = static_cast<double>(end - start);
  const auto disturbed = disturbed_fraction(shares_before, shares(), window_ns);
  HONE_TRY(auto fault, check_threads());
  if (fault) return remember(std::move(*fault));
  return LaunchOutcome{window_ns / static_cast<double>(sets.size()), std::nullopt, disturbed};
}

std::optional<Fault> Runner::fault_of(Waited waited) {
  if (const auto ending = child_.wait(Nanoseconds(0))) {
    return dead(FaultKind::crashed, ending->value, describe_ending(*ending) + " during its launch");
  }
  if (waited == Waited::too_late) return dead(FaultKind::timed_out, 0, "it did not finish before its deadline");
  const int32_t status = page().failed_status;
  if (status != 0 && request_.callee == CalleeKind::opencl) {
    // Whoever wrote that word may have been the kernel.
    const auto fault = opencl::fault_of_launch(opencl::ClStatus{status});
    return dead(fault ? fault->kind : FaultKind::launch_refused, status,
                fault ? fault->message : fmt::format("OpenCL answers its launch with {}", status));
  }
  if (status != 0)
    return dead(
        FaultKind::bad_return, status,
        fmt::format("it returned {}, and 0 means that it worked; one that returns nothing says void before its name",
                    status));
  return std::nullopt;
}

// A runtime that works on threads of its own has them all before its first kernel.
size_t Runner::thread_limit() const {
  return request_.callee == CalleeKind::opencl ? own_threads_ : static_cast<size_t>(request_.threads);
}

// Threads appear with the first launch and may appear with any. They are counted and pinned while they stand still.
Result<std::optional<Fault>> Runner::check_threads() {
  if (request_.between == BetweenLaunches::running) return std::optional<Fault>();
  if (request_.threads == 1 && !pinned_.empty()) return std::optional<Fault>();
  const std::vector<pid_t> threads = threads_of(child_.pid());
  if (threads.size() > thread_limit())
    return std::optional(
        dead(FaultKind::too_many_threads, static_cast<int>(threads.size()),
             fmt::format("it runs {} threads where the contract allows {}", threads.size(), request_.threads)));
  HONE_CHECK(pin_new_threads(threads));
  return std::optional<Fault>();
}

Status Runner::pin_new_threads(std::span<const pid_t> threads) {
  const std::vector<int> cores = cores_of(request_);
  if (std::equal(threads.begin(), threads.end(), pinned_.begin(), pinned_.end())) return ok();
  pinned_.assign(threads.begin(), threads.end());
  arm_time_.watch(child_.pid(), threads);
  judge_time_.watch(getpid(), std::array{gettid()});
  for (size_t i = 0; i < threads.size() && !cores.empty(); ++i)
    HONE_CHECK(pin_thread(threads[i], cores[i % cores.size()]));
  return ok();
}

// The fault is fatal whichever name it gets, so the text may choose it: an uncaught bad_alloc is an arm out of memory.
Fault Runner::dead(FaultKind kind, int value, std::string message) {
  child_.kill();
  child_.wait(std::chrono::seconds(10));
  std::string output = read_output(output_);
  const bool out_of_memory = kind == FaultKind::crashed && output.find("std::bad_alloc") != std::string::npos;
  return {out_of_memory ? FaultKind::memory : kind, value, std::move(message), std::move(output)};
}

LaunchOutcome Runner::remember(Fault fault) {
  fault_ = fault;
  return {std::nullopt, std::move(fault)};
}

}  // namespace hone::device::cpu
