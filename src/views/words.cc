#include "views/words.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "views/markdown.h"

namespace hone::views {

using campaign::ExperimentStatus;
using campaign::Outcome;

std::string correctness_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::correct:
    case Outcome::measured:
    case Outcome::faster:
    case Outcome::not_faster:
    case Outcome::inconclusive:
    case Outcome::suspect:
      return "PASS";
    case Outcome::timeout:
      return "TIMEOUT_FAIL";
    case Outcome::screened:
    case Outcome::contract_error:
    case Outcome::invalid_reference:
    case Outcome::incumbent_wrong:
      return "UNKNOWN";
    default:
      return "FAIL";
  }
}

std::string published_status(const campaign::Experiment& experiment) {
  if (!experiment.decided) return "-";
  if (experiment.decided->status == ExperimentStatus::target_met) return "TARGET_MET";
  if (experiment.decided->status == ExperimentStatus::improved) return "improved";
  return experiment.parked && !experiment.unparked ? "-" : "reverted";
}

std::string own_status(const campaign::Experiment& experiment) {
  if (!experiment.decided) return "open";
  std::string out(name_of(experiment.decided->status));
  if (experiment.parked) out += fmt::format(", parked: {}", inline_text(experiment.parked->reason));
  if (experiment.unparked) out += fmt::format(" ({})", inline_text(*experiment.unparked));
  return out;
}

std::string campaign_status(const campaign::State& state) {
  if (state.terminal) return std::string(name_of(*state.terminal));
  return state.versions.empty() ? "NEW" : "RUNNING";
}

std::string stop_reason(const campaign::State& state) { return state.stopped ? state.stopped->reason : ""; }

std::string device_name(const campaign::State& state) {
  return state.pins ? state.pins->device_name : "unknown device";
}

std::string device_text(const campaign::State& state) {
  if (!state.pins || !state.pins->device) return device_name(state);
  const campaign::DeviceRecord& device = *state.pins->device;
  std::vector<std::string> facts{device.vendor};
  if (!device.arch_family.empty()) facts.push_back(device.arch_family);
  if (device.compute_capability) facts.push_back("compute capability " + *device.compute_capability);
  if (device.multiprocessor_count)
    facts.push_back(
        fmt::format("{} {}", *device.multiprocessor_count, device.warp_size ? "multiprocessors" : "compute units"));
  facts.push_back(fmt::format("{:.1f} GB", device.total_memory_gb));
  if (device.warp_size) facts.push_back(fmt::format("warps of {}", *device.warp_size));
  return fmt::format("{} ({})", device_name(state), join(facts, ", "));
}

std::string short_digest(const std::string& digest) { return digest.substr(0, 12); }

std::string delta_text(const campaign::Experiment& experiment) {
  const auto& decided = experiment.decided;
  if (!decided || !decided->delta || decided->status == ExperimentStatus::failed ||
      decided->status == ExperimentStatus::unstable)
    return "-";
  return signed_percent(*decided->delta);
}

}  // namespace hone::views
