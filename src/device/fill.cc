#include "device/fill.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "device/distribution.h"
#include "device/philox.h"
#include "device/tile_loops.h"

namespace hone::device {
namespace {

using task::DType;
using task::FillKind;

// ---- streams
// ----------------------------------------------------------------------------------------------------------

// What a stream's blocks are for; part of the counter, so that the three never share a block.
enum class StreamUse : uint32_t { elements = 0, rows = 1, poison = 2 };

uint32_t word_of(const Digest& key, size_t word) {
  const uint8_t* at = key.bytes.data() + 4 * word;
  return at[0] | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
         static_cast<uint32_t>(at[3]) << 24;
}

// key = bytes 0-7 of the sub-key; counter = element (64 bits), argument ⊕ bytes 8-11, use ⊕ bytes 12-15; all
// little-endian.
PhiloxStream stream_of(const Digest& sub_key, uint32_t argument_index, StreamUse use) {
  return {{word_of(sub_key, 0), word_of(sub_key, 1)},
          {word_of(sub_key, 2) ^ argument_index, word_of(sub_key, 3) ^ static_cast<uint32_t>(use)}};
}

constexpr size_t k_block_at = 16;  // bytes of a sub-key, behind which it names its block

// ---- tiles
// ------------------------------------------------------------------------------------------------------------

using FloatingTile = std::array<double, k_tile>;
using IntegerTile = std::array<uint64_t, k_tile>;  // two's complement

// Whole tiles are converted, `count` elements of them leave.
template <class T, class Value>
void store_as(std::byte* out, const std::array<Value, k_tile>& tile, size_t count, void (*convert)(T*, const Value*)) {
  alignas(64) std::array<T, k_tile> converted;
  convert(converted.data(), tile.data());
  std::memcpy(out, converted.data(), count * sizeof(T));
}

void store(std::byte* out, DType dtype, const FloatingTile& tile, size_t count) {
  if (dtype == DType::f32) return store_as<float>(out, tile, count, tile_to_f32);
  if (dtype == DType::f16) return store_as<uint16_t>(out, tile, count, tile_to_f16);
  if (dtype == DType::bf16) return store_as<uint16_t>(out, tile, count, tile_to_bf16);
  std::memcpy(out, tile.data(), count * sizeof(double));
}

void store(std::byte* out, DType dtype, const IntegerTile& tile, size_t count) {
  switch (task::size_bytes(dtype)) {
    case 1:
      return store_as<uint8_t>(out, tile, count, tile_narrow);
    case 2:
      return store_as<uint16_t>(out, tile, count, tile_narrow);
    case 4:
      return store_as<uint32_t>(out, tile, count, tile_narrow);
    default:
      std::memcpy(out, tile.data(), count * sizeof(uint64_t));
  }
}

// ---- one tile of any plan
// ---------------------------------------------------------------------------------------------

// Blocks of the rows, made when the row changes.
class Rows {
 public:
  Rows(const PhiloxStream& stream, uint64_t length) : stream_(stream), length_(std::max<uint64_t>(length, 1)) {}

  const PhiloxBlock& words_at(uint64_t element) {
    const uint64_t row = element / length_;
    if (row != row_) words_ = philox_block(stream_, row_ = row);
    return words_;
  }

 private:
  PhiloxStream stream_;
  uint64_t length_;
  uint64_t row_ = ~0ull;
  PhiloxBlock words_{};
};

// Words that one element takes of a block (fill.h).
size_t words_per_element(const FillPlan& plan, const IntegerRange& range) {
  if (plan.distribution != Distribution::contract || plan.fill.kind == FillKind::normal) return 4;
  if (task::is_floating(plan.dtype) && plan.fill.kind == FillKind::uniform) return 1;
  return range.high - range.low < k_few_integers ? 1 : 2;
}

struct Maker {
  const FillPlan& plan;
  IntegerRange range;  // of integer types and of FillKind::integers
  Rows rows;
  PhiloxBatch batch = {};
  size_t first_word = 0;  // of every block, for the tile being made

