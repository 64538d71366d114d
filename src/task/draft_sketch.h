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
  std::map<std::string, BoundValue> dimensions;
};

// Sizes, in the kernel's order: integer parameters passed by value.
bool is_size(const CppParameter& parameter);
bool is_free_scalar(const CppParameter& parameter);
// Whether a reference takes what the contract would hand it; `file` is where it stands.
Status check_reference(const CppFunction& kernel, const std::filesystem::path& file, const CppFunction& reference);
// Whether a contract can call the kernel and its parameters by their names; `file` is where it stands.
Status check_kernel_names(const CppFunction& kernel, const std::filesystem::path& file);
// Whether each dimension is one of the kernel's sizes or scalars, and a value that it can have.
Status check_dimensions(const CppFunction& kernel, const std::map<std::string, BoundValue>& dimensions);
std::string write_draft(const Sketch& sketch);

}  // namespace hone::task
