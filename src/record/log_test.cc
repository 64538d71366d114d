#include "record/log.h"

#include "base/testing/faulty_disk.h"
#include "record/testing/sample_log.h"

namespace hone::record {
namespace {

using hone::testing::FaultyDisk;
using testing::bodies_in;
using testing::ignore_line;
using testing::put_bytes;
using testing::sample_body;
using testing::sample_log;

class LogTest : public testing::LogTest {
 protected:
  Result<OpenedLog> open() { return Log::open(disk_, path_, ignore_line); }

  static std::vector<std::string> sample_bodies(uint64_t first, uint64_t last) {
    std::vector<std::string> bodies;
    for (uint64_t seq = first; seq <= last; ++seq) bodies.push_back(sample_body(seq));
    return bodies;
  }
};

TEST_F(LogTest, StartsEmptyAndGrows) {
  auto opened = open();
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->log.head(), Head{});
  EXPECT_TRUE(opened->torn.empty());
  const auto first = opened->log.append(sample_body(1));
  const auto second = opened->log.append(sample_body(2));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->lines, 1u);
  EXPECT_EQ(*second, opened->log.head());
  EXPECT_EQ(*read_file(path_), sample_log(2));
  EXPECT_EQ(opened->log.size_bytes(), sample_log(2).size());
}

TEST_F(LogTest, GoesOnWhereItEnded) {
  ASSERT_TRUE(open()->log.append(sample_body(1)));
  auto again = open();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->log.head().lines, 1u);
  ASSERT_TRUE(again->log.append(sample_body(2)));
  EXPECT_EQ(*read_file(path_), sample_log(2));
}

TEST_F(LogTest, ManyLinesTakeOneSync) {
  FaultyDisk counting;
  auto opened = Log::open(counting, path_, ignore_line);
  const uint64_t before = counting.operations;
  ASSERT_TRUE(opened->log.append_many(sample_bodies(1, 50)));
  EXPECT_EQ(counting.operations - before, 2u);
  EXPECT_EQ(*read_file(path_), sample_log(50));
}

TEST_F(LogTest, NothingToAppendIsNothing) {
  FaultyDisk counting;
  auto opened = Log::open(counting, path_, ignore_line);
  const uint64_t before = counting.operations;
  EXPECT_EQ(*opened->log.append_many({}), Head{});
  EXPECT_EQ(counting.operations, before);
}

TEST_F(LogTest, ABadBodyAppendsNothingOfItsBatch) {
  auto opened = open();
  const std::vector<std::string> bodies{sample_body(1), "{}", sample_body(2)};
  EXPECT_FALSE(opened->log.append_many(bodies));
  EXPECT_EQ(*read_file(path_), "");
  EXPECT_TRUE(opened->log.append(sample_body(1)));
  EXPECT_EQ(*read_file(path_), sample_log(1));
}

TEST_F(LogTest, OpeningShowsEveryLine) {
  put_bytes(path_, sample_log(7));
  std::vector<std::string> seen;
  ASSERT_TRUE(Log::open(disk_, path_, [&](std::string_view line, uint64_t) -> Status {
    seen.push_back(body_of(line));
    return ok();
  }));
  EXPECT_EQ(seen, sample_bodies(1, 7));
}

TEST_F(LogTest, ABrokenLogIsNotOpenedAndNotTouched) {
  std::string log = sample_log(3);
  log[10] = 'X';
  put_bytes(path_, log + "torn");
  const auto opened = open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::refused);
  EXPECT_EQ(*read_file(path_), log + "torn");
  EXPECT_FALSE(path_exists(folder_.path() / "torn"));
}

