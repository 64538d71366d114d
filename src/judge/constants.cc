#include "judge/constants.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "stats/rule.h"

namespace hone::judge {

namespace {

struct Named {
  std::string_view name;
  double value = 0;
};

constexpr Named k_constants[] = {
    {"first_trials", static_cast<double>(k_first_trials)},
    {"all_trials", static_cast<double>(k_all_trials)},
    {"neighbours", static_cast<double>(k_neighbours)},
    {"neighbour_draws", static_cast<double>(k_neighbour_draws)},
    {"scalar_steps", static_cast<double>(k_scalar_steps)},
    {"scrutiny_processes", static_cast<double>(k_scrutiny_processes)},
    {"bound_factor", static_cast<double>(k_bound_factor)},
    {"extra_terms", static_cast<double>(k_extra_terms)},
    {"v0_rms_factor", static_cast<double>(k_v0_rms_factor)},
    {"v0_max_factor", static_cast<double>(k_v0_max_factor)},
    {"smallest_group", static_cast<double>(k_smallest_group)},
    {"tile_edge", static_cast<double>(k_tile_edge)},
    {"cluster_edge", static_cast<double>(k_cluster_edge)},
    {"small_cluster_edge", static_cast<double>(k_small_cluster_edge)},
    {"small_output", static_cast<double>(k_small_output)},
    {"cluster_false_alarm", static_cast<double>(k_cluster_false_alarm)},
    {"part_mismatch_factor", static_cast<double>(k_part_mismatch_factor)},
    {"fewest_exact_elements", static_cast<double>(k_fewest_exact_elements)},
    {"exact_headroom", static_cast<double>(k_exact_headroom)},
    {"pair_factor", static_cast<double>(k_pair_factor)},
    {"tile_bytes", static_cast<double>(k_tile_bytes)},
    {"tiles", static_cast<double>(k_tiles)},
    {"checked_pairs_per_round", static_cast<double>(k_checked_pairs_per_round)},
    {"sets_of_a_device", static_cast<double>(k_sets_of_a_device)},
    {"spots_per_round", static_cast<double>(k_spots_per_round)},
    {"spots_of_a_measurement", static_cast<double>(k_spots_of_a_measurement)},
    {"spots_of_other_shapes", static_cast<double>(k_spots_of_other_shapes)},
    {"slow_oracle_seconds", static_cast<double>(k_slow_oracle_seconds)},
    {"slow_checks_per_stage", static_cast<double>(k_slow_checks_per_stage)},
    {"fewer_quads_apart", static_cast<double>(k_fewer_quads_apart)},
    {"shortest_unit_ns", static_cast<double>(k_shortest_unit_ns)},
    {"largest_group", static_cast<double>(k_largest_group)},
    {"probe_launches", static_cast<double>(k_probe_launches)},
    {"warm_up_launches", static_cast<double>(k_warm_up_launches)},
    {"disturbed_fraction", static_cast<double>(k_disturbed_fraction)},
    {"round_attempts", static_cast<double>(k_round_attempts)},
    {"windows", static_cast<double>(k_windows)},
    {"probe_states", static_cast<double>(k_probe_states)},
    {"most_window_launches", static_cast<double>(k_most_window_launches)},
    {"measure_processes", static_cast<double>(k_measure_processes)},
    {"fewest_launches", static_cast<double>(k_fewest_launches)},
    {"most_launches", static_cast<double>(k_most_launches)},
    {"measure_seconds", static_cast<double>(k_measure_seconds)},
    {"checked_launches", static_cast<double>(k_checked_launches)},
    {"oracle_share_of_measure", static_cast<double>(k_oracle_share_of_measure)},
    {"screen_quads", static_cast<double>(k_screen_quads)},
    {"early_quads", static_cast<double>(k_early_quads)},
    {"clear_loser_ratio", static_cast<double>(k_clear_loser_ratio)},
    {"screen_seconds", static_cast<double>(k_screen_seconds)},
    {"again_seconds", static_cast<double>(k_again_seconds)},
    {"power", static_cast<double>(k_power)},
    {"power_campaigns", static_cast<double>(k_power_campaigns)},
    {"power_seed", static_cast<double>(k_power_seed)},
};

std::string line_of(const Named& one) { return fmt::format("{}={}\n", one.name, one.value); }

// A binding names every member: one more constant in the rule does not compile until it stands here.
std::string text_of(const stats::Rule& rule) {
  const auto& [delta_fraction, no_harm_fraction, looks, futility_share_of_delta, case_worse_alpha, confirmation_rounds,
               small_alpha, alpha_cap, alpha_scale, condition_alpha, confidence, headline_lower_end_below_fraction,
               gpu_round_ns, cpu_round_ns, min_quads, max_quads, long_round_ns, min_quads_of_long_round, trim_fraction,
               min_kept_fraction, unequal_discards_alpha, carry_over_share_of_delta, carry_over_z, skew_limit,
               repeat_beyond_fraction, repeat_agreement_share, scrutiny_speedup, floor_share, screen_loss_fraction,
               screen_agreement, screen_min_quads, min_window_ns, window_confidence, window_start_ns,
               host_hand_over_ns] = rule;
  const Named members[] = {
      {"rule.delta_fraction", static_cast<double>(delta_fraction)},
      {"rule.no_harm_fraction", static_cast<double>(no_harm_fraction)},
      {"rule.futility_share_of_delta", static_cast<double>(futility_share_of_delta)},
      {"rule.case_worse_alpha", static_cast<double>(case_worse_alpha)},
      {"rule.confirmation_rounds", static_cast<double>(confirmation_rounds)},
      {"rule.small_alpha", static_cast<double>(small_alpha)},
      {"rule.alpha_cap", static_cast<double>(alpha_cap)},
      {"rule.alpha_scale", static_cast<double>(alpha_scale)},
      {"rule.condition_alpha", static_cast<double>(condition_alpha)},
      {"rule.confidence", static_cast<double>(confidence)},
      {"rule.headline_lower_end_below_fraction", static_cast<double>(headline_lower_end_below_fraction)},
      {"rule.gpu_round_ns", static_cast<double>(gpu_round_ns)},
      {"rule.cpu_round_ns", static_cast<double>(cpu_round_ns)},
      {"rule.min_quads", static_cast<double>(min_quads)},
      {"rule.max_quads", static_cast<double>(max_quads)},
      {"rule.long_round_ns", static_cast<double>(long_round_ns)},
      {"rule.min_quads_of_long_round", static_cast<double>(min_quads_of_long_round)},
      {"rule.trim_fraction", static_cast<double>(trim_fraction)},
      {"rule.min_kept_fraction", static_cast<double>(min_kept_fraction)},
      {"rule.unequal_discards_alpha", static_cast<double>(unequal_discards_alpha)},
      {"rule.carry_over_share_of_delta", static_cast<double>(carry_over_share_of_delta)},
      {"rule.carry_over_z", static_cast<double>(carry_over_z)},
      {"rule.skew_limit", static_cast<double>(skew_limit)},
      {"rule.repeat_beyond_fraction", static_cast<double>(repeat_beyond_fraction)},
      {"rule.repeat_agreement_share", static_cast<double>(repeat_agreement_share)},
      {"rule.scrutiny_speedup", static_cast<double>(scrutiny_speedup)},
      {"rule.floor_share", static_cast<double>(floor_share)},
      {"rule.screen_loss_fraction", static_cast<double>(screen_loss_fraction)},
      {"rule.screen_agreement", static_cast<double>(screen_agreement)},
      {"rule.screen_min_quads", static_cast<double>(screen_min_quads)},
      {"rule.min_window_ns", static_cast<double>(min_window_ns)},
      {"rule.window_confidence", window_confidence},
      {"rule.window_start_ns", window_start_ns},
      {"rule.host_hand_over_ns", static_cast<double>(host_hand_over_ns)},
  };
  std::string text;
  for (const Named& member : members) text += line_of(member);
  for (const stats::Look& look : looks) text += fmt::format("rule.look={} {}\n", look.rounds, look.alpha);
  return text;
}

}  // namespace

std::string constants_text() {
  std::string text;
  for (const Named& constant : k_constants) text += line_of(constant);
  return text + text_of(stats::Rule());
}

std::string rule_digest() { return Sha256().add_field(k_judge_version).add_field(constants_text()).finish().hex(); }

}  // namespace hone::judge
