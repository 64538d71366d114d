// The manual proposer: a person edits the kernel in the task's folder and runs hone; each run offers the present files
// once.
#pragma once

#include <filesystem>
#include <memory>

#include "propose/proposer.h"

namespace hone::propose {

std::unique_ptr<Proposer> make_manual(std::filesystem::path folder);

}  // namespace hone::propose