  const uint32_t* words(size_t number) const { return batch.words[first_word + number].data(); }
};

void make_integers(IntegerTile& tile, const Maker& maker) {
  const Int128 count = maker.range.high - maker.range.low + 1;
  const auto low = static_cast<uint64_t>(maker.range.low);
  if (count <= k_few_integers) return tile_few_integers(tile.data(), maker.words(0), low, static_cast<uint32_t>(count));
  if (count < Int128{1} << 32)
    return tile_integers(tile.data(), maker.words(0), maker.words(1), low, static_cast<uint32_t>(count));
  for (size_t b = 0; b < k_tile; ++b) {
    const uint64_t word = static_cast<uint64_t>(maker.words(1)[b]) << 32 | maker.words(0)[b];
    tile[b] = static_cast<uint64_t>(draw(maker.range, word));
  }
}

// Whole numbers in a floating buffer: exact in the double, then rounded like any other value.
void make_whole_numbers(FloatingTile& tile, const Maker& maker) {
  IntegerTile numbers;
  make_integers(numbers, maker);
  for (size_t b = 0; b < k_tile; ++b) tile[b] = static_cast<double>(static_cast<int64_t>(numbers[b]));
}

Element element_at(Maker& maker, uint64_t first, size_t b) {
  const auto& words = maker.batch.words;
  return {{words[0][b], words[1][b], words[2][b], words[3][b]}, first + b, maker.rows.words_at(first + b)};
}

void make_tile(Maker& maker, FloatingTile& tile, uint64_t first) {
  const FillPlan& plan = maker.plan;
  if (plan.distribution == Distribution::normal) return tile_normal(tile.data(), maker.batch, 0.0, 1.0);
  if (plan.distribution != Distribution::contract) {
    for (size_t b = 0; b < k_tile; ++b) {
      tile[b] = floating_value(plan.distribution, plan.dtype, element_at(maker, first, b));
    }
  } else if (plan.fill.kind == FillKind::normal) {
    tile_normal(tile.data(), maker.batch, plan.fill.mean, plan.fill.deviation);
  } else if (plan.fill.kind == FillKind::integers) {
    make_whole_numbers(tile, maker);
  } else {
    tile_uniform(tile.data(), maker.words(0), plan.fill.low, plan.fill.high - plan.fill.low);
  }
}

void make_tile(Maker& maker, IntegerTile& tile, uint64_t first) {
  const FillPlan& plan = maker.plan;
  if (plan.distribution != Distribution::contract) {
    for (size_t b = 0; b < k_tile; ++b) {
      tile[b] = static_cast<uint64_t>(integer_value(plan.distribution, maker.range, element_at(maker, first, b)));
    }
  } else if (plan.fill.kind == FillKind::normal) {
    FloatingTile values;
    tile_normal(values.data(), maker.batch, plan.fill.mean, plan.fill.deviation);
    for (size_t b = 0; b < k_tile; ++b) tile[b] = static_cast<uint64_t>(to_integer(values[b], plan.dtype));
  } else {
    make_integers(tile, maker);
  }
}

template <class Tile>
void fill_random(std::span<std::byte> out, const FillPlan& plan, const Digest& sub_key, uint32_t argument_index) {
  const PhiloxStream elements = stream_of(sub_key, argument_index, StreamUse::elements);
  // "All equal" is one row, however the buffer is shaped.
  const uint64_t row_length = plan.distribution == Distribution::all_equal ? plan.count : plan.row_length;
  Maker maker{plan, drawn_range(plan.fill, plan.dtype),
              Rows(stream_of(sub_key, argument_index, StreamUse::rows), row_length)};
  const size_t words = words_per_element(plan, maker.range);
  const size_t sharing = 4 / words;  // tiles to a batch
  const PhiloxPath path = fastest_philox_path();
  const size_t size = task::size_bytes(plan.dtype);
  Tile made;
  for (uint64_t tile = 0; tile * k_tile < plan.count; ++tile) {
    if (tile % sharing == 0) philox_batch(maker.batch, elements, tile / sharing * k_tile, path);
    maker.first_word = tile % sharing * words;
    const uint64_t first = tile * k_tile;
    make_tile(maker, made, first);
    store(out.data() + first * size, plan.dtype, made, std::min<uint64_t>(k_tile, plan.count - first));
  }
}

// ---- contents that the contract fixes
// ---------------------------------------------------------------------------------

// Up to a tile of given values, rounded to the element type.
void store_values(std::byte* out, DType dtype, std::span<const double> values) {
  if (task::is_floating(dtype)) {
    FloatingTile tile{};
    std::copy(values.begin(), values.end(), tile.begin());
    return store(out, dtype, tile, values.size());
  }
  IntegerTile tile{};
  for (size_t b = 0; b < values.size(); ++b) tile[b] = static_cast<uint64_t>(to_integer(values[b], dtype));
  store(out, dtype, tile, values.size());
}

// Repeats the first `size` bytes of `out`, a divisor of the period, over all of it; from a period that stays in the
// cache.
void repeat(std::span<std::byte> out, size_t size) {
  const size_t period = std::min(out.size(), k_poison_period_bytes);
  for (size_t done = size; done < period; done *= 2)
    std::memcpy(out.data() + done, out.data(), std::min(done, period - done));
  for (size_t done = period; done < out.size(); done += period)
    std::memcpy(out.data() + done, out.data(), std::min(period, out.size() - done));
}

void fill_constant(std::span<std::byte> out, const FillPlan& plan) {
  if (out.empty()) return;
  store_values(out.data(), plan.dtype, std::span(&plan.fill.value, 1));
  repeat(out, task::size_bytes(plan.dtype));
}

void fill_formula(std::span<std::byte> out, const FillPlan& plan) {
  assert(plan.formula_values.size() == plan.count);
  const std::span<const double> values(plan.formula_values);
  for (size_t first = 0; first < values.size(); first += k_tile) {
    const auto tile = values.subspan(first, std::min(k_tile, values.size() - first));
    store_values(out.data() + first * task::size_bytes(plan.dtype), plan.dtype, tile);
  }
}

// ---- poison
// -----------------------------------------------------------------------------------------------------------

// Quiet NaN of the type with the payload's bits, as the low bytes of a 64-bit word.
uint64_t quiet_nan(DType dtype, uint64_t payload) {
  switch (dtype) {
    case DType::f64:
      return 0x7ff8ull << 48 | (payload & 0x7ffffffffffffull);
    case DType::f32:
      return 0x7fc00000u | (payload & 0x3fffffu);
    case DType::f16:
      return 0x7e00u | (payload & 0x1ffu);
    default:
      return 0x7fc0u | (payload & 0x3fu);  // bf16
  }
}

// Random bytes repeat: an unwritten output is as plain, and poisoning runs at the speed of a copy.
void poison_bytes(std::span<std::byte> out, const PhiloxStream& stream) {
  uint64_t block = 0;
  for (size_t done = 0; done < out.size(); done += sizeof(PhiloxBlock)) {
    const PhiloxBlock words = philox_block(stream, block++);
    std::memcpy(out.data() + done, words.data(), std::min(sizeof words, out.size() - done));
  }
}

}  // namespace

PhiloxStream element_stream(const Digest& sub_key, uint32_t argument_index) {
  return stream_of(sub_key, argument_index, StreamUse::elements);
}

PhiloxStream poison_stream(const Digest& sub_key, uint32_t argument_index) {
  return stream_of(sub_key, argument_index, StreamUse::poison);
}

FillPlan plan_for(const task::BoundArgument& argument, Distribution distribution) {
  FillPlan plan;
  plan.dtype = argument.argument->dtype;
  plan.count = argument.elements();
  plan.row_length = argument.shape.empty() ? 1 : static_cast<uint64_t>(std::max<int64_t>(argument.shape.back(), 1));
  plan.fill = argument.argument->fill;
  plan.distribution = task::is_fixed(plan.fill.kind) ? Distribution::contract : distribution;
  return plan;
}

Digest block_key(const Digest& sub_key) {
  Digest block;
  std::copy_n(sub_key.bytes.begin() + k_block_at, k_block_at, block.bytes.begin());
  return block;
}

Digest element_key(const FillPlan& plan, const Digest& sub_key) {
  return plan.same_in_block ? block_key(sub_key) : sub_key;
}

Digest in_block(Digest sub_key, const Digest& block) {
  std::copy_n(block.bytes.begin(), k_block_at, sub_key.bytes.begin() + k_block_at);
  return sub_key;
}

void fill(std::span<std::byte> out, const FillPlan& plan, const Digest& sub_key, uint32_t argument_index) {
  assert(out.size() == plan.count * task::size_bytes(plan.dtype));
  const Digest key = element_key(plan, sub_key);
  if (plan.bytes) {
    assert(plan.bytes->size() == out.size());
    std::copy_n(plan.bytes->begin(), std::min(plan.bytes->size(), out.size()), out.begin());
  } else if (plan.distribution == Distribution::contract && plan.fill.kind == FillKind::constant) {
    fill_constant(out, plan);
  } else if (plan.distribution == Distribution::contract && plan.fill.kind == FillKind::formula) {
    fill_formula(out, plan);
  } else if (task::is_floating(plan.dtype)) {
    fill_random<FloatingTile>(out, plan, key, argument_index);
  } else {
    fill_random<IntegerTile>(out, plan, key, argument_index);
  }
}

void poison(std::span<std::byte> out, DType dtype, const Digest& sub_key, uint32_t argument_index) {
  const PhiloxStream stream = stream_of(sub_key, argument_index, StreamUse::poison);
  if (!task::is_floating(dtype)) {
    poison_bytes(out.first(std::min(out.size(), k_poison_period_bytes)), stream);
    return repeat(out, k_poison_period_bytes);
  }
  const PhiloxBlock words = philox_block(stream, 0);
  const uint64_t pattern = quiet_nan(dtype, static_cast<uint64_t>(words[1]) << 32 | words[0]);
  const size_t size = task::size_bytes(dtype);
  if (out.size() < size) return;
  std::memcpy(out.data(), &pattern, size);
  repeat(out, size);
}

void set_element(std::span<std::byte> buffer, DType dtype, uint64_t index, double value) {
  const auto put = [&](auto typed) { std::memcpy(buffer.data() + index * sizeof typed, &typed, sizeof typed); };
  switch (dtype) {
    case DType::f64:
      return put(value);
    case DType::f32:
      return put(static_cast<float>(value));
    case DType::f16:
      return put(to_f16_bits(value));
    case DType::bf16:
      return put(to_bf16_bits(value));
    case DType::i64:
      return put(static_cast<int64_t>(value));
    case DType::i32:
      return put(static_cast<int32_t>(value));
    case DType::i16:
      return put(static_cast<int16_t>(value));
    case DType::i8:
      return put(static_cast<int8_t>(value));
    case DType::u64:
      return put(static_cast<uint64_t>(std::max(value, 0.0)));
    case DType::u32:
      return put(static_cast<uint32_t>(std::max(value, 0.0)));
    case DType::u16:
      return put(static_cast<uint16_t>(std::max(value, 0.0)));
    case DType::u8:
    case DType::boolean:
      return put(static_cast<uint8_t>(std::max(value, 0.0)));
  }
}

}  // namespace hone::device
