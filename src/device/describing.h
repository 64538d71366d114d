// The child's side of list_accelerators: it asks one driver library, as the table of backends says how. Only this child
// loads vendors' libraries to describe what is there; it reads one DescribeRequest from its standard input and writes
// one Accelerators to where its standard output was. What a driver prints goes to standard error.
// Failure: an Error becomes an Absence of what was asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/accelerators.h"

namespace hone::device {

inline constexpr std::string_view k_describe_role = "describe-accelerators";

struct DescribeRequest {
  std::string what;  // one of described()
  DriverFiles files;
};

// Everything that can be asked for: kinds of devices, then run-time compilers.
std::vector<std::string> described();

// What the child answers to a request.
Accelerators answer(const DescribeRequest& request);

// The exit status of the role: 0 when an answer was written.
int describe_main();

template <class A>
void describe(A& a, DescribeRequest& v) {
  a.field("what", v.what);
  a.field("files", v.files);
}

}  // namespace hone::device
