// Kills git at every system call with which it could change a file, then cleans up and repeats: the store ends as if
// nothing happened.
#include "record/testing/sample_store.h"
#include "record/testing/traced_processes.h"

namespace hone::record {
namespace {

using testing::k_incumbent;
using testing::sample_commit;
using testing::TracedProcesses;

class GitKillTest : public testing::StoreTest {
 protected:
  // v2 on top of v1, and the incumbent moved to it.
  Status promote(GitStore& store) {
    HONE_TRY(const ObjectId second, sample_commit(store, 2, {first_}));
    const std::vector<RefMove> moves{{k_incumbent, first_, second}, {"refs/hone/v2", std::nullopt, second}};
    return store.move_refs(moves);
  }

  // Whether the call was reached.
  bool killed_at(uint64_t call, const fs::path& trial) {
    fs::remove_all(trial);
    fs::copy(path_, trial, fs::copy_options::recursive);
    TracedProcesses traced;
    traced.kill_at = call;
    auto store = GitStore::open(disk_, traced, trial);
    const bool promoted = promote(*store).has_value();
    EXPECT_EQ(promoted, traced.passed < call);
    return !promoted;
  }

  void check_and_finish(const fs::path& trial) {
    auto store = GitStore::open(disk_, processes_, trial);
    const auto incumbent = store->read_ref(k_incumbent);
    ASSERT_TRUE(incumbent);
    EXPECT_TRUE(*incumbent == first_ || *incumbent == second_);
    FakeClock clock;
    ASSERT_TRUE(store->remove_leftovers(dead_, clock, from_seconds(1)));
    const Status finished = promote(*store);
    ASSERT_TRUE(finished) << to_text(finished.error());
    EXPECT_EQ(*store->refs(), (Refs{{k_incumbent, second_}, {"refs/hone/v2", second_}}));
    EXPECT_EQ(*store->read_tree(second_), testing::sample_files("kernel of v2\n"));
  }

  const Owner dead_{this_process().pid, this_process().start_ticks - 1};  // our pid, before it was ours
  ObjectId first_;
  ObjectId second_;
};

TEST_F(GitKillTest, AtEveryChangingSystemCall) {
  first_ = *sample_commit(store_, 1, {});
  const RefMove move{k_incumbent, std::nullopt, first_};
  ASSERT_TRUE(store_.move_refs({&move, 1}));
  auto reference = GitStore::open(disk_, processes_, folder_.path() / "reference.git");
  ASSERT_EQ(*sample_commit(*reference, 1, {}), first_);
  second_ = *sample_commit(*reference, 2, {first_});
  TracedProcesses probe;
  auto probed = GitStore::open(disk_, probe, folder_.path() / "probe.git");
  if (!probe.allowed) GTEST_SKIP() << "tracing is forbidden here";
  const fs::path trial = folder_.path() / "trial.git";
  uint64_t call = 1;
  for (; !HasFailure() && killed_at(call, trial); ++call) {
    SCOPED_TRACE("system call " + std::to_string(call));
    check_and_finish(trial);
  }
  EXPECT_GT(call, 50u);
}

}  // namespace
}  // namespace hone::record
