// What several commands need alike: which campaign is meant, what a CANDIDATE word names, and services for jobs on a
// device. Failures: usage for a word that names nothing, contract for a broken task, environment for a missing device
// or compiler.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device/ceilings.h"
#include "execute/executor.h"
#include "loop/store.h"
#include "surface/cli/command.h"
#include "task/candidate.h"
#include "task/task.h"

namespace hone::cli {

// Options of every command that touches a device.
inline constexpr OptionRow k_cores_option{"--cores", "LIST", "the last physical cores",
                                          "processors to pin to, for example 1 or 2,3",
                                          "the first ones serve most interrupts"};
inline constexpr OptionRow k_device_option{
    "--device", "KIND", "auto",
    "which device judges: auto, cpu, cuda:0, opencl:0.0, a UUID or a vendor, as `hone doctor` lists them",
    "the first of `hone doctor`"};
inline constexpr OptionRow k_clocks_option{
    "--clocks", "HOW", "as-is",
    "as-is, or lock[:MHZ]: hold an NVIDIA device's SM clock while this command runs, where that is allowed",
    "locked clocks are everybody's on the machine"};
inline constexpr OptionRow k_tape_option{"--tape", "FILE", "",
                                         "answer from a recorded tape instead of a device (docs/tape.md)"};

// The campaign's folder: -C, else the folder beside `task` or beside the present folder.
fs::path campaign_folder(const Context& context, const std::optional<std::string>& task);
// The folder whose task a campaign optimises: NAME beside NAME.hone; nothing for a campaign of another name.
std::optional<fs::path> task_beside(const fs::path& campaign);
// Where the task is: the word, or the folder of the file that it names, else the present folder.
fs::path task_folder(const std::optional<std::string>& task);

// What a kernel of hone's own is to be written in for the device that --device names: C++ unless that is another one.
Result<task::Language> language_of_device(const Context& context);

// A device to ask, and why it is this one.
struct Bench {
  std::unique_ptr<execute::Executor> executor;
  std::optional<device::Ceilings> ceilings;
  std::string reason;
  std::optional<campaign::DeviceRecord> device;  // absent of a tape
};
enum class Calibration { when_missing, never };
Result<Bench> open_bench(const Context& context, const task::Task& task, Calibration calibration);

// CANDIDATE = a folder, vK, best, baseline, or a digest prefix of ≥ 8. `campaign` may hold no campaign when the word is
// a folder.
struct Named {
  task::Candidate candidate;
  std::string title;  // as a person would call it
};
// The digest that vK, best, baseline or a digest prefix means in a campaign.
Result<std::string> digest_named(const campaign::State& state, const std::string& word);
Result<Named> name_candidate(const task::Task& task, const fs::path& campaign, const std::string& word);

// The contract that a command works under: the frozen one of a campaign, else the task in that folder.
Result<task::Task> contract_of(const fs::path& campaign, const fs::path& folder);

// Ceilings for a device: stored ones, or measured now and stored.
Result<device::Ceilings> calibrate_now(const Context& context, device::Device& device, int threads,
                                       double budget_seconds);
// The device that --device and --cores name, for kernels of that language.
Result<std::unique_ptr<device::Device>> open_named_device(const Context& context, task::Language language, int threads);

}  // namespace hone::cli
