// Test support: shell scripts in the build profile, and the layers that a test relies on.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "sandbox/run_confined.h"

namespace hone::sandbox {

inline Confinement shell(const std::string& script) {
  return {.profile = Profile::build,
          .program = "/bin/sh",
          .argv = {"sh", "-c", script},
          .environment = {{"PATH", "/usr/bin:/bin"}}};
}

inline ConfinedOutcome run_shell(const std::string& script, Nanoseconds deadline = std::chrono::seconds(20)) {
  auto outcome = run_confined({.confinement = shell(script), .deadline = deadline});
  EXPECT_TRUE(outcome) << to_text(outcome.error());
  return outcome ? *outcome : ConfinedOutcome{};
}

inline bool machine_has(Layer layer) { return available_layers().has(layer); }

#define NEEDS(layer) \
  if (!machine_has(layer)) GTEST_SKIP() << "this machine refuses the layer"

}  // namespace hone::sandbox
