#include "judge/oracle.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "base/disk.h"
#include "device/cpu/oracle_process.h"

namespace hone::judge {

namespace {

// ---- c_function
// --------------------------------------------------------------------------------------------------------------- The
// kernel's parameters in order, floating types widened to double, then one double* NAME_magnitude per floating output.

bool widened(task::DType dtype) { return task::is_floating(dtype); }

device::ParameterLayout oracle_parameter(const task::Argument& argument, uint64_t elements) {
  device::ParameterLayout layout;
  if (task::is_buffer(argument.role)) layout.kind = device::ParameterKind::buffer;
  layout.dtype = widened(argument.dtype) ? task::DType::f64 : argument.dtype;
  layout.capacity_bytes = layout.is_buffer() ? elements * task::size_bytes(layout.dtype) : 0;
  layout.align_bytes = 64;
  layout.written = argument.role != task::Role::in && argument.role != task::Role::symbol;
  return layout;
}

// The arguments that a reference has too, as positions: not those that only a launch needs.
std::vector<size_t> parameters_of(const task::Task& task) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    if (!task::is_of_a_launch(task.arguments[i].role)) positions.push_back(i);
  }
  return positions;
}

class CFunctionOracle final : public Oracle {
 public:
  CFunctionOracle(const task::Task& task, std::unique_ptr<device::cpu::CpuDevice> host)
      : task_(task), parameters_(parameters_of(task)), host_(std::move(host)) {}
  Result<std::optional<device::BuildOrder>> build_order() override;
  Result<OracleAnswer> truth(const CaseContent& content, const std::vector<std::vector<std::byte>>& inputs) override;

 private:
  Result<device::CompileRequest> compile_request() const;
  Result<std::optional<std::string>> compile();
  Result<std::optional<std::string>> call(const task::BoundCase& bound,
                                          const std::vector<std::vector<std::byte>>& inputs);
  Result<std::optional<std::string>> ensure_process(const task::BoundCase& bound);
  std::vector<device::ParameterLayout> layout_for(const task::BoundCase& bound) const;
  void write_inputs(const task::BoundCase& bound, const std::vector<std::vector<std::byte>>& inputs);
  void clear_magnitudes(const task::BoundCase& bound);
  std::vector<Truth> read_truths(const task::BoundCase& bound) const;
  std::vector<size_t> floating_outputs() const;

  const task::Task& task_;
  const std::vector<size_t> parameters_;  // of the reference, as arguments; magnitudes follow them
  std::unique_ptr<device::cpu::CpuDevice> host_;
  std::optional<device::Artefact> artefact_;
  double call_seconds_ = 0;
  std::unique_ptr<device::cpu::OracleProcess> process_;
  std::vector<device::ParameterLayout> layout_;  // of the process
};

std::vector<size_t> CFunctionOracle::floating_outputs() const {
  std::vector<size_t> outputs;
  for (size_t i = 0; i < task_.arguments.size(); ++i) {
    if (task::is_written(task_.arguments[i].role) && task::is_floating(task_.arguments[i].dtype)) outputs.push_back(i);
  }
  return outputs;
}

Result<device::CompileRequest> CFunctionOracle::compile_request() const {
  device::CompileRequest request;
  for (const std::string& source : task_.oracle.sources) {
    HONE_TRY(std::string bytes, read_file(task_.folder / source));
    request.files.push_back({source, false, std::move(bytes)});
  }
  request.sources = task_.oracle.sources;
  request.entry = task_.oracle.entry;
  request.deadline = from_seconds(task_.limits.build_seconds);
  return request;
}

Result<std::optional<device::BuildOrder>> CFunctionOracle::build_order() {
  HONE_TRY(device::CompileRequest request, compile_request());
  return std::optional(device::BuildOrder{host_.get(), std::move(request)});
}

