// Hidden cases from the command line: one clear message for whatever is wrong with their file, their numbers in every
// verdict, and their bindings nowhere. The last test is a kernel that is wrong for a hidden shape alone, on the device.
#include "surface/cli/hidden.h"

#include <gmock/gmock.h>

#include "judge/hidden.h"
#include "sandbox/spawn.h"
#include "surface/cli/testing/tape_campaign.h"

namespace hone::cli {

Command check_command();
Command compare_command();
Command measure_command();
Command resume_command();
Command verify_command();

namespace {

using ::testing::AllOf;
using testing::call;
using testing::Called;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;

// What they bind occurs nowhere else.
const std::string k_hidden = "schema = \"hidden/1\"\nnonce = \"" + std::string(64, '7') +
                             "\"\n\n[[cases]]\nuse = [\"verify\"]\nbind = { n = 424243, a = 0.135792468 }\n\n"
                             "[[cases]]\nuse = [\"verify\", \"time\"]\nbind = { n = 313137, a = 0.246813579 }\n";

class Hidden : public ::testing::Test {
 protected:
  Hidden() : root_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-hidden-")) {
    for (const auto& [name, text] : task::scale_files()) SmallCampaign::write(task() / name, text);
    SmallCampaign::write(file(), k_hidden);
    SmallCampaign::write(path("tape.jsonl"), loop::testing::k_tape);
    SmallCampaign::write(path("script.jsonl"), loop::testing::k_script);
    commit_to(k_hidden);
  }
  void commit_to(const std::string& text) const {
    SmallCampaign::write(task() / "task.toml",
                         std::string(task::k_scale_toml) + "\n[hidden]\nsha256 = \"" + sha256(text).hex() + "\"\n");
  }
  fs::path path(const std::string& name) const { return root_.path() / name; }
  fs::path task() const { return path("scale"); }
  fs::path campaign() const { return path("scale.hone"); }
  fs::path file() const { return path("hidden.toml"); }

  // On the tape, with the campaign named.
  Called ask(const Command& command, std::vector<std::string> words) const {
    words.insert(words.begin(), std::string(command.name));
    words.insert(words.end(), {"-C", campaign().string(), "--tape", path("tape.jsonl").string()});
    return call({command}, words);
  }
  Called run(std::vector<std::string> more) const {
    more.insert(more.begin(), {task().string(), "--proposer", "script:" + path("script.jsonl").string()});
    return ask(run_command(), std::move(more));
  }
  Called check(std::vector<std::string> more) const {
    more.insert(more.begin(), {"check", task().string()});
    return call({check_command()}, std::move(more));
  }
  std::string everything_written() const {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(campaign())) {
      if (entry.is_regular_file()) all += SmallCampaign::read(entry.path());
    }
    return all;
  }

  TemporaryFolder root_;
};

// As a number of its own: digests and times hold all digits sooner or later.
void expect_no_binding(const std::string& text) {
  const auto is_part = [&](size_t at) { return at < text.size() && (std::isalnum(text[at]) != 0 || text[at] == '.'); };
  for (const std::string binding : {"424243", "313137", "0.135792468", "0.246813579"}) {
    for (size_t at = text.find(binding); at != std::string::npos; at = text.find(binding, at + 1)) {
      const bool alone = !(at > 0 && is_part(at - 1)) && !is_part(at + binding.size());
      EXPECT_FALSE(alone) << text.substr(at > 80 ? at - 80 : 0, 160);
    }
  }
}

TEST_F(Hidden, ARunIsJudgedByThemAndWritesNoBindingDown) {
  const Called called = run({"--hidden", file().string()});
  ASSERT_EQ(called.status, 0) << called.error;
  const std::string written = everything_written();
  EXPECT_THAT(written, HasSubstr("hidden-1"));
  EXPECT_THAT(written, HasSubstr("judged by 2 hidden cases too"));
  EXPECT_THAT(written, HasSubstr(sha256(k_hidden).hex()));
  expect_no_binding(written + called.output);
}

TEST_F(Hidden, ACampaignGoesOnWithTheSameFileAlone) {
  ASSERT_EQ(run({"--hidden", file().string(), "--max-iterations", "1"}).status, 0);
  const Called without = run({});
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.error, HasSubstr("this campaign uses hidden cases, and their file was not given"));
  EXPECT_EQ(ask(verify_command(), {"best"}).status, 3);
  EXPECT_EQ(ask(verify_command(), {"best", "--hidden", file().string()}).status, 0);
  EXPECT_EQ(ask(resume_command(), {task().string(), "--hidden", file().string()}).status, 0);
  EXPECT_EQ(run({"--rebaseline"}).status, 0) << "measured anew, the public cases may stand alone";
  EXPECT_EQ(ask(verify_command(), {"best"}).status, 0);
}

TEST_F(Hidden, ACampaignThatBeganWithoutThemSaysSo) {
  ASSERT_EQ(run({"--max-iterations", "1"}).status, 0);
  EXPECT_THAT(everything_written(), HasSubstr("the contract commits to hidden cases, and they were not used"));
  const Called with = ask(compare_command(), {"baseline", "best", "--hidden", file().string()});
  EXPECT_EQ(with.status, 3);
  EXPECT_THAT(with.error, HasSubstr("judged by the public cases alone"));
}

