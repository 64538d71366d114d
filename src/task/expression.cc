#include "task/expression.h"

#include <fmt/format.h>

#include <set>

#include "task/expression_tree.h"

namespace hone::task {

Error at_column(uint32_t column, std::string what, std::string help) {
  return Error{ErrorCode::contract, std::move(what), Where{"", 0, column}, {}, std::move(help)};
}

namespace {

constexpr size_t k_shown_bytes = 80;  // of an expression in a message

Where where_in(std::string_view text, uint32_t column) {
  const bool cut = text.size() > k_shown_bytes;
  return {fmt::format("expression '{}{}'", text.substr(0, k_shown_bytes), cut ? "…" : ""), 1, column};
}

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
  auto value = evaluate_node(tree_->root, scope);
  if (!value) value.error().where = where(value.error().where.column);
  return value;
}

Result<int64_t> Expression::integer(const Scope& scope) const {
  HONE_TRY(const Value value, evaluate(scope));
  if (const auto* number = std::get_if<int64_t>(&value.data)) return *number;
  return Error{
      ErrorCode::contract, "the value is not an integer", where(1), {}, "`/` gives a double; `//` stays an integer"};
}

Result<double> Expression::number(const Scope& scope) const {
  HONE_TRY(const Value value, evaluate(scope));
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  return Error{ErrorCode::contract, "the value is not a number", where(1)};
}

Result<bool> Expression::truth(const Scope& scope) const {
  HONE_TRY(const Value value, evaluate(scope));
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth;
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return *whole != 0;
  if (const auto* number = std::get_if<double>(&value.data)) return *number != 0.0;
  return Error{ErrorCode::contract, "the value is neither true nor false", where(1)};
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> names;
  collect_names(tree_->root, names);
  return {names.begin(), names.end()};
}

const std::string& Expression::canonical() const { return tree_->canonical; }

Where Expression::where(uint32_t column) const { return where_in(tree_->text, column); }

}  // namespace hone::task
