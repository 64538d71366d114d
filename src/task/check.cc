// What no single section of a contract can see: do its parts fit together? Every case is bound here once.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "task/bind.h"
#include "task/candidate.h"
#include "task/formula.h"
#include "task/inside.h"
#include "task/launch.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

// The case and fixed axes that an argument's shape depends on, through derived ones as well.
class AxesBehind {
 public:
  explicit AxesBehind(const Task& task) {
    for (const Axis& axis : task.axes) axes_[axis.name] = &axis;
  }

  void add(const Expression& expression, Names& out) {
    for (const std::string& name : expression.names()) {
      const auto axis = axes_.find(name);
      if (axis == axes_.end() || !axis->second->expression) {
        out.insert(name);
      } else if (seen_.insert(name).second) {
        add(*axis->second->expression, out);
      }
    }
  }

 private:
  std::map<std::string, const Axis*> axes_;
  Names seen_;  // derived axes may build on each other in many ways: each is looked into once
};

Names shape_axes(const Task& task, const Argument& argument) {
  Names names;
  AxesBehind behind(task);
  for (const Expression& extent : argument.shape) behind.add(extent, names);
  return names;
}

Names input_axes(const Task& task) {
  Names names;
  for (const Argument& argument : task.arguments) {
    if (is_read(argument.role)) names.merge(shape_axes(task, argument));
  }
  return names;
}

void warn_of_terms(Reading& reading, size_t index) {
  const Argument& output = reading.task.arguments[index];
  if (!is_floating(output.dtype) || output.compare.rule != CompareRule::bound || output.compare.terms) return;
  const Names kept = shape_axes(reading.task, output);
  for (const std::string& axis : input_axes(reading.task)) {
    if (kept.contains(axis)) continue;
    return reading.report.warning(
        reading.argument_at[index],
        fmt::format("argument '{}' seems to be reduced over '{}', but states no terms", output.name, axis),
        "the error bound then allows for a single term",
        fmt::format("compare = {{ terms = \"{}\" }}, or terms = 1 if nothing is summed", axis));
  }
}

void check_outputs(Reading& reading) {
  const Task& task = reading.task;
  const bool judged_by_kernel = task.oracle.kind == OracleKind::baseline || task.oracle.kind == OracleKind::golden;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const Argument& argument = task.arguments[i];
    if (!is_written(argument.role)) continue;
    warn_of_terms(reading, i);
    if (judged_by_kernel && is_floating(argument.dtype) && argument.compare.rule == CompareRule::bound)
      reading.report.error(reading.argument_at[i],
                           fmt::format("argument '{}' needs a compare rule, since the oracle is of kind {}",
                                       argument.name, name_of(task.oracle.kind)),
                           "the kernel's own error against itself is 0, so no bound follows from it",
                           "compare = { rule = \"allclose\", atol = 1e-6, rtol = 1e-5 }");
  }
  const bool any =
      std::any_of(task.arguments.begin(), task.arguments.end(), [](const Argument& a) { return is_written(a.role); });
  if (!any)
    reading.report.error({}, "no argument is an output", "nothing could be compared", "give one the role out or inout");
}

// Where nothing is prepared of it each launch gets contents of its own: who believes the key would be rejected
// for keeping work, so it is not read in silence.
void warn_of_constants(Reading& reading) {
  for (size_t i = 0; i < reading.task.arguments.size() && !reading.task.prepares(); ++i) {
    const Argument& argument = reading.task.arguments[i];
    if (!argument.constant_across_calls) continue;
    reading.report.warning(reading.argument_at[i],
                           fmt::format("'constant_across_calls' of argument '{}' has no effect", argument.name),
                           "contents are new in every call; a kernel that keeps work between calls is wrong",
                           "leave it out, or keep it as a note");
  }
}

void warn_of_fixed_inputs(Reading& reading) {
  const auto& arguments = reading.task.arguments;
  const auto reads = [](const Argument& argument) { return is_read(argument.role); };
  const auto first = std::find_if(arguments.begin(), arguments.end(), reads);
  const bool all_fixed =
      std::all_of(first, arguments.end(), [&](const Argument& one) { return !reads(one) || is_fixed(one.fill.kind); });
  if (first == arguments.end() || !all_fixed) return;
  reading.report.warning(reading.argument_at[static_cast<size_t>(first - arguments.begin())],
                         "no input ever changes: each has one content",
                         "a candidate that keeps an answer and gives it again is right in every launch",
                         "fill at least one input with uniform, normal or integers");
}

void check_editable_apart(Reading& reading) {
  const Task& task = reading.task;
  for (const std::string& file : task.kernel.editable) {
    const bool taken =
        std::find(task.oracle.sources.begin(), task.oracle.sources.end(), file) != task.oracle.sources.end() ||
        (!task.oracle.golden.empty() && file.starts_with(task.oracle.golden + "/"));
    if (taken)
      reading.report.error(reading.oracle_at, fmt::format("'{}' is both editable and part of the oracle", file),
                           "whoever is judged would write the truth", "give the oracle files of its own");
  }
}

