#include "task/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "task/candidate.h"

namespace hone::task {

namespace {

// What values are worked out from.
struct Known {
  const Task& task;
  const Case& one;
  Scope axes = {};
  Scope tunables = {};

  Scope all() const {
    Scope both = tunables;
    both.insert(axes.begin(), axes.end());
    return both;
  }
};

Error broken(std::string what, std::string help = {}, std::string why = {}) {
  return Error{ErrorCode::contract, std::move(what), {}, std::move(why), std::move(help)};
}

// The value of an expression is no use, though it could be worked out.
Error useless(const Expression& expression, std::string what, std::string why, std::string help) {
  return Error{ErrorCode::contract, std::move(what), expression.where(1), std::move(why), std::move(help)};
}

// Says what an expression was for, when it cannot be worked out.
template <class T>
Result<T> worked_out(Result<T> value, std::string_view what_for) {
  if (value) return value;
  return broken(fmt::format("{} cannot be worked out", what_for)).because(std::move(value.error()));
}

Error too_large(const Argument& argument) {
  return broken(fmt::format("the size of argument '{}' does not fit into 64 bits", argument.name),
                "make the sizes of the case smaller", "no memory holds it");
}

Result<uint64_t> product(uint64_t a, uint64_t b, const Argument& argument) {
  uint64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return too_large(argument);
  return out;
}

Result<uint64_t> total(uint64_t a, uint64_t b, const Argument& argument) {
  uint64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) return too_large(argument);
  return out;
}

Result<int64_t> axis_value(const Axis& axis, const Case& one, const Scope& scope) {
  if (axis.kind == AxisKind::fixed) return axis.value;
  if (axis.kind == AxisKind::derived)
    return worked_out(axis.expression->integer(scope), fmt::format("axis '{}'", axis.name));
  const auto bound = one.bind.find(axis.name);
  const auto* value = bound == one.bind.end() ? nullptr : std::get_if<int64_t>(&bound->second);
  if (!value)
    return broken(fmt::format("the case binds no integer to axis '{}'", axis.name),
                  fmt::format("bind = {{ {} = 16 }}", axis.name));
  return *value;
}

// Axes stand in an order in which each uses only earlier ones.
Status bind_axes(const Task& task, const Case& one, BoundCase& out, Scope& scope) {
  for (const Axis& axis : task.axes) {
    HONE_TRY(const int64_t value, axis_value(axis, one, scope));
    if (value < 0 && axis.expression)
      return useless(*axis.expression, fmt::format("axis '{}' is {}, below 0", axis.name, value),
                     "an axis counts something", "keep it from falling below 0, for example with max(0, …)");
    if (value < 0)
      return broken(fmt::format("axis '{}' is {}, below 0", axis.name, value), "bind a size of at least 0",
                    "an axis counts something");
    out.axes[axis.name] = value;
    scope[axis.name] = {value};
  }
  return ok();
}

Result<std::vector<int64_t>> extents(const std::vector<Expression>& list, std::string_view what, const Scope& scope) {
  std::vector<int64_t> out;
  for (const Expression& one : list) {
    HONE_TRY(const int64_t value, worked_out(one.integer(scope), what));
    if (value < 0)
      return useless(one, fmt::format("{} is {}, below 0", what, value), "it counts elements",
                     "keep it from falling below 0, for example with max(0, …)");
    out.push_back(value);
  }
  return out;
}

// An extent of 0 counts as 1 for the check, so that the row-major strides fit as well.
Status count_elements(BoundArgument& out) {
  bool empty = false;
  out.count = 1;
  for (const int64_t extent : out.shape) {
    HONE_TRY(out.count, product(out.count, static_cast<uint64_t>(std::max<int64_t>(1, extent)), *out.argument));
    empty = empty || extent == 0;
  }
  if (out.count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return too_large(*out.argument);
  if (empty) out.count = 0;
  return ok();
}

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(1, shape[i]);
  return strides;
}

// Bytes from the first element to the last one.
Status measure_span(BoundArgument& out) {
  if (out.count == 0) return ok();
  uint64_t last = 0;
  for (size_t i = 0; i < out.shape.size(); ++i) {
    HONE_TRY(const uint64_t reach,
             product(static_cast<uint64_t>(out.shape[i] - 1), static_cast<uint64_t>(out.strides[i]), *out.argument));
    HONE_TRY(last, total(last, reach, *out.argument));
  }
  HONE_TRY(const uint64_t elements, total(last, 1, *out.argument));
  HONE_TRY(out.bytes, product(elements, size_bytes(out.argument->dtype), *out.argument));
  return ok();
}

// Only called when the span is known to fit. Sorted by stride, each dimension must start beyond the end of the smaller
// ones.
bool overlaps(const BoundArgument& bound) {
  std::vector<size_t> order(bound.shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&bound](size_t a, size_t b) { return bound.strides[a] < bound.strides[b]; });
  uint64_t reach = 0;
  for (const size_t i : order) {
    if (bound.shape[i] <= 1) continue;
    const auto stride = static_cast<uint64_t>(bound.strides[i]);
    if (stride <= reach) return true;
    reach += static_cast<uint64_t>(bound.shape[i] - 1) * stride;
  }
  return false;
}

