// What a draft is made of, between reading the sources and writing the text. Private to draft*.cc.
#pragma once

#include "task/cpp_signature.h"
#include "task/device_usage.h"
#include "task/draft.h"

namespace hone::task {

enum class Certainty { known, guessed, open };

struct DraftArgument {
  CppParameter parameter;
  std::optional<Role> role;
  Certainty role_certainty = Certainty::known;
  std::optional<std::vector<std::string>> shape;  // extents as text
  std::vector<std::string> terms;                 // axes summed over, where every shape is known
  std::string bytes;                              // local memory
};

struct Sketch {
  std::string kernel_file;
  Language language = Language::cpp;
  CppFunction kernel;
  std::string reference_file;  // empty: the kernel is its own oracle
  std::string reference_entry;
  std::vector<DraftArgument> arguments;
  std::map<std::string, BoundValue> dimensions;
  std::optional<LaunchGuess> launch;  // of a device kernel
};

// The language that a draft of `file` is made for: `wanted`, or what its name says. Failure: usage, when the two
// disagree; contract, when the name says nothing that a draft can be made of.
Result<Language> draft_language(const std::filesystem::path& file, std::optional<Language> wanted);
Dialect dialect_of(Language language);

// Sizes, in the kernel's order: integer parameters passed by value.
bool is_size(const CppParameter& parameter);
bool is_free_scalar(const CppParameter& parameter);
bool is_tensor_map(const CppParameter& parameter);  // handed over as a descriptor of CUDA
// What a reference takes as well: neither local memory nor descriptors.
CppFunction without_space(const CppFunction& kernel);
// Whether a reference takes what the contract would hand it; `file` is where it stands.
Status check_reference(const CppFunction& kernel, const std::filesystem::path& file, const CppFunction& reference);
// Whether a contract can call the kernel and its parameters by their names; `file` is where it stands.
Status check_kernel_names(const CppFunction& kernel, const std::filesystem::path& file);
// Whether each dimension is one of the kernel's sizes or scalars or an axis of its launch, and a value that it can
// have.
Status check_dimensions(const Sketch& sketch);
std::string write_draft(const Sketch& sketch);

}  // namespace hone::task
