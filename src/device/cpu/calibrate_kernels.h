// The loops whose speed is a ceiling: copies with ordinary and non-temporal stores, reads, and arithmetic, in every
// vector width that this processor has, chosen at run time. What they compute is returned or stored, so that nothing
// can be left out. Buffers are 64-byte aligned, sizes multiples of 512 bytes. No failure, no state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "task/types.h"

namespace hone::device::cpu {

enum class Stores { ordinary, non_temporal };

struct CopyKernel {
  Stores stores;
  int vector_bits;
  void (*run)(std::byte* to, const std::byte* from, size_t bytes);
};

struct ReadKernel {
  int vector_bits;
  uint64_t (*run)(const std::byte* from, size_t bytes);
};

// Twelve independent chains hide the latency of any multiply-add so far built (4 cycles, 2 units: 8 would do).
struct ArithmeticKernel {
  task::DType dtype;
  int vector_bits;
  double operations_per_pass;  // a multiply-add counts as two; for integers an addition and an exclusive-or
  double (*run)(uint64_t passes);
};

std::vector<CopyKernel> copy_kernels();
std::vector<ReadKernel> read_kernels();
std::vector<ArithmeticKernel> arithmetic_kernels();

}  // namespace hone::device::cpu