void check_defaults(Reading& reading) {
  const Task& task = reading.task;
  const Scope scope = scope_of(tunable_values(task, {}));
  for (const Expression& constraint : task.constraints) {
    const auto holds = constraint.truth(scope);
    if (!holds) {
      Error fault = holds.error();
      fault.what += ", for the defaults of the parameters";
      fault.why = "a configuration is legal when every constraint holds";
      reading.report.add(std::move(fault));
    } else if (!*holds) {
      reading.report.add({ErrorCode::contract,
                          fmt::format("the defaults break the constraint '{}'", constraint.canonical()),
                          constraint.where(1), "the kernel as it stands is built with the defaults",
                          "choose defaults that satisfy every constraint"});
    }
  }
}

void check_uses(Reading& reading) {
  for (const Purpose purpose : {Purpose::verify, Purpose::time}) {
    if (reading.task.cases_for(purpose).empty())
      reading.report.error(reading.root.at("cases"), fmt::format("no case has the use \"{}\"", name_of(purpose)),
                           "a kernel is optimised when it is both checked and timed",
                           fmt::format("add \"{}\" to the use of a case", name_of(purpose)));
  }
}

// The file that holds `argument` of case `id`, with the bytes the case gives it.
void check_file_size(Reading& reading, Position at, const std::string& path, const BoundArgument& bound,
                     const std::string& id) {
  const auto size = size_inside(reading.task.folder, path);
  if (!size)
    return reading.report.error(at, size.error().what,
                                fmt::format("argument '{}' of case '{}' comes from it", bound.argument->name, id),
                                size.error().help);
  if (*size != bound.bytes)
    reading.report.error(at,
                         fmt::format("'{}' has {} bytes, argument '{}' of case '{}' has {}", path, *size,
                                     bound.argument->name, id, bound.bytes),
                         "such files hold the elements as raw little-endian bytes, row-major",
                         "write the file anew for these sizes, or bind the sizes that it was written for");
}

void check_files(Reading& reading, const BoundCase& bound, const Case& one) {
  const std::string& golden = reading.task.oracle.golden;
  for (size_t i = 0; i < bound.arguments.size(); ++i) {
    const BoundArgument& argument = bound.arguments[i];
    if (argument.argument->fill.kind == FillKind::file)
      check_file_size(reading, reading.argument_at[i], argument.argument->fill.file, argument, bound.id);
    if (golden.empty() || !one.is(Purpose::verify)) continue;
    for (const auto& path : {golden_input(reading.task, one.id, *argument.argument),
                             golden_expected(reading.task, one.id, *argument.argument)}) {
      if (path) check_file_size(reading, reading.oracle_at, *path, argument, bound.id);
    }
  }
}

// A formula at fault is told for the first case in which it shows.
void check_formulas(Reading& reading, const BoundCase& bound, Names& told) {
  for (const BoundArgument& argument : bound.arguments) {
    const Fill& fill = argument.argument->fill;
    if (fill.kind != FillKind::formula || !is_read(argument.argument->role)) continue;
    if (told.contains(argument.argument->name)) continue;
    if (auto sound = check_formula(argument, bound); !sound) {
      told.insert(argument.argument->name);
      reading.report.add(std::move(sound.error()));
    }
  }
}

void check_cases(Reading& reading) {
  Names faults;  // one fault of the contract may show in every case: it is told once
  Names formulas;
  for (size_t i = 0; i < reading.task.cases.size(); ++i) {
    const auto bound = bind_case(reading.task, reading.task.cases[i]);
    if (bound) {
      check_files(reading, *bound, reading.task.cases[i]);
      check_formulas(reading, *bound, formulas);
    } else if (faults.insert(to_text(bound.error())).second) {
      reading.report.error(reading.case_at[i], fmt::format("case '{}' cannot be bound", reading.task.cases[i].id),
                           "its sizes and values are worked out before anything is built or run", bound.error());
    }
  }
}

// Told once, for the first case in which it shows.
void check_launched(Reading& reading) {
  if (reading.task.launches.empty() || !reading.report.clean()) return;
  if (auto sound = check_public_launches(reading.task, {}); !sound)
    reading.report.error(reading.root.at("launch"), "the kernel cannot be launched",
                         "every launch is worked out before anything is built or run", std::move(sound.error()));
}

}  // namespace

void check_whole(Reading& reading) {
  check_outputs(reading);
  warn_of_constants(reading);
  warn_of_fixed_inputs(reading);
  check_editable_apart(reading);
  check_defaults(reading);
  check_uses(reading);
  check_cases(reading);
  check_launched(reading);
}

}  // namespace hone::task
