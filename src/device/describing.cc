#include "device/describing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/json.h"
#include "device/backends.h"

namespace hone::device {

namespace {

constexpr uint64_t k_most_request_bytes = 1 << 20;

Result<Accelerators> ask(const DescribeRequest& request) {
  for (const BackendRow& row : backends()) {
    if (row.describe_devices != nullptr && row.folder == request.what) return row.describe_devices(request.files);
    if (row.describe_compiler != nullptr && row.run_time_compiler == request.what)
      return row.describe_compiler(request.files);
  }
  return Error{ErrorCode::internal, fmt::format("there is nothing called '{}' to describe", request.what)};
}

// From here on what a driver prints cannot be taken for the answer.
Fd take_output() {
  Fd output(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

}  // namespace

std::vector<std::string> described() {
  std::vector<std::string> names;
  for (const BackendRow& row : backends()) {
    if (row.describe_devices != nullptr) names.emplace_back(row.folder);
  }
  for (const BackendRow& row : backends()) {
    if (row.describe_compiler != nullptr) names.emplace_back(row.run_time_compiler);
  }
  return names;
}

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
