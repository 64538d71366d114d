#include "task/task.h"

#include <algorithm>

namespace hone::task {

namespace {

template <class T>
const T* find_named(const std::vector<T>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [name](const T& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

bool Case::is(Purpose purpose) const { return std::find(use.begin(), use.end(), purpose) != use.end(); }

std::vector<const Case*> Task::cases_for(Purpose purpose) const {
  std::vector<const Case*> found;
  for (const Case& one : cases) {
    if (one.is(purpose)) found.push_back(&one);
  }
  return found;
}

bool Task::has_role(Role role) const { return std::ranges::find(arguments, role, &Argument::role) != arguments.end(); }
bool Task::prepares() const {
  return kernel.prepare || std::ranges::find(launches, Phase::prepare, &Launch::phase) != launches.end();
}
const Argument* Task::find_argument(std::string_view wanted) const { return find_named(arguments, wanted); }
const Axis* Task::find_axis(std::string_view wanted) const { return find_named(axes, wanted); }
const Parameter* Task::find_parameter(std::string_view wanted) const { return find_named(parameters, wanted); }

bool Task::is_delivered(const Argument& argument) const {
  return delivery == Delivery::argument && argument.role == Role::scalar && find_parameter(argument.name) != nullptr;
}

}  // namespace hone::task
