#include "device/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <utility>

#include "base/text.h"

namespace hone::device {

namespace {

// The file that the loader chose; `asked` where it does not say.
std::string path_of(void* handle, const std::string& asked) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || *map->l_name == '\0') return asked;
  return map->l_name;
}

// Why no file opened: those that are not there in one list, then what the loader says of the others.
std::string reasons_of(const std::vector<std::string>& absent, const std::vector<std::string>& others) {
  std::vector<std::string> reasons = others;
  if (!absent.empty()) reasons.insert(reasons.begin(), "not found as " + join(absent, ", "));
  return join(reasons, "; ");
}

}  // namespace

SharedLibrary::SharedLibrary(void* handle, std::string path, std::string_view help)
    : handle_(handle), path_(std::move(path)), help_(help) {}

Result<SharedLibrary> SharedLibrary::open(const LibraryNames& names) {
  std::vector<std::string> absent;
  std::vector<std::string> others;
  for (const std::string& file : names.files) {
    // Now, not lazily: a library that cannot be resolved fails here, where it can be said.
    if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
      return SharedLibrary(handle, path_of(handle, file), names.help);
    const char* said = dlerror();
    const std::string reason = quote_untrusted(said == nullptr ? "" : said, 1 << 10);
    if (reason == file + ": cannot open shared object file: No such file or directory")
      absent.push_back(file);
    else
      others.push_back(reason);
  }
  return Error{ErrorCode::environment,
               fmt::format("{} cannot be opened: {}", names.purpose, reasons_of(absent, others)),
               {},
               "",
               std::string(names.help)};
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

Error missing_entries(const SharedLibrary& from, std::span<const std::string> symbols) {
  return Error{ErrorCode::environment,
               fmt::format("{} lacks {}", from.path(), join(symbols, ", ")),
               {},
               "it is older than what hone needs, or not the library that it should be",
               std::string(from.help())};
}

}  // namespace hone::device
