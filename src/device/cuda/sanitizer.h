// compute-sanitizer, as hone calls it: where it is, what it is asked, and which of its findings are about a candidate.
// It starts a program, preloads a library into it, and checks what its kernels do: memcheck accesses out of bounds or
// misaligned, racecheck hazards in shared memory, initcheck reads of global memory that nobody wrote.
// Reads the machine, starts nothing. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cuda/places.h"
#include "device/sanitized.h"
#include "sandbox/root_plan.h"

namespace hone::device::cuda {

inline constexpr const char* k_sanitizer = "compute-sanitizer";

std::optional<std::filesystem::path> find_sanitizer(const Variables& variables,
                                                    const std::filesystem::path& root = "/");

// The tool and its options, each a name and a value; the program that it watches comes behind.
std::vector<std::string> sanitizer_command(const std::filesystem::path& program, SanitizerTool tool);

// What it needs of the machine besides the system: the folder that it stands in, with its libraries beside it.
std::vector<sandbox::Mount> sanitizer_mounts(const std::filesystem::path& program);

// Whether a finding is held against the candidate whose kernels these are: it is no kernel of hone's own, and of
// initcheck it is about global memory.
bool counts_against(const SanitizerFinding& finding, std::span<const std::string> kernels);

}  // namespace hone::device::cuda