Status bind_terms(const Scope& scope, BoundArgument& out) {
  if (!out.argument->compare.terms) return ok();
  const Expression& stated = *out.argument->compare.terms;
  HONE_TRY(const int64_t terms, worked_out(stated.integer(scope), "terms"));
  if (terms < 0 || terms > k_most_terms)
    return useless(stated, fmt::format("argument '{}' has {} terms", out.argument->name, terms),
                   "one element sums up this many terms, and its error bound grows with them",
                   fmt::format("give a count from 1 to {} (2**40)", k_most_terms));
  out.terms = std::max<uint64_t>(1, static_cast<uint64_t>(terms));
  return ok();
}

Status bind_buffer(const Scope& scope, BoundArgument& out) {
  const Argument& argument = *out.argument;
  HONE_TRY(out.shape, extents(argument.shape, "an extent", scope));
  HONE_CHECK(count_elements(out));
  HONE_TRY(out.strides, extents(argument.strides, "a stride", scope));
  if (out.strides.empty()) out.strides = row_major(out.shape);
  HONE_CHECK(measure_span(out));
  if (is_written(argument.role) && out.count > 0 && overlaps(out))
    return broken(fmt::format("elements of the output '{}' share memory by its strides", argument.name),
                  "start each dimension behind the end of the smaller ones, or leave strides out",
                  "the last write would win, in an order that nobody states");
  if (is_written(argument.role) && out.elements() != out.count)
    return broken(fmt::format("the strides of the output '{}' leave gaps between its elements", argument.name),
                  "make the gaps part of the shape, or leave strides out",
                  "nothing would say what belongs into a gap, and a write into it would go unseen");
  return bind_terms(scope, out);
}

// Space on the device that is not data: its size may depend on tunables.
Status bind_space(const Known& known, BoundArgument& out) {
  HONE_TRY(const int64_t bytes, worked_out(out.argument->bytes->integer(known.all()), "bytes"));
  if (bytes < 0)
    return useless(*out.argument->bytes, fmt::format("argument '{}' has {} bytes", out.argument->name, bytes),
                   "a size is at least 0", "keep it from falling below 0, for example with max(0, …)");
  out.bytes = static_cast<uint64_t>(bytes);
  return ok();
}

Status check_fits(const Argument& argument, int64_t value) {
  const auto range = integer_range(argument.dtype);
  if (value >= range.low && (value < 0 || static_cast<uint64_t>(value) <= range.high)) return ok();
  return broken(
      fmt::format("argument '{}' is {}, which does not fit into {}", argument.name, value, name_of(argument.dtype)),
      "make the value smaller or the type wider", "the kernel would be handed another number");
}

Status bind_stated_number(const Scope& scope, BoundArgument& out) {
  const Argument& argument = *out.argument;
  if (is_floating(argument.dtype)) {
    HONE_TRY(const double value, worked_out(argument.value->number(scope), "value"));
    if (std::abs(value) > largest_finite(argument.dtype))
      return broken(
          fmt::format("argument '{}' is {}, which does not fit into {}", argument.name, value, name_of(argument.dtype)),
          "make the value smaller or the type wider", "the kernel would be handed an infinity");
    out.value = value;
    return ok();
  }
  HONE_TRY(const int64_t value, worked_out(argument.value->integer(scope), "value"));
  out.value = value;
  return check_fits(argument, value);
}

