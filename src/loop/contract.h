// The contract of a campaign, frozen: the bytes of the task when the campaign was opened. Judges read this copy, so
// that edits in the user's folder change nothing while a session runs; the next one stops at an edited contract (exit
// 3). The folder contract/ is made from blobs and can be rebuilt. Failures: contract (the task itself), io.
#pragma once

#include <string>
#include <vector>

#include "loop/store.h"
#include "task/candidate.h"
#include "task/task.h"

namespace hone::loop {

// Every file of the task: task.toml, kernel sources, oracle and golden files; put into the store's blobs.
Result<std::vector<campaign::FileReference>> freeze(Store& store, const task::Task& task);
// Makes folder/contract hold exactly those files, and reads the task from there.
Result<task::Task> thaw(Store& store);
// The same files from the blobs of the campaign in `folder` alone, laid out in `into`, and the task read from there:
// takes no lock and writes nothing in the campaign.
Result<task::Task> unpack_contract(const fs::path& folder, const campaign::State& state, const fs::path& into);
// The task alone, as if it had been read from folder/contract.
Result<task::Task> read_contract(const fs::path& folder, const campaign::State& state);

// Between campaign events and task candidates.
Result<campaign::CandidateAdded> record_candidate(Store& store, const task::Candidate& candidate,
                                                  std::optional<std::string> parent, std::string origin);
using BlobReader = std::function<Result<std::string>(const std::string& digest)>;
Result<task::Candidate> restore_candidate(const campaign::State& state, const std::string& digest,
                                          const BlobReader& read);

// NAME.hone beside the task's folder.
fs::path default_campaign_folder(const fs::path& task_folder);

}  // namespace hone::loop
