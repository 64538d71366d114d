#include "judge/protocol.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "base/fd.h"

namespace hone::judge {
namespace {

class Channel : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ours_.reset(ends[0]);
    theirs_.reset(ends[1]);
  }
  void write_raw(std::string_view text) {
    ASSERT_EQ(::send(theirs_.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  Fd ours_, theirs_;
};

TEST_F(Channel, CarriesLinesInOrder) {
  LineChannel here(ours_.get()), there(theirs_.get());
  ASSERT_TRUE(there.send("one"));
  ASSERT_TRUE(there.send(""));
  ASSERT_TRUE(there.send("three"));
  EXPECT_EQ(here.receive()->line, "one");
  EXPECT_EQ(here.receive()->line, "");
  EXPECT_EQ(here.receive()->line, "three");
}

TEST_F(Channel, PutsALineTogetherFromPieces) {
  LineChannel here(ours_.get());
  write_raw("ab");
  EXPECT_FALSE(here.receive(0)->line);
  write_raw("cd\nef");
  EXPECT_EQ(here.receive(0)->line, "abcd");
  const auto none = here.receive(0);
  EXPECT_FALSE(none->line);
  EXPECT_FALSE(none->ended);
}

TEST_F(Channel, TheEndOfTheStreamIsNoLine) {
  LineChannel here(ours_.get());
  write_raw("whole\nhalf");
  theirs_.reset();
  EXPECT_EQ(here.receive()->line, "whole");
  const auto last = here.receive();
  ASSERT_TRUE(last);
  EXPECT_FALSE(last->line);
  EXPECT_TRUE(last->ended);
}

TEST_F(Channel, ASilenceEndsWithItsDeadline) {
  LineChannel here(ours_.get());
  const auto none = here.receive(1);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->line);
  EXPECT_FALSE(none->ended);
}

TEST_F(Channel, RefusesToSpeakToNobody) {
  theirs_.reset();
  const Status sent = LineChannel(ours_.get()).send("hello");
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::io);
}

TEST_F(Channel, ALineBreakInsideALineIsRefused) { EXPECT_FALSE(LineChannel(ours_.get()).send("a\nb")); }

TEST_F(Channel, LinesHaveALimitOnBothSides) {
  LineChannel here(ours_.get(), 8);
  EXPECT_TRUE(here.send("12345678"));
  EXPECT_FALSE(here.send("123456789"));
  write_raw("12345678\n123456789\n");
  EXPECT_EQ(here.receive()->line, "12345678");
  EXPECT_FALSE(here.receive());
}

TEST_F(Channel, AnEndlessLineIsRefusedBeforeItEnds) {
  LineChannel here(ours_.get(), 8);
  write_raw("123456789");
  EXPECT_FALSE(here.receive());
}

TEST_F(Channel, CarriesALineOfManyPieces) {
  LineChannel here(ours_.get()), there(theirs_.get());
  const std::string large(3 << 20, 'x');
  std::thread speaker([&] { EXPECT_TRUE(there.send(large)); });
  const auto received = here.receive();
  speaker.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->line, large);
}

// A signal in the middle of a wait: without a deadline it is no end of the stream, with one it is "nothing yet".
class Interrupted : public Channel {
 protected:
  void SetUp() override {
    Channel::SetUp();
    struct sigaction action {};
    action.sa_handler = [](int) { ++signals(); };
    sigaction(SIGUSR1, &action, nullptr);
    signals() = 0;
  }
  void TearDown() override { signal(SIGUSR1, SIG_DFL); }
  static std::atomic<int>& signals() {
    static std::atomic<int> count;
    return count;
  }
  template <class Act>
  void signal_until(const std::atomic<bool>& done, pthread_t thread, Act act) {
    while (signals() < 3 && !done) {
      pthread_kill(thread, SIGUSR1);
      std::this_thread::yield();
    }
    act();
  }
};

TEST_F(Interrupted, AWaitWithoutADeadlineGoesOn) {
  LineChannel here(ours_.get());
  std::atomic<bool> done = false;
  std::thread other([&, self = pthread_self()] { signal_until(done, self, [&] { write_raw("after\n"); }); });
  const auto received = here.receive();
  done = true;
  other.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->line, "after");
  EXPECT_FALSE(received->ended);
}

TEST_F(Interrupted, AWaitWithADeadlineReturnsToItsCaller) {
  LineChannel here(ours_.get());
  std::atomic<bool> done = false;
  std::thread other([&, self = pthread_self()] {
    while (!done) pthread_kill(self, SIGUSR1), std::this_thread::yield();
  });
  const auto received = here.receive(600'000);
  done = true;
  other.join();
  ASSERT_TRUE(received);
  EXPECT_FALSE(received->line);
  EXPECT_FALSE(received->ended);
}

TEST(Wire, AnErrorComesBackAsItWas) {
  const Error error{ErrorCode::environment, "what", {"where", 0, 0}, "why", "help"};
  const Error back = from_wire(to_wire(error));
  EXPECT_EQ(back.code, error.code);
  EXPECT_EQ(to_text(back), to_text(error));
}

TEST(Wire, AJobComesBackAsItWas) {
  JudgingJob job;
  job.id = "j1";
  job.question = campaign::Question::compare;
  job.candidate.files = {{"k.cpp", false, "text \"quoted\"\n\t\x01"}};
  job.earlier_rounds.push_back({"stage1", 0, 0.125, {{"large", {"ABBA"}, {{1.5, 2, 3, 4}}, 1, 0}}, {"ab"}});
  const auto back = json::from_text<JudgingJob>(json::to_text(job));
  ASSERT_TRUE(back) << to_text(back.error());
  EXPECT_EQ(json::to_text(*back), json::to_text(job));
  EXPECT_EQ(back->candidate.files[0].text, job.candidate.files[0].text);
  EXPECT_FALSE(back->incumbent);
}

TEST(Wire, AMessageWithAnUnknownKeyIsRefused) {
  EXPECT_FALSE(json::from_text<Reply>("{\"go_on\":true,\"secret\":1}"));
  EXPECT_FALSE(json::from_text<Reply>("{}"));
}

}  // namespace
}  // namespace hone::judge
