#include "task/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "task/expression_tree.h"

namespace hone::task {

Error at_column(uint32_t column, std::string what, std::string help) {
  return Error{ErrorCode::contract, std::move(what), Where{"", 0, column}, {}, std::move(help)};
}

namespace {

constexpr size_t k_shown_bytes = 80;  // of an expression in a message

std::string shown(std::string_view text) {
  return fmt::format("'{}{}'", quote_untrusted(text.substr(0, k_shown_bytes), k_shown_bytes * 4),
                     text.size() > k_shown_bytes ? "…" : "");
}

Where where_in(std::string_view text, uint32_t column) { return {"expression " + shown(text), 1, column}; }

std::shared_ptr<const Expression::Tree> make_tree(Node root, std::string text) {
  std::string canonical = print_node(root);
  return std::make_shared<const Expression::Tree>(
      Expression::Tree{std::move(root), std::move(text), std::move(canonical)});
}

std::shared_ptr<const Expression::Tree> constant_tree(Value value) {
  const Node node{.kind = NodeKind::constant, .value = std::move(value)};
  return make_tree(node, print_node(node));
}

void collect_names(const Node& node, std::set<std::string>& names) {
  if (node.kind == NodeKind::name) names.insert(node.name);
  for (const Node& operand : node.operands) collect_names(operand, names);
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  auto root = parse_node(text);
  if (!root) {
    root.error().where = where_in(text, root.error().where.column);
    return root.error();
  }
  return Expression(make_tree(*std::move(root), std::string(text)));
}

Expression Expression::constant(int64_t value) { return Expression(constant_tree({value})); }
Expression Expression::constant(double value) { return Expression(constant_tree({value})); }

Result<Value> Expression::evaluate(const Scope& scope) const {
  uint64_t steps = k_step_limit;
  return evaluate(scope, steps);
}

Result<Value> Expression::evaluate(const Scope& scope, uint64_t& steps) const {
  auto value = evaluate_node(tree_->root, scope, steps);
  if (!value) return fault(value.error());
  return value;
}

// The whole error of a fault that so far knows its column alone.
Error Expression::fault(Error at_column) const {
  at_column.where = where(at_column.where.column);
  if (place_) at_column.what += " in " + shown(tree_->text);  // a place without the text would leave open what is meant
  return at_column;
}

Result<int64_t> Expression::integer(const Scope& scope) const {
  HONE_TRY(const Value value, evaluate(scope));
  if (const auto* number = std::get_if<int64_t>(&value.data)) return *number;
  return fault(hone::task::at_column(1, "the value is not an integer", "`/` gives a double; `//` stays an integer"));
}

Result<double> Expression::number(const Scope& scope) const {
  uint64_t steps = k_step_limit;
  return number(scope, steps);
}

Result<double> Expression::number(const Scope& scope, uint64_t& steps) const {
  HONE_TRY(const Value value, evaluate(scope, steps));
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  return fault(hone::task::at_column(1, "the value is not a number", "give an integer or a double"));
}

Result<bool> Expression::truth(const Scope& scope) const {
  HONE_TRY(const Value value, evaluate(scope));
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth;
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return *whole != 0;
  if (const auto* number = std::get_if<double>(&value.data)) return *number != 0.0;
  return fault(hone::task::at_column(1, "the value is neither true nor false", "compare it with something"));
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> names;
  collect_names(tree_->root, names);
  return {names.begin(), names.end()};
}

const std::string& Expression::canonical() const { return tree_->canonical; }

namespace {

bool holds_or_not(const Node& node) {
  switch (node.kind) {
    case NodeKind::comparison:
    case NodeKind::logical_not:
      return true;
    case NodeKind::constant:
      return std::holds_alternative<bool>(node.value.data);
    case NodeKind::conjunction:
    case NodeKind::disjunction:
      return std::all_of(node.operands.begin(), node.operands.end(), holds_or_not);
    default:
      return false;
  }
}

}  // namespace

bool Expression::is_condition() const { return holds_or_not(tree_->root); }

Expression Expression::standing(Standing place) const {
  Expression placed(*this);
  placed.place_ = std::make_shared<const Standing>(std::move(place));
  return placed;
}

Where Expression::where(uint32_t column) const {
  if (!place_) return where_in(tree_->text, column);
  Where at = place_->where;
  if (place_->columns_count) at.column += column;
  return at;
}

}  // namespace hone::task
