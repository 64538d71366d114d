// Expressions of a contract: parsed, printed, parsed again, and worked out.
#include "task/expression.h"

#include "fuzz.h"

using namespace hone;

namespace {

const task::Scope k_scope{{"n", {int64_t{1000}}},
                          {"m", {int64_t{-7}}},
                          {"x", {0.5}},
                          {"s", {std::string("a")}},
                          {"l", {task::List{{int64_t{1}}, {2.0}}}},
                          {"t", {true}}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto parsed = task::Expression::parse(fuzz::text_of(data, size));
  if (!parsed) {
    fuzz::require(parsed.error().where.column > 0, "a fault has a column");
    return 0;
  }
  const auto again = task::Expression::parse(parsed->canonical());
  fuzz::require(again && *again == *parsed, "canonical text reads back as the same expression");
  const auto value = parsed->evaluate(k_scope);
  const auto value_again = again->evaluate(k_scope);
  fuzz::require(value.has_value() == value_again.has_value(), "equal expressions are worked out alike");
  std::ignore = parsed->integer(k_scope);
  std::ignore = parsed->number(k_scope);
  std::ignore = parsed->truth(k_scope);
  fuzz::require(value || value.error().where.column > 0, "a fault has a column");
  return 0;
}
