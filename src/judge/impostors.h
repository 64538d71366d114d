// The impostor panel (JUDGE.md 4): cheap wrong answers that a usable contract must reject. Run when a task is admitted
// (`hone check`): an impostor that passes in a timed case, or in all verify cases, means that tolerance or inputs are
// wrong, and the task is refused. Pure: makes bytes from truths and inputs. Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "judge/checker.h"

namespace hone::judge {

struct Impostor {
  std::string name;
  std::vector<std::byte> bytes;
};

// What impostors are made of, for one output of one content. `inputs` are the contents of all inputs; `previous` is the
// truth of another content of the same case (empty when there is none).
struct ImpostorSources {
  OutputRule rule;
  Truth truth;
  Truth previous;
  std::vector<std::vector<std::byte>> inputs;
};

// The panel for one output; members that equal the truth within 1 ulp everywhere are left out, and half-precision
// accumulation where the contract allows it.
std::vector<Impostor> impostors_of(const ImpostorSources& sources);

// The right answer as bytes: the truth rounded to the output's type.
std::vector<std::byte> rounded(const OutputRule& rule, const Truth& truth);

}  // namespace hone::judge
