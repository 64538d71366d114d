// [[args]]: one per kernel parameter, in the kernel's own order.
#include <fmt/format.h>

#include <limits>

#include "base/text.h"
#include "task/bind.h"
#include "task/inside.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

constexpr double k_any = std::numeric_limits<double>::max();
constexpr int64_t k_largest_align_bytes = 1 << 16;

Fill default_fill(DType dtype) {
  if (is_floating(dtype)) return {};
  Fill fill;
  fill.kind = FillKind::integers;
  fill.low = 0.0;
  fill.high = dtype == DType::boolean ? 1.0 : 100.0;
  return fill;
}

void read_interval(Section& section, Fill& fill) {
  section.get("low", fill.low, -k_any, k_any);
  section.get("high", fill.high, -k_any, k_any);
  if (fill.low > fill.high) section.error("high", "is below 'low'", "no value lies between them", "exchange the two");
}

void read_integer_interval(Section& section, Fill& fill, DType dtype) {
  const auto [low, high] = integer_range(dtype);
  const int64_t greatest = high > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())
                               ? std::numeric_limits<int64_t>::max()
                               : static_cast<int64_t>(high);
  int64_t first = static_cast<int64_t>(fill.low), last = static_cast<int64_t>(fill.high);
  section.get("low", first, low, greatest);
  section.get("high", last, low, greatest);
  if (first > last) section.error("high", "is below 'low'", "no value lies between them", "exchange the two");
  fill.low = static_cast<double>(first);
  fill.high = static_cast<double>(last);
}

void read_file_fill(Reading& reading, Section& section, Fill& fill) {
  if (!section.get("file", fill.file, Presence::required)) return;
  if (const auto size = size_inside(reading.task.folder, fill.file); !size)
    reading.report.error(section.at("file"), fmt::format("'file' of {}: {}", section.owner(), size.error().what),
                         "the elements of the argument come from it", size.error().help);
}

void read_fill_kind(Reading& reading, Section& section, Argument& out) {
  Fill& fill = out.fill;
  Names names = reading.axes;
  names.insert("i");
  switch (fill.kind) {
    case FillKind::constant:
      section.get("value", fill.value, -k_any, k_any);
      break;
    case FillKind::uniform:
      read_interval(section, fill);
      break;
    case FillKind::normal:
      section.get("mean", fill.mean, -k_any, k_any);
      section.get("std", fill.deviation, 0.0, k_any);
      break;
    case FillKind::integers:
      read_integer_interval(section, fill, is_floating(out.dtype) ? DType::i32 : out.dtype);
      break;
    case FillKind::formula:
      section.get("formula", fill.formula, names, Presence::required);
      break;
    case FillKind::file:
      read_file_fill(reading, section, fill);
      break;
  }
  const bool continuous = fill.kind == FillKind::uniform || fill.kind == FillKind::normal;
  if (continuous && !is_floating(out.dtype))
    section.error("kind", fmt::format("is for floating types, the type is {}", name_of(out.dtype)),
                  "its values would be rounded to a few integers", "use kind = \"integers\"");
}

bool takes_two(CompareRule rule) {
  return rule == CompareRule::allclose || rule == CompareRule::both || rule == CompareRule::either;
}
bool needs_absolute(CompareRule rule) {
  return takes_two(rule) || rule == CompareRule::absolute || rule == CompareRule::total;
}
bool needs_relative(CompareRule rule) { return takes_two(rule) || rule == CompareRule::relative; }
// The rule judges elements one by one, so that some of them can be forgiven.
bool counts_elements(CompareRule rule) { return rule != CompareRule::bound && rule != CompareRule::total; }

void read_tolerance(Section& section, std::string_view key, std::optional<double>& out, bool needed, CompareRule rule) {
  if (!needed) {
    return section.refuse(key, fmt::format("rule \"{}\" has no such tolerance; \"allclose\" has both", name_of(rule)));
  }
  double value = 0.0;
  if (section.find(key, Presence::required) && section.get(key, value, 0.0, k_any)) out = value;
}

