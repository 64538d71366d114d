// Oracle: the reference that says what is right, one content at a time, in float64 from the rounded inputs (JUDGE.md
// 4). c_function runs the contract's C++ reference in its own confined process; golden reads files and serves
// verification only. The oracle `baseline` is no Oracle: the bench runs v0 on the same content. Oracle is a seam: tests
// put a function in its place. Failures: OracleFault values when the reference is at fault (INVALID_REFERENCE), errors
// when hone or the machine is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/build_pool.h"
#include "device/cpu/cpu_device.h"
#include "judge/checker.h"
#include "judge/content.h"

namespace hone::judge {

struct OracleAnswer {
  std::vector<Truth> truths;         // one per written parameter, in parameter order
  std::optional<std::string> fault;  // the reference crashed, hung or is not there: one line
  double seconds = 0;                // of the question alone, without building and starting the reference
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  // What it compiles before its first answer, so that it can be built beside other things; what fails is said by
  // truth().
  virtual Result<std::optional<device::BuildOrder>> build_order() { return std::optional<device::BuildOrder>(); }
  // `inputs` as CaseContent::input_bytes gives them.
  virtual Result<OracleAnswer> truth(const CaseContent& content, const std::vector<std::vector<std::byte>>& inputs) = 0;
};

std::unique_ptr<Oracle> make_golden_oracle(const task::Task& task);
// The reference runs on the host's own cores whatever the candidate's device is. It is compiled, where the
// cache has it not, and started at the first question.
std::unique_ptr<Oracle> make_c_function_oracle(const task::Task& task, std::unique_ptr<device::cpu::CpuDevice> host);

}  // namespace hone::judge
