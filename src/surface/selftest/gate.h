// Runs the trials of a selftest one after the other. With a journal every answer is on disk before the next question,
// and a second run goes on behind the last one. Failure: environment when the journal was begun by another hone, judge
// or device; interrupted; as the judge. One run at a time per journal.
#pragma once

#include <optional>

#include "surface/cli/command.h"
#include "surface/selftest/document.h"
#include "surface/selftest/plan.h"

namespace hone::cli {

// `length`: of a launch, about; absent: what is usual on the device.
Result<SelftestDocument> run_gate(const Context& context, const Sizes& sizes, const std::optional<fs::path>& journal,
                                  std::optional<Nanoseconds> length);

// The last selftest of a device, as reports quote it; absent when there was none.
Status keep_result(Disk& disk, const SelftestDocument& document);
std::optional<SelftestDocument> kept_result(const std::string& device_key);

}  // namespace hone::cli
