// Events on disk: every type survives the round trip, and what an older hone does not know is refused.
#include "campaign/event.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "campaign/testing/sample_events.h"

namespace hone::campaign {
namespace {

Event event_of(EventBody body) { return {12, "2026-11-29T18:24:30.123Z", std::move(body)}; }

class EveryEvent : public ::testing::TestWithParam<EventBody> {};

TEST_P(EveryEvent, ComesBackAsItWasWritten) {
  const std::string line = to_line(event_of(GetParam()));
  const auto read = from_line(line);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->sequence, 12u);
  EXPECT_EQ(read->time, "2026-11-29T18:24:30.123Z");
  EXPECT_EQ(read->body.index(), GetParam().index());
  EXPECT_EQ(to_line(*read), line);
}

TEST_P(EveryEvent, IsReadWithItsChainFields) {
  std::string line = to_line(event_of(GetParam()));
  line.insert(line.size() - 1, R"(,"prev":"aa","hash":"bb")");
  const auto read = from_line(line);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->hash, "bb");
}

TEST_P(EveryEvent, RefusesAnUnknownKey) {
  std::string line = to_line(event_of(GetParam()));
  line.insert(line.size() - 1, R"(,"surprise":1)");
  const auto read = from_line(line);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("surprise"), std::string::npos) << read.error().what;
}

// Without its last required field every event must be refused; fields that may be absent do not count.
TEST_P(EveryEvent, NeedsItsFields) {
  auto document = json::parse(to_line(event_of(GetParam())));
  ASSERT_TRUE(document);
  int refused = 0;
  for (const auto& member : document->GetObject()) {
    rapidjson::Document copy;
    copy.CopyFrom(*document, copy.GetAllocator());
    copy.RemoveMember(member.name.GetString());
    if (!from_line(json::text_of(copy))) ++refused;
  }
  EXPECT_GE(refused, 4) << "seq, time, type and at least one field of the type are required";
}

std::string type_name(const ::testing::TestParamInfo<EventBody>& info) { return std::string(type_of(info.param)); }

INSTANTIATE_TEST_SUITE_P(All, EveryEvent, ::testing::ValuesIn(testing::sample_events()), type_name);

TEST(Events, SamplesCoverEveryType) {
  std::set<size_t> kinds;
  for (const EventBody& body : testing::sample_events()) kinds.insert(body.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<EventBody>);
}

TEST(Events, AbsentFieldsStayAbsent) {
  const std::string line = to_line(event_of(Decided{3, ExperimentStatus::neutral, Outcome::inconclusive, "", {}, {}}));
  EXPECT_EQ(line.find("delta"), std::string::npos);
  EXPECT_EQ(line.find("verdict"), std::string::npos);
  const auto read = from_line(line);
  ASSERT_TRUE(read);
  EXPECT_FALSE(std::get<Decided>(read->body).delta.has_value());
}

struct Refusal {
  std::string_view line;
  std::string_view words;
};

TEST(Events, RefusesWhatIsNoEvent) {
  constexpr Refusal refusals[] = {
      {"", "not valid JSON"},
      {"[]", "must be a JSON object"},
      {R"({"time":"t","type":"rebaselined"})", "'seq'"},
      {R"({"seq":-1,"time":"t","type":"rebaselined"})", "'seq'"},
      {R"({"seq":1,"type":"rebaselined"})", "'time'"},
      {R"({"seq":1,"time":"t"})", "'type'"},
      {R"({"seq":1,"time":"t","type":"prophecy"})", "unknown event type 'prophecy'"},
      {R"({"seq":1,"time":"t","type":"unparked","candidate":"a","reason":7})", "/reason"},
      {R"({"seq":1,"time":"t","type":"unparked","candidate":"a","reason":"r","hash":7})", "'hash'"},
      {R"({"seq":1,"time":"t","type":"stopped","status":"BORED","reason":"","wall_seconds":1,"own_seconds":1})",
       "BORED"},
  };
  for (const Refusal& one : refusals) {
    const auto read = from_line(one.line);
    ASSERT_FALSE(read) << one.line;
    EXPECT_NE(read.error().what.find(one.words), std::string::npos) << one.line << ": " << read.error().what;
  }
}

TEST(Events, AnUnknownTypeSaysWhatToDo) {
  const auto read = from_line(R"({"seq":1,"time":"t","type":"prophecy"})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::environment);
  EXPECT_FALSE(read.error().help.empty());
}

}  // namespace
}  // namespace hone::campaign
