#pragma once

// Fisher's exact test of a 2 x 2 table, two-sided: do two groups have the same share?
// Pure; never fails. A table with an empty row or column says nothing: p = 1.
// Source: Fisher 1935; the two-sided p adds up every table that is no likelier than the seen one.

#include <cstddef>

namespace hone::stats {

struct Table2x2 {
  std::size_t first_yes;
  std::size_t first_no;
  std::size_t second_yes;
  std::size_t second_no;
};

double fisher_exact_p(const Table2x2& table);

}  // namespace hone::stats
