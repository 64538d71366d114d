// The published shapes: exactly their keys, null for what was not obtained.
#include "views/published.h"

#include <gtest/gtest.h>

#include "base/disk.h"
#include "base/text.h"
#include "views/memory.h"
#include "views/testing/example_campaign.h"

namespace hone::views {
namespace {

using testing::digest_of;

std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> keys;
  const auto document = json::parse(text);
  EXPECT_TRUE(document);
  for (const auto& member : document->GetObject()) keys.emplace_back(member.name.GetString());
  return keys;
}

TEST(Metrics, HasThePublishedKeysInOrder) {
  EXPECT_EQ(keys_of(json::to_text(Metrics{})),
            (std::vector<std::string>{"kernel", "gpu", "latency_us", "tflops", "gbps", "occupancy_pct",
                                      "sm_throughput_pct", "dram_throughput_pct", "roofline_pct", "bottleneck"}));
}

TEST(Benchmark, HasThePublishedKeysInOrder) {
  EXPECT_EQ(keys_of(json::to_text(Benchmark{})),
            (std::vector<std::string>{"kernel", "gpu", "vendor", "correctness", "latency_us", "tflops", "gbps",
                                      "vs_pytorch", "dtype", "shape", "status"}));
}

TEST(Benchmark, SaysWhatTheJudgeFound) {
  const Benchmark record = benchmark_of(testing::example_task(), testing::measurement(digest_of('a'), 2e-3));
  EXPECT_EQ(record.kernel, "softmax");
  EXPECT_EQ(record.gpu, "AMD EPYC 9454");
  EXPECT_EQ(record.vendor, "amd");
  EXPECT_TRUE(record.correctness);
  EXPECT_EQ(record.status, "pass");
  EXPECT_EQ(record.dtype, "f32");
  EXPECT_EQ(record.shape, "m=64,n=512");
  EXPECT_EQ(record.vs_pytorch.text, "null");
  EXPECT_EQ(record.latency_us.text, "1189.207") << "geometric mean of 250 µs and three times 2000 µs";
}

TEST(Benchmark, AFailureCarriesNoTime) {
  const Benchmark record = benchmark_of(testing::example_task(), testing::compile_failure("error"));
  EXPECT_FALSE(record.correctness);
  EXPECT_EQ(record.status, "fail");
  EXPECT_EQ(record.latency_us.text, "null");
  EXPECT_EQ(record.gbps.text, "null");
}

TEST(Benchmark, AHiddenCaseShowsItsIdAlone) {
  task::Task task = testing::example_task();
  task.cases.front().hidden = true;
  EXPECT_EQ(benchmark_of(task, testing::measurement(digest_of('a'), 1e-3)).shape, "small");
}

TEST(Benchmark, VendorsAreToldByName) {
  EXPECT_EQ(vendor_of("NVIDIA H200"), "nvidia");
  EXPECT_EQ(vendor_of("Intel(R) Xeon(R)"), "intel");
  EXPECT_EQ(vendor_of("AMD Instinct MI300X"), "amd");
  EXPECT_EQ(vendor_of("RISC-V board"), "none");
}

// The worked examples of docs/metrics.md, in their order: metrics.json, then the benchmark record.
TEST(MetricsPage, ItsExamplesCanBeRead) {
  const auto page = read_file(fs::path(HONE_SOURCE_DIR) / "docs/metrics.md");
  ASSERT_TRUE(page);
  std::vector<std::string> examples;
  for (const std::string& line : split_lines(*page)) {
    if (line.starts_with("    {")) examples.emplace_back(trim(line));
  }
  ASSERT_EQ(examples.size(), 2u);
  const auto metrics = json::from_text<Metrics>(examples[0]);
  ASSERT_TRUE(metrics) << to_text(metrics.error());
  EXPECT_EQ(json::to_text(*metrics), examples[0]);
  const auto benchmark = json::from_text<Benchmark>(examples[1]);
  ASSERT_TRUE(benchmark) << to_text(benchmark.error());
  EXPECT_EQ(json::to_text(*benchmark), examples[1]);
}

class Memories : public ::testing::Test {
 protected:
  Memory memory(uint64_t number) {
    auto story = read_story(example_.state(), task_, example_.reader());
    EXPECT_TRUE(story);
    return memory_of(*story, number);
  }
  task::Task task_ = testing::example_task();
  testing::ExampleCampaign example_ = testing::whole_campaign();
};

TEST_F(Memories, HaveThePublishedKeys) {
  const std::string text = json::to_text(memory(1));
  EXPECT_EQ(keys_of(text), (std::vector<std::string>{"version", "masked", "timestamp", "git_commit_hash", "performance",
                                                     "optimization", "profile_evidence", "experience", "correctness",
                                                     "pitfalls_and_fixes", "quality_gate"}));
  const auto document = json::parse(text);
  ASSERT_TRUE(document);
  for (const char* key : {"latency_us", "latency_us_geomean", "latency_us_arith_mean", "latency_us_by_shape",
                          "measurement_scope", "shape_ids_are_opaque", "measurement_status", "measured_shape_count",
                          "expected_shape_count", "measurement_subject", "measurement_source", "comparison_method",
                          "tflops", "bandwidth", "comparison_with_previous", "authoritative_improvement_pct"})
    EXPECT_TRUE((*document)["performance"].HasMember(key)) << key;
}

TEST_F(Memories, OfTheBaselineCompareWithNothing) {
  const Memory v0 = memory(0);
  EXPECT_EQ(v0.version, "v0");
  EXPECT_FALSE(v0.performance.comparison_with_previous.has_value());
  EXPECT_FALSE(v0.optimization.has_value());
  EXPECT_EQ(v0.correctness.status, "PASS");
  EXPECT_EQ(v0.experience.recorded_experiment_count, 0u);
}

TEST_F(Memories, TellOfTheExperimentsSinceTheVersionBefore) {
  const Memory v2 = memory(2);
  ASSERT_EQ(v2.experience.experiments.size(), 5u);
  EXPECT_EQ(v2.experience.experiments.front().index, 2u);
  EXPECT_EQ(v2.experience.experiments.front().decision, "revert");
  EXPECT_EQ(v2.experience.experiments.back().decision, "promote");
  EXPECT_EQ(v2.experience.experiment_count, 6u);
  EXPECT_DOUBLE_EQ(*v2.performance.authoritative_improvement_pct, 25);
  EXPECT_NEAR(*v2.performance.comparison_with_previous->latency_delta, -0.2, 1e-12);
}

TEST_F(Memories, MarkWhatTheCompilerSaid) {
  const Memory v2 = memory(2);
  ASSERT_EQ(v2.pitfalls_and_fixes.size(), 1u);
  EXPECT_EQ(v2.pitfalls_and_fixes[0].error_type, "COMPILE_ERROR");
  EXPECT_EQ(v2.pitfalls_and_fixes[0].error_message.rfind("quoted untrusted text: ", 0), 0u);
}

TEST_F(Memories, OfADemotedVersionAreMasked) {
  example_.history.add(campaign::Demoted{2, 1, "wrong at m = 1"});
  EXPECT_TRUE(memory(2).masked);
  EXPECT_EQ(memory(2).quality_gate.failure_reason, "wrong at m = 1");
  EXPECT_FALSE(memory(1).masked);
}

TEST_F(Memories, CapMegabytesOfOutput) {
  testing::ExampleCampaign example;
  testing::add_baseline(example);
  testing::add_experiment(example, {1, 1, "x", 'a', 'c', campaign::ExperimentStatus::failed, {}},
                          testing::compile_failure(std::string(1'000'000, '\x1b')));
  testing::add_experiment(
      example, {2, 1, "y", 'a', 'b', campaign::ExperimentStatus::improved, 1.0},
      testing::comparison(campaign::Outcome::faster, digest_of('b'), digest_of('a'), 1, 2e-3, 1e-3));
  testing::add_promotion(example, 1, 2, 'b');
  example_ = std::move(example);
  const std::string text = json::to_text(memory(1));
  EXPECT_LT(text.size(), 10'000u);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace hone::views
