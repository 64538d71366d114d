// Limits of this process that are too small for what is to come, named before anybody is blamed.
#include "sandbox/own_limits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

namespace hone::sandbox {
namespace {

using testing::HasSubstr;

// Lowers the soft limit alone, which can be raised again.
class Lowered {
 public:
  Lowered(__rlimit_resource_t resource, rlim_t value) : resource_(resource) {
    getrlimit(resource, &before_);
    const rlimit small{value, before_.rlim_max};
    EXPECT_EQ(setrlimit(resource, &small), 0);
  }
  ~Lowered() { setrlimit(resource_, &before_); }

 private:
  __rlimit_resource_t resource_;
  rlimit before_{};
};

struct Case {
  __rlimit_resource_t resource;
  uint64_t least;
  const char* type;
};

constexpr Case k_cases[] = {{RLIMIT_STACK, 8ull << 20, "ulimit -s 8192"},
                            {RLIMIT_FSIZE, 16ull << 20, "ulimit -f"},
                            {RLIMIT_DATA, 1ull << 30, "ulimit -d"},
                            {RLIMIT_AS, 2ull << 30, "ulimit -v"},
                            {RLIMIT_NOFILE, 256, "ulimit -n"},
                            {RLIMIT_NPROC, 64, "ulimit -u"}};

TEST(OwnLimits, OrdinaryOnesSuffice) {
  EXPECT_TRUE(limits_suffice_for(Purpose::any_command));
  EXPECT_TRUE(limits_suffice_for(Purpose::judging));
}

TEST(OwnLimits, EachHasItsLeastAndSaysWhatToType) {
  for (const Case& one : k_cases) {
    {
      const Lowered just_enough(one.resource, one.least);
      EXPECT_TRUE(limits_suffice_for(Purpose::judging)) << one.type;
    }
    const auto refused = [&] {
      const Lowered too_little(one.resource, one.least - 1);
      return limits_suffice_for(Purpose::judging);
    }();
    ASSERT_FALSE(refused) << one.type;
    EXPECT_EQ(refused.error().code, ErrorCode::environment);
    EXPECT_THAT(refused.error().what, HasSubstr("at most here"));
    EXPECT_FALSE(refused.error().why.empty());
    EXPECT_THAT(refused.error().help, HasSubstr(one.type));
  }
}

TEST(OwnLimits, ACommandThatJudgesNothingNeedsItsStackAlone) {
  const Lowered files(RLIMIT_NOFILE, 32);
  EXPECT_TRUE(limits_suffice_for(Purpose::any_command));
  const Lowered stack(RLIMIT_STACK, (1 << 20) - 1);
  const auto refused = limits_suffice_for(Purpose::any_command);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("a stack"));
}

}  // namespace
}  // namespace hone::sandbox
