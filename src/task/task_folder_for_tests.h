// A task folder made of texts, for the tests of this room; gone with the object.
#pragma once

#include <map>
#include <string>

#include "base/disk.h"
#include "task/read.h"

namespace hone::task {

class TaskFolder {
 public:
  explicit TaskFolder(const std::map<std::string, std::string>& files)
      : folder_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-task-")) {
    for (const auto& [name, text] : files) write(name, text);
  }
  void write(const std::string& name, const std::string& text) const {
    Disk disk;
    const fs::path file = path() / name;
    fs::create_directories(file.parent_path());
    if (!write_file(disk, file, text)) abort();
  }
  ReadTask read() const { return read_task(path()); }
  const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

// A small whole task; lines are numbered by the tests that break it.
inline constexpr std::string_view k_scale_toml = R"(schema = "task/1"
name = "scale"
summary = "y = a * x"

[axes]
n = { kind = "case", min = 1 }

[[args]]
name = "a"
role = "scalar"
dtype = "f32"

[[args]]
name = "x"
role = "in"
dtype = "f32"
shape = ["n"]
fill = { kind = "normal", mean = 0.0, std = 1.0 }

[[args]]
name = "y"
role = "out"
dtype = "f32"
shape = ["n"]

[[args]]
name = "n"
role = "size"
dtype = "i32"
value = "n"

[kernel]
language = "cpp"
sources = ["kernel.cpp"]
entry = "scale"
call = "host_function"

[tune]
constraints = ["BLOCK * ITEMS <= 1024"]

[tune.parameters]
BLOCK = { values = [64, 128, 256], default = 128 }
ITEMS = { values = [1, 2, 8], default = 1, tier = 2 }

[oracle]
kind = "c_function"
sources = ["reference.cpp"]
entry = "scale_reference"

[[cases]]
id = "odd"
use = ["verify"]
bind = { n = 1023, a = -0.5 }

[[cases]]
id = "large"
use = ["verify", "time"]
bind = { n = 1_000_000, a = 1.5 }
)";

inline std::map<std::string, std::string> scale_files() {
  return {{"task.toml", std::string(k_scale_toml)},
          {"kernel.cpp", "extern \"C\" int scale(float a, const float* x, float* y, int n);\n"},
          {"reference.cpp",
           "extern \"C\" void scale_reference(double a, const double* x, double* y, int n, double* m);\n"}};
}

// `text` with its only occurrence of `from` replaced; aborts when there is none, so that a test cannot break nothing.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) abort();
  return text.replace(at, from.size(), to);
}

}  // namespace hone::task
