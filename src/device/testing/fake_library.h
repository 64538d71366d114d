// Test support: a shared library made from C text by this machine's compiler, in a folder of its own, to stand in for a
// vendor's driver. `macros` are defined in front of the text ("CRASHES", "DEVICES=2").
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/process.h"

namespace hone::device {

class FakeLibrary {
 public:
  explicit FakeLibrary(std::string_view text, const std::vector<std::string>& macros = {}) {
    auto made = TemporaryFolder::make(fs::temp_directory_path(), "hone-fake-");
    if (!made) return;
    folder_.emplace(std::move(*made));
    Processes processes;
    Command command{.argv = {"g++", "-x", "c", "-shared", "-fPIC", "-w", "-", "-o", path()}};
    for (const std::string& macro : macros) command.argv.push_back("-D" + macro);
    command.input = std::string(text);
    const auto done = processes.run(command);
    built_ = done && done->succeeded();
    EXPECT_TRUE(built_) << (done ? done->errors : done.error().what);
  }

  bool built() const { return built_; }
  std::string path() const { return folder_ ? (folder_->path() / "libfake.so").string() : ""; }

 private:
  std::optional<TemporaryFolder> folder_;
  bool built_ = false;
};

}  // namespace hone::device
