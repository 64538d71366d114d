// Dies at every crash point of a scripted piece of work, then looks at what is left and finishes the work.
// The script runs in this same program started anew, since crash points read their number once per process.
#include <stdlib.h>

#include <charconv>

#include "base/json.h"
#include "base/text.h"
#include "record/blobs.h"
#include "record/lock.h"
#include "record/testing/sample_log.h"
#include "record/testing/sample_store.h"

namespace hone::record {
namespace {

using testing::bodies_in;
using testing::ignore_line;
using testing::k_incumbent;
using testing::put_bytes;
using testing::sample_body;
using testing::sample_commit;
using testing::sample_log;

constexpr const char* k_folder_variable = "HONE_TEST_CRASH_FOLDER";
constexpr uint64_t k_lines = 5;
const std::vector<std::string> k_blobs{"first blob", std::string(100'000, 'b')};

using Acknowledge = std::function<void(const std::string&)>;

// Ends in the same state from wherever it is started: the log has lines 1 to 5, both blobs are there, the incumbent is
// v2.
Status run_script(const fs::path& folder, const Acknowledge& acknowledge) {
  Disk disk;
  Processes processes;
  HONE_TRY(const Lock lock, Lock::take(disk, folder / "lock", note_for("crash test", SystemClock()), "here"));
  HONE_TRY(auto opened, Log::open(disk, folder / "log.jsonl", ignore_line));
  while (opened.log.head().lines < k_lines) {
    HONE_TRY(const Head head, opened.log.append(sample_body(opened.log.head().lines + 1)));
    acknowledge("line " + std::to_string(head.lines));
  }
  HONE_TRY(Blobs blobs, Blobs::open(disk, folder / "blobs"));
  for (const std::string& bytes : k_blobs) {
    HONE_TRY(const Digest digest, blobs.put(bytes));
    acknowledge("blob " + digest.hex());
  }
  HONE_TRY(GitStore store, GitStore::open(disk, processes, folder / "store.git"));
  HONE_TRY(const ObjectId first, sample_commit(store, 1, {}));
  HONE_TRY(const ObjectId second, sample_commit(store, 2, {first}));
  HONE_TRY(const auto before, store.read_ref(k_incumbent));
  const RefMove move{k_incumbent, before == second ? first : before, second};
  HONE_CHECK(store.move_refs({&move, 1}));
  acknowledge("ref");
  return ok();
}

TEST(CrashScript, RunsInAProcessOfItsOwn) {
  const char* folder = getenv(k_folder_variable);
  if (folder == nullptr) GTEST_SKIP() << "started by CrashTest alone";
  const auto say = [](const std::string& text) { EXPECT_GT(dprintf(STDOUT_FILENO, "ack %s\n", text.c_str()), 0); };
  say("owner " + json::to_text(this_process()));
  EXPECT_TRUE(run_script(folder, say));
}

#ifdef HONE_CRASH_POINTS

class CrashTest : public ::testing::TestWithParam<bool> {
 protected:
  // Where every trial starts: nothing at all, or a log with a torn tail and a store whose incumbent is v1.
  void prepare(const fs::path& folder) {
    fs::create_directories(folder);
    if (!GetParam()) return;
    put_bytes(folder / "log.jsonl", sample_log(2) + k_torn);
    auto store = GitStore::open(disk_, processes_, folder / "store.git");
    const RefMove move{k_incumbent, std::nullopt, *sample_commit(*store, 1, {})};
    ASSERT_TRUE(store->move_refs({&move, 1}));
  }

  // What the child acknowledged before it ended; `died` when a crash point ended it.
  std::vector<std::string> run_child(const fs::path& folder, uint64_t crash_at, bool& died) {
    const auto done = processes_.run(
        {.argv = {"/proc/self/exe", "--gtest_filter=CrashScript.*"},
         .environment = {{k_folder_variable, folder.string()}, {"HONE_CRASH_AT", std::to_string(crash_at)}}});
    died = done->exit_status == 128 + SIGKILL;
    EXPECT_TRUE(died || done->exit_status == 0) << done->output << done->errors;
    std::vector<std::string> acknowledged;
    for (const std::string& line : split_lines(done->output)) {
      if (line.starts_with("ack ")) acknowledged.push_back(line.substr(4));
    }
    return acknowledged;
  }

  void check_log(const fs::path& folder, const std::vector<std::string>& acknowledged) {
    if (!path_exists(folder / "log.jsonl")) return;
    auto opened = Log::open(disk_, folder / "log.jsonl", ignore_line);
    ASSERT_TRUE(opened) << to_text(opened.error());
    const std::string bytes = *read_file(folder / "log.jsonl");
    EXPECT_TRUE(sample_log(k_lines).starts_with(bytes));
    for (const std::string& ack : acknowledged) {
      if (ack.starts_with("line ")) {
        EXPECT_GE(opened->log.head().lines, std::stoull(ack.substr(5)));
      }
    }
    if (GetParam()) {
      EXPECT_EQ(*read_file(folder / "torn/3.bytes"), k_torn);
    }
  }

  void check_blobs(const fs::path& folder, const std::vector<std::string>& acknowledged) {
    auto blobs = Blobs::open(disk_, folder / "blobs");
    const auto listed = blobs->list();
    for (const StoredBlob& blob : *listed) EXPECT_TRUE(blobs->get(blob.digest)) << blob.digest.hex();
    for (const std::string& ack : acknowledged) {
      if (ack.starts_with("blob ")) {
        EXPECT_TRUE(blobs->has(*Digest::from_hex(ack.substr(5))));
      }
    }
  }

  void check_ref(const fs::path& folder, const std::vector<std::string>& acknowledged) {
    if (!path_exists(folder / "store.git")) return;
    auto store = GitStore::open(disk_, processes_, folder / "store.git");
    const auto found = store->read_ref(k_incumbent);
    ASSERT_TRUE(found) << to_text(found.error());
    const bool is_new = *found == second_;
    EXPECT_TRUE(is_new || *found == (GetParam() ? std::optional(first_) : std::nullopt));
    if (std::ranges::count(acknowledged, "ref") > 0) {
      EXPECT_TRUE(is_new);
    }
  }

  void finish(const fs::path& folder, const Owner& dead) {
    if (path_exists(folder / "store.git")) {
      auto store = GitStore::open(disk_, processes_, folder / "store.git");
      SystemClock clock;
      const auto removed = store->remove_leftovers(dead, clock, std::chrono::seconds(20));
      ASSERT_TRUE(removed) << to_text(removed.error());
    }
    const Status finished = run_script(folder, [](const std::string&) {});
    ASSERT_TRUE(finished) << to_text(finished.error());
    EXPECT_EQ(*read_file(folder / "log.jsonl"), sample_log(k_lines));
    check_ref(folder, {"ref"});
  }

  static constexpr const char* k_torn = R"({"seq":3,"half)";
  TemporaryFolder folder_ = *TemporaryFolder::make(testing::quick_folder(), "hone-crash-");
  hone::testing::FaultyDisk disk_;
  Processes processes_;
  ObjectId first_;
  ObjectId second_;
};

TEST_P(CrashTest, DeathAtEveryPointLosesNothingAcknowledged) {
  auto reference = GitStore::open(disk_, processes_, folder_.path() / "reference.git");
  first_ = *sample_commit(*reference, 1, {});
  second_ = *sample_commit(*reference, 2, {first_});
  prepare(folder_.path() / "start");
  uint64_t at = 1;
  for (bool died = true; died && !HasFailure(); ++at) {
    SCOPED_TRACE("crash point " + std::to_string(at));
    const fs::path folder = folder_.path() / "trial";
    fs::remove_all(folder);
    fs::copy(folder_.path() / "start", folder, fs::copy_options::recursive);
    const auto acknowledged = run_child(folder, at, died);
    ASSERT_FALSE(acknowledged.empty());
    const auto dead = json::from_text<Owner>(acknowledged.front().substr(6));
    ASSERT_TRUE(dead);
    check_log(folder, acknowledged);
    check_blobs(folder, acknowledged);
    check_ref(folder, acknowledged);
    finish(folder, *dead);
  }
  EXPECT_GT(at, 60u);  // else the script passed far fewer points than it has writes
}

INSTANTIATE_TEST_SUITE_P(FromNothingAndFromATornLog, CrashTest, ::testing::Bool());

#endif

}  // namespace
}  // namespace hone::record
