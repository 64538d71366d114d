// The vocabulary of a task contract: element types, roles, languages, oracles.
// Plain enums with their names as they stand in task.toml; nothing here can fail.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/enums.h"

namespace hone::task {

enum class AxisKind { fixed, by_case, derived };
enum class DType { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };
enum class Role { in, out, inout, scalar, size, local, symbol, scratch, derived, tensor_map };
enum class Language { cuda, opencl, hip, cpp, python };
enum class Call { launch, host_function, destination, value_returning };
enum class OracleKind { c_function, python, golden, baseline, properties };
enum class FillKind { constant, uniform, normal, integers, formula, file };
// bound = hone's own error-bound model. The others are what task formats in use ask for: allclose adds the two
// tolerances, `both` fails an element only when both are exceeded, `either` when one is, `total` adds up all errors.
enum class CompareRule { bound, allclose, exact, absolute, relative, both, either, total };
enum class RelativeTo { reference, output };
// Which values that are not finite may stand in an output, each only where the truth holds the same one.
enum class NonFinite { none, negative_infinity, equal_infinities, equal_masks };
enum class Purpose { verify, time, edge };
enum class Objective { geomean, total_time };
enum class Metric { latency, gbps, tflops, pct_of_peak };
enum class CacheState { cold, warm };
enum class Bound { memory, compute, latency };
enum class Delivery { macro, argument };
enum class Phase { run, prepare };  // prepare: untimed, once per fresh block, fills derived buffers
// What cuTensorMapEncodeTiled is told, by the names of the CUDA driver API: CUtensorMapDataType (its unpacked types),
// CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill; in their order there.
enum class TensorElement { u8, u16, u32, i32, u64, i64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
enum class Interleave { none, bytes_16, bytes_32 };
enum class Swizzle {
  none,
  bytes_32,
  bytes_64,
  bytes_128,
  bytes_128_atom_32,
  bytes_128_atom_32_flip_8,
  bytes_128_atom_64
};
enum class L2Promotion { none, bytes_64, bytes_128, bytes_256 };
enum class OutOfBounds { zeros, nan };
enum class BaselineKind { eager, torch_compile, flashinfer, library, file };

constexpr size_t size_bytes(DType type) {
  switch (type) {
    case DType::f64:
    case DType::i64:
    case DType::u64:
      return 8;
    case DType::f32:
    case DType::i32:
    case DType::u32:
      return 4;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
    case DType::u16:
      return 2;
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return 1;
  }
  return 0;
}

constexpr bool is_floating(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

struct IntegerRange {
  int64_t low = 0;
  uint64_t high = 0;
};

// What an integer type can hold; boolean counts as 0 to 1, a floating type as nothing but 0.
constexpr IntegerRange integer_range(DType type) {
  switch (type) {
    case DType::i64:
      return {INT64_MIN, INT64_MAX};
    case DType::i32:
      return {INT32_MIN, INT32_MAX};
    case DType::i16:
      return {INT16_MIN, INT16_MAX};
    case DType::i8:
      return {INT8_MIN, INT8_MAX};
    case DType::u64:
      return {0, UINT64_MAX};
    case DType::u32:
      return {0, UINT32_MAX};
    case DType::u16:
      return {0, UINT16_MAX};
    case DType::u8:
      return {0, UINT8_MAX};
    case DType::boolean:
      return {0, 1};
    default:
      return {0, 0};
  }
}

// Unit roundoff of a floating type (half an ulp at 1): 2^-53, 2^-24, 2^-11, 2^-8; 0 for integers, which are exact.
constexpr double unit_roundoff(DType type) {
  switch (type) {
    case DType::f64:
      return 0x1p-53;
    case DType::f32:
      return 0x1p-24;
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    default:
      return 0.0;
  }
}

// The largest finite value of a floating type; 0 for integers.
constexpr double largest_finite(DType type) {
  switch (type) {
    case DType::f64:
      return 0x1.fffffffffffffp1023;
    case DType::f32:
      return 0x1.fffffep127;
    case DType::f16:
      return 65504.0;
    case DType::bf16:
      return 0x1.fep127;
    default:
      return 0.0;
  }
}

// A symbol is an input like any other; it only reaches the kernel by another way.
constexpr bool is_read(Role role) { return role == Role::in || role == Role::inout || role == Role::symbol; }
constexpr bool is_written(Role role) { return role == Role::out || role == Role::inout; }
constexpr bool is_buffer(Role role) {
  return is_read(role) || is_written(role) || role == Role::scratch || role == Role::derived;
}
constexpr bool is_number(Role role) { return role == Role::scalar || role == Role::size; }
// Memory without contents of its own: the contract states bytes, not elements.
constexpr bool is_space(Role role) { return role == Role::local || role == Role::scratch || role == Role::derived; }
// Means something only where hone itself launches the kernel on a device; a reference has no such parameter.
constexpr bool is_of_a_launch(Role role) { return is_space(role) || role == Role::tensor_map; }
// The contract says these contents itself; no key and no distribution changes them.
constexpr bool is_fixed(FillKind kind) {
  return kind == FillKind::constant || kind == FillKind::formula || kind == FillKind::file;
}

}  // namespace hone::task

namespace hone {

template <>
struct EnumNames<task::DType> {
  using T = task::DType;
  static constexpr EnumName<T> table[] = {{T::f64, "f64"},     {T::f32, "f32"}, {T::f16, "f16"}, {T::bf16, "bf16"},
                                          {T::i64, "i64"},     {T::i32, "i32"}, {T::i16, "i16"}, {T::i8, "i8"},
                                          {T::u64, "u64"},     {T::u32, "u32"}, {T::u16, "u16"}, {T::u8, "u8"},
                                          {T::boolean, "bool"}};
};
template <>
struct EnumNames<task::Role> {
  using T = task::Role;
  static constexpr EnumName<T> table[] = {{T::in, "in"},           {T::out, "out"},
                                          {T::inout, "inout"},     {T::scalar, "scalar"},
                                          {T::size, "size"},       {T::local, "local"},
                                          {T::symbol, "symbol"},   {T::scratch, "scratch"},
                                          {T::derived, "derived"}, {T::tensor_map, "tensor_map"}};
};
template <>
struct EnumNames<task::TensorElement> {
  using T = task::TensorElement;
  static constexpr EnumName<T> table[] = {
      {T::u8, "u8"},     {T::u16, "u16"},         {T::u32, "u32"},          {T::i32, "i32"}, {T::u64, "u64"},
      {T::i64, "i64"},   {T::f16, "f16"},         {T::f32, "f32"},          {T::f64, "f64"}, {T::bf16, "bf16"},
      {T::tf32, "tf32"}, {T::f32_ftz, "f32_ftz"}, {T::tf32_ftz, "tf32_ftz"}};
};
template <>
struct EnumNames<task::Interleave> {
  using T = task::Interleave;
  static constexpr EnumName<T> table[] = {{T::none, "none"}, {T::bytes_16, "16B"}, {T::bytes_32, "32B"}};
};
template <>
struct EnumNames<task::Swizzle> {
  using T = task::Swizzle;
  static constexpr EnumName<T> table[] = {{T::none, "none"},
                                          {T::bytes_32, "32B"},
                                          {T::bytes_64, "64B"},
                                          {T::bytes_128, "128B"},
                                          {T::bytes_128_atom_32, "128B_atom_32B"},
                                          {T::bytes_128_atom_32_flip_8, "128B_atom_32B_flip_8B"},
                                          {T::bytes_128_atom_64, "128B_atom_64B"}};
};
template <>
struct EnumNames<task::L2Promotion> {
  using T = task::L2Promotion;
  static constexpr EnumName<T> table[] = {
      {T::none, "none"}, {T::bytes_64, "64B"}, {T::bytes_128, "128B"}, {T::bytes_256, "256B"}};
};
template <>
struct EnumNames<task::OutOfBounds> {
  using T = task::OutOfBounds;
  static constexpr EnumName<T> table[] = {{T::zeros, "zeros"}, {T::nan, "nan"}};
};
template <>
struct EnumNames<task::Language> {
  using T = task::Language;
  static constexpr EnumName<T> table[] = {
      {T::cuda, "cuda"}, {T::opencl, "opencl"}, {T::hip, "hip"}, {T::cpp, "cpp"}, {T::python, "python"}};
};
template <>
struct EnumNames<task::Call> {
  using T = task::Call;
  static constexpr EnumName<T> table[] = {{T::launch, "launch"},
                                          {T::host_function, "host_function"},
                                          {T::destination, "destination"},
                                          {T::value_returning, "value_returning"}};
};
template <>
struct EnumNames<task::OracleKind> {
  using T = task::OracleKind;
  static constexpr EnumName<T> table[] = {{T::c_function, "c_function"},
                                          {T::python, "python"},
                                          {T::golden, "golden"},
                                          {T::baseline, "baseline"},
                                          {T::properties, "properties"}};
};
template <>
struct EnumNames<task::FillKind> {
  using T = task::FillKind;
  static constexpr EnumName<T> table[] = {{T::constant, "constant"}, {T::uniform, "uniform"}, {T::normal, "normal"},
                                          {T::integers, "integers"}, {T::formula, "formula"}, {T::file, "file"}};
};
template <>
struct EnumNames<task::CompareRule> {
  using T = task::CompareRule;
  static constexpr EnumName<T> table[] = {{T::bound, "bound"},       {T::allclose, "allclose"}, {T::exact, "exact"},
                                          {T::absolute, "absolute"}, {T::relative, "relative"}, {T::both, "both"},
                                          {T::either, "either"},     {T::total, "total"}};
};
template <>
struct EnumNames<task::RelativeTo> {
  using T = task::RelativeTo;
  static constexpr EnumName<T> table[] = {{T::reference, "reference"}, {T::output, "output"}};
};
template <>
struct EnumNames<task::NonFinite> {
  using T = task::NonFinite;
  static constexpr EnumName<T> table[] = {{T::none, "none"},
                                          {T::negative_infinity, "negative_infinity"},
                                          {T::equal_infinities, "equal_infinities"},
                                          {T::equal_masks, "equal_masks"}};
};
template <>
struct EnumNames<task::Purpose> {
  using T = task::Purpose;
  static constexpr EnumName<T> table[] = {{T::verify, "verify"}, {T::time, "time"}, {T::edge, "edge"}};
};
template <>
struct EnumNames<task::Objective> {
  using T = task::Objective;
  static constexpr EnumName<T> table[] = {{T::geomean, "geomean"}, {T::total_time, "total_time"}};
};
template <>
struct EnumNames<task::Metric> {
  using T = task::Metric;
  static constexpr EnumName<T> table[] = {
      {T::latency, "latency"}, {T::gbps, "gbps"}, {T::tflops, "tflops"}, {T::pct_of_peak, "pct_of_peak"}};
};
template <>
struct EnumNames<task::CacheState> {
  using T = task::CacheState;
  static constexpr EnumName<T> table[] = {{T::cold, "cold"}, {T::warm, "warm"}};
};
template <>
struct EnumNames<task::Bound> {
  using T = task::Bound;
  static constexpr EnumName<T> table[] = {{T::memory, "memory"}, {T::compute, "compute"}, {T::latency, "latency"}};
};
template <>
struct EnumNames<task::AxisKind> {
  using T = task::AxisKind;
  static constexpr EnumName<T> table[] = {{T::fixed, "fixed"}, {T::by_case, "case"}, {T::derived, "derived"}};
};
template <>
struct EnumNames<task::Phase> {
  using T = task::Phase;
  static constexpr EnumName<T> table[] = {{T::run, "run"}, {T::prepare, "prepare"}};
};
template <>
struct EnumNames<task::BaselineKind> {
  using T = task::BaselineKind;
  static constexpr EnumName<T> table[] = {{T::eager, "eager"},
                                          {T::torch_compile, "torch_compile"},
                                          {T::flashinfer, "flashinfer"},
                                          {T::library, "library"},
                                          {T::file, "file"}};
};
template <>
struct EnumNames<task::Delivery> {
  using T = task::Delivery;
  static constexpr EnumName<T> table[] = {{T::macro, "macro"}, {T::argument, "argument"}};
};

}  // namespace hone
