#include "device/scalar_bits.h"

#include <cstring>

#include "device/fill.h"

namespace hone::device {

namespace {

template <class T>
uint64_t bits_of(const task::BoundValue& value) {
  const T converted = std::visit([](auto v) { return static_cast<T>(v); }, value);
  uint64_t bits = 0;
  std::memcpy(&bits, &converted, sizeof converted);
  return bits;
}

}  // namespace

uint64_t scalar_bits(task::DType dtype, const task::BoundValue& value) {
  switch (dtype) {
    case task::DType::f64:
      return bits_of<double>(value);
    case task::DType::f32:
      return bits_of<float>(value);
    case task::DType::i64:
      return bits_of<int64_t>(value);
    case task::DType::i32:
      return bits_of<int32_t>(value);
    case task::DType::i16:
      return bits_of<int16_t>(value);
    case task::DType::i8:
      return bits_of<int8_t>(value);
    case task::DType::u64:
      return bits_of<uint64_t>(value);
    case task::DType::u32:
      return bits_of<uint32_t>(value);
    case task::DType::u16:
      return bits_of<uint16_t>(value);
    case task::DType::u8:
      return bits_of<uint8_t>(value);
    case task::DType::boolean:
      return bits_of<bool>(value);
    case task::DType::f16:
      return to_f16_bits(std::visit([](auto v) { return static_cast<double>(v); }, value));
    case task::DType::bf16:
      return to_bf16_bits(std::visit([](auto v) { return static_cast<double>(v); }, value));
  }
  return 0;
}

}  // namespace hone::device
