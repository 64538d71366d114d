#include "task/formula.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::task {

namespace {

constexpr uint64_t k_end_samples = 256;      // from each end: where an index is near 0 or near the size
constexpr uint64_t k_between_samples = 512;  // evenly over the rest

class Formula {
 public:
  Formula(const BoundArgument& argument, const BoundCase& bound) : argument_(argument), case_(bound) {
    for (const auto& [name, value] : bound.axes) scope_[name] = Value{value};
    index_ = &std::get<int64_t>((scope_["i"] = Value{int64_t{0}}).data);
  }

  Result<double> element(uint64_t i) {
    *index_ = static_cast<int64_t>(i);
    uint64_t left = k_element_step_limit;
    auto value = formula().number(scope_, left);
    dearest_steps_ = std::max(dearest_steps_, k_element_step_limit - left);
    steps_ += k_element_step_limit - left;
    if (!value) return named(std::move(value.error()), i);
    return value;
  }

  // Whether as many steps as the dearest element so far took are within bounds for all of them.
  Status affordable() const {
    const bool seems_so = dearest_steps_ == 0 || argument_.count <= k_formula_step_limit / dearest_steps_;
    if (seems_so && steps_ <= k_formula_step_limit) return ok();
    return Error{
        ErrorCode::contract,
        fmt::format("the formula of argument '{}' takes {} steps for each of {} elements in case '{}'",
                    argument_.argument->name, dearest_steps_, argument_.count, case_.id),
        formula().where(1),
        fmt::format("one input may take {} steps, since it is made again for every case", k_formula_step_limit),
        "write it with fewer operations, make the case smaller, or keep the elements in a file"};
  }

 private:
  const Expression& formula() const { return *argument_.argument->fill.formula; }

  Error named(Error fault, uint64_t i) const {
    fault.what += fmt::format(", for element {} of argument '{}' in case '{}'", i, argument_.argument->name, case_.id);
    fault.why = "the input cannot be made";
    return fault;
  }

  const BoundArgument& argument_;
  const BoundCase& case_;
  Scope scope_;
  int64_t* index_ = nullptr;    // the value of `i` in scope_
  uint64_t dearest_steps_ = 0;  // of one element
  uint64_t steps_ = 0;          // of all elements so far
};

Status check_span(Formula& formula, uint64_t first, uint64_t end, uint64_t step) {
  for (uint64_t i = first; i < end; i += step) {
    if (auto value = formula.element(i); !value) return value.error();
  }
  return ok();
}

}  // namespace

Status check_formula(const BoundArgument& argument, const BoundCase& bound) {
  Formula formula(argument, bound);
  const uint64_t head = std::min(k_end_samples, argument.count);
  const uint64_t tail = std::max(head, argument.count - head);
  HONE_CHECK(check_span(formula, 0, head, 1));
  HONE_CHECK(check_span(formula, head, tail, std::max<uint64_t>(1, (tail - head) / k_between_samples)));
  HONE_CHECK(check_span(formula, tail, argument.count, 1));
  return formula.affordable();
}

Result<std::vector<double>> formula_values(const BoundArgument& argument, const BoundCase& bound) {
  HONE_CHECK(check_formula(argument, bound));
  Formula formula(argument, bound);
  std::vector<double> values;
  values.reserve(argument.count);
  for (uint64_t i = 0; i < argument.count; ++i) {
    HONE_TRY(const double value, formula.element(i));
    HONE_CHECK(formula.affordable());  // elements between the samples may be dearer than those
    values.push_back(value);
  }
  return values;
}

}  // namespace hone::task
