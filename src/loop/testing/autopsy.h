// What is wrong with a campaign after its hone died and another one went on: the chain, what it adds up to, git, the
// views, and what the dead left behind. For tests and for bench/kill_campaigns; needs no test framework. Every fault is
// one line.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/process.h"
#include "base/text.h"
#include "loop/contract.h"
#include "loop/store.h"
#include "record/git_store.h"
#include "views/views.h"

namespace hone::loop::testing {

inline std::string status_of(const campaign::Experiment& one) {
  return one.decided ? std::string(name_of(one.decided->status)) : "open";
}

inline std::vector<std::string> statuses(const campaign::State& state) {
  std::vector<std::string> all;
  for (const campaign::Experiment& one : state.experiments) all.push_back(status_of(one));
  return all;
}

// What a campaign adds up to, whatever happened on the way: no times, no sessions, no job names.
inline std::string outcome_of(const campaign::State& state) {
  std::string out = fmt::format("incumbent v{}, k = {}, {} reserved\n", state.incumbent_version, state.comparisons,
                                state.reserved.size());
  for (const campaign::Version& one : state.versions)
    out += fmt::format("v{} {} of experiment {}{}\n", one.number, one.candidate, one.experiment,
                       one.demoted ? ", demoted" : "");
  for (const campaign::Experiment& one : state.experiments)
    out += fmt::format("experiment {} {} {} {} {}\n", one.started.experiment, one.started.group, one.started.parent,
                       one.candidate.value_or("-"), status_of(one));
  for (const auto& charged : state.ledger)
    out += fmt::format("k {} {} {}\n", charged.k, charged.candidate, charged.incumbent);
  for (const auto& [context, group] : state.dead_ends) out += fmt::format("closed {} from {}\n", group, context);
  for (const auto& [digest, parked] : state.parked) out += fmt::format("parked {} in {}\n", digest, parked.experiment);
  if (state.final_confirmation) out += fmt::format("confirmed {}\n", state.final_confirmation->candidate);
  if (state.terminal) out += fmt::format("{}\n", name_of(*state.terminal));
  return out;
}

inline std::vector<std::string> git_faults(const fs::path& folder, const campaign::State& state) {
  Disk disk;
  Processes processes;
  const auto git = record::GitStore::open(disk, processes, folder / "store.git");
  const auto refs = git ? git->refs() : Result<record::Refs>(git.error());
  if (!refs) return {"store.git: " + refs.error().what};
  std::vector<std::string> faults;
  const auto expect = [&](const std::string& name, const std::string& commit) {
    const auto found = refs->find(name);
    if (found == refs->end() || found->second.hex != commit) faults.push_back(name + " is not where the log says");
  };
  for (const campaign::Version& one : state.versions) expect(fmt::format("refs/hone/v{}", one.number), one.commit);
  if (state.incumbent() != nullptr) expect("refs/hone/incumbent", state.incumbent()->commit);
  if (refs->size() != state.versions.size() + 1) faults.emplace_back("store.git has refs that the log does not know");
  return faults;
}

inline std::vector<std::string> view_faults(const fs::path& folder, const campaign::State& state) {
  const auto task = read_contract(folder, state);
  if (!task) return {"contract: " + task.error().what};
  const auto files =
      views::make_views(state, *task, [&](const Digest& digest) { return read_blob(folder, digest.hex()); });
  if (!files) return {"views: " + files.error().what};
  std::vector<std::string> faults;
  const auto found = views::check_views(folder, *files);
  if (!found) return {"views: " + found.error().what};
  for (const views::ViewFault& one : *found)
    faults.push_back(fmt::format("view {} is {}", one.path, name_of(one.kind)));
  return faults;
}

// `expected`: the outcome of a run that nothing interrupted; empty when only a sound end is asked for.
inline std::vector<std::string> faults_of(const fs::path& folder, const std::string& expected) {
  const auto read = read_campaign(folder);
  if (!read) return {"log: " + to_text(read.error())};
  std::vector<std::string> faults;
  if (read->torn_bytes != 0) faults.emplace_back("the log has a torn tail");
  const std::string outcome = outcome_of(read->state);
  if (!expected.empty() && outcome != expected) faults.push_back("it ended as\n" + outcome + "instead of\n" + expected);
  if (!read->state.terminal) faults.emplace_back("it did not end");
  if (!read->state.reserved.empty()) faults.emplace_back("a budget is reserved for ever");
  for (const auto& list : {git_faults(folder, read->state), view_faults(folder, read->state)})
    faults.insert(faults.end(), list.begin(), list.end());
  return faults;
}

// Processes whose command line or environment names this folder, other than this one.
inline std::vector<std::string> processes_naming(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(getpid())) continue;
    const std::string text =
        read_file(entry.path() / "cmdline").value_or("") + read_file(entry.path() / "environ").value_or("");
    if (text.find(folder.string()) != std::string::npos) found.push_back("process " + name + " is left");
  }
  return found;
}

// What stands in a runtime folder besides the locks of devices, which stay.
inline std::vector<std::string> runtime_leftovers(const fs::path& runtime) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(runtime, ignored)) {
    if (entry.path().extension() != ".lock" && entry.path() != runtime / "hone")
      found.push_back(entry.path().string() + " is left");
  }
  return found;
}

}  // namespace hone::loop::testing
