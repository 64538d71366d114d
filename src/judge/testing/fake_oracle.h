// Test support: a reference for y = a · x (parameters a, x, y, n), with or without magnitudes, that can fail, be slow
// or be wrong.
#pragma once

#include <cmath>
#include <thread>
#include <utility>

#include "judge/oracle.h"
#include "judge/testing/fake_device.h"

namespace hone::judge {

enum class Magnitudes { offered, none };

// What a test sets and sees; outlives the oracle.
struct FakeOracleState {
  Magnitudes magnitudes = Magnitudes::offered;
  std::optional<std::string> fault;
  double seconds = 0;
  Nanoseconds makes_ready_for{0};           // before the first answer, really
  double factor = 1;                        // 1 = right
  std::optional<device::BuildOrder> order;  // what it says that it compiles
  std::vector<std::string> asked;           // case ids
  std::vector<int> arms_alive_when_asked;
};

class FakeOracle final : public Oracle {
 public:
  FakeOracle(FakeOracleState& state, const FakeDevice& device) : state_(state), device_(device) {}

  Result<std::optional<device::BuildOrder>> build_order() override { return state_.order; }

  Result<OracleAnswer> truth(const CaseContent& content, const std::vector<std::vector<std::byte>>& inputs) override {
    state_.asked.push_back(content.bound().id);
    state_.arms_alive_when_asked.push_back(device_.log.alive);
    std::this_thread::sleep_for(std::exchange(state_.makes_ready_for, Nanoseconds(0)));
    OracleAnswer answer;
    answer.seconds = state_.seconds;
    answer.fault = state_.fault;
    if (answer.fault) return answer;
    const double a = std::get<double>(content.bound().arguments[0].value);
    std::vector<double> x(content.bound().arguments[1].count);
    device::widen(inputs[1], task::DType::f32, x);
    Truth& truth = answer.truths.emplace_back();
    for (const double value : x) {
      truth.values.push_back(state_.factor * static_cast<float>(a) * value);
      if (state_.magnitudes == Magnitudes::offered) truth.magnitudes.push_back(std::abs(truth.values.back()));
    }
    return answer;
  }

 private:
  FakeOracleState& state_;
  const FakeDevice& device_;
};

}  // namespace hone::judge
