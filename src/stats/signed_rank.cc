#include "stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hone::stats {
namespace {

std::vector<std::size_t> order_by_magnitude(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(x[a]) < std::abs(x[b]); });
  return order;
}

std::size_t end_of_tie(std::span<const double> x, const std::vector<std::size_t>& order, std::size_t first) {
  std::size_t end = first + 1;
  while (end < order.size() && std::abs(x[order[end]]) == std::abs(x[order[first]])) ++end;
  return end;
}

// Twice the mid-rank of each value, so that halves stay integers: places first+1..end tie at
// (first + 1 + end) / 2.
std::vector<std::size_t> doubled_ranks(std::span<const double> x) {
  const auto order = order_by_magnitude(x);
  std::vector<std::size_t> ranks(x.size());
  for (std::size_t first = 0; first < order.size();) {
    const std::size_t end = end_of_tie(x, order, first);
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = first + 1 + end;
    first = end;
  }
  return ranks;
}

std::size_t contrary_sum_of(std::span<const double> x, const std::vector<std::size_t>& ranks) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] <= 0.0 ? ranks[i] : 0;
  return sum;
}

// Number of subsets of `ranks` with each sum 0..largest. Doubles: exact to 2^53, then to 16 digits.
std::vector<double> count_subsets(std::span<const std::size_t> ranks, std::size_t largest) {
  std::vector<double> count(largest + 1, 0.0);
  count[0] = 1.0;
  for (const std::size_t rank : ranks) {
    for (std::size_t sum = largest; sum >= rank; --sum) count[sum] += count[sum - rank];
  }
  return count;
}

double share_of_subsets(std::span<const std::size_t> ranks, std::size_t largest) {
  const auto count = count_subsets(ranks, largest);
  const double total = std::accumulate(count.begin(), count.end(), 0.0);
  return std::ldexp(total, -static_cast<int>(ranks.size()));
}

// The law is symmetric about half of the total, so the shorter tail is counted.
double lower_tail(std::span<const std::size_t> ranks, std::size_t sum) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  if (sum >= total) return 1.0;
  if (2 * sum < total) return share_of_subsets(ranks, sum);
  return 1.0 - share_of_subsets(ranks, total - sum - 1);
}

bool all_even(const std::vector<std::size_t>& ranks) {
  return std::all_of(ranks.begin(), ranks.end(), [](std::size_t r) { return r % 2 == 0; });
}

std::vector<std::size_t> untied_ranks(std::size_t n) {
  std::vector<std::size_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  return ranks;
}

}  // namespace

SignedRank signed_rank_test(std::span<const double> x) {
  auto ranks = doubled_ranks(x);
  const std::size_t sum = contrary_sum_of(x, ranks);
  const std::size_t scale = all_even(ranks) ? 2 : 1;  // whole ranks: a quarter of the work
  for (std::size_t& rank : ranks) rank /= scale;
  return {x.size(), static_cast<double>(sum) / 2.0, lower_tail(ranks, sum / scale)};
}

std::vector<double> signed_rank_law(std::size_t n) {
  auto law = count_subsets(untied_ranks(n), n * (n + 1) / 2);
  for (double& weight : law) weight = std::ldexp(weight, -static_cast<int>(n));
  return law;
}

std::optional<std::size_t> critical_sum(std::size_t n, double alpha) {
  std::optional<std::size_t> critical;
  double probability = 0.0;
  const auto law = signed_rank_law(n);
  for (std::size_t sum = 0; sum < law.size(); ++sum) {
    probability += law[sum];
    if (probability > alpha) break;
    critical = sum;
  }
  return critical;
}

}  // namespace hone::stats