Result<std::optional<std::string>> CFunctionOracle::compile() {
  if (artefact_) return std::optional<std::string>();
  HONE_TRY(const device::CompileRequest request, compile_request());
  HONE_TRY(device::CompileOutcome compiled, host_->compile(request));
  if (compiled.fault)
    return std::optional(fmt::format("the reference was not built ({}): {}{}", name_of(*compiled.fault),
                                     compiled.explanation, compiled.messages));
  artefact_ = std::move(compiled.artefact);
  return std::optional<std::string>();
}

std::vector<device::ParameterLayout> CFunctionOracle::layout_for(const task::BoundCase& bound) const {
  std::vector<device::ParameterLayout> layout;
  for (const size_t i : parameters_)
    layout.push_back(oracle_parameter(task_.arguments[i], bound.arguments[i].elements()));
  for (const size_t output : floating_outputs()) {
    device::ParameterLayout magnitude;
    magnitude.kind = device::ParameterKind::buffer;
    magnitude.dtype = task::DType::f64;
    magnitude.capacity_bytes = bound.arguments[output].count * sizeof(double);
    magnitude.align_bytes = 64;
    magnitude.written = true;
    layout.push_back(magnitude);
  }
  return layout;
}

bool covers(const std::vector<device::ParameterLayout>& have, const std::vector<device::ParameterLayout>& need) {
  if (have.size() != need.size()) return false;
  for (size_t i = 0; i < need.size(); ++i) {
    if (have[i].capacity_bytes < need[i].capacity_bytes) return false;
  }
  return true;
}

// Started anew when it died or when this case is larger than any before.
Result<std::optional<std::string>> CFunctionOracle::ensure_process(const task::BoundCase& bound) {
  HONE_TRY(auto unbuilt, compile());
  if (unbuilt) return unbuilt;
  std::vector<device::ParameterLayout> need = layout_for(bound);
  if (process_ && covers(layout_, need)) return std::optional<std::string>();
  if (covers(layout_, need)) {
    need = layout_;
  } else if (layout_.size() == need.size()) {
    for (size_t i = 0; i < need.size(); ++i)
      need[i].capacity_bytes = std::max(need[i].capacity_bytes, layout_[i].capacity_bytes);
  }
  process_.reset();
  device::cpu::OracleRequest request;
  request.artefact = *artefact_;
  request.entry = task_.oracle.entry;
  request.parameters = need;
  HONE_TRY(device::cpu::OracleStart started, device::cpu::OracleProcess::start(*host_, request));
  if (started.fault) return std::optional("the reference could not be started: " + started.fault->message);
  process_ = std::move(started.oracle);
  layout_ = std::move(need);
  return std::optional<std::string>();
}

void CFunctionOracle::write_inputs(const task::BoundCase& bound, const std::vector<std::vector<std::byte>>& inputs) {
  for (size_t p = 0; p < parameters_.size(); ++p) {
    const size_t i = parameters_[p];
    const task::Argument& argument = task_.arguments[i];
    const task::BoundArgument& bound_argument = bound.arguments[i];
    if (!task::is_buffer(argument.role)) {
      process_->set_scalar(p, bound_argument.value);
      continue;
    }
    const std::span<std::byte> buffer =
        process_->buffer(p, bound_argument.elements() * task::size_bytes(layout_[p].dtype));
    if (!task::is_read(argument.role)) {
      memset(buffer.data(), 0, buffer.size());
    } else if (widened(argument.dtype)) {
      // Buffers of an oracle are aligned to 64 bytes, so a view of doubles is sound.
      device::widen(inputs[i], argument.dtype, {reinterpret_cast<double*>(buffer.data()), bound_argument.elements()});
    } else {
      memcpy(buffer.data(), inputs[i].data(), inputs[i].size());
    }
  }
}

// Left zero means "not offered", so zero is what the reference must find.
void CFunctionOracle::clear_magnitudes(const task::BoundCase& bound) {
  const std::vector<size_t> outputs = floating_outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto buffer = process_->buffer(parameters_.size() + i, bound.arguments[outputs[i]].count * sizeof(double));
    memset(buffer.data(), 0, buffer.size());
  }
}

