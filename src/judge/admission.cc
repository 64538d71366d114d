// Admission of a task by DeviceBench: the impostor panel over every case (JUDGE.md 4).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/device_bench.h"
#include "judge/hidden.h"
#include "judge/impostors.h"

namespace hone::judge {

// What the panel has learned so far: which impostor of which output was rejected somewhere, and which was ever tried.
struct DeviceBench::PanelCase {
  std::set<std::string> tried;
  std::set<std::string> rejected;
};

namespace {

Failure refused(const std::string& impostor, const std::string& where) {
  return {campaign::Outcome::contract_error,
          ArmName::candidate,
          "impostor",
          fmt::format("a wrong answer would pass: {} is accepted {}", impostor, where),
          "",
          std::nullopt};
}

bool all_constant(const CaseContent& content) { return !content.has_free_inputs(); }

}  // namespace

Result<std::optional<Failure>> DeviceBench::try_impostors(const CaseContent& content, PanelCase& panel,
                                                          AdmissionAnswer& answer) {
  const Digest key = secret_.sub_key({"impostors", content.bound().id, "", 0, 0, 0});
  const Digest other = secret_.sub_key({"impostors", content.bound().id, "", 0, 0, 1});
  HONE_TRY(const OracleAnswer truth, ask_oracle(content, key, device::Distribution::contract));
  HONE_TRY(const OracleAnswer previous, ask_oracle(content, other, device::Distribution::contract));
  if (truth.fault || previous.fault)
    return std::optional(
        veiled({campaign::Outcome::invalid_reference, ArmName::candidate, "reference",
                fmt::format("{} (case '{}')", truth.fault ? *truth.fault : *previous.fault, content.bound().id), "",
                std::nullopt},
               content.bound()));
  HONE_TRY(const auto v0, baseline_outputs(content, key, device::Distribution::contract));
  const auto inputs = content.input_bytes(key, device::Distribution::contract);
  const bool timed = std::find(timed_.begin(), timed_.end(), &content) != timed_.end();
  const std::vector<size_t> written = written_parameters();
  for (size_t i = 0; i < written.size(); ++i) {
    const OutputRule rule = rule_for(task_, content.bound().arguments[written[i]], truth_source(content));
    // The same content twice (constants, files) makes the previous output the right one.
    const Truth& before = all_constant(content) ? Truth{} : previous.truths[i];
    for (const Impostor& impostor : impostors_of({rule, truth.truths[i], before, inputs})) {
      const std::string name = fmt::format("'{}' for output '{}'", impostor.name, rule.argument);
      std::optional<std::span<const std::byte>> baseline;
      if (v0) baseline = (*v0)[i];
      panel.tried.insert(name);
      if (!check_output(rule, impostor.bytes, truth.truths[i], baseline).passed()) {
        panel.rejected.insert(name);
        ++answer.impostors_rejected;
      } else if (timed) {
        return std::optional(refused(name, fmt::format("in the timed case '{}'", content.bound().id)));
      }
    }
  }
  return std::optional<Failure>();
}

Result<AdmissionAnswer> DeviceBench::admit() {
  AdmissionAnswer answer;
  PanelCase panel;
  for (const auto& content : contents_) {
    HONE_TRY(answer.failure, try_impostors(*content, panel, answer));
    if (answer.failure) return answer;
    ++answer.cases;
  }
  for (const std::string& name : panel.tried) {
    if (panel.rejected.contains(name)) continue;
    answer.failure = refused(name, "in every case");
    break;
  }
  answer.slowest_oracle_seconds = slowest_oracle_seconds_;
  return answer;
}

}  // namespace hone::judge
