#include "stats/fisher.h"

#include <algorithm>
#include <cmath>

namespace hone::stats {
namespace {

double ln_factorial(std::size_t n) { return std::lgamma(static_cast<double>(n) + 1.0); }

double ln_choose(std::size_t n, std::size_t k) { return ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k); }

// The table's margins; with them fixed, first_yes alone names a table.
struct Margins {
  std::size_t first;
  std::size_t second;
  std::size_t yes;

  double ln_probability(std::size_t first_yes) const {
    return ln_choose(first, first_yes) + ln_choose(second, yes - first_yes) - ln_choose(first + second, yes);
  }
  std::size_t fewest() const { return yes > second ? yes - second : 0; }
  std::size_t most() const { return std::min(first, yes); }
};

// Tables equally likely as the seen one must count in spite of the rounding of lgamma.
constexpr double k_rounding_slack = 1e-7;

}  // namespace

double fisher_exact_p(const Table2x2& table) {
  const Margins margins{table.first_yes + table.first_no, table.second_yes + table.second_no,
                        table.first_yes + table.second_yes};
  const double seen = margins.ln_probability(table.first_yes) + k_rounding_slack;
  double p = 0.0;
  for (std::size_t yes = margins.fewest(); yes <= margins.most(); ++yes) {
    const double ln_probability = margins.ln_probability(yes);
    if (ln_probability <= seen) p += std::exp(ln_probability);
  }
  return std::min(p, 1.0);
}

}  // namespace hone::stats
