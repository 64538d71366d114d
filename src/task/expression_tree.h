// The tree behind an Expression; for expression*.cc alone.
// A chain holds operands of one precedence level side by side, so that the tree is only as deep as the text is nested.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/expression.h"

namespace hone::task {

constexpr uint32_t k_depth_limit = 64;           // nesting; keeps recursion within a few KiB of stack
constexpr size_t k_text_limit_bytes = 64 << 10;  // no honest contract comes near
constexpr size_t k_list_limit = 10'000;          // elements of one list
constexpr uint64_t k_step_limit =
    100'000;  // evaluated nodes and made elements: a contract has thousands of expressions

enum class NodeKind {
  constant,
  name,
  list,
  call,
  negate,
  logical_not,
  power,
  product,
  sum,
  comparison,
  conjunction,
  disjunction
};

struct Node {
  NodeKind kind = NodeKind::constant;
  uint32_t column = 1;                      // 1-based, in the text that was parsed
  Value value = {int64_t{0}};               // constant
  std::string name = {};                    // name, call
  std::vector<Node> operands = {};          // list, call, unary, power, chains
  std::vector<std::string> operators = {};  // chains: operators[i] stands before operands[i + 1]
  std::vector<uint32_t> columns = {};       // chains: of each operator
};

struct Expression::Tree {
  Node root;
  std::string text;       // as it was written
  std::string canonical;  // see print
};

// A failure at a column, before it is known what text it belongs to: where.column alone is set.
Error at_column(uint32_t column, std::string what, std::string help = {});

struct Function {
  std::string_view name;
  size_t fewest;  // arguments
  size_t most;
};
const Function* find_function(std::string_view name);
std::vector<std::string> function_names();

Result<Node> parse_node(std::string_view text);
// Takes the steps it needs off `steps`; fails when they do not suffice.
Result<Value> evaluate_node(const Node& node, const Scope& scope, uint64_t& steps);
// One space around binary operators, parentheses only where they are needed, shortest round-trip numbers.
std::string print_node(const Node& node);

}  // namespace hone::task
