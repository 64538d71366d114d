// A tape and a script for the small task of task/task_folder_for_tests.h: a campaign with a promotion, failures, a
// rejection and a second promotion. Needs no test framework.
#pragma once

#include <string>
#include <string_view>

#include "task/task_folder_for_tests.h"

namespace hone::loop::testing {

inline constexpr std::string_view k_device_line = "{\"device\":\"tape CPU\",\"cores\":[0]}\n";
// ITEMS = 8 is 25 % faster than v0, O3 on top of it another third; ITEMS = 2 is wrong; BLOCK = 256 is slower.
inline constexpr std::string_view k_tape =
    R"({"device":"tape CPU","cores":[0]}
{"candidate":"*","times_ns":[[8000,8010,7990,8000]],"noise":0.004}
{"options":["O3"],"times_ns":[[7900]],"noise":0.004}
{"values":{"BLOCK":"256"},"times_ns":[[8600]],"noise":0.004}
{"values":{"ITEMS":"8"},"times_ns":[[6000,6010],[6020,5990]],"noise":0.004}
{"values":{"ITEMS":"8"},"options":["O3"],"times_ns":[[4000]],"noise":0.004}
{"values":{"ITEMS":"2"},"verify":"INCORRECT_NUMERICAL","times_ns":[[3000]]}
)";
// A promotion, a rejection, a failure, a second promotion.
inline constexpr std::string_view k_script =
    R"({"tier":2,"group":"items","change":"eight items","values":{"ITEMS":"8"}}
{"tier":1,"group":"block","change":"larger blocks","values":{"ITEMS":"2","BLOCK":"256"}}
{"tier":2,"group":"two","change":"two items","values":{"ITEMS":"2"}}
{"tier":1,"group":"slower","change":"larger blocks, one item","values":{"BLOCK":"256"}}
{"tier":3,"group":"optimisation","change":"O3 on top","options":["O3"]}
)";

// The same figures on another device.
inline std::string replaced_device() { return task::replaced(std::string(k_tape), "tape CPU", "another tape CPU"); }

}  // namespace hone::loop::testing
