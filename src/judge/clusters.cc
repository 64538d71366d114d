#include "judge/clusters.h"

#include <math.h>

#include <algorithm>
#include <map>

#include "judge/constants.h"

namespace hone::judge {

namespace {

double ln_factorial(uint64_t n) {
  int sign = 0;  // lgamma itself writes a global
  return lgamma_r(static_cast<double>(n) + 1.0, &sign);
}

double ln_choose(uint64_t n, uint64_t k) { return ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k); }

uint64_t parts(uint64_t length, uint64_t edge) { return (length + edge - 1) / edge; }

struct Groups {
  uint64_t edge = 0;  // of a square
  uint64_t columns = 0;
  uint64_t rows = 0;
  uint64_t size() const { return edge * edge; }
  uint64_t number() const { return parts(rows * columns, size()) + parts(rows, edge) * parts(columns, edge); }
  uint64_t run_of(uint64_t index) const { return index / size(); }
  uint64_t square_of(uint64_t index) const {
    return index / columns / edge * parts(columns, edge) + index % columns / edge;
  }
};

Groups groups_of(uint64_t count, uint64_t row_length) {
  const uint64_t columns = std::clamp<uint64_t>(row_length, 1, count);
  const uint64_t edge = count < k_small_output ? k_small_cluster_edge : k_cluster_edge;
  return {edge, columns, count / columns};
}

// The fullest group, when every mismatch belongs to the group that `group_of` says.
template <class GroupOf>
Cluster fullest(const std::vector<uint64_t>& mismatches, GroupOf group_of) {
  std::map<uint64_t, Cluster> seen;
  Cluster most;
  for (const uint64_t index : mismatches) {
    Cluster& one = seen[group_of(index)];
    if (one.mismatches++ == 0) one.first_index = index;
    if (one.mismatches > most.mismatches) most = one;
  }
  return most;
}

}  // namespace

double hypergeometric_tail(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k) {
  const uint64_t unmarked = population - marked;
  const uint64_t least = drawn > unmarked ? drawn - unmarked : 0;
  double sum = 0;
  for (uint64_t x = std::max(k, least); x <= std::min(marked, drawn); ++x)
    sum += exp(ln_choose(marked, x) + ln_choose(unmarked, drawn - x) - ln_choose(population, drawn));
  return std::min(sum, 1.0);
}

std::optional<Cluster> find_cluster(const std::vector<uint64_t>& mismatches, uint64_t count, uint64_t row_length) {
  if (mismatches.empty() || count == 0) return std::nullopt;
  const Groups groups = groups_of(count, row_length);
  if (count < groups.size()) return std::nullopt;
  Cluster most = fullest(mismatches, [&](uint64_t index) { return groups.run_of(index); });
  const Cluster square = fullest(mismatches, [&](uint64_t index) { return groups.square_of(index); });
  if (square.mismatches > most.mismatches) most = square;
  most.group = groups.size();
  if (2 * most.mismatches <= most.group) return std::nullopt;
  const double chance = hypergeometric_tail(count, mismatches.size(), most.group, most.mismatches);
  if (static_cast<double>(groups.number()) * chance > k_cluster_false_alarm) return std::nullopt;
  return most;
}

}  // namespace hone::judge
