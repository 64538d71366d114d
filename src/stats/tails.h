#pragma once

// Tail probabilities that the selftest and its reports need: normal, chi-square, binomial.
// Pure functions of finite arguments; results are probabilities in [0, 1]; nothing fails.
// Relative accuracy about 1e-10 in the range used (p >= 1e-12).

#include <cstddef>
#include <span>

namespace hone::stats {

double normal_upper_tail(double z);

// P(chi-square with `degrees` degrees of freedom >= value); degrees > 0.
double chi_square_upper_tail(double value, double degrees);

// P(at most `successes` of `trials`) when each succeeds with probability `rate`.
double binomial_lower_tail(std::size_t successes, std::size_t trials, double rate);

// Largest rate that `successes` of `trials` do not exclude at the confidence (Clopper and Pearson
// 1934, one-sided): 0 of 300 at 0.95 -> 0.00994; 0 of 50 -> 0.0582.
double rate_upper_bound(std::size_t successes, std::size_t trials, double confidence);

struct ChiSquare {
  double value = 0.0;
  double degrees = 0.0;  // 0 when the law left a single class: nothing to compare, p = 1
  double p = 1.0;
};

// Do counts follow a discrete law? counts[i] observations of value i, law[i] its probability, equal
// lengths. Neighbouring values are merged until each class expects at least 5 (Cochran 1954).
ChiSquare chi_square_test(std::span<const std::size_t> counts, std::span<const double> law);

}  // namespace hone::stats
