// History: builds a State for tests the only way there is, by folding events. Numbers them, gives each a time (one
// second apart, on a fixed day) and a hash as if it stood in a log.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "campaign/state.h"

namespace hone::campaign::testing {

class History {
 public:
  // The fold's answer; a refused event leaves the history as it was.
  Status try_add(EventBody body) {
    Event event{state_.sequence + 1, time_of(state_.sequence + 1), std::move(body)};
    event.hash = sha256(to_line(event)).hex();
    HONE_CHECK(apply(state_, event));
    events_.push_back(std::move(event));
    return ok();
  }
  History& add(EventBody body) {
    const Status added = try_add(std::move(body));
    EXPECT_TRUE(added) << to_text(added.error());
    return *this;
  }
  const State& state() const { return state_; }
  const std::vector<Event>& events() const { return events_; }

  static std::string time_of(uint64_t second) {
    return fmt::format("2026-01-02T{:02}:{:02}:{:02}.000Z", second / 3600, second / 60 % 60, second % 60);
  }

 private:
  State state_;
  std::vector<Event> events_;
};

}  // namespace hone::campaign::testing
