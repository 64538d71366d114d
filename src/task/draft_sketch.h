// What a draft is made of, between reading the sources and writing the text. Private to draft*.cc.
#pragma once

#include "task/cpp_signature.h"
#include "task/draft.h"

namespace hone::task {

enum class Certainty { known, guessed, open };

struct DraftArgument {
  CppParameter parameter;
  std::optional<Role> role;
  Certainty role_certainty = Certainty::known;
  std::optional<std::vector<std::string>> shape;  // extents as text
  std::vector<std::string> terms;                 // axes summed over, where every shape is known
};

struct Sketch {
  std::string kernel_file;
  CppFunction kernel;
  std::string reference_file;  // empty: the kernel is its own oracle
  std::string reference_entry;
  std::vector<DraftArgument> arguments;
  std::map<std::string, int64_t> dimensions;
};

// Sizes, in the kernel's order: integer parameters passed by value.
bool is_size(const CppParameter& parameter);
bool is_free_scalar(const CppParameter& parameter);
std::string write_draft(const Sketch& sketch);

}  // namespace hone::task