// The candidate's choice; that it is a number of this type was checked when the contract was read.
Status bind_delivered(const Scope& tunables, BoundArgument& out) {
  const Value& value = tunables.at(out.argument->name);
  const auto* whole = std::get_if<int64_t>(&value.data);
  const auto* number = std::get_if<double>(&value.data);
  if (!whole && !number)
    return broken(fmt::format("the tunable '{}' is no number", out.argument->name), "give numbers alone",
                  "the kernel takes it as an argument");
  if (is_floating(out.argument->dtype)) {
    out.value = whole ? static_cast<double>(*whole) : *number;
  } else if (whole) {
    out.value = *whole;
  }
  return ok();
}

Status bind_number(const Known& known, BoundArgument& out) {
  const Argument& argument = *out.argument;
  const Case& one = known.one;
  out.count = 1;
  if (argument.value) return bind_stated_number(known.axes, out);
  if (known.task.is_delivered(argument)) return bind_delivered(known.tunables, out);
  const auto bound = one.bind.find(argument.name);
  if (bound == one.bind.end())
    return broken(fmt::format("the case binds nothing to the scalar '{}'", argument.name), "bind it in every case");
  out.value = bound->second;
  const auto* whole = std::get_if<int64_t>(&bound->second);
  if (is_floating(argument.dtype)) {
    if (whole) out.value = static_cast<double>(*whole);
    return ok();
  }
  if (!whole) return broken(fmt::format("the scalar '{}' takes an integer", argument.name), "write it without a point");
  return check_fits(argument, *whole);
}

// A tensor map states a view; what it needs of its base is worked out by bind_tensor_map.
Status bind_view(const Known& known, BoundArgument& out) {
  const Scope all = known.all();
  HONE_TRY(out.shape, extents(out.argument->shape, "an extent", all));
  HONE_TRY(out.strides, extents(out.argument->strides, "a stride", all));
  return ok();
}

Status bind_argument(const Known& known, BoundArgument& out) {
  switch (out.argument->role) {
    case Role::scalar:
    case Role::size:
      return bind_number(known, out);
    case Role::local:
    case Role::scratch:
    case Role::derived:
      return bind_space(known, out);
    case Role::tensor_map:
      return bind_view(known, out);
    case Role::in:
    case Role::out:
    case Role::inout:
    case Role::symbol:
      return bind_buffer(known.axes, out);
  }
  return ok();
}

Status bind_arguments(const Known& known, BoundCase& out) {
  for (const Argument& argument : known.task.arguments) {
    BoundArgument bound;
    bound.argument = &argument;
    if (Status done = bind_argument(known, bound); !done)
      return broken(fmt::format("argument '{}' cannot be bound", argument.name)).because(done.error());
    out.arguments.push_back(std::move(bound));
  }
  return ok();
}

Status check_device_bytes(const Task& task, const BoundCase& bound) {
  uint64_t sum = 0;
  for (const BoundArgument& argument : bound.arguments) {
    if (argument.argument->role == Role::local) continue;  // of each group, not of the device
    HONE_TRY(sum, total(sum, argument.bytes, *argument.argument));
    if (sum <= task.limits.device_bytes) continue;
    return broken(
        fmt::format("needs more than {} of device memory; argument '{}' alone takes {}",
                    human_bytes(task.limits.device_bytes), argument.argument->name, human_bytes(argument.bytes)),
        "make the case smaller or raise [limits] device_bytes", "all buffers of a case stand there at once");
  }
  return ok();
}

Result<double> amount(const Expression& expression, std::string_view what, const Scope& scope) {
  HONE_TRY(const double value, worked_out(expression.number(scope), fmt::format("[work] {}", what)));
  if (value < 0.0)
    return useless(expression, fmt::format("[work] {} is {}, below 0", what, value), "nobody does less than no work",
                   "correct the expression: it is worked out for every case");
  return value;
}

Status bind_work(const Work& work, const Scope& scope, BoundCase& out) {
  for (const auto& [dtype, expression] : work.flops) {
    HONE_TRY(out.flops[dtype], amount(expression, "flops", scope));
  }
  if (work.bytes_read) {
    HONE_TRY(out.bytes_read, amount(*work.bytes_read, "bytes_read", scope));
  }
  if (work.bytes_written) {
    HONE_TRY(out.bytes_written, amount(*work.bytes_written, "bytes_written", scope));
  }
  return ok();
}

