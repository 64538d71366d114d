// Every constant of the judge that an answer depends on, each with its reason. What is statistical stands in
// stats/rule.h instead. rule_digest() is a digest over both as text, so a log says under which constants its verdicts
// were reached. Plain values, no failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::judge {

inline constexpr std::string_view k_judge_version = "judge/7";

// ---- Trials (JUDGE.md 3, 4)
// ---------------------------------------------------------------------------------------------------------

// Of both arms before the first round: enough to stop a wrong candidate before it costs device time.
inline constexpr uint64_t k_first_trials = 5;
// Of the candidate before it is promoted.
inline constexpr uint64_t k_all_trials = 20;
// Hidden shapes beside the contract's: each costs two trials.
inline constexpr size_t k_neighbours = 4;
// Draws for one of them; small domains have few shapes that no case shows.
inline constexpr size_t k_neighbour_draws = 16;
// Places between two shown values of a scalar.
inline constexpr uint64_t k_scalar_steps = 1024;
// Single-launch processes of a scrutiny: state that one launch leaves for the next cannot help there.
inline constexpr uint64_t k_scrutiny_processes = 8;

// ---- Right or wrong (JUDGE.md 4)
// ----------------------------------------------------------------------------------------------------

// Covers the constants that the probabilistic model of rounding leaves out.
inline constexpr double k_bound_factor = 4.0;
// Short sums still round a few times.
inline constexpr double k_extra_terms = 4.0;
// Without magnitudes: RMS and largest error, in those of v0 on the same content.
inline constexpr double k_v0_rms_factor = 3.0;
inline constexpr double k_v0_max_factor = 8.0;
// Fewer neighbours than this are never judged as a group against v0 (tiling.h says how often chance would reject).
inline constexpr uint64_t k_smallest_group = 64;
// Of a tile: the size in which kernels write their outputs.
inline constexpr uint64_t k_tile_edge = 32;
// Mismatches that sit together (clusters.h): edge of a square, in smaller outputs that of the other row, and how often
// a correct output may be called wrong.
inline constexpr uint64_t k_cluster_edge = 8;
inline constexpr uint64_t k_small_cluster_edge = 4;
inline constexpr uint64_t k_small_output = 4096;
inline constexpr double k_cluster_false_alarm = 1e-6;
// A part of an output may mismatch so many times as often as the contract allows the whole.
inline constexpr double k_part_mismatch_factor = 4.0;
// Sums of whole numbers (exact_sums.h): how many elements show their grid, and room for orders that overshoot.
inline constexpr uint64_t k_fewest_exact_elements = 16;
inline constexpr double k_exact_headroom = 2.0;
// The arms of a pair may stand at opposite ends of the bound.
inline constexpr double k_pair_factor = 2.0;

// ---- Launches of a round (JUDGE.md 1 to 3)
// --------------------------------------------------------------------------------------------

// Gathered of every output at least; all of a smaller one.
inline constexpr uint64_t k_tile_bytes = 64 << 10;
// In how many secret places.
inline constexpr uint64_t k_tiles = 4;
// Pairs of a round whose whole outputs go to the oracle.
inline constexpr uint64_t k_checked_pairs_per_round = 2;
// Sets of buffers that a device's arm uses in turn. Where in its memory a buffer lies may change a kernel's time by
// several percent (H200), and neither arm may be lucky: measured there, 16 sets leave a third to an eighth of the round
// noise of 2, and cost a few milliseconds a round. Fewer where they would take too much of the memory.
inline constexpr size_t k_sets_of_a_device = 16;
// Between timed launches come some of what trials ask, in a round so many on average. Whether the next launch is one
// depends on nothing that was before.
inline constexpr double k_spots_per_round = 2;
// Of a measurement, which has no rounds: the chance of one before each launch.
inline constexpr double k_spots_of_a_measurement = 1.0 / 32;
// One in so many has another shape than the launches around it.
inline constexpr uint64_t k_spots_of_other_shapes = 4;
// When one oracle call takes longer, so many rounds of a stage hold one such pair, and the others none.
inline constexpr double k_slow_oracle_seconds = 0.5;
inline constexpr uint64_t k_slow_checks_per_stage = 4;
// Shorter launches drown in the hand-over between judge and runner and are timed in groups.
inline constexpr double k_shortest_unit_ns = 100e3;
inline constexpr size_t k_largest_group = 16;
// A device takes as long again to change between the processes of a confirmation, whose 24 rounds at 0.05 ask for less
// than the 12 of stage 1 at 0.001: it takes this part of their quads, and no power is lost.
inline constexpr size_t k_fewer_quads_apart = 2;
// To learn how long a launch takes; the first is not counted.
inline constexpr size_t k_probe_launches = 7;
// Of each arm and case in a fresh process.
inline constexpr size_t k_warm_up_launches = 2;
// A quad is discarded when somebody else ran on its core for more of it than this: far above the hand-over's own share,
// far below what a time slice of another process takes from a launch.
inline constexpr double k_disturbed_fraction = 0.05;
// A round that lost too many quads is taken anew; the last attempt keeps what it has, since waiting for a quiet machine
// may take forever.
inline constexpr uint64_t k_round_attempts = 3;

// Windows of the judge's own clock in which a confirmed gain on a device must show again (rule.h says how long they
// are): how often, and of how many launches at most.
inline constexpr uint64_t k_windows = 12;
inline constexpr size_t k_most_window_launches = 2000;
// To learn how long a cache state takes: what the question itself costs is lost among so many.
inline constexpr size_t k_probe_states = 32;

// ---- Measuring without a decision
// -----------------------------------------------------------------------------------------------------

// Spread over processes, so that one lucky layout is not the figure.
inline constexpr size_t k_measure_processes = 3;
inline constexpr size_t k_fewest_launches = 5;
inline constexpr size_t k_most_launches = 100;  // per process and case
inline constexpr double k_measure_seconds = 5.0;
// Launches per process and case whose whole outputs always go to the oracle; more do while this share of the time limit
// lasts.
inline constexpr size_t k_checked_launches = 2;
inline constexpr double k_oracle_share_of_measure = 0.25;

// ---- Screens
// ----------------------------------------------------------------------------------------------------------------------------

// As many as the rule that may reject asks for.
inline constexpr size_t k_screen_quads = 10;
// After so many, one of several configurations that is clearly slower is given up.
inline constexpr size_t k_early_quads = 3;
inline constexpr double k_clear_loser_ratio = 1.10;
inline constexpr double k_screen_seconds = 2.0;

// ---- Floors and power
// -------------------------------------------------------------------------------------------------------------------

// One ceiling, measured again beside the candidate.
inline constexpr double k_again_seconds = 0.5;
// The smallest promotable gain is printed for this power; so many simulated comparisons give it to about 0.1 %.
inline constexpr double k_power = 0.90;
inline constexpr size_t k_power_campaigns = 200;
inline constexpr uint64_t k_power_seed = 1;

// One `name=value` a line: the constants above, then those of the statistical rule.
std::string constants_text();

// Digest over every constant that an answer depends on, and the judge's version.
std::string rule_digest();

}  // namespace hone::judge
