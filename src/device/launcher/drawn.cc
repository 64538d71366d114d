#include "device/launcher/drawn.h"

#include <array>
#include <cstring>

#include "device/distribution.h"

namespace hone::device::launcher {

namespace {

using task::DType;
using task::FillKind;

// As in duties_source.h.
enum Draw : uint32_t { k_uniform = 0, k_normal = 1, k_few = 2, k_many = 3 };

struct AsRow {
  DType dtype;
  uint32_t as;
};
constexpr AsRow k_floating[] = {{DType::f64, 0}, {DType::f32, 1}, {DType::f16, 2}, {DType::bf16, 3}};

uint32_t as_of(DType dtype) {
  for (const AsRow& row : k_floating) {
    if (row.dtype == dtype) return row.as;
  }
  return static_cast<uint32_t>(task::size_bytes(dtype));
}

std::optional<DrawRecord> integers(DrawRecord record, const FillPlan& plan) {
  const IntegerRange range = drawn_range(plan.fill, plan.dtype);
  const Int128 count = range.high - range.low + 1;
  if (count >= Int128{1} << 32) return std::nullopt;
  record.draw = count <= k_few_integers ? k_few : k_many;
  record.low = static_cast<uint64_t>(range.low);
  record.values = static_cast<uint32_t>(count);
  return record;
}

}  // namespace

std::optional<DrawRecord> drawn_on_device(const FillPlan& plan) {
  if (plan.bytes || plan.distribution != Distribution::contract) return std::nullopt;
  const bool floating = task::is_floating(plan.dtype);
  DrawRecord record;
  record.floating = floating ? 1 : 0;
  record.as = as_of(plan.dtype);
  record.count = plan.count;
  if (plan.fill.kind == FillKind::integers || (plan.fill.kind == FillKind::uniform && !floating))
    return integers(record, plan);
  if (!floating) return std::nullopt;
  if (plan.fill.kind == FillKind::uniform) {
    record.draw = k_uniform;
    record.a = plan.fill.low;
    record.b = plan.fill.high - plan.fill.low;
    return record;
  }
  if (plan.fill.kind != FillKind::normal) return std::nullopt;
  record.draw = k_normal;
  record.a = plan.fill.mean;
  record.b = plan.fill.deviation;
  return record;
}

StreamWords words_of(const PhiloxStream& stream) {
  return {{stream.key[0], stream.key[1], stream.upper_counter[0], stream.upper_counter[1]}};
}

uint64_t constant_pattern(const FillPlan& plan) {
  FillPlan few = plan;
  few.count = sizeof(uint64_t) / task::size_bytes(plan.dtype);
  uint64_t pattern = 0;
  fill(std::as_writable_bytes(std::span(&pattern, 1)), few, Digest(), 0);
  return pattern;
}

uint64_t poison_pattern(DType dtype, const Digest& sub_key, uint32_t argument_index) {
  uint64_t pattern = 0;
  poison(std::as_writable_bytes(std::span(&pattern, 1)), dtype, sub_key, argument_index);
  return pattern;
}

}  // namespace hone::device::launcher