std::vector<double> doubles(std::span<const std::byte> bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<Truth> CFunctionOracle::read_truths(const task::BoundCase& bound) const {
  std::vector<Truth> truths;
  size_t magnitude = parameters_.size();
  for (size_t p = 0; p < parameters_.size(); ++p) {
    const size_t i = parameters_[p];
    if (!task::is_written(task_.arguments[i].role)) continue;
    const uint64_t count = bound.arguments[i].count;
    Truth& truth = truths.emplace_back();
    const std::span<const std::byte> bytes = process_->buffer(p, count * task::size_bytes(layout_[p].dtype));
    if (!task::is_floating(task_.arguments[i].dtype)) {
      truth.exact.assign(bytes.begin(), bytes.end());
      continue;
    }
    truth.values = doubles(bytes);
    truth.magnitudes = doubles(process_->buffer(magnitude++, count * sizeof(double)));
    const bool offered =
        std::any_of(truth.magnitudes.begin(), truth.magnitudes.end(), [](double m) { return m != 0.0; });
    if (!offered) truth.magnitudes.clear();
  }
  return truths;
}

Result<std::optional<std::string>> CFunctionOracle::call(const task::BoundCase& bound,
                                                         const std::vector<std::vector<std::byte>>& inputs) {
  HONE_TRY(auto unstarted, ensure_process(bound));
  if (unstarted) return unstarted;
  const Nanoseconds begin = SystemClock().now();
  write_inputs(bound, inputs);
  clear_magnitudes(bound);
  HONE_TRY(const auto fault, process_->call(from_seconds(task_.limits.case_seconds)));
  call_seconds_ = to_seconds(SystemClock().now() - begin);
  if (!fault) return std::optional<std::string>();
  process_.reset();
  return std::optional("the reference failed: " + fault->message);
}

// A process that died or stood still may be the machine's doing: only a failure that comes back is the reference's.
Result<OracleAnswer> CFunctionOracle::truth(const CaseContent& content,
                                            const std::vector<std::vector<std::byte>>& inputs) {
  OracleAnswer answer;
  HONE_TRY(answer.fault, call(content.bound(), inputs));
  if (answer.fault) {
    HONE_TRY(answer.fault, call(content.bound(), inputs));
  }
  if (!answer.fault) answer.truths = read_truths(content.bound());
  answer.seconds = call_seconds_;
  return answer;
}

// ---- golden
// -------------------------------------------------------------------------------------------------------------------

class GoldenOracle final : public Oracle {
 public:
  explicit GoldenOracle(const task::Task& task) : task_(task) {}

  Result<OracleAnswer> truth(const CaseContent& content, const std::vector<std::vector<std::byte>>&) override {
    OracleAnswer answer;
    for (const task::BoundArgument& argument : content.bound().arguments) {
      if (!task::is_written(argument.argument->role)) continue;
      const std::string path = *task::golden_expected(task_, content.bound().id, *argument.argument);
      const auto text = read_file(task_.folder / path);
      if (!text || text->size() != argument.bytes) {
        answer.fault =
            fmt::format("the golden file {} is missing or has another size than {} bytes", path, argument.bytes);
        return answer;
      }
      answer.truths.push_back(truth_of(argument, bytes_of(*text)));
    }
    return answer;
  }

 private:
  static Truth truth_of(const task::BoundArgument& argument, Bytes bytes) {
    Truth truth;
    if (!task::is_floating(argument.argument->dtype)) {
      truth.exact.assign(bytes.begin(), bytes.end());
      return truth;
    }
    truth.values.resize(argument.count);
    device::widen(bytes, argument.argument->dtype, truth.values);
    return truth;
  }

  const task::Task& task_;
};

}  // namespace

std::unique_ptr<Oracle> make_golden_oracle(const task::Task& task) { return std::make_unique<GoldenOracle>(task); }

std::unique_ptr<Oracle> make_c_function_oracle(const task::Task& task, std::unique_ptr<device::cpu::CpuDevice> host) {
  return std::make_unique<CFunctionOracle>(task, std::move(host));
}

}  // namespace hone::judge
