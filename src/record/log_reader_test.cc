#include "record/log_reader.h"

#include <sys/stat.h>

#include "record/testing/sample_log.h"

namespace hone::record {
namespace {

using testing::ignore_line;
using testing::put_bytes;
using testing::sample_body;
using testing::sample_log;

class LogReaderTest : public testing::LogTest {
 protected:
  // The message of reading `bytes`; "" when they are a good log.
  std::string complaint(std::string_view bytes) {
    put_bytes(path_, bytes);
    const auto content = read_log(path_, ignore_line);
    if (content) return "";
    EXPECT_EQ(content.error().code, ErrorCode::refused);
    EXPECT_EQ(exit_code(content.error().code), 1);
    return content.error().what;
  }

  static std::vector<std::string> lines_of(const std::string& log) {
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < log.size();) {
      const size_t end = log.find('\n', begin) + 1;
      lines.push_back(log.substr(begin, end - begin));
      begin = end;
    }
    return lines;
  }

  static std::string joined(const std::vector<std::string>& lines) {
    std::string log;
    for (const std::string& line : lines) log += line;
    return log;
  }
};

TEST_F(LogReaderTest, AnEmptyLogIsGood) {
  put_bytes(path_, "");
  const auto content = read_log(path_, ignore_line);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->head, Head{});
  EXPECT_EQ(content->torn, "");
}

TEST_F(LogReaderTest, AMissingLogIsAnIoError) {
  const auto content = read_log(path_, ignore_line);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::io);
}

TEST_F(LogReaderTest, GivesEveryLineInOrderWithItsNumber) {
  const std::string log = sample_log(3);
  put_bytes(path_, log);
  std::string seen;
  std::vector<uint64_t> numbers;
  const auto content = read_log(path_, [&](std::string_view line, uint64_t number) -> Status {
    seen += std::string(line) + "\n";
    numbers.push_back(number);
    return ok();
  });
  ASSERT_TRUE(content);
  EXPECT_EQ(seen, log);
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(content->good_bytes, log.size());
  EXPECT_EQ(content->head.hash.hex(), chain_of(std::string_view(log).substr(0, log.size() - 1))->hash);
}

TEST_F(LogReaderTest, AVisitorCanStopIt) {
  put_bytes(path_, sample_log(3));
  uint64_t last = 0;
  const auto content = read_log(path_, [&](std::string_view, uint64_t number) -> Status {
    last = number;
    return number == 2 ? Status(Error{ErrorCode::contract, "enough"}) : ok();
  });
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().what, "enough");
  EXPECT_EQ(last, 2u);
}

TEST_F(LogReaderTest, LinesMayCrossTheEdgesOfTheBuffer) {
  std::string log;
  Digest previous;
  for (uint64_t seq = 0; seq < 200; ++seq) {  // 200 lines of up to 48 KiB: several buffers
    const auto line = seal(fmt::format(R"({{"seq":{},"x":"{}"}})", seq, std::string(seq * 241, 'y')), previous);
    log += line->text;
    previous = line->hash;
  }
  ASSERT_GT(log.size(), 4u << 20);
  put_bytes(path_, log);
  const auto content = read_log(path_, ignore_line);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->head, (Head{200, previous}));
  EXPECT_EQ(content->good_bytes, log.size());
}

TEST_F(LogReaderTest, EveryFlippedByteIsSeenInItsLine) {
  const std::string log = sample_log(4);
  uint64_t number = 1;
  for (size_t place = 0; place < log.size(); ++place) {
    std::string damaged = log;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x01);
    if (place + 1 == log.size()) {  // the last newline: what stood before it is now torn
      put_bytes(path_, damaged);
      EXPECT_EQ(read_log(path_, ignore_line)->head.lines, 3u);
      continue;
    }
    EXPECT_TRUE(complaint(damaged).starts_with(fmt::format("log line {}: ", number))) << "byte " << place;
    if (log[place] == '\n') ++number;
  }
}

TEST_F(LogReaderTest, AByteThatBecomesANewlineIsSeenInItsLine) {
  const std::string log = sample_log(3);
  uint64_t number = 1;
  for (size_t place = 0; place < log.size(); ++place) {
    if (log[place] == '\n') {
      ++number;
      continue;
    }
    std::string damaged = log;
    damaged[place] = '\n';
    EXPECT_TRUE(complaint(damaged).starts_with(fmt::format("log line {}: ", number))) << "byte " << place;
  }
}

TEST_F(LogReaderTest, SaysWhatDiffers) {
  auto lines = lines_of(sample_log(4));
  std::string edited = lines[1];
  edited[edited.find("sample")] = 'S';
  EXPECT_EQ(complaint(lines[0] + edited + lines[2] + lines[3]), "log line 2: the hash does not match its bytes");
  EXPECT_EQ(complaint(lines[0] + lines[2] + lines[3]), "log line 2: 'prev' is not the hash of line 1");
  EXPECT_EQ(complaint(lines[1] + lines[2]), "log line 1: 'prev' of the first line is not 64 zeros");
  EXPECT_EQ(complaint(lines[0] + "{\"seq\":2}\n"), "log line 2: does not end in 'prev' and 'hash'");
  EXPECT_EQ(complaint(lines[0] + "\n" + lines[1]), "log line 2: does not end in 'prev' and 'hash'");
}

