// A campaign that `hone run` made on a tape, for tests of commands that ask a judge afterwards: v0, v1 and v2 of the
// small task. Made anew for every test; a fraction of a second.
#pragma once

#include <string>
#include <vector>

#include "loop/testing/sample_texts.h"
#include "surface/cli/testing/small_campaign.h"

namespace hone::cli {

Command run_command();

namespace testing {

class RunCampaign {
 public:
  RunCampaign() : root_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-asked-")) {
    for (const auto& [name, text] : task::scale_files()) SmallCampaign::write(task_folder() / name, text);
    write_tape(loop::testing::k_tape);
    SmallCampaign::write(root() / "script.jsonl", loop::testing::k_script);
    const Called called = call({run_command()}, {"run", task_folder().string(), "--tape", tape().string(), "--proposer",
                                                 "script:" + (root() / "script.jsonl").string()});
    EXPECT_EQ(called.status, 0) << called.error;
  }

  const fs::path& root() const { return root_.path(); }
  fs::path task_folder() const { return root() / "scale"; }
  fs::path folder() const { return root() / "scale.hone"; }
  fs::path tape() const { return root() / "tape.jsonl"; }
  void write_tape(std::string_view text) const { SmallCampaign::write(tape(), text); }
  // A candidate that no campaign knows: the kernel alone, edited.
  fs::path stranger() const {
    SmallCampaign::write(root() / "stranger/kernel.cpp", k_new_kernel);
    return root() / "stranger";
  }
  campaign::State state() const { return loop::read_campaign(folder())->state; }
  // With the campaign and the tape named.
  Called ask(const Command& command, std::vector<std::string> words) const {
    words.insert(words.begin(), std::string(command.name));
    words.insert(words.end(), {"-C", folder().string(), "--tape", tape().string()});
    return call({command}, words);
  }

 private:
  TemporaryFolder root_;
};

}  // namespace testing
}  // namespace hone::cli
