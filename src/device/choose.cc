#include "device/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/text.h"

namespace hone::device {

namespace {

constexpr std::string_view k_cpu = "cpu";
// Of a UUID's characters: fewer than git's shortest names are told apart by luck.
constexpr size_t k_least_uuid = 8;

// Which kinds of devices run a language, best first.
struct LanguageRow {
  task::Language language;
  std::vector<std::string_view> kinds;
};

const std::vector<std::string_view>& kinds_for(task::Language language) {
  static const LanguageRow k_rows[] = {
      {task::Language::cuda, {"cuda"}},     {task::Language::hip, {"hip"}},
      {task::Language::opencl, {"opencl"}}, {task::Language::python, {"cuda", "hip", k_cpu}},
      {task::Language::cpp, {k_cpu}},
  };
  return std::ranges::find(k_rows, language, &LanguageRow::language)->kinds;
}

// A device that runs the language; a null accelerator is the processor.
struct Candidate {
  const Accelerator* accelerator = nullptr;

  std::string_view kind() const { return accelerator == nullptr ? k_cpu : std::string_view(accelerator->kind); }
  std::string_view vendor() const { return accelerator == nullptr ? k_cpu : std::string_view(accelerator->vendor); }
  std::string place() const { return accelerator == nullptr ? "cpu:0" : place_of(*accelerator); }
};

std::vector<Candidate> candidates_for(task::Language language, const std::vector<Accelerator>& accelerators) {
  std::vector<Candidate> found;
  for (const std::string_view kind : kinds_for(language)) {
    if (kind == k_cpu) found.emplace_back();
    for (const Accelerator& device : accelerators) {
      if (device.kind == kind) found.push_back({&device});
    }
  }
  const auto is_gpu = [](const Candidate& candidate) { return candidate.vendor() != k_cpu; };
  std::stable_partition(found.begin(), found.end(), is_gpu);
  return found;
}

// Eight digits and more are the beginning of a UUID.
bool is_index(std::string_view word) {
  return !word.empty() && word.size() < k_least_uuid && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// "GPU-0001…" and "0001…", whole or the first characters of either.
bool names_uuid(const Candidate& candidate, std::string_view word) {
  if (candidate.accelerator == nullptr || word.size() < k_least_uuid) return false;
  const std::string_view uuid = candidate.accelerator->uuid;
  return uuid.starts_with(word) || uuid.substr(std::min(uuid.find('-'), uuid.size() - 1) + 1).starts_with(word);
}

bool is_named(const Candidate& candidate, std::string_view word) {
  if (word == candidate.kind() || word == candidate.vendor() || word == candidate.place()) return true;
  const std::string kind = std::string(candidate.kind()) + ":";
  return names_uuid(candidate, word.starts_with(kind) ? word.substr(kind.size()) : word);
}

std::vector<Candidate> named(const std::vector<Candidate>& candidates, std::string_view word) {
  if (word == "auto") return candidates;
  std::vector<Candidate> found;
  if (is_index(word)) {
    size_t index = 0;
    std::from_chars(word.data(), word.data() + word.size(), index);
    if (index < candidates.size()) found.push_back(candidates[index]);
    return found;
  }
  std::ranges::copy_if(candidates, std::back_inserter(found), [&](const Candidate& c) { return is_named(c, word); });
  return found;
}

bool is_several_by_intent(std::string_view word, const Candidate& candidate) {
  return word == "auto" || word == candidate.kind() || word == candidate.vendor();
}

std::string list_of(const std::vector<Candidate>& candidates) {
  std::vector<std::string> places;
  for (const Candidate& candidate : candidates) places.push_back(candidate.place());
  return join(places, ", ");
}

// Why, where the kinds of devices that would run them are known to be absent.
Error nothing_runs(task::Language language, std::span<const Absence> absences) {
  Error error{ErrorCode::environment,
              fmt::format("no device of this machine runs {} kernels", name_of(language)),
              {},
              "",
              "`hone doctor` says which devices are here, and what to type for the others"};
  const std::vector<std::string_view>& kinds = kinds_for(language);
  for (const Absence& absence : absences) {
    if (absence.help.empty() || std::ranges::find(kinds, absence.what) == kinds.end()) continue;
    error.why = absence.reason;
    error.help = absence.help;
  }
  return error;
}

Error not_found(std::string_view word, task::Language language, const std::vector<Candidate>& candidates) {
  return Error{
      ErrorCode::environment,
      fmt::format("there is no device '{}' that runs {} kernels", quote_untrusted(word, 128), name_of(language)),
      {},
      fmt::format("these do: {}", list_of(candidates)),
      "--device auto, one of them, or a UUID of `hone doctor`"};
}

Error ambiguous(std::string_view word, const std::vector<Candidate>& found) {
  return Error{ErrorCode::usage,
               fmt::format("'{}' names several devices: {}", quote_untrusted(word, 128), list_of(found)),
               {},
               "",
               "type more of the UUID, or one of these"};
}

std::string reason_for(std::string_view word, task::Language language, size_t count) {
  if (word == "auto") return fmt::format("the first that runs {} kernels (of {})", name_of(language), count);
  return fmt::format("--device {}{}", word, count > 1 ? fmt::format(" (the first of {})", count) : "");
}

}  // namespace

std::string place_of(const Accelerator& accelerator) {
  return fmt::format("{}:{}", accelerator.kind, accelerator.place.value_or(std::to_string(accelerator.index)));
}

Result<Choice> choose_device(std::string_view word, task::Language language,
                             const std::vector<Accelerator>& accelerators, std::span<const Absence> absences) {
  const std::vector<Candidate> candidates = candidates_for(language, accelerators);
  if (candidates.empty()) return nothing_runs(language, absences);
  const std::vector<Candidate> found = named(candidates, word);
  if (found.empty()) return not_found(word, language, candidates);
  if (found.size() > 1 && !is_several_by_intent(word, found.front())) return ambiguous(word, found);
  Choice choice;
  if (found.front().accelerator != nullptr) choice.accelerator = *found.front().accelerator;
  choice.reason = reason_for(word, language, found.size());
  return choice;
}

}  // namespace hone::device
