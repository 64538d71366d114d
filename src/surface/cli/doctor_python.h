// Which Python is here and which packages for kernels it could import, with their versions: found without importing
// them, in one isolated run (-I: nothing of the user's or the present folder's is executed or searched).
// Absent: there is no Python, or it did not answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process.h"

namespace hone::cli {

struct PythonPackage {
  std::string name;                    // of the module: "torch"
  std::optional<std::string> version;  // absent: it can be imported, but no installed package says so
};

struct PythonRecord {
  std::string version;  // "3.11.2"
  std::string path;
  std::vector<PythonPackage> packages;  // importable ones, in the order of the table
  std::vector<std::string> absent;      // the others
};

std::optional<PythonRecord> examine_python(Processes& processes);

template <class A>
void describe(A& a, PythonPackage& v) {
  a.field("name", v.name);
  a.field("version", v.version);
}

template <class A>
void describe(A& a, PythonRecord& v) {
  a.field("version", v.version);
  a.field("path", v.path);
  a.field("packages", v.packages);
  a.field("absent", v.absent);
}

}  // namespace hone::cli
