#pragma once

// Robust summaries of a sample: centre, exact interval, quantiles, shape.
// Pure functions; samples are read, never kept. Values must be finite and the sample not empty
// (programmer errors otherwise); what a small sample cannot give is std::nullopt.
// Unit of every result: the unit of the sample (skewness has none).

#include <optional>
#include <span>
#include <vector>

namespace hone::stats {

// Closed: coverage is at least the asked confidence, ties or not (Noether 1967).
struct Interval {
  double lower;
  double upper;
};

struct Estimate {
  double value = 0.0;
  std::optional<Interval> interval;  // none when the sample is too small for the confidence
};

struct Quantiles {
  double p50;
  double p95;
  double p99;
};

double mean(std::span<const double> sample);
double median(std::span<const double> sample);

// Linear between order statistics (type 7 of Hyndman and Fan 1996); q in [0, 1].
double quantile(std::span<const double> sample, double q);
Quantiles quantiles(std::span<const double> sample);

// Mean after dropping floor(fraction * n) values at each end; fraction in [0, 0.5).
double trimmed_mean(std::span<const double> sample, double fraction);

// n - 1 in the denominator; needs two values.
std::optional<double> standard_deviation(std::span<const double> sample);

// Adjusted Fisher-Pearson coefficient, sqrt(n(n-1))/(n-2) * m3/m2^1.5; needs three values that
// differ.
std::optional<double> skewness(std::span<const double> sample);

// Pseudo-median (Hodges and Lehmann 1963): the median of all means of two, each with itself too.
double pseudo_median(std::span<const double> sample);

// Pseudo-median with its exact interval: the centres that a two-sided signed-rank test at level
// 1 - confidence would keep.
Estimate hodges_lehmann(std::span<const double> sample, double confidence);

}  // namespace hone::stats
