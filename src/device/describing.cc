#include "device/describing.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/json.h"
#include "device/cuda/describe.h"
#include "device/hip/describe.h"
#include "device/opencl/describe.h"

namespace hone::device {

namespace {

constexpr DescribeRow k_rows[] = {
    {"cuda", cuda::describe_devices},   {"hip", hip::describe_devices},     {"opencl", opencl::describe_devices},
    {"NVRTC", cuda::describe_compiler}, {"hiprtc", hip::describe_compiler},
};

constexpr uint64_t k_most_request_bytes = 1 << 20;

Result<Accelerators> ask(const DescribeRequest& request) {
  for (const DescribeRow& row : k_rows) {
    if (row.what == request.what) return row.describe(request.files);
  }
  return Error{ErrorCode::internal, fmt::format("there is nothing called '{}' to describe", request.what)};
}

// From here on what a driver prints cannot be taken for the answer.
Fd take_output() {
  Fd output(dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

}  // namespace

std::span<const DescribeRow> describe_rows() { return k_rows; }

Accelerators answer(const DescribeRequest& request) {
  Result<Accelerators> found = ask(request);
  if (found) return *std::move(found);
  Accelerators none;
  none.absent.push_back({request.what, found.error().what, found.error().help});
  return none;
}

int describe_main() {
  const Fd output = take_output();
  const auto text = read_file("/dev/stdin", k_most_request_bytes);
  if (!text) return 1;
  const auto request = json::from_text<DescribeRequest>(*text);
  if (!request) return 1;
  const std::string document = json::to_text(answer(*request));
  Disk disk;
  const Status written = write_all(disk, output.get(), bytes_of(document));
  // Drivers' exit handlers are not worth running: all is said.
  _exit(written ? 0 : 1);
}

}  // namespace hone::device
