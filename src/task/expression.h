// The contract's expression language: integers, doubles, strings, lists; + - * / // % **, comparisons, and or not,
// min max ceildiv abs range len log2. No code, no side effects.
// Limits: depth 64, lists of 10 000, 100 000 steps. Integers are checked 64-bit; overflow, division by zero,
// unknown names and wrong types are contract errors that name the column. `/` gives a double, `//` and `%` floor as in
// Python, `**` takes a non-negative integer exponent, log2 an exact power of two. An Expression is an immutable,
// cheaply copied tree; equality is equality of canonical text. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace hone::task {

struct Value;
using List = std::vector<Value>;
struct Value {
  std::variant<int64_t, double, bool, std::string, List> data;
  friend bool operator==(const Value&,
                         const Value&) = default;  // 1 and 1.0 differ here; the language's == says they are equal
};
using Scope = std::map<std::string, Value>;

// Where an expression stands in a file, so that what goes wrong when it is worked out is told with that place.
struct Standing {
  Where where;                 // of the opening quote, or of a bare number
  bool columns_count = false;  // one plain line in quotes: column c of the expression is c further on
};

class Expression {
 public:
  static Result<Expression> parse(std::string_view text);
  static Expression constant(int64_t value);
  static Expression constant(double value);  // finite

  Result<Value> evaluate(const Scope& scope) const;
  Result<int64_t> integer(const Scope& scope) const;  // a double that is a whole number does not count
  Result<double> number(const Scope& scope) const;    // integers widen
  // The same for at most `steps` steps; what it took is taken off them.
  Result<double> number(const Scope& scope, uint64_t& steps) const;
  Result<bool> truth(const Scope& scope) const;  // numbers count as true when they are not zero

  std::vector<std::string> names() const;  // free names, sorted, unique
  const std::string& canonical() const;
  // It can be asked whether it holds: a comparison, `not`, true or false, or `and` and `or` of such.
  bool is_condition() const;
  Expression standing(Standing place) const;  // the same expression, at a place
  // Where an error at `column` of this expression's own text is: in its file, else "expression 'TEXT'", line 1.
  Where where(uint32_t column) const;
  friend bool operator==(const Expression& a, const Expression& b) { return a.canonical() == b.canonical(); }

  struct Tree;

 private:
  explicit Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  Result<Value> evaluate(const Scope& scope, uint64_t& steps) const;
  Error fault(Error at_column) const;

  std::shared_ptr<const Tree> tree_;
  std::shared_ptr<const Standing> place_;  // null: it stands in no file
};

}  // namespace hone::task
