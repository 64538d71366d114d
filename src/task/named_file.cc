#include "task/named_file.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "base/text.h"

namespace hone::task {

namespace {

struct Fault {
  std::string what;
  std::string help;
};

Fault fault_of(const fs::path& file, uint64_t limit_bytes, const Error& reading) {
  std::error_code error;
  if (!path_exists(file)) return {"does not exist", "check the spelling of the name"};
  const auto status = fs::status(file, error);
  if (error == std::errc::too_many_symbolic_link_levels)
    return {"is a symbolic link that leads back to itself", "put the file itself there"};
  if (status.type() == fs::file_type::not_found) return {"is a symbolic link to nothing", "put the file itself there"};
  if (fs::is_directory(status)) return {"is a folder", "name the file, or put a file of that name there"};
  if (!error && !fs::is_regular_file(status)) return {"is no regular file", "put a plain file there"};
  const uint64_t size = fs::file_size(file, error);
  if (!error && size > limit_bytes)
    return {fmt::format("is {} bytes, more than the limit of {}", size, human_bytes(limit_bytes)),
            "make it smaller: no honest file of this kind is that large"};
  return {"cannot be read: " + reading.what, "make it readable for whoever runs hone"};
}

}  // namespace

Result<std::string> read_named_file(const fs::path& file, uint64_t limit_bytes, ErrorCode code, std::string why) {
  auto text = read_file(file, limit_bytes);
  if (text) return text;
  Fault fault = fault_of(file, limit_bytes, text.error());
  return Error{code, fmt::format("'{}' {}", file.string(), fault.what), {}, std::move(why), std::move(fault.help)};
}

}  // namespace hone::task