void read_tolerances(Section& section, Compare& compare) {
  read_tolerance(section, "atol", compare.absolute_tolerance, needs_absolute(compare.rule), compare.rule);
  read_tolerance(section, "rtol", compare.relative_tolerance, needs_relative(compare.rule), compare.rule);
  if (needs_relative(compare.rule)) {
    section.get("relative_to", compare.relative_to);
    section.get("relative_floor", compare.relative_floor, 0.0, k_any);
  } else {
    section.refuse("relative_to", "the rule has no relative tolerance");
    section.refuse("relative_floor", "the rule has no relative tolerance");
  }
}

void read_ratio(Section& section, Compare& compare) {
  section.get("matched_ratio", compare.matched_ratio, 0.0, 1.0);
  if (section.has("matched_ratio") && compare.matched_ratio == 0.0)
    section.error("matched_ratio", "is 0", "nothing would be compared",
                  "give the fraction that must be right, such as 0.999");
}

// What forgives some elements, and how far.
void read_exceptions(Section& section, Compare& compare) {
  if (!counts_elements(compare.rule)) {
    for (const char* key : {"matched_ratio", "ceiling"})
      section.refuse(key, "the rule has no tolerance of a single element that could be exceeded");
    return;
  }
  read_ratio(section, compare);
  double ceiling = 0.0;
  if (section.get("ceiling", ceiling, 1.0, k_any)) compare.ceiling = ceiling;
}

// Terms that no case changes; those of an expression over axes are checked when each case is bound.
void check_terms(Section& section, const Expression& terms) {
  if (!terms.names().empty()) return;
  const auto count = terms.integer({});
  if (count && *count >= 1 && *count <= k_most_terms) return;
  section.error("terms", count ? fmt::format("is {}", *count) : count.error().what,
                "one element sums up this many terms, and its error bound grows with them",
                fmt::format("give a count from 1 to {} (2**40), or an expression over the axes", k_most_terms));
}

void read_shape(Reading& reading, Section& section, Argument& out, Presence presence = Presence::required) {
  section.get("shape", out.shape, reading.axes, presence);
  section.get("strides", out.strides, reading.axes);
  if (!out.strides.empty() && !out.shape.empty() && out.strides.size() != out.shape.size())
    section.error("strides", fmt::format("has {} entries for {} dimensions", out.strides.size(), out.shape.size()),
                  "each dimension has a distance of its own", "give one stride for each dimension, in elements");
  if (out.shape.size() > 8)
    section.error("shape", "has more than 8 dimensions", "no kernel is written over that many",
                  "join dimensions that lie behind each other");
}

void read_align(Section& section, Argument& out) {
  auto bytes = static_cast<int64_t>(out.align_bytes);
  section.get("align", bytes, 1, k_largest_align_bytes);
  out.align_bytes = static_cast<uint64_t>(bytes);
  if ((bytes & (bytes - 1)) != 0)
    section.error("align", "is no power of two", "addresses are aligned to powers of two alone",
                  "give 64, 128, 256, …");
  if (out.align_bytes < size_bytes(out.dtype))
    section.error("align", fmt::format("is smaller than one element of {}", name_of(out.dtype)),
                  "the elements themselves would be misaligned",
                  fmt::format("give at least {}", size_bytes(out.dtype)));
}

void read_buffer(Reading& reading, Section& section, Argument& out) {
  read_shape(reading, section, out);
  read_align(section, out);
  read_fill(reading, section, out);
  read_compare(reading, section, out);
  if (out.role == Role::in || out.role == Role::symbol) {
    section.get("constant_across_calls", out.constant_across_calls);
  } else {
    section.refuse("constant_across_calls", "only an input can be constant");
  }
}

void read_space(Reading& reading, Section& section, Argument& out) {
  section.get("bytes", out.bytes, reading.axes_and_parameters(), Presence::required);
  if (out.role != Role::local) read_align(section, out);
}

