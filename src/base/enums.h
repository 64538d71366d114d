// Names of enum values, one table per enum: used by JSON, by messages and by parsers alike.
// A type takes part by specialising EnumNames with a constexpr array `table`. No allocation, no state.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

namespace hone {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::table[0];
};

// The name of a value; "?" for a value outside the table, which is a defect of the table.
template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  for (const auto& row : EnumNames<E>::table) {
    if (row.value == value) return row.name;
  }
  return "?";
}

template <NamedEnum E>
constexpr std::optional<E> value_of(std::string_view name) {
  for (const auto& row : EnumNames<E>::table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

}  // namespace hone
