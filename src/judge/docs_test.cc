// The worked example of docs/judge-protocol.md is a conversation: every line is one message of one side, byte for byte.
#include <gtest/gtest.h>

#include "base/disk.h"
#include "base/text.h"
#include "judge/protocol.h"

namespace hone::judge {
namespace {

// The lines between ```jsonl and ```, over all such blocks of the page.
std::vector<std::string> example_lines() {
  const auto page = read_file(fs::path(HONE_SOURCE_DIR) / "docs/judge-protocol.md");
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : split_lines(page.value_or(""))) {
    const bool fence = line.starts_with("```");
    if (inside && !fence) lines.push_back(line);
    if (fence) inside = line == "```jsonl";
  }
  return lines;
}

template <class T>
std::optional<T> exactly(const std::string& line) {
  auto value = json::from_text<T>(line);
  if (!value || json::to_text(*value) != line) return std::nullopt;
  return *std::move(value);
}

size_t parts_of(const Message& message) {
  return size_t{message.round.has_value()} + message.progress.has_value() + message.verdict.has_value() +
         message.error.has_value();
}

struct Conversation {
  std::vector<JudgingJob> jobs;
  std::vector<Message> messages;
  std::vector<Reply> replies;
};

Conversation read_conversation() {
  Conversation conversation;
  for (const std::string& line : example_lines()) {
    if (auto job = exactly<JudgingJob>(line)) {
      conversation.jobs.push_back(*std::move(job));
    } else if (auto reply = exactly<Reply>(line)) {
      conversation.replies.push_back(*reply);
    } else if (auto message = exactly<Message>(line)) {
      conversation.messages.push_back(*std::move(message));
    } else {
      ADD_FAILURE() << "no message of this protocol: " << line;
    }
  }
  return conversation;
}

TEST(JudgeProtocolPage, EveryLineIsAMessage) {
  const Conversation conversation = read_conversation();
  ASSERT_EQ(conversation.jobs.size(), 1u);
  ASSERT_EQ(conversation.replies.size(), 2u);
  EXPECT_TRUE(conversation.replies.front().go_on);
  EXPECT_FALSE(conversation.replies.back().go_on);
  for (const Message& message : conversation.messages) EXPECT_EQ(parts_of(message), 1u) << json::to_text(message);
}

TEST(JudgeProtocolPage, TheVerdictIsAboutTheJobsCandidates) {
  const Conversation conversation = read_conversation();
  ASSERT_EQ(conversation.jobs.size(), 1u);
  const JudgingJob& job = conversation.jobs.front();
  size_t verdicts = 0;
  for (const Message& message : conversation.messages) {
    if (!message.verdict) continue;
    ++verdicts;
    EXPECT_EQ(message.verdict->question, job.question);
    EXPECT_EQ(message.verdict->candidate, to_candidate(job.candidate).digest.hex());
    EXPECT_EQ(message.verdict->incumbent, to_candidate(*job.incumbent).digest.hex());
  }
  EXPECT_EQ(verdicts, 1u);
}

}  // namespace
}  // namespace hone::judge
