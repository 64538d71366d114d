// Every digest-like field of the sample events that is a blob, and no other.
#include "campaign/named_blobs.h"

#include <gtest/gtest.h>

#include <map>

#include "campaign/testing/sample_events.h"

namespace hone::campaign {
namespace {

std::map<std::string, std::vector<std::string>> parts_by_type() {
  std::map<std::string, std::vector<std::string>> parts;
  for (const EventBody& body : testing::sample_events()) {
    for (const NamedBlob& name : named_blobs(body)) parts[std::string(type_of(body))].push_back(name.part);
  }
  return parts;
}

TEST(NamedBlobs, AreThoseThatEventsPointAt) {
  const std::map<std::string, std::vector<std::string>> expected{{"campaign_opened", {"contract/task.toml"}},
                                                                 {"candidate_added", {"files/softmax.cc"}},
                                                                 {"judged", {"verdict"}},
                                                                 {"baseline_set", {"verdict"}},
                                                                 {"searched", {"steps"}},
                                                                 {"round_measured", {"samples"}},
                                                                 {"decided", {"verdict"}},
                                                                 {"promoted", {"verdict"}},
                                                                 {"final_confirmed", {"verdict"}}};
  EXPECT_EQ(parts_by_type(), expected);
}

TEST(NamedBlobs, AnAbsentVerdictNamesNothing) {
  Decided decided;
  EXPECT_TRUE(named_blobs(decided).empty());
  decided.verdict = testing::digest_of('9');
  ASSERT_EQ(named_blobs(decided).size(), 1u);
  EXPECT_EQ(named_blobs(decided)[0].digest, testing::digest_of('9'));
}

}  // namespace
}  // namespace hone::campaign