template <class Wanted>
uint64_t bytes_where(const std::vector<BoundArgument>& arguments, Wanted wanted) {
  uint64_t sum = 0;
  for (const BoundArgument& argument : arguments) {
    if (wanted(argument.argument->role)) sum += argument.bytes;
  }
  return sum;
}

}  // namespace

uint64_t BoundArgument::elements() const { return bytes / size_bytes(argument->dtype); }

uint64_t BoundCase::input_bytes() const { return bytes_where(arguments, is_read); }
uint64_t BoundCase::output_bytes() const { return bytes_where(arguments, is_written); }

Result<BoundCase> bind_case(const Task& task, const Case& one, const Variant& variant) {
  BoundCase out;
  out.id = one.id;
  out.weight = one.weight;
  out.hidden = one.hidden;
  Known known{.task = task, .one = one, .tunables = scope_of(tunable_values(task, variant))};
  HONE_CHECK(bind_axes(task, one, out, known.axes));
  HONE_CHECK(bind_arguments(known, out));
  HONE_CHECK(check_device_bytes(task, out));
  HONE_CHECK(bind_work(task.work, known.axes, out));
  return out;
}

AxisRange stated_range(const Axis& axis) {
  return {.minimum = axis.minimum.value_or(1), .maximum = axis.maximum, .multiple_of = axis.multiple_of.value_or(1)};
}

AxisRange public_range(const Task& task, const Axis& axis) {
  AxisRange range = stated_range(axis);
  if (range.maximum) return range;
  for (const Case& one : task.cases) {
    const auto bound = one.bind.find(axis.name);
    const auto* value = bound == one.bind.end() ? nullptr : std::get_if<int64_t>(&bound->second);
    if (value && !one.hidden) range.maximum = std::max(range.maximum.value_or(*value), *value);
  }
  return range;
}

namespace {

Status check_public(const Task& task, const Axis& axis, const BoundValue& bound) {
  const AxisRange range = public_range(task, axis);
  const auto* value = std::get_if<int64_t>(&bound);
  if (!value) return broken(fmt::format("axis '{}' takes an integer", axis.name), "write it without a point");
  const bool inside =
      *value >= range.minimum && (!range.maximum || *value <= *range.maximum) && *value % range.multiple_of == 0;
  if (inside) return ok();
  return broken(
      fmt::format("axis '{}' is {}, outside its public range", axis.name, *value),
      fmt::format("{} to {} in steps of {}", range.minimum,
                  range.maximum ? std::to_string(*range.maximum) : std::string("any size"), range.multiple_of));
}

Status check_synthetic(const Task& task, const std::string& name, const BoundValue& value, const Case& base) {
  if (const Axis* axis = task.find_axis(name); axis && axis->kind == AxisKind::by_case)
    return check_public(task, *axis, value);
  if (base.bind.contains(name)) return ok();
  std::vector<std::string> known;
  for (const auto& [bound, unused] : base.bind) known.push_back(bound);
  return broken(fmt::format("a case binds no '{}'{}", name, did_you_mean(name, known)),
                "a case binds " + join(known, ", "));
}

}  // namespace

Result<Case> synthetic_case(const Task& task, const std::map<std::string, BoundValue>& bind, std::string id) {
  if (task.cases.empty()) return broken("the task has no case to start from", "add one to [[cases]]");
  Case out = task.cases.front();
  for (const auto& [name, value] : bind) {
    HONE_CHECK(check_synthetic(task, name, value, out));
    out.bind[name] = value;
  }
  out.id = std::move(id);
  out.use = {Purpose::verify, Purpose::time};
  out.weight = 1.0;
  out.hidden = false;
  HONE_TRY(const BoundCase bound, bind_case(task, out));
  return out;
}

std::optional<std::string> golden_input(const Task& task, const std::string& case_id, const Argument& argument) {
  if (task.oracle.golden.empty() || !is_read(argument.role)) return std::nullopt;
  return fmt::format("{}/{}/{}.bin", task.oracle.golden, case_id, argument.name);
}

std::optional<std::string> golden_expected(const Task& task, const std::string& case_id, const Argument& argument) {
  if (task.oracle.golden.empty() || !is_written(argument.role)) return std::nullopt;
  return fmt::format("{}/{}/{}{}.bin", task.oracle.golden, case_id, argument.name,
                     is_read(argument.role) ? ".expected" : "");
}

}  // namespace hone::task