// A size is integer arithmetic over axes; a scalar is a number that the cases bind, unless it has a value.
void read_number(Reading& reading, Section& section, Argument& out) {
  const bool size = out.role == Role::size;
  section.get("value", out.value, reading.axes, size ? Presence::required : Presence::optional);
  if (size && is_floating(out.dtype))
    section.error("dtype", "must be an integer type", "a size counts something",
                  "choose i32 or i64, or make it a scalar");
}

void read_role(Reading& reading, Section& section, Argument& out) {
  switch (out.role) {
    case Role::in:
    case Role::out:
    case Role::inout:
    case Role::symbol:
      return read_buffer(reading, section, out);
    case Role::scalar:
    case Role::size:
      return read_number(reading, section, out);
    case Role::local:
    case Role::scratch:
    case Role::derived:
      return read_space(reading, section, out);
    case Role::tensor_map:
      return read_tensor_map(reading, section, out);
  }
}

// A dtype says how elements are made, compared or handed over; space and descriptors have none of their own.
void read_dtype(Section& section, Argument& out, bool role_known) {
  if (role_known && is_of_a_launch(out.role))
    return section.refuse("dtype", out.role == Role::tensor_map
                                       ? "a descriptor states its element type as `elements`"
                                       : "its bytes are nobody's elements: the kernel makes of them what it likes");
  section.get("dtype", out.dtype, role_known ? Presence::required : Presence::optional);
}

std::string owner_of(const TomlNode& table, size_t index) {
  const TomlNode* name = table.find("name");
  if (name && name->kind == TomlKind::string && name->text != "?")
    return fmt::format("argument '{}'", quote_untrusted(name->text, 64));
  return fmt::format("argument {}", index + 1);
}

void read_argument(Reading& reading, const TomlNode& table, size_t index, Names& seen) {
  Section section(table, owner_of(table, index), reading.report);
  Argument out;
  if (section.get("name", out.name, Presence::required)) is_new(seen, out.name, section, "name");
  const bool role = section.get("role", out.role, Presence::required);
  read_dtype(section, out, role);
  out.fill = default_fill(out.dtype);
  // Without its role there is no telling which of the other keys belong here, but the shape is asked for in any case.
  if (role) {
    read_role(reading, section, out);
    section.finish();
  } else {
    read_shape(reading, section, out);
  }
  reading.task.arguments.push_back(std::move(out));
  reading.argument_at.push_back(table.at);
}

}  // namespace

void read_fill(Reading& reading, Section& argument, Argument& out) {
  if (!is_read(out.role)) return argument.refuse("fill", "an output is poisoned before every launch");
  const TomlNode* table = argument.find("fill");
  if (!table || !argument.expect("fill", *table, TomlKind::table)) return;
  Section section(*table, "fill of " + argument.owner(), reading.report);
  if (section.get("kind", out.fill.kind, Presence::required)) {
    read_fill_kind(reading, section, out);
    section.finish();
  }
}

void read_compare(Reading& reading, Section& argument, Argument& out) {
  if (!is_written(out.role)) return argument.refuse("compare", "only outputs are compared");
  const TomlNode* table = argument.find("compare");
  if (!table || !argument.expect("compare", *table, TomlKind::table)) return;
  Section section(*table, "compare of " + argument.owner(), reading.report);
  Compare& compare = out.compare;
  section.get("rule", compare.rule);
  read_tolerances(section, compare);
  read_exceptions(section, compare);
  double cap = 0.0;
  if (section.get("error_cap", cap, 0.0, k_any)) compare.error_cap = cap;
  section.get("reject_all_zero", compare.reject_all_zero);
  section.get("nonfinite", compare.nonfinite);
  section.get("exact_sums", compare.exact_sums);
  if (section.get("terms", compare.terms, reading.axes)) check_terms(section, *compare.terms);
  section.finish();
}

void read_arguments(Reading& reading) {
  Names seen;
  const auto tables = tables_of(reading.root, "args", Presence::required);
  for (size_t i = 0; i < tables.size(); ++i) read_argument(reading, *tables[i], i, seen);
}

}  // namespace hone::task
