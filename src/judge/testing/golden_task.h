// Test support: y = a · x with golden files for both cases (n = 4): inputs 1 2 3 4, expected outputs 10 20 30 40, which
// no factor of the contract gives: whoever is judged by them is told apart from whoever is judged by v0.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "task/task_folder_for_tests.h"

namespace hone::judge {

inline std::string golden_toml() {
  std::string toml(task::k_scale_toml);
  toml = task::replaced(toml, "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
                        "kind = \"golden\"\ngolden = \"truth\"");
  const std::string output = "name = \"y\"\nrole = \"out\"\ndtype = \"f32\"\nshape = [\"n\"]\n";
  toml = task::replaced(toml, output, output + "compare = { rule = \"allclose\", atol = 1e-6, rtol = 1e-5 }\n");
  toml = task::replaced(toml, "n = 1023", "n = 4");
  return task::replaced(toml, "n = 1_000_000", "n = 4");
}

inline std::string bytes_of_floats(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

inline std::map<std::string, std::string> golden_files() {
  std::map<std::string, std::string> files;
  for (const std::string one : {"odd", "large"}) {
    files["truth/" + one + "/x.bin"] = bytes_of_floats({1, 2, 3, 4});
    files["truth/" + one + "/y.bin"] = bytes_of_floats({10, 20, 30, 40});
  }
  return files;
}

}  // namespace hone::judge
