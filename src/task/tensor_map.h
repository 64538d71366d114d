// A tensor map of one case, with every number that cuTensorMapEncodeTiled takes and every rule it states checked
// before a device sees it (CUDA driver API 13.0, "Tensor Map Object Managment"; its words for each field are in the
// struct). Only the address is missing: the launcher adds it. Failure: contract, with argument, field and value.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "task/bind.h"

namespace hone::task {

// Lists begin with the innermost dimension, whose elements are neighbours.
struct BoundTensorMap {
  size_t base = 0;  // position in Task::arguments of the buffer it describes
  TensorElement elements = TensorElement::f32;
  std::vector<uint64_t> size_elements;    // globalDim: 1 to 5 of them, each 1 to 2^32
  std::vector<uint64_t> stride_bytes;     // globalStrides: one fewer, multiples of 16 below 2^40
  std::vector<uint32_t> box_elements;     // boxDim: each 1 to 256
  std::vector<uint32_t> element_strides;  // elementStrides: each 1 to 8
  Interleave interleave = Interleave::none;
  Swizzle swizzle = Swizzle::none;
  L2Promotion l2_promotion = L2Promotion::none;
  OutOfBounds out_of_bounds = OutOfBounds::zeros;
};

size_t size_bytes(TensorElement element);
bool is_floating(TensorElement element);
// What a buffer of this type holds when the contract says no more.
TensorElement element_of(DType dtype);

// `scope` is what launch_scope (task/launch.h) gives; `index` is the position of an argument with role tensor_map.
Result<BoundTensorMap> bind_tensor_map(const Task& task, const BoundCase& bound, const Scope& scope, size_t index);

}  // namespace hone::task