// The central promise: a torn tail of any length, then open, append, reload, loses nothing.
TEST_F(LogTest, TornAtEveryByteLosesNothing) {
  const std::string log = sample_log(30);
  for (size_t kept = 0; kept <= log.size(); ++kept) {
    fs::remove_all(folder_.path() / "torn");
    put_bytes(path_, log.substr(0, kept));
    const size_t good = kept == 0 ? 0 : log.rfind('\n', kept - 1) + 1;
    const auto lines = static_cast<uint64_t>(std::count(log.begin(), log.begin() + static_cast<ptrdiff_t>(kept), '\n'));
    auto opened = open();
    ASSERT_TRUE(opened) << kept;
    ASSERT_EQ(opened->log.head().lines, lines) << kept;
    ASSERT_EQ(opened->torn.size(), kept == good ? 0u : 1u) << kept;
    if (kept != good) {
      const TornTail& tail = opened->torn.front();
      EXPECT_EQ(*read_file(tail.file), log.substr(good, kept - good)) << kept;
      EXPECT_EQ(tail.size_bytes, kept - good);
      EXPECT_EQ(tail.file, folder_.path() / "torn" / fmt::format("{}.bytes", lines + 1));
    }
    ASSERT_TRUE(opened->log.append(R"({"kind":"after"})")) << kept;
    auto expected = sample_bodies(1, lines);
    expected.push_back(R"({"kind":"after"})");
    const auto bodies = bodies_in(path_);
    ASSERT_TRUE(bodies) << kept;
    ASSERT_EQ(*bodies, expected) << kept;
  }
}

TEST_F(LogTest, EveryFlippedByteIsNamedOrTorn) {
  const std::string log = sample_log(5);
  for (size_t place = 0; place < log.size(); ++place) {
    std::string damaged = log;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x40);
    fs::remove_all(folder_.path() / "torn");
    put_bytes(path_, damaged);
    const auto opened = open();
    const auto line = 1 + std::count(log.begin(), log.begin() + static_cast<ptrdiff_t>(place), '\n');
    if (place + 1 == log.size()) {
      ASSERT_TRUE(opened);
      EXPECT_EQ(opened->torn.size(), 1u);
    } else {
      ASSERT_FALSE(opened) << place;
      EXPECT_TRUE(opened.error().what.starts_with(fmt::format("log line {}: ", line))) << place;
      EXPECT_EQ(*read_file(path_), damaged);
    }
  }
}

TEST_F(LogTest, ATornTailIsReportedUntilALineTellsOfIt) {
  put_bytes(path_, sample_log(2) + "half");
  EXPECT_EQ(open()->torn.size(), 1u);
  EXPECT_EQ(open()->torn.size(), 1u);  // died before its event was written
  put_bytes(path_, sample_log(2) + "other half");
  EXPECT_EQ(open()->torn.size(), 2u);
  ASSERT_TRUE(open()->log.append(sample_body(3)));
  EXPECT_TRUE(open()->torn.empty());
  EXPECT_EQ(*read_file(folder_.path() / "torn/3.bytes"), "half");
  EXPECT_EQ(*read_file(folder_.path() / "torn/3-2.bytes"), "other half");
}

TEST_F(LogTest, SomebodyElsesWriteIsNoticed) {
  auto opened = open();
  ASSERT_TRUE(opened->log.append(sample_body(1)));
  std::ofstream(path_, std::ios::app) << "intruder";
  const auto failed = opened->log.append(sample_body(2));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::refused);
}

// ---- faults
// -----------------------------------------------------------------------------------------------------------

TEST_F(LogTest, ShortWritesAreCompleted) {
  FaultyDisk disk;
  disk.longest_write_bytes = 7;
  auto opened = Log::open(disk, path_, ignore_line);
  ASSERT_TRUE(opened->log.append_many(sample_bodies(1, 3)));
  EXPECT_EQ(*read_file(path_), sample_log(3));
}

TEST_F(LogTest, AFullDiskTakesNothingAndLetsTheLogGoOn) {
  FaultyDisk disk;
  auto opened = Log::open(disk, path_, ignore_line);
  ASSERT_TRUE(opened->log.append(sample_body(1)));
  disk.longest_write_bytes = 10;
  disk.writes_before_full = 3;
  const auto failed = opened->log.append(sample_body(2));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::io);
  EXPECT_NE(to_text(failed.error()).find("free space"), std::string::npos);
  EXPECT_EQ(*read_file(path_), sample_log(1));
  disk.writes_before_full = INT32_MAX;
  EXPECT_FALSE(opened->log.is_broken());
  ASSERT_TRUE(opened->log.append(sample_body(2)));
  EXPECT_EQ(*read_file(path_), sample_log(2));
}

