// The child's side of list_accelerators: one row a driver library, each with the function that asks it. Only this child
// loads vendors' libraries to describe what is there; it reads one DescribeRequest from its standard input and writes
// one Accelerators to where its standard output was. What a driver prints goes to standard error.
// Failure: a row's Error becomes an Absence of its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "device/accelerators.h"

namespace hone::device {

inline constexpr std::string_view k_describe_role = "describe-accelerators";

struct DescribeRequest {
  std::string what;  // a row's name
  DriverFiles files;
};

struct DescribeRow {
  std::string_view what;
  Result<Accelerators> (*describe)(const DriverFiles& files);
};

std::span<const DescribeRow> describe_rows();

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
