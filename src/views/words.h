// The words that views show for what the log says: statuses of the published table, correctness, places.
// Pure, no failure, any thread.
#pragma once

#include <optional>
#include <string>

#include "views/figures.h"
#include "views/story.h"

namespace hone::views {

// "PASS", "FAIL", "TIMEOUT_FAIL" or "UNKNOWN": what an outcome says of correctness.
std::string correctness_word(campaign::Outcome outcome);
// Status of the published table: "improved", "reverted", "TARGET_MET" or "-" (open, or parked and not yet given up).
std::string published_status(const campaign::Experiment& experiment);
// hone's own status beside it: "NEUTRAL", "NEUTRAL, parked: reason", "open"; safe Markdown.
std::string own_status(const campaign::Experiment& experiment);
// Status of the campaign: the terminal one, or "RUNNING", or "NEW" before v0.
std::string campaign_status(const campaign::State& state);
std::string stop_reason(const campaign::State& state);  // foreign text

// The device that the campaign is bound to; foreign text.
std::string device_name(const campaign::State& state);
// The same with what is known of it: "NVIDIA H200 (nvidia, sm_90, compute capability 9.0, 132 multiprocessors, …)".
std::string device_text(const campaign::State& state);
std::string short_digest(const std::string& digest);  // the first twelve digits
// Relative change shown when it may be: not of a failure, nor of what two measurements disagree on.
std::string delta_text(const campaign::Experiment& experiment);

}  // namespace hone::views
