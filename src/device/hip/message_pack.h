// A reader of MessagePack (its specification of 2013), one item after the other: what AMD's compiler says of its
// kernels stands in a code object in that form. Numbers that are not whole, and binary data, are read over. The bytes
// are untrusted: what makes no sense ends the reading, and nothing nests in this process. A view: the bytes must
// outlive it and its items. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/hash.h"

namespace hone::device::hip {

enum class PackKind { integer, text, array, map, other };

struct PackItem {
  PackKind kind = PackKind::other;
  uint64_t number = 0;    // an integer's value (of a negative one 0); elements of an array, pairs of a map
  std::string_view text;  // of a text
};

class PackReader {
 public:
  explicit PackReader(Bytes rest) : rest_(rest) {}

  // The next item alone: what an array or a map holds comes after it. Nothing at the end, or where that is none.
  std::optional<PackItem> next();
  // The next item with all that it holds.
  bool skip();

 private:
  std::optional<uint64_t> take_number(size_t bytes);
  bool drop(uint64_t bytes);
  std::optional<PackItem> rest_of(PackItem item, size_t length_bytes, uint64_t extra_bytes);

  Bytes rest_;
};

// Calls take(key, reader) for every pair of the map that comes next; it takes the value, and says whether it could.
template <class Take>
bool each_field(PackReader& reader, const Take& take) {
  const auto map = reader.next();
  if (!map || map->kind != PackKind::map) return false;
  for (uint64_t i = 0; i < map->number; ++i) {
    const auto key = reader.next();
    if (!key || key->kind != PackKind::text || !take(key->text, reader)) return false;
  }
  return true;
}

// Calls take(reader) for every element of the array that comes next.
template <class Take>
bool each_element(PackReader& reader, const Take& take) {
  const auto array = reader.next();
  if (!array || array->kind != PackKind::array) return false;
  for (uint64_t i = 0; i < array->number; ++i) {
    if (!take(reader)) return false;
  }
  return true;
}

}  // namespace hone::device::hip
