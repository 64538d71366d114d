#include "surface/selftest/plan.h"

#include <fmt/format.h>

#include <iterator>

namespace hone::cli {

namespace {

// Identical kernels: build 2i against itself, or against build 2i + 1.
Trial identical(Family family, uint64_t index, const Sizes& sizes) {
  Trial trial;
  trial.family = family;
  trial.index = index;
  trial.incumbent_build = 2 * (index % sizes.builds);
  trial.candidate_build = trial.incumbent_build + (family == Family::renamed ? 1 : 0);
  return trial;
}

}  // namespace

std::vector<Trial> plan(const Sizes& sizes) {
  std::vector<Trial> trials;
  for (uint64_t i = 0; i < sizes.exact; ++i) trials.push_back(identical(Family::exact, i, sizes));
  for (uint64_t i = 0; i < sizes.renamed; ++i) trials.push_back(identical(Family::renamed, i, sizes));
  for (uint64_t i = 0; i < sizes.loaded; ++i) trials.push_back(identical(Family::loaded, i, sizes));
  for (uint64_t i = 0; i < sizes.per_step * std::size(k_ladder); ++i)
    trials.push_back({Family::ladder, i, k_ladder[i % std::size(k_ladder)], 0, 0, 0});
  for (uint64_t i = 0; i < sizes.per_step; ++i)
    trials.push_back({Family::swapped, i, 0, k_ladder[std::size(k_ladder) - 1], 0, 0});
  return trials;
}

namespace {

// How a function begins that is part of the binary though nobody calls it.
std::string_view function_in(task::Language language) {
  switch (language) {
    case task::Language::cuda:
    case task::Language::hip:
      return "extern \"C\" __device__ int";
    case task::Language::opencl:
      return "int";
    default:
      return "extern \"C\" int";
  }
}

}  // namespace

std::string build_of(const std::string& kernel, uint64_t number, task::Language language) {
  if (number == 0) return kernel;
  const std::string other =
      fmt::format("{1} spin_{0}(int x) {{ return x * {0} + 1; }}\n", number, function_in(language));
  const size_t after_includes = kernel.find("\n\n") + 2;
  return number % 2 == 0 ? kernel + "\n" + other
                         : kernel.substr(0, after_includes) + other + "\n" + kernel.substr(after_includes);
}

}  // namespace hone::cli
