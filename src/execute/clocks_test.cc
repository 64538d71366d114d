#include "execute/clocks.h"

#include <gmock/gmock.h>

#include "base/disk.h"
#include "device/cuda/testing/fake_nvml.h"
#include "device/roles.h"
#include "device/testing/fake_library.h"

namespace hone::execute {
namespace {

using testing::Contains;
using testing::HasSubstr;

class OneVerdict final : public Executor {
 public:
  explicit OneVerdict(std::string kind) {
    identity_.kind = std::move(kind);
    identity_.name = "a device";
    identity_.uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";
  }
  Result<campaign::Verdict> run(const judge::JudgingJob&, const judge::Observer&) override {
    campaign::Verdict verdict;
    verdict.notes = {"of the judge"};
    return verdict;
  }
  Result<device::Identity> identity() override { return identity_; }

 private:
  device::Identity identity_;
};

class ClocksTest : public testing::Test {
 protected:
  ClocksTest() : folder_(TemporaryFolder::make(fs::temp_directory_path(), "hone-clocks-").value()) {}
  std::string calls() const { return read_file(folder_.path() / "calls").value_or(""); }
  // What a verdict's notes say, with a stand-in for NVML.
  std::vector<std::string> notes(const std::string& kind, const std::string& word,
                                 const std::vector<std::string>& macros = {}) {
    std::vector<std::string> all = macros;
    all.push_back("LOCKS=\"" + (folder_.path() / "calls").string() + "\"");
    const device::FakeLibrary nvml(device::cuda::k_fake_nvml, all);
    EXPECT_TRUE(nvml.built());
    auto executor = with_clocks(std::make_unique<OneVerdict>(kind), *parse_clocks(word), nvml.path());
    if (!executor) return {to_text(executor.error())};
    held_ = calls();
    return (*executor)->run({}, {})->notes;
  }

  TemporaryFolder folder_;
  std::string held_;  // calls before the executor's end
};

TEST(ParseClocks, KnowsThreeWords) {
  EXPECT_FALSE(parse_clocks("as-is")->locked);
  EXPECT_TRUE(parse_clocks("lock")->locked);
  EXPECT_FALSE(parse_clocks("lock")->mhz);
  EXPECT_EQ(parse_clocks("lock:1500")->mhz, 1500u);
  for (const char* word : {"", "locked", "lock:", "lock:0", "lock:-1", "lock:1500MHz", "lock:99999999999", "as-is "}) {
    const auto clocks = parse_clocks(word);
    ASSERT_FALSE(clocks) << word;
    EXPECT_EQ(clocks.error().code, ErrorCode::usage);
  }
}

TEST_F(ClocksTest, AreLeftAloneUnlessAsked) {
  EXPECT_EQ(notes("cuda", "as-is"), std::vector<std::string>{"of the judge"});
  EXPECT_EQ(calls(), "");
}

TEST_F(ClocksTest, AreLockedFromTheBeginningToTheEnd) {
  EXPECT_THAT(notes("cuda", "lock:1500"), Contains(HasSubstr("locked at 1500 MHz")));
  EXPECT_EQ(held_, "lock 1500 1500\n");
  EXPECT_EQ(calls(), "lock 1500 1500\nreset 0 0\n");
}

TEST_F(ClocksTest, WithoutANumberTheHighestIsTaken) {
  EXPECT_THAT(notes("cuda", "lock"), Contains(HasSubstr("locked at 1980 MHz")));
}

TEST_F(ClocksTest, WhatCouldNotBeLockedIsSaidInTheVerdict) {
  EXPECT_THAT(notes("cuda", "lock", {"REASONS=2"}), Contains(HasSubstr("clocks as they are: somebody limits")));
  EXPECT_THAT(notes("cpu", "lock"), Contains(HasSubstr("only the clocks of a CUDA device can be locked")));
  EXPECT_EQ(calls(), "");
}

}  // namespace
}  // namespace hone::execute

// Like hone's own, it first asks whether it was started in a role: who holds the clocks is this very executable.
int main(int argc, char** argv) {
  if (const auto status = hone::device::run_role(argc, argv)) return *status;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
