// `hone run KERNEL`: the contract comes first, and a kernel that nobody can check is never optimised.
#include <gmock/gmock.h>

#include "surface/cli/testing/small_campaign.h"
#include "views/published.h"

namespace hone::cli {

Command measure_command();
Command run_command();

namespace {

using ::testing::HasSubstr;
using testing::SmallCampaign;

constexpr std::string_view k_kernel =
    "extern \"C\" int twice(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "  return 0;\n"
    "}\n";
constexpr std::string_view k_reference =
    "extern \"C\" void twice_reference(const double* x, double* y, int n, double* m) {\n"
    "  for (int i = 0; i < n; ++i) { y[i] = 2 * x[i]; m[i] = 2 * x[i]; }\n"
    "}\n";

class RunKernel : public ::testing::Test {
 protected:
  RunKernel() : root_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-run-")) {
    SmallCampaign::write(folder() / "twice.cpp", k_kernel);
    SmallCampaign::write(folder() / "reference.cpp", k_reference);
    SmallCampaign::write(root_.path() / "tape.jsonl",
                         "{\"device\":\"tape CPU\"}\n{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n"
                         "{\"options\":[\"O3\"],\"times_ns\":[[4000]],\"noise\":0.004}\n");
  }
  fs::path folder() const { return root_.path() / "twice"; }
  fs::path campaign() const { return root_.path() / "twice.hone"; }
  testing::Called run(std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"run", (folder() / "twice.cpp").string(), "--tape", (root_.path() / "tape.jsonl").string()});
    return testing::call({run_command()}, more);
  }
  std::vector<std::string> with_reference() const {
    return {"--reference", (folder() / "reference.cpp").string(), "--dims", "n=4096"};
  }

  TemporaryFolder root_;
};

TEST_F(RunKernel, StopsWhileQuestionsAreOpen) {
  const auto called = run();
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("open question in the drafted contract"));
  EXPECT_TRUE(path_exists(folder() / "task.toml"));
  EXPECT_FALSE(path_exists(campaign()));
}

TEST_F(RunKernel, AsksAgainUntilTheyAreAnswered) {
  run();
  const auto again = run();
  EXPECT_EQ(again.status, 2);
  EXPECT_FALSE(path_exists(campaign() / "log.jsonl"));
}

TEST_F(RunKernel, WithEverythingAnsweredItRuns) {
  const auto called = run(with_reference());
  EXPECT_EQ(called.status, 0) << called.error;
  const auto read = loop::read_campaign(campaign());
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_GE(read->state.incumbent_version, 1u);
  EXPECT_EQ(read->state.judgements.front().question, campaign::Question::admit) << "impostors come first";
}

TEST_F(RunKernel, AContractThatIsThereIsTaken) {
  run(with_reference());
  const std::string before = SmallCampaign::read(folder() / "task.toml");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(SmallCampaign::read(folder() / "task.toml"), before);
}

TEST_F(RunKernel, DraftingOptionsBesideAContractAreRefused) {
  run();
  const std::string before = SmallCampaign::read(folder() / "task.toml");
  const auto called = run(with_reference());
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("hone init KERNEL --force"));
  EXPECT_EQ(SmallCampaign::read(folder() / "task.toml"), before);
}

TEST_F(RunKernel, FiveIterationsByDefault) {
  std::vector<std::string> words = with_reference();
  ASSERT_EQ(run(words).status, 0);
  EXPECT_EQ(loop::read_campaign(campaign())->state.session->iteration_limit, 5u);
}

TEST_F(RunKernel, TimeAloneDecidesWhenItIsGiven) {
  std::vector<std::string> words = with_reference();
  words.insert(words.end(), {"--time", "40s"});
  ASSERT_EQ(run(words).status, 0);
  EXPECT_FALSE(loop::read_campaign(campaign())->state.session->iteration_limit.has_value());
}

TEST_F(RunKernel, MeasureAsJsonIsTheBenchmarkRecord) {
  ASSERT_EQ(run(with_reference()).status, 0);
  const auto measured = testing::call({measure_command()}, {"measure", "best", "-C", campaign().string(), "--json",
                                                            "--tape", (root_.path() / "tape.jsonl").string()});
  EXPECT_EQ(measured.status, 0) << measured.error;
  const auto printed = json::from_text<views::Benchmark>(measured.output);
  const auto published = json::from_text<views::Benchmark>(SmallCampaign::read(campaign() / "reports/benchmark.json"));
  ASSERT_TRUE(printed && published) << measured.output;
  EXPECT_EQ(printed->kernel, published->kernel);
  EXPECT_EQ(printed->shape, published->shape);
  EXPECT_EQ(printed->status, "pass");
  EXPECT_NE(printed->latency_us.text, "null");
}

}  // namespace
}  // namespace hone::cli
