// What the trials of a selftest add up to. Pure: the same records, the same document. The tests and their limits are
// those of JUDGE.md 3, last paragraph; a fault names the test that failed and its figures.
#pragma once

#include <span>
#include <string>

#include "surface/selftest/document.h"
#include "surface/selftest/trial.h"

namespace hone::cli {

SelftestDocument summarise(std::span<const TrialRecord> records);
std::string to_text(const SelftestDocument& document);
std::string sentence(const SelftestDocument& document);  // what reports quote

}  // namespace hone::cli
