// The parts of reading a contract, one function for each group of sections, in the order in which read_task calls them:
// later parts use the names that earlier ones declared. Each reports its own faults and leaves what it could not read
// at its default.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "task/report.h"
#include "task/section.h"
#include "task/task.h"
#include "task/toml.h"

namespace hone::task {

constexpr int64_t k_largest_axis = int64_t{1} << 48;  // far above any memory; keeps later products in range
constexpr size_t k_most_values = 4096;                // of one tunable

// Everything the parts share.
struct Reading {
  Task& task;
  Report& report;
  Section& root;
  Names axes = {};
  Names parameters = {};
  std::vector<Position> argument_at = {};   // of task.arguments
  std::vector<Position> parameter_at = {};  // of task.parameters
  std::vector<Position> case_at = {};       // of task.cases
  Position prepare_at = {};                 // of [kernel.prepare]
  Position oracle_at = {};
  bool names_are_complete = false;  // every axis and argument was read without a fault

  Names axes_and_parameters() const;
  Names launch_names() const;
};

void read_axes(Reading& reading);
void read_tune(Reading& reading);
void read_arguments(Reading& reading);
void read_fill(Reading& reading, Section& argument, Argument& out);
void read_compare(Reading& reading, Section& argument, Argument& out);
void read_tensor_map(Reading& reading, Section& argument, Argument& out);
void read_kernel(Reading& reading);
// Whether `entry` can be the name of a function.
void check_entry(Section& section, const std::string& entry, Language language);
void read_launches(Reading& reading);
void read_oracle(Reading& reading);
void read_baselines(Reading& reading);
void read_work(Reading& reading);
void read_limits(Reading& reading);
void read_cases(Reading& reading);
// What a case is besides its name: bind, use, weight.
void read_case_body(Reading& reading, Section& section, Case& out);
// Names that the kernel's language has another use for; called when kernel, arguments and tunables are read.
void check_names(Reading& reading);
// Roles that the kernel's language has no use for, tunables that are arguments, and what descriptors describe; called
// at the same time.
void check_roles(Reading& reading);
// How many axes, arguments, cases, … there are: read on only when it answers true.
bool check_counts(const TomlNode& document, Report& report);

// What no single section can see; called when all of them are clean.
void check_whole(Reading& reading);

// The tables of an array of tables ([[args]]), or the one table of a plain section where `key` allows both.
std::vector<const TomlNode*> tables_of(Section& section, std::string_view key, Presence presence = Presence::optional);
// Reads a list of files inside the task's folder; duplicates and unusable paths are errors.
void read_files(Reading& reading, Section& section, std::string_view key, std::vector<std::string>& out,
                Presence presence);
// The first table of the values that a name already has is an error; gives true when the name is new.
bool is_new(Names& seen, const std::string& name, Section& section, std::string_view key);

}  // namespace hone::task
