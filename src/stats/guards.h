#pragma once

// Small decisions beside the main one: quick screen, physical floor, surprising gains, second clock.
// Pure; gains are ln(t_incumbent / t_candidate). Each can only hold back, never accept.

#include <span>

#include "stats/estimate.h"
#include "stats/rounds.h"
#include "stats/rule.h"

namespace hone::stats {

enum class Screen {
  too_few_quads,
  go_on,   // says nothing about being faster
  reject,  // slower by more than screen_loss_fraction, and nearly all quads agree
};

// Over quads of the first timed case; a quad that holds a time without sense counts as too few.
Screen screen(const Rule& rule, std::span<const Quad> quads);

// A time below floor_share of the physical floor (same unit, both > 0) is SUSPECT.
bool is_below_floor(const Rule& rule, double t_ns, double floor_ns);

// Is |gain| so large that it must be measured twice before anyone sees it?
bool is_surprising(const Rule& rule, double gain);

// Does a repetition say the same as the first measurement? If not: `unstable`.
bool repetition_agrees(const Rule& rule, const Estimate& first, const Estimate& second);

// Is the gain so large that the candidate must be examined before promotion?
bool needs_scrutiny(const Rule& rule, double gain);

// Do the judge's own windows contradict the events? Only if the windows' interval lies wholly below
// 0 or, by more than `allowance`, wholly below the events' interval. Without both intervals: no
// contradiction.
bool clocks_contradict(const Estimate& windows, const Estimate& events, double allowance);

// How much smaller a gain becomes when every launch of either arm takes window_start_ns longer: the
// allowance, from launch times per case in nanoseconds. At least 0.
double window_allowance(const Rule& rule, const Weighting& weighting, std::span<const double> candidate_ns,
                        std::span<const double> incumbent_ns);

}  // namespace hone::stats
