// What a vendor's checker of device code (compute-sanitizer) saw while it watched launches of an arm.
// Plain values. Texts come from the tool and from the candidate's own debug information: they are quoted, on one line
// and cut, and still nobody's word but theirs. A tool that did not run to its end says nothing about the candidate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"

namespace hone::device {

enum class SanitizerTool { memcheck, racecheck, initcheck };

enum class FindingKind { invalid_access, race, uninitialised, other };

// One place in a kernel where something was seen, once or more.
struct SanitizerFinding {
  SanitizerTool tool = SanitizerTool::memcheck;
  FindingKind kind = FindingKind::other;
  std::string message;  // the tool's first line about it
  std::string space;    // of memory: "global", "shared"; empty where the tool does not say
  std::string kernel;
  std::string file;              // empty, like
  std::optional<uint64_t> line;  // this, where the binary does not say
  uint64_t count = 1;
  bool operator==(const SanitizerFinding&) const = default;
};

enum class SanitizerState { finished, timed_out, failed, absent, disabled };

// One tool over some launches.
struct SanitizerRun {
  SanitizerTool tool = SanitizerTool::memcheck;
  SanitizerState state = SanitizerState::absent;
  uint64_t launches = 0;                   // that it watched to their end
  uint64_t asked = 0;                      // that it was to watch
  double seconds = 0;                      // wall time
  std::string note;                        // why it did not see them all
  std::vector<SanitizerFinding> findings;  // of the candidate's own kernels
};

}  // namespace hone::device

namespace hone {
template <>
struct EnumNames<device::SanitizerTool> {
  using T = device::SanitizerTool;
  static constexpr EnumName<T> table[] = {
      {T::memcheck, "memcheck"}, {T::racecheck, "racecheck"}, {T::initcheck, "initcheck"}};
};
template <>
struct EnumNames<device::FindingKind> {
  using T = device::FindingKind;
  static constexpr EnumName<T> table[] = {{T::invalid_access, "invalid access"},
                                          {T::race, "race"},
                                          {T::uninitialised, "uninitialised read"},
                                          {T::other, "other"}};
};
template <>
struct EnumNames<device::SanitizerState> {
  using T = device::SanitizerState;
  static constexpr EnumName<T> table[] = {{T::finished, "finished"},
                                          {T::timed_out, "timed out"},
                                          {T::failed, "failed"},
                                          {T::absent, "absent"},
                                          {T::disabled, "disabled"}};
};
}  // namespace hone
