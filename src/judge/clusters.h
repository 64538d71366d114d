// Clusters: under a matched ratio below 1 some elements may be wrong, but they may not sit together: a missing tile is
// no rounding. Looks at groups of n neighbours (n = 64, or 16 in outputs below 4096 elements): runs of n in memory and
// squares of √n × √n; groups at an edge may have fewer and count as if they had n.
//
// Statistic: the most mismatches in one group. Were m mismatches strewn over N elements at random, those of one group
// would follow the hypergeometric law (N, m, n). A group is a cluster when more than half of it mismatches and
// groups · P(X ≥ its mismatches) ≤ 10^-6: by the union bound no more than one correct output in a million has one.
// The half protects honest kernels whose few errors lean together (a row of large values) without being a hole.
// Source: scan statistic with Bonferroni's bound; the law of sampling without replacement. A hole of 15 × 15, or of 127
// in a line, holds a whole group (7 × 7 and 31 in small outputs). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hone::judge {

struct Cluster {
  uint64_t first_index = 0;  // flat index of its first mismatch
  uint64_t mismatches = 0;
  uint64_t group = 0;  // n
};

// `mismatches` are flat indices, ascending, of an output with `count` elements in rows of `row_length`.
std::optional<Cluster> find_cluster(const std::vector<uint64_t>& mismatches, uint64_t count, uint64_t row_length);

// P(X ≥ k) when `marked` of `population` elements are marked and `drawn` of them are drawn without replacement.
double hypergeometric_tail(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k);

}  // namespace hone::judge