TEST_F(LogReaderTest, SeesRemovedRepeatedAndSwappedLines) {
  const auto lines = lines_of(sample_log(6));
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    auto removed = lines;
    removed.erase(removed.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_TRUE(complaint(joined(removed)).starts_with(fmt::format("log line {}: 'prev'", i + 1)));
    auto repeated = lines;
    repeated.insert(repeated.begin() + static_cast<ptrdiff_t>(i), lines[i]);
    EXPECT_TRUE(complaint(joined(repeated)).starts_with(fmt::format("log line {}: 'prev'", i + 2)));
    auto swapped = lines;
    std::swap(swapped[i], swapped[i + 1]);
    EXPECT_TRUE(complaint(joined(swapped)).starts_with(fmt::format("log line {}: 'prev'", i + 1)));
  }
}

TEST_F(LogReaderTest, ACompleteLastLineWithAWrongHashIsBrokenNotTorn) {
  std::string log = sample_log(2);
  log[log.size() - 5] = log[log.size() - 5] == '0' ? '1' : '0';
  EXPECT_EQ(complaint(log), "log line 2: the hash does not match its bytes");
}

TEST_F(LogReaderTest, ALastLineWithoutNewlineIsTornEvenWhenItIsWhole) {
  const std::string log = sample_log(2);
  put_bytes(path_, log.substr(0, log.size() - 1));
  const auto content = read_log(path_, ignore_line);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->head.lines, 1u);
  EXPECT_EQ(content->torn + "\n", lines_of(log)[1]);
}

TEST_F(LogReaderTest, LinesLongerThanTheLimitAreBroken) {
  const std::string good = sample_log(1);
  EXPECT_NE(complaint(good + std::string(k_max_line_bytes, 'x') + "\n").find("longer than"), std::string::npos);
  EXPECT_NE(complaint(good + std::string(k_max_line_bytes, 'x')).find("longer than"), std::string::npos);
  EXPECT_NE(complaint(good + std::string(3 << 20, '\0')).find("longer than"), std::string::npos);
  put_bytes(path_, good + std::string(k_max_line_bytes - 1, 'x'));
  EXPECT_EQ(read_log(path_, ignore_line)->torn.size(), k_max_line_bytes - 1);
}

TEST_F(LogReaderTest, NamesTheFileAndHelps) {
  put_bytes(path_, "nonsense\n");
  const auto content = read_log(path_, ignore_line);
  EXPECT_EQ(content.error().where.file, path_.string());
  EXPECT_FALSE(content.error().why.empty());
  EXPECT_FALSE(content.error().help.empty());
}

class AnchorTest : public LogReaderTest {
 protected:
  // The head after each line of a log.
  static std::vector<Head> heads_of(const std::string& log) {
    std::vector<Head> heads;
    for (const std::string& line : lines_of(log)) {
      const auto chain = chain_of(std::string_view(line).substr(0, line.size() - 1));
      heads.push_back({heads.size() + 1, *Digest::from_hex(chain->hash)});
    }
    return heads;
  }
};

TEST_F(AnchorTest, AllHeadsOfALogAreInIt) {
  const std::string log = sample_log(5);
  put_bytes(path_, log);
  auto heads = heads_of(log);
  EXPECT_TRUE(check_anchors(path_, heads));
  std::reverse(heads.begin(), heads.end());
  heads.push_back({0, {}});
  heads.push_back(heads.front());
  EXPECT_TRUE(check_anchors(path_, heads));
  EXPECT_TRUE(check_anchors(path_, {}));
}

TEST_F(AnchorTest, ALogCutAtALineIsSeen) {
  const auto heads = heads_of(sample_log(5));
  put_bytes(path_, sample_log(3));
  EXPECT_TRUE(read_log(path_, ignore_line));  // the chain alone cannot see it
  const Status checked = check_anchors(path_, heads);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::refused);
  EXPECT_EQ(checked.error().what, "the log ends at line 3, but line 4 was anchored elsewhere");
}

TEST_F(AnchorTest, AWholeRewrittenChainIsSeen) {
  const auto heads = heads_of(sample_log(5));
  std::string rewritten = sample_log(2);
  Digest previous = heads[1].hash;
  for (uint64_t seq = 3; seq <= 5; ++seq) {
    const auto line = seal(fmt::format(R"({{"seq":{},"kind":"forged"}})", seq), previous);
    rewritten += line->text;
    previous = line->hash;
  }
  put_bytes(path_, rewritten);
  EXPECT_TRUE(read_log(path_, ignore_line));
  const std::vector<Head> anchors{heads[1], heads[3]};
  const Status checked = check_anchors(path_, anchors);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().what, "log line 4: is not the line that was anchored elsewhere");
}

}  // namespace
}  // namespace hone::record
