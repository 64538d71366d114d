// The event log for people, and what `hone log --json` prints: hone.log/1.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "campaign/event.h"

namespace hone::cli {

struct LogDocument {
  std::string schema = "hone.log/1";
  std::vector<json::Raw> events;  // the lines as they stand in log.jsonl, chain fields included
  uint64_t torn_bytes = 0;        // after the last whole line
};

template <class A>
void describe(A& a, LogDocument& v) {
  a.field("schema", v.schema);
  a.field("events", v.events);
  a.field("torn_bytes", v.torn_bytes);
}

// What happened, in a few words; foreign text is escaped and cut, and no line break is left.
std::string short_text(const campaign::EventBody& body);

}  // namespace hone::cli