TEST_F(Hidden, AVerdictOutsideOfACampaignNamesIdsAlone) {
  const Called called = ask(measure_command(), {task().string(), "--hidden", file().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, AllOf(HasSubstr("hidden-"), HasSubstr("judged by 2 hidden cases too")));
  expect_no_binding(called.output);
  const Called without = ask(measure_command(), {task().string()});
  EXPECT_THAT(without.output, HasSubstr("they were not used"));
  EXPECT_THAT(without.output, Not(HasSubstr("hidden-1")));
}

TEST_F(Hidden, AnotherFileIsRefused) {
  SmallCampaign::write(file(), k_hidden + "#\n");
  for (const Called& called :
       {run({"--hidden", file().string()}), ask(verify_command(), {task().string(), "--hidden", file().string()})}) {
    EXPECT_EQ(called.status, 2);
    EXPECT_THAT(called.error, HasSubstr("not the file of hidden cases that the contract commits to"));
  }
  EXPECT_FALSE(path_exists(campaign() / "log.jsonl"));
}

TEST_F(Hidden, AFileThatIsGoneIsRefused) {
  const Called called = run({"--hidden", path("gone.toml").string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("gone.toml"));
}

TEST_F(Hidden, AFileInsideAWorkspaceIsRefusedEvenThroughALink) {
  SmallCampaign::write(task() / "hidden.toml", k_hidden);
  fs::create_symlink(task() / "hidden.toml", path("link.toml"));
  for (const fs::path& place : {task() / "hidden.toml", path("link.toml")}) {
    const Called called = run({"--hidden", place.string()});
    EXPECT_EQ(called.status, 2) << place;
    EXPECT_THAT(called.error, HasSubstr("stands inside"));
  }
  SmallCampaign::write(path("other/hidden.toml"), k_hidden);
  SmallCampaign::write(path("other/kernel.cpp"), testing::k_new_kernel);
  const Called candidate =
      ask(compare_command(), {task().string(), path("other").string(), "--hidden", path("other/hidden.toml").string()});
  EXPECT_EQ(candidate.status, 2);
  EXPECT_THAT(candidate.error, HasSubstr("stands inside"));
}

TEST_F(Hidden, WithoutACommitmentNoneIsUsed) {
  SmallCampaign::write(task() / "task.toml", task::k_scale_toml);
  const Called called = run({"--hidden", file().string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("the contract commits to no hidden cases"));
}

TEST_F(Hidden, CheckPrintsTheCommitmentForTheirAuthor) {
  SmallCampaign::write(task() / "task.toml", task::k_scale_toml);
  const Called called = check({"--hidden", file().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("2 hidden cases in "));
  EXPECT_THAT(called.output, HasSubstr("[hidden]\nsha256 = \"" + sha256(k_hidden).hex() + "\"\n"));
}

TEST_F(Hidden, CheckTellsTheirAuthorWhatIsWrong) {
  const std::string wrong = task::replaced(k_hidden, "n = 424243", "n = 4_242_424");
  SmallCampaign::write(file(), wrong);
  commit_to(wrong);
  const Called author = check({"--hidden", file().string(), "--contract-only"});
  EXPECT_EQ(author.status, 2);
  EXPECT_THAT(author.error, HasSubstr("axis 'n' is 4242424, outside its public range"));
  const Called other = ask(verify_command(), {task().string(), "--hidden", file().string()});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.error, HasSubstr("the hidden cases do not fit the contract"));
  expect_no_binding(other.error);
}

TEST_F(Hidden, CheckOfAnotherFileSaysThatTheContractCommitsToAFirst) {
  SmallCampaign::write(file(), k_hidden + "#\n");
  const Called called = check({"--hidden", file().string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.output, HasSubstr(sha256(k_hidden + "#\n").hex()));
  EXPECT_THAT(called.error, HasSubstr("not the file of hidden cases"));
}

// ---- on the device
// ---------------------------------------------------------------------------------------------------------------

constexpr const char* k_wrong_when_hidden =
    "extern \"C\" int scale(float a, const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) y[i] = a * x[i];\n"
    "  if (n == 313137) y[150015] += 1;\n"
    "  return 0;\n}\n";
constexpr const char* k_reference =
    "#include <cmath>\nextern \"C\" void scale_reference(double a, const double* x, double* y, int n, double* m) {\n"
    "  for (int i = 0; i < n; ++i) m[i] = std::abs(y[i] = a * x[i]);\n}\n";

TEST_F(Hidden, AKernelThatIsWrongForAHiddenShapeAloneIsFound) {
  if (!judge::require_hiding(sandbox::available_layers())) GTEST_SKIP() << "this machine cannot hide the file";
  SmallCampaign::write(task() / "kernel.cpp", k_wrong_when_hidden);
  SmallCampaign::write(task() / "reference.cpp", k_reference);
  const auto verify = [&](std::vector<std::string> more) {
    std::vector<std::string> words{HONE_BINARY, "verify", task().string()};
    words.insert(words.end(), more.begin(), more.end());
    return *Processes().run({.argv = words, .folder = root_.path()});
  };
  const auto without = verify({});
  EXPECT_EQ(without.exit_status, 0) << without.output << without.errors;
  const auto with = verify({"--hidden", file().string()});
  EXPECT_EQ(with.exit_status, 1) << with.output << with.errors;
  EXPECT_THAT(with.output, AllOf(HasSubstr("INCORRECT_NUMERICAL"), HasSubstr("the hidden case 'hidden-")));
  expect_no_binding(with.output + with.errors);
  EXPECT_THAT(with.output, Not(HasSubstr("150015")));
}

}  // namespace
}  // namespace hone::cli
