// Tree to value: checked 64-bit integers, finite doubles, Python's rules for // and %.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "task/expression_tree.h"

namespace hone::task {

namespace {

std::string_view type_name(const Value& value) {
  static constexpr std::string_view names[] = {"an integer", "a double", "a truth value", "a string", "a list"};
  return names[value.data.index()];
}

const int64_t* whole(const Value& value) { return std::get_if<int64_t>(&value.data); }
bool is_number(const Value& value) { return whole(value) || std::holds_alternative<double>(value.data); }
double widened(const Value& value) {
  const int64_t* integer = whole(value);
  return integer ? static_cast<double>(*integer) : std::get<double>(value.data);
}

Error overflow(uint32_t column) {
  return at_column(column, "the result does not fit into a 64-bit integer",
                   "make the operands smaller, or use doubles: 1.0 * …");
}
Error divided_by_zero(uint32_t column) {
  return at_column(column, "division by zero", "keep the divisor from 0, for example with max(1, …)");
}

// Built in place: moving a temporary Value into a Result makes GCC 12 warn of uninitialised bytes under its sanitizers.
template <class T>
Result<Value> made(T value) {
  Result<Value> out;
  out->data = std::move(value);
  return out;
}

Result<Value> finite(double value, uint32_t column) {
  if (!std::isfinite(value))
    return at_column(column, "the result is outside a double's range", "make the operands smaller");
  return made(value);
}

Result<Value> checked(std::optional<int64_t> value, uint32_t column) {
  if (!value) return overflow(column);
  return made(*value);
}

std::optional<int64_t> plus(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}
std::optional<int64_t> minus(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}
std::optional<int64_t> times(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

bool overflows_division(int64_t a, int64_t b) { return a == std::numeric_limits<int64_t>::min() && b == -1; }

std::optional<int64_t> floor_divide(int64_t a, int64_t b) {
  if (overflows_division(a, b)) return std::nullopt;
  const bool inexact_negative = a % b != 0 && (a < 0) != (b < 0);
  return a / b - (inexact_negative ? 1 : 0);
}

std::optional<int64_t> ceil_divide(int64_t a, int64_t b) {
  if (overflows_division(a, b)) return std::nullopt;
  const bool inexact_positive = a % b != 0 && (a < 0) == (b < 0);
  return a / b + (inexact_positive ? 1 : 0);
}

// The remainder has the divisor's sign.
int64_t floor_remainder(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

Result<Value> integer_arithmetic(std::string_view op, int64_t a, int64_t b, uint32_t column) {
  if (op == "+") return checked(plus(a, b), column);
  if (op == "-") return checked(minus(a, b), column);
  if (op == "*") return checked(times(a, b), column);
  if (b == 0) return divided_by_zero(column);
  if (op == "/") return made(static_cast<double>(a) / static_cast<double>(b));
  if (op == "//") return checked(floor_divide(a, b), column);
  return made(floor_remainder(a, b));
}

Result<Value> double_arithmetic(std::string_view op, double a, double b, uint32_t column) {
  if (op == "+") return finite(a + b, column);
  if (op == "-") return finite(a - b, column);
  if (op == "*") return finite(a * b, column);
  if (b == 0.0) return divided_by_zero(column);
  if (op == "/") return finite(a / b, column);
  if (op == "//") return finite(std::floor((a - floor_remainder(a, b)) / b + 0.5), column);
  return finite(floor_remainder(a, b), column);
}

Result<Value> arithmetic(std::string_view op, const Value& a, const Value& b, uint32_t column) {
  if (!is_number(a) || !is_number(b))
    return at_column(column, fmt::format("'{}' takes numbers, found {} and {}", op, type_name(a), type_name(b)),
                     "use numbers on both sides");
  if (whole(a) && whole(b)) return integer_arithmetic(op, *whole(a), *whole(b), column);
  return double_arithmetic(op, widened(a), widened(b), column);
}

std::optional<int64_t> integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (true) {
    if (exponent & 1) {
      const auto next = times(result, base);
      if (!next) return std::nullopt;
      result = *next;
    }
    exponent >>= 1;
    if (exponent == 0) return result;
    const auto square = times(base, base);
    if (!square) return std::nullopt;
    base = *square;
  }
}

Result<Value> power(const Value& base, const Value& exponent, uint32_t column) {
  const int64_t* times_itself = whole(exponent);
  if (!is_number(base) || !times_itself || *times_itself < 0)
    return at_column(column, "'**' takes a number and a non-negative integer exponent",
                     "for a negative power divide: 1 / x ** n");
  if (whole(base)) return checked(integer_power(*whole(base), *times_itself), column);
  return finite(std::pow(widened(base), static_cast<double>(*times_itself)), column);
}

// x86-64's long double holds every 64-bit integer and every double exactly, so 2**53 + 1 and 2.0**53 are told apart.
int order(const Value& a, const Value& b) {
  const auto exact = [](const Value& v) {
    return whole(v) ? static_cast<long double>(*whole(v)) : static_cast<long double>(widened(v));
  };
  const long double x = exact(a), y = exact(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

bool holds(std::string_view op, int order) {
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  return order >= 0;
}

Result<bool> compare(std::string_view op, const Value& a, const Value& b, uint32_t column) {
  if (is_number(a) && is_number(b)) return holds(op, order(a, b));
  const bool equality = op == "==" || op == "!=";
  if (a.data.index() != b.data.index() || (!equality && !std::holds_alternative<std::string>(a.data)))
    return at_column(column, fmt::format("'{}' cannot compare {} with {}", op, type_name(a), type_name(b)),
                     "compare two numbers or two strings");
  if (equality) return (a == b) == (op == "==");
  return holds(op, std::get<std::string>(a.data).compare(std::get<std::string>(b.data)));
}

class Evaluator {
 public:
  Evaluator(const Scope& scope, uint64_t& steps) : scope_(scope), limit_(steps), steps_(steps) {}

  Result<Value> value(const Node& node) {
    HONE_CHECK(spend(1, node.column));
    switch (node.kind) {
      case NodeKind::constant:
        return node.value;
      case NodeKind::name:
        return named(node);
      case NodeKind::list:
        return list(node);
      case NodeKind::call:
        return call(node);
      case NodeKind::negate:
        return negated(node);
      case NodeKind::logical_not:
        return inverted(node);
      case NodeKind::power:
        return raised(node);
      case NodeKind::product:
      case NodeKind::sum:
        return folded(node);
      case NodeKind::comparison:
        return compared(node);
      case NodeKind::conjunction:
      case NodeKind::disjunction:
        return combined(node);
    }
    return at_column(node.column, "unknown node");
  }

 private:
  Status spend(uint64_t steps, uint32_t column) {
    if (steps > steps_)
      return at_column(column, fmt::format("takes more than {} steps", limit_), "write it with fewer operations");
    steps_ -= steps;
    return ok();
  }

  Result<Value> named(const Node& node) const {
    const auto found = scope_.find(node.name);
    if (found != scope_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : scope_) known.push_back(name);
    return at_column(node.column, fmt::format("unknown name '{}'{}", node.name, did_you_mean(node.name, known)),
                     known.empty() ? "no name is known here" : "known here: " + join(known, ", "));
  }

  Result<List> values(const Node& node) {
    List out;
    out.reserve(node.operands.size());
    for (const Node& operand : node.operands) {
      HONE_TRY(Value one, value(operand));
      out.push_back(std::move(one));
    }
    return out;
  }

  Result<Value> list(const Node& node) {
    HONE_TRY(List items, values(node));
    return made(std::move(items));
  }

  Result<bool> truth(const Node& node) {
    HONE_TRY(const Value one, value(node));
    if (const auto* boolean = std::get_if<bool>(&one.data)) return *boolean;
    if (is_number(one)) return widened(one) != 0.0;
    return at_column(node.column, fmt::format("{} is neither true nor false", type_name(one)),
                     "compare it with something");
  }

  Result<Value> negated(const Node& node) {
    HONE_TRY(const Value operand, value(node.operands[0]));
    return arithmetic("-", Value{int64_t{0}}, operand, node.column);
  }

  Result<Value> inverted(const Node& node) {
    HONE_TRY(const bool operand, truth(node.operands[0]));
    return made(!operand);
  }

  Result<Value> raised(const Node& node) {
    HONE_TRY(const Value base, value(node.operands[0]));
    HONE_TRY(const Value exponent, value(node.operands[1]));
    return power(base, exponent, node.column);
  }

  Result<Value> folded(const Node& node) {
    HONE_TRY(Value result, value(node.operands[0]));
    for (size_t i = 0; i < node.operators.size(); ++i) {
      HONE_TRY(const Value next, value(node.operands[i + 1]));
      HONE_TRY(result, arithmetic(node.operators[i], result, next, node.columns[i]));
    }
    return result;
  }

  // a < b < c holds when both do; b is evaluated once.
  Result<Value> compared(const Node& node) {
    HONE_TRY(Value left, value(node.operands[0]));
    for (size_t i = 0; i < node.operators.size(); ++i) {
      HONE_TRY(Value right, value(node.operands[i + 1]));
      HONE_TRY(const bool holds_here, compare(node.operators[i], left, right, node.columns[i]));
      if (!holds_here) return made(false);
      left = std::move(right);
    }
    return made(true);
  }

  Result<Value> combined(const Node& node) {
    const bool stops_at = node.kind == NodeKind::disjunction;
    for (const Node& operand : node.operands) {
      HONE_TRY(const bool one, truth(operand));
      if (one == stops_at) return made(stops_at);
    }
    return made(!stops_at);
  }

  using Built = Result<Value> (Evaluator::*)(const List&, const Node&);

  Result<Value> call(const Node& node) {
    static constexpr std::pair<std::string_view, Built> table[] = {
        {"min", &Evaluator::extreme},  {"max", &Evaluator::extreme}, {"ceildiv", &Evaluator::ceildiv},
        {"abs", &Evaluator::absolute}, {"range", &Evaluator::range}, {"len", &Evaluator::length},
        {"log2", &Evaluator::log2}};
    HONE_TRY(const List arguments, values(node));
    for (const auto& [name, function] : table) {
      if (name == node.name) return (this->*function)(arguments, node);
    }
    return at_column(node.column, "unknown function");
  }

  Result<Value> extreme(const List& arguments, const Node& node) {
    const auto* inner = arguments.size() == 1 ? std::get_if<List>(&arguments[0].data) : nullptr;
    const List& items = inner ? *inner : arguments;
    if (items.empty()) return at_column(node.column, node.name + " of an empty list", "give it at least one number");
    HONE_CHECK(spend(items.size(), node.column));
    const int wanted = node.name == "min" ? -1 : 1;
    const Value* best = &items.front();
    for (const Value& item : items) {
      if (!is_number(item))
        return at_column(node.column, fmt::format("{} takes numbers, found {}", node.name, type_name(item)),
                         "give it numbers alone");
      if (order(item, *best) == wanted) best = &item;
    }
    return *best;
  }

  static Result<std::vector<int64_t>> integers(const List& arguments, const Node& node) {
    std::vector<int64_t> out;
    for (const Value& argument : arguments) {
      if (!whole(argument))
        return at_column(node.column, fmt::format("{} takes integers, found {}", node.name, type_name(argument)),
                         "`/` gives a double; `//` stays an integer");
      out.push_back(*whole(argument));
    }
    return out;
  }

  Result<Value> ceildiv(const List& arguments, const Node& node) {
    HONE_TRY(const auto numbers, integers(arguments, node));
    if (numbers[1] == 0) return divided_by_zero(node.column);
    return checked(ceil_divide(numbers[0], numbers[1]), node.column);
  }

  Result<Value> absolute(const List& arguments, const Node& node) {
    const Value& argument = arguments[0];
    if (!is_number(argument))
      return at_column(node.column, fmt::format("abs takes a number, found {}", type_name(argument)),
                       "give it a number");
    if (!whole(argument)) return made(std::abs(widened(argument)));
    const int64_t number = *whole(argument);
    return number < 0 ? checked(minus(0, number), node.column) : made(number);
  }

  Result<Value> range(const List& arguments, const Node& node) {
    HONE_TRY(const auto numbers, integers(arguments, node));
    const int64_t first = numbers.size() == 1 ? 0 : numbers[0];
    const int64_t end = numbers.size() == 1 ? numbers[0] : numbers[1];
    const int64_t step = numbers.size() == 3 ? numbers[2] : 1;
    if (step == 0) return at_column(node.column, "range with a step of zero", "step by a number other than 0");
    List out;
    for (std::optional<int64_t> i = first; i && (step > 0 ? *i < end : *i > end); i = plus(*i, step)) {
      if (out.size() == k_list_limit)
        return at_column(node.column, fmt::format("the list is longer than {}", k_list_limit),
                         "make the range shorter");
      HONE_CHECK(spend(1, node.column));
      out.emplace_back().data = *i;
    }
    return made(std::move(out));
  }

  Result<Value> length(const List& arguments, const Node& node) {
    if (const auto* items = std::get_if<List>(&arguments[0].data)) return made(static_cast<int64_t>(items->size()));
    if (const auto* text = std::get_if<std::string>(&arguments[0].data))
      return made(static_cast<int64_t>(text->size()));
    return at_column(node.column, fmt::format("len takes a list or a string, found {}", type_name(arguments[0])),
                     "give it a list or a string");
  }

  Result<Value> log2(const List& arguments, const Node& node) {
    HONE_TRY(const auto numbers, integers(arguments, node));
    const int64_t number = numbers[0];
    if (number <= 0 || (number & (number - 1)) != 0)
      return at_column(node.column, fmt::format("log2 takes a power of two, found {}", number),
                       "bind a power of two, or count the digits in another way");
    return made(static_cast<int64_t>(__builtin_ctzll(static_cast<unsigned long long>(number))));
  }

  const Scope& scope_;
  const uint64_t limit_;
  uint64_t& steps_;  // left
};

}  // namespace

Result<Value> evaluate_node(const Node& node, const Scope& scope, uint64_t& steps) {
  return Evaluator(scope, steps).value(node);
}

}  // namespace hone::task
