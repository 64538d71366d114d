// The least that this process's own resource limits (ulimit) must leave, as one table. What is too small here is too
// small for everything that hone starts, and a candidate would be blamed for it; so it is looked at beforehand.
// The figures are several times what a small kernel needs, and no more than an ordinary login gives. Failure:
// environment, with what to type. Nothing is changed. Any thread.
#pragma once

#include "base/result.h"

namespace hone::sandbox {

enum class Purpose {
  any_command,  // before anything deep is done
  judging,      // before a candidate is built or run
};

Status limits_suffice_for(Purpose purpose);

}  // namespace hone::sandbox
