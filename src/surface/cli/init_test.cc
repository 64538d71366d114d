// `hone init`: a task from a bare kernel, never over one that is there.
#include "surface/cli/init.h"

#include <gmock/gmock.h>

#include "surface/cli/testing/small_campaign.h"

namespace hone::cli {

Command init_command();

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

class Init : public ::testing::Test {
 protected:
  Init() : folder_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-init-")) {
    SmallCampaign::write(folder_.path() / "twice.cpp", k_kernel);
    SmallCampaign::write(folder_.path() / "reference.cpp", k_reference);
  }
  testing::Called init(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"init", (folder_.path() / "twice.cpp").string()});
    return testing::call({init_command()}, more);
  }
  fs::path toml() const { return folder_.path() / "task.toml"; }

  TemporaryFolder folder_;
};

TEST_F(Init, WithReferenceAndDimensionsNothingIsLeftOpen) {
  const auto called = init({"--reference", (folder_.path() / "reference.cpp").string(), "--dims", "n=4096"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("next: hone check"));
  const auto task = task::require_task(folder_.path());
  EXPECT_TRUE(task) << to_text(task.error());
}

TEST_F(Init, WithoutThemTheOpenQuestionsAreListed) {
  const auto called = init({"--json"});
  EXPECT_EQ(called.status, 0) << called.error;
  const auto document = json::from_text<InitDocument>(called.output);
  ASSERT_TRUE(document) << to_text(document.error());
  EXPECT_FALSE(document->open_questions.empty());
  EXPECT_FALSE(task::require_task(folder_.path()));
}

TEST_F(Init, NeverReplacesATaskUnasked) {
  SmallCampaign::write(toml(), "mine");
  const auto called = init();
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("--force"));
  EXPECT_EQ(SmallCampaign::read(toml()), "mine");
  EXPECT_EQ(init({"--force"}).status, 0);
  EXPECT_NE(SmallCampaign::read(toml()), "mine");
}

TEST_F(Init, OddDimensionsAreUsageErrors) {
  for (const char* odd : {"n", "=4", "n=", "n=0", "n=-1", "n=4x", "n=4,n=5", "n=99999999999999999999"}) {
    EXPECT_EQ(init({"--dims", odd}).status, 2) << odd;
    EXPECT_FALSE(path_exists(toml())) << odd;
  }
}

TEST_F(Init, AFileOfAnotherKindIsRefusedBeforeAnythingIsSaidOfReplacing) {
  SmallCampaign::write(toml(), "mine");
  const auto called = testing::call({init_command()}, {"init", toml().string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("is no file that a draft can be made from"));
  EXPECT_THAT(called.error, ::testing::Not(HasSubstr("--force")));
}

TEST_F(Init, ScalarsTakeDecimals) {
  SmallCampaign::write(folder_.path() / "twice.cpp",
                       "extern \"C\" int scale(float a, float* y, int n) {\n"
                       "  for (int i = 0; i < n; ++i) y[i] = a * y[i];\n  return 0;\n}\n");
  EXPECT_EQ(init({"--dims", "a=2.0,n=64"}).status, 0);
  EXPECT_THAT(SmallCampaign::read(toml()), HasSubstr("a = 2.0"));
  EXPECT_EQ(init({"--force", "--dims", "a=2,n=64.0"}).status, 2);
  EXPECT_EQ(init({"--force", "--dims", "a=nan,n=64"}).status, 2);
}

TEST_F(Init, TheImplementationIsTheFilesOrRefused) {
  for (const char* name : {"triton", "cutlass", "cute-dsl"}) {
    const auto called = init({"--implementation", name});
    EXPECT_EQ(called.status, 3) << name;
    EXPECT_THAT(called.error, HasSubstr("drafts no task for"));
  }
  const auto unknown = init({"--implementation", "cuda"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.error, HasSubstr("one of: auto, cpp, cuda-cpp, hip, opencl"));
  EXPECT_THAT(init({"--implementation", "cuda-cpp"}).error, HasSubstr("is cpp, not cuda"));
  EXPECT_FALSE(path_exists(toml()));
  EXPECT_EQ(init({"--implementation", "cpp"}).status, 0);
}

TEST_F(Init, ADeviceKernelIsDraftedToo) {
  SmallCampaign::write(folder_.path() / "twice.cu",
                       "extern \"C\" __global__ void twice(const float* x, float* y, int n) {\n"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 2 * x[i];\n}\n");
  const auto called =
      testing::call({init_command()}, {"init", (folder_.path() / "twice.cu").string(), "--reference",
                                       (folder_.path() / "reference.cpp").string(), "--dims", "n=1000"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(SmallCampaign::read(toml()), HasSubstr("grid = [\"ceildiv(n, 256)\", 1, 1]"));
  EXPECT_THAT(SmallCampaign::read(toml()), ::testing::Not(HasSubstr("= \"?\"")));
}

TEST_F(Init, AFileThatIsNotThereIsAnError) {
  const auto called = testing::call({init_command()}, {"init", (folder_.path() / "none.cpp").string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, ::testing::AllOf(HasSubstr("does not exist"), HasSubstr("do: ")));
  EXPECT_FALSE(path_exists(toml()));
}

}  // namespace
}  // namespace hone::cli