TEST_F(LogTest, AfterAFailedSyncNothingIsAppended) {
  FaultyDisk disk;
  auto opened = Log::open(disk, path_, ignore_line);
  ASSERT_TRUE(opened->log.append(sample_body(1)));
  disk.sync_fails = true;
  EXPECT_FALSE(opened->log.append(sample_body(2)));
  disk.sync_fails = false;
  EXPECT_TRUE(opened->log.is_broken());
  const auto refused = opened->log.append(sample_body(2));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("closed"), std::string::npos);
  EXPECT_EQ(*read_file(path_), sample_log(1));
}

TEST_F(LogTest, WhenTheTornLineCannotBeTakenBackTheLogIsClosed) {
  FaultyDisk disk;
  auto opened = Log::open(disk, path_, ignore_line);
  ASSERT_TRUE(opened->log.append(sample_body(1)));
  disk.fail_from = disk.operations + 1;   // the write, after half of it …
  disk.fail_until = disk.operations + 2;  // … and the truncate
  EXPECT_FALSE(opened->log.append(sample_body(2)));
  EXPECT_TRUE(opened->log.is_broken());
  EXPECT_FALSE(opened->log.append(sample_body(2)));
  EXPECT_GT(read_file(path_)->size(), sample_log(1).size());
  auto again = open();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->torn.size(), 1u);
  ASSERT_TRUE(again->log.append(sample_body(2)));
  EXPECT_EQ(*read_file(path_), sample_log(2));
}

// A script over a log that begins torn; returns how many lines were acknowledged.
uint64_t run_script(Disk& disk, const fs::path& path) {
  auto opened = Log::open(disk, path, ignore_line);
  if (!opened) return 0;
  while (opened->log.head().lines < 6) {
    const uint64_t next = opened->log.head().lines + 1;
    if (next == 4 ? !opened->log.append_many(std::vector{sample_body(4), sample_body(5)})
                  : !opened->log.append(sample_body(next)))
      break;
  }
  return opened->log.head().lines;
}

class LogFaultTest : public LogTest, public ::testing::WithParamInterface<int> {};

// One operation fails (and, in a second pass, all from there on); afterwards the log opens, holds what was
// acknowledged, goes on.
TEST_P(LogFaultTest, AtEveryOperationLosesNothing) {
  const uint64_t failing_operations = GetParam() == 0 ? 1 : 1000;
  const std::string start = sample_log(2) + sample_log(3).substr(sample_log(2).size(), 40);
  uint64_t at = 1;
  for (bool reached = true; reached; ++at) {
    fs::remove_all(folder_.path() / "torn");
    put_bytes(path_, start);
    FaultyDisk disk;
    disk.fail_from = at;
    disk.fail_until = at + failing_operations - 1;
    disk.error_number = at % 2 == 0 ? ENOSPC : EIO;
    const uint64_t acknowledged = run_script(disk, path_);
    reached = disk.operations >= at;
    const auto bodies = bodies_in(path_);
    ASSERT_TRUE(bodies) << at;
    ASSERT_GE(bodies->size(), std::max<uint64_t>(acknowledged, 2)) << at;
    ASSERT_EQ(run_script(disk_, path_), 6u) << at;
    ASSERT_EQ(*read_file(path_), sample_log(6)) << at;
    ASSERT_EQ(read_file(folder_.path() / "torn/3.bytes")->size(), 40u) << at;
  }
  EXPECT_GT(at, 15u);
}

INSTANTIATE_TEST_SUITE_P(OneOrAll, LogFaultTest, ::testing::Values(0, 1));

TEST_F(LogTest, AFolderThatIsNotThereIsAnIoError) {
  const auto opened = Log::open(disk_, folder_.path() / "absent" / "log.jsonl", ignore_line);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace hone::record
