// Tree to canonical text.
#include <fmt/format.h>

#include "task/expression_tree.h"

namespace hone::task {

namespace {

// How tightly a node binds; a looser operand needs parentheses.
enum Binding { k_or = 1, k_and, k_not, k_comparison, k_sum, k_product, k_unary, k_power, k_atom };

bool is_negative(const Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return *whole < 0;
  const auto* number = std::get_if<double>(&value.data);
  return number && print_node({.value = value}).starts_with('-');
}

int binding(const Node& node) {
  switch (node.kind) {
    case NodeKind::disjunction:
      return k_or;
    case NodeKind::conjunction:
      return k_and;
    case NodeKind::logical_not:
      return k_not;
    case NodeKind::comparison:
      return k_comparison;
    case NodeKind::sum:
      return k_sum;
    case NodeKind::product:
      return k_product;
    case NodeKind::negate:
      return k_unary;
    case NodeKind::power:
      return k_power;
    case NodeKind::constant:
      return is_negative(node.value) ? k_unary : k_atom;
    case NodeKind::name:
    case NodeKind::list:
    case NodeKind::call:
      return k_atom;
  }
  return k_atom;
}

std::string print_double(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

struct PrintValue {
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return print_double(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const {
    const char quote = value.find('\'') == std::string::npos ? '\'' : '"';
    return quote + value + quote;
  }
  std::string operator()(const List& values) const {
    std::string out = "[";
    for (const Value& value : values) out += (out.size() > 1 ? ", " : "") + std::visit(*this, value.data);
    return out + "]";
  }
};

std::string print_at(const Node& node, int at_least) {
  const std::string text = print_node(node);
  return binding(node) < at_least ? "(" + text + ")" : text;
}

std::string print_chain(const Node& node) {
  const int tighter = binding(node) + 1;
  std::string out = print_at(node.operands.front(), tighter);
  for (size_t i = 0; i < node.operators.size(); ++i)
    out += fmt::format(" {} {}", node.operators[i], print_at(node.operands[i + 1], tighter));
  return out;
}

std::string print_operands(const Node& node) {
  std::string out;
  for (const Node& operand : node.operands) out += (out.empty() ? "" : ", ") + print_node(operand);
  return out;
}

}  // namespace

std::string print_node(const Node& node) {
  switch (node.kind) {
    case NodeKind::constant:
      return std::visit(PrintValue{}, node.value.data);
    case NodeKind::name:
      return node.name;
    case NodeKind::list:
      return "[" + print_operands(node) + "]";
    case NodeKind::call:
      return node.name + "(" + print_operands(node) + ")";
    case NodeKind::negate:
      return "-" + print_at(node.operands[0], k_unary);
    case NodeKind::logical_not:
      return "not " + print_at(node.operands[0], k_not);
    case NodeKind::power:
      return print_at(node.operands[0], k_atom) + " ** " + print_at(node.operands[1], k_unary);
    case NodeKind::product:
    case NodeKind::sum:
    case NodeKind::comparison:
    case NodeKind::conjunction:
    case NodeKind::disjunction:
      return print_chain(node);
  }
  return "";
}

}  // namespace hone::task
