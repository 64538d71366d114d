// The table of compile options that a candidate may choose by id: never free text.
// Every row says its tier, its numerical caution and the flags for each compiler. Adding an option is adding a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enums.h"
#include "base/result.h"

namespace hone::task {

enum class Compiler { gcc, clang, cuda, opencl, hip };
enum class Caution { exact, contraction, reassociation };  // exact = bit-identical results are expected

struct CompileOption {
  std::string_view id;     // "O3", "march-native", "vector-width-512", …
  std::string_view group;  // options of one group exclude each other: "optimisation", "march", "vector-width", …
  int tier;                // 1 to 5, DESIGN.md section 1
  Caution caution;
  std::string_view gcc;  // flags separated by spaces; "-" = this compiler does not have it
  std::string_view clang;
  std::string_view summary;       // one line for people
  std::string_view cuda = "-";    // NVRTC's and nvcc's
  std::string_view opencl = "-";  // of a program's build
  std::string_view hip = "-";     // hiprtc's
};

std::span<const CompileOption> compile_options();
const CompileOption* find_compile_option(std::string_view id);
// Every id exists, none stands twice, no two are of one group; else a contract error without a place.
Status check_compile_options(std::span<const std::string> ids);
bool available(const CompileOption& option, Compiler compiler);
// Flags for the ids in order; the default optimisation (-O2) comes first unless a chosen id of that group replaces it.
// Ids must exist (checked when the task or variant was read); one that this compiler does not have adds nothing.
std::vector<std::string> flags_for(std::span<const std::string> ids, Compiler compiler);

}  // namespace hone::task

namespace hone {
template <>
struct EnumNames<task::Caution> {
  using T = task::Caution;
  static constexpr EnumName<T> table[] = {
      {T::exact, "exact"}, {T::contraction, "contraction"}, {T::reassociation, "reassociation"}};
};
template <>
struct EnumNames<task::Compiler> {
  using T = task::Compiler;
  static constexpr EnumName<T> table[] = {
      {T::gcc, "gcc"}, {T::clang, "clang"}, {T::cuda, "cuda"}, {T::opencl, "opencl"}, {T::hip, "hip"}};
};
}  // namespace hone
