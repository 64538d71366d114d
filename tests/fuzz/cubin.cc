// A cubin out of a confined build: its kernels, what it lacks, what it keeps.
#include "device/cuda/cubin.h"

#include "fuzz.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto cubin = device::cuda::read_cubin(bytes_of(fuzz::text_of(data, size)));
  if (!cubin) return 0;
  size_t bytes = 0;
  for (const auto& kernel : cubin->kernels) bytes += kernel.kernel.size();
  for (const auto& name : cubin->undefined) bytes += name.size();
  for (const auto& variable : cubin->globals) bytes += variable.name.size();
  // A symbol may be both a kernel and in a writable section.
  fuzz::require(bytes <= 2 * size, "an answer is no larger than its file");
  const auto text = device::resources_text(cubin->kernels);
  const auto again = device::resources_from(text);
  fuzz::require(!again || *again == cubin->kernels, "resources are read back as they were written");
  return 0;
}
