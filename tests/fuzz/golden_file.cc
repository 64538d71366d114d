// Golden files of a contract and what a candidate left in its output: any bytes can be compared with any bytes.
#include "fuzz.h"
#include "judge/checker.h"
#include "judge/oracle.h"
#include "judge/testing/golden_task.h"

using namespace hone;

namespace {

struct Golden {
  task::TaskFolder folder{task::scale_files()};
  task::Task task;
  std::vector<judge::CaseContent> contents;

  Golden() {
    folder.write("task.toml", judge::golden_toml());
    for (const auto& [name, bytes] : judge::golden_files()) folder.write(name, bytes);
    task = *task::require_task(folder.path());
    const auto bound = task::bind_case(task, task.cases.front());
    contents.push_back(*judge::CaseContent::make(task, *bound, judge::ContentSource::golden));
  }
};

void check_truth(const Golden& golden, const judge::Truth& truth, Bytes output) {
  const task::BoundArgument& argument = golden.contents[0].bound().arguments[2];
  const judge::OutputRule rule = judge::rule_for(golden.task, argument, judge::TruthSource::oracle);
  const auto result = judge::check_output(rule, output.first(argument.bytes), truth, std::nullopt);
  fuzz::require(result.passed() != result.failure.has_value(), "an output passes or has a failure");
  std::ignore = judge::all_finite(truth, argument.argument->dtype);
  std::ignore = judge::is_sensitive(truth);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Golden golden;
  const std::string_view text = fuzz::text_of(data, size);
  const uint64_t bytes = golden.contents[0].bound().arguments[2].bytes;
  golden.folder.write("truth/odd/y.bin", std::string(text.substr(0, bytes)));
  const auto answer = judge::make_golden_oracle(golden.task)->truth(golden.contents[0], {});
  fuzz::require(answer.has_value(), "a golden file is no fault of hone's");
  fuzz::require(answer->fault.has_value() == (size < bytes), "a file has the size of its output, or is a fault");
  if (!answer->fault && size >= 2 * bytes) check_truth(golden, answer->truths[0], bytes_of(text.substr(bytes)));
  return 0;
}
