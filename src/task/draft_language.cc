// Which language a draft is made for.
#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "task/draft_sketch.h"

namespace hone::task {

namespace {

struct Extension {
  std::string_view text;
  Language language;
};

constexpr Extension k_extensions[] = {{".cpp", Language::cpp},   {".cc", Language::cpp},  {".cxx", Language::cpp},
                                      {".C", Language::cpp},     {".c++", Language::cpp}, {".cu", Language::cuda},
                                      {".cl", Language::opencl}, {".hip", Language::hip}};

// kernel.hip.cpp is HIP, as its own compiler has it.
std::optional<Language> language_of(const fs::path& file) {
  if (file.stem().extension() == ".hip") return Language::hip;
  const auto row = std::find_if(std::begin(k_extensions), std::end(k_extensions),
                                [&file](const Extension& one) { return file.extension() == one.text; });
  return row == std::end(k_extensions) ? std::nullopt : std::optional(row->language);
}

// HIP is CUDA's language and is written in files of any of these names.
bool agree(Language file, Language wanted) {
  return file == wanted || (wanted == Language::hip && (file == Language::cpp || file == Language::cuda));
}

}  // namespace

Result<Language> draft_language(const fs::path& file, std::optional<Language> wanted) {
  const auto named = language_of(file);
  if (!named)
    return Error{ErrorCode::contract,
                 fmt::format("'{}' is no file that a draft can be made from", file.string()),
                 {},
                 "its name says in which language it is: .cpp, .cu, .hip or .cl",
                 "rename it, or write task.toml by hand: docs/task.md shows every key"};
  if (!wanted || agree(*named, *wanted)) return wanted.value_or(*named);
  return Error{ErrorCode::usage,
               fmt::format("'{}' is {}, not {}", file.string(), name_of(*named), name_of(*wanted)),
               {},
               "what the kernel is written in decides how it is built and launched",
               "leave --implementation out, or name a file of that language"};
}

Dialect dialect_of(Language language) {
  if (language == Language::opencl) return Dialect::opencl;
  return language == Language::cpp ? Dialect::cpp : Dialect::cuda;
}

}  // namespace hone::task
