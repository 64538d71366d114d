// The script proposer: replays proposals from a file of JSON lines, one experiment each, in order (docs/script.md):
//   {"tier":2,"group":"blocking","hypothesis":"…","change":"…","values":{"TILE":"8"},"options":["O3"],"folder":"v1"}
// `values` and `options` replace those of the candidate it starts from; `folder` (relative to the script) holds
// editable files that replace its files. All keys but tier and change are optional. Line N is the script's N-th turn in
// the campaign, so a resume goes on in place. Failure: contract, with file and line.
#pragma once

#include <filesystem>
#include <memory>

#include "propose/proposer.h"

namespace hone::propose {

Result<std::unique_ptr<Proposer>> make_script(const std::filesystem::path& file);

}  // namespace hone::propose
