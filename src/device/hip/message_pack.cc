#include "device/hip/message_pack.h"

#include <algorithm>

namespace hone::device::hip {

namespace {

// First bytes [first, last]: what follows is a number of `number_bytes`, which is the item itself or a length, and
// `extra_bytes` more.
struct FormatRow {
  uint8_t first;
  uint8_t last;
  PackKind kind;
  uint8_t number_bytes;
  uint8_t extra_bytes;
};

constexpr FormatRow k_formats[] = {
    {0xc0, 0xc0, PackKind::other, 0, 0},  // nil
    {0xc2, 0xc3, PackKind::other, 0, 0},  // false, true
    {0xc4, 0xc4, PackKind::other, 1, 0},  // binary data, by its length
    {0xc5, 0xc5, PackKind::other, 2, 0},   {0xc6, 0xc6, PackKind::other, 4, 0},
    {0xca, 0xca, PackKind::other, 0, 4},                                           // floating point
    {0xcb, 0xcb, PackKind::other, 0, 8},   {0xcc, 0xcc, PackKind::integer, 1, 0},  // not negative
    {0xcd, 0xcd, PackKind::integer, 2, 0}, {0xce, 0xce, PackKind::integer, 4, 0},
    {0xcf, 0xcf, PackKind::integer, 8, 0}, {0xd9, 0xd9, PackKind::text, 1, 0},
    {0xda, 0xda, PackKind::text, 2, 0},    {0xdb, 0xdb, PackKind::text, 4, 0},
    {0xdc, 0xdc, PackKind::array, 2, 0},   {0xdd, 0xdd, PackKind::array, 4, 0},
    {0xde, 0xde, PackKind::map, 2, 0},     {0xdf, 0xdf, PackKind::map, 4, 0},
};

// A number, or a length, within the first byte.
struct ShortRow {
  uint8_t first;
  uint8_t last;
  PackKind kind;
};
constexpr ShortRow k_short[] = {{0x00, 0x7f, PackKind::integer},
                                {0x80, 0x8f, PackKind::map},
                                {0x90, 0x9f, PackKind::array},
                                {0xa0, 0xbf, PackKind::text}};

template <class Row, size_t n>
const Row* row_of(const Row (&rows)[n], uint64_t byte) {
  const Row* found =
      std::find_if(rows, rows + n, [&](const Row& row) { return row.first <= byte && byte <= row.last; });
  return found == rows + n ? nullptr : found;
}

// Signed integers of 1, 2, 4 and 8 bytes, and the negative ones within a byte.
std::optional<size_t> signed_bytes(uint64_t byte) {
  if (byte >= 0xd0 && byte <= 0xd3) return size_t{1} << (byte - 0xd0);
  if (byte >= 0xe0) return 0;
  return std::nullopt;
}

}  // namespace

// Most significant byte first.
std::optional<uint64_t> PackReader::take_number(size_t bytes) {
  if (bytes > rest_.size()) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = 0; i < bytes; ++i) number = number << 8 | static_cast<uint64_t>(rest_[i]);
  rest_ = rest_.subspan(bytes);
  return number;
}

bool PackReader::drop(uint64_t bytes) {
  if (bytes > rest_.size()) return false;
  rest_ = rest_.subspan(bytes);
  return true;
}

std::optional<PackItem> PackReader::rest_of(PackItem item, size_t length_bytes, uint64_t extra_bytes) {
  if (length_bytes > 0) {
    const auto number = take_number(length_bytes);
    if (!number) return std::nullopt;
    item.number = *number;
  }
  const char* start = reinterpret_cast<const char*>(rest_.data());
  const bool has_length = item.kind == PackKind::text || item.kind == PackKind::other;
  if (!drop(has_length ? item.number + extra_bytes : extra_bytes)) return std::nullopt;
  if (item.kind == PackKind::text) item.text = {start, item.number};
  return item;
}

std::optional<PackItem> PackReader::next() {
  const auto byte = take_number(1);
  if (!byte) return std::nullopt;
  if (const auto* row = row_of(k_short, *byte)) return rest_of({row->kind, *byte - row->first, {}}, 0, 0);
  if (const auto* row = row_of(k_formats, *byte))
    return rest_of({row->kind, 0, {}}, row->number_bytes, row->extra_bytes);
  const auto bytes = signed_bytes(*byte);
  if (!bytes || !drop(*bytes)) return std::nullopt;
  return PackItem{PackKind::integer, 0, {}};
}

bool PackReader::skip() {
  // Every item takes a byte at least, so a count that lies ends with the bytes.
  for (uint64_t left = 1; left > 0; --left) {
    const auto item = next();
    if (!item) return false;
    if (item->kind == PackKind::array) left += item->number;
    if (item->kind == PackKind::map) left += 2 * item->number;
  }
  return true;
}

}  // namespace hone::device::hip
