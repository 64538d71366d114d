#include "diagnose/remaining.h"

namespace hone::diagnose {
namespace {

struct Pattern {
  std::string_view kind;  // "" applies to every kind
  std::string_view text;
};

constexpr Pattern k_patterns[] = {
    {"softmax", "one pass with a running maximum and a rescaled sum instead of three"},
    {"rmsnorm", "sum of squares and scaling in one sweep over rows that stay in the nearest cache"},
    {"layernorm", "mean and variance in one sweep (Welford or shifted sums)"},
    {"gemm", "packed panels and a register-blocked inner kernel"},
    {"gemm", "splitting the reduction where the output is small"},
    {"conv2d", "lowering to a matrix product, or Winograd's transform for small filters"},
    {"nbody", "symmetry: each pair once, both bodies updated"},
    {"nbody", "a reciprocal square root refined by one Newton step"},
    {"histogram", "private histograms, several per thread, added at the end"},
    {"scan", "scan of block totals first, then one pass that adds them"},
    {"transpose", "recursive halving, so that every cache level sees square blocks"},
    {"reduction", "several independent sums, combined as a tree"},
    {"", "fusing with the kernel before or after it, so that an intermediate result never reaches memory"},
    {"", "narrower inputs with wide accumulation, where the tolerance allows"},
    {"", "hoisting what does not change out of the inner loop"},
};

struct Alias {
  std::string_view name;
  std::string_view kind;
};
constexpr Alias k_aliases[] = {{"matmul", "gemm"},        {"matrix_multiply", "gemm"}, {"rms_norm", "rmsnorm"},
                               {"convolution", "conv2d"}, {"n_body", "nbody"},         {"prefix_sum", "scan"}};

std::string_view canonical_kind(std::string_view kind) {
  for (const Alias& alias : k_aliases) {
    if (alias.name == kind) return alias.kind;
  }
  return kind;
}

}  // namespace

std::vector<std::string> algorithmic_patterns(std::string_view kind) {
  std::vector<std::string> patterns;
  for (const Pattern& pattern : k_patterns) {
    if (pattern.kind.empty() || pattern.kind == canonical_kind(kind)) patterns.emplace_back(pattern.text);
  }
  return patterns;
}

Remaining what_remains(const Diagnosis& diagnosis, const std::set<int>& tiers_tried, std::string_view kind) {
  Remaining r;
  r.gap_fraction = diagnosis.gap_fraction;
  for (const int tier : diagnosis.tiers) (tiers_tried.contains(tier) ? r.tiers_tried : r.tiers_untried).push_back(tier);
  for (const std::string& flag : diagnosis.flags) {
    if (flag != "at_floor") r.open_flags.push_back(flag);
  }
  r.algorithmic_redesign = r.gap_fraction.value_or(0.0) > k_redesign_gap_fraction && r.open_flags.empty();
  if (r.algorithmic_redesign) r.patterns = algorithmic_patterns(kind);
  return r;
}

}  // namespace hone::diagnose
