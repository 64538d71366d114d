#include <algorithm>

#include "device/device.h"

namespace hone::device {

std::vector<std::string> kernels_of(std::span<const LaunchStep> steps) {
  std::vector<std::string> kernels;
  for (const LaunchStep& step : steps) {
    if (std::ranges::find(kernels, step.entry) == kernels.end()) kernels.push_back(step.entry);
  }
  return kernels;
}

}  // namespace hone::device
