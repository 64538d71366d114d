// The physical floor of a case: the time below which no kernel can do this work on this device (JUDGE.md 3).
// Floor = the largest of: bytes ÷ measured bandwidth of the smallest level that holds the case in the declared cache
// state (cold: memory), operations ÷ measured rate of each type, the empty launch. All times in seconds per launch.
//   bytes      as the contract's [work] states them; else every in and inout argument read once and every out argument
//   written once (an
//              update may leave elements alone, so an inout counts once), and the floor says "bytes from argument
//              sizes"
//   bandwidth  what is both read and written goes at the copy rate, what is left over at the better of read and copy
//   rate rates      of a type that was not measured give no term
// Absent, not 0, when neither bytes nor operations give a term. Pure functions, plain values; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"
#include "device/ceilings.h"
#include "task/bind.h"
#include "task/types.h"

namespace hone::diagnose {

enum class Resource { memory, arithmetic, launch };
enum class BytesSource { contract, argument_sizes };

// One candidate for the floor, with what it was made from: amount ÷ ceiling = seconds.
struct FloorTerm {
  Resource resource = Resource::memory;
  std::string name;  // "memory", "L2"; "f32"; "empty launch"
  double seconds = 0;
  std::optional<double> amount;   // bytes or operations
  std::optional<double> ceiling;  // bytes or operations per second, as measured
};

struct Floor {
  double seconds = 0;
  FloorTerm binding;             // the largest term
  std::vector<FloorTerm> terms;  // all of them: memory, arithmetic by type, launch
  BytesSource bytes_source = BytesSource::contract;

  const FloorTerm* largest(Resource resource) const;  // null when there is none
};

struct Traffic {
  double read_bytes = 0;
  double written_bytes = 0;
  BytesSource source = BytesSource::contract;
};

Traffic traffic_of(const task::BoundCase& one);
std::optional<Floor> floor_of(const task::BoundCase& one, const device::Ceilings& ceilings, task::CacheState cache);

// Floor ÷ time: 1 at the floor, above 1 is an alarm.
double fraction_of_floor(const Floor& floor, double seconds);

// "1.23 ms, bound by memory at 54.7 GB/s (bytes from argument sizes)".
std::string to_text(const Floor& floor);

template <class A>
void describe(A& a, FloorTerm& v) {
  a.field("resource", v.resource);
  a.field("name", v.name);
  a.field("seconds", v.seconds);
  a.field("amount", v.amount);
  a.field("ceiling", v.ceiling);
}

template <class A>
void describe(A& a, Floor& v) {
  a.field("seconds", v.seconds);
  a.field("binding", v.binding);
  a.field("terms", v.terms);
  a.field("bytes_source", v.bytes_source);
}

}  // namespace hone::diagnose

namespace hone {
template <>
struct EnumNames<diagnose::Resource> {
  using T = diagnose::Resource;
  static constexpr EnumName<T> table[] = {{T::memory, "memory"}, {T::arithmetic, "arithmetic"}, {T::launch, "launch"}};
};
template <>
struct EnumNames<diagnose::BytesSource> {
  using T = diagnose::BytesSource;
  static constexpr EnumName<T> table[] = {{T::contract, "contract"}, {T::argument_sizes, "argument sizes"}};
};
}  // namespace hone
