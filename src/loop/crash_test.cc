// A whole campaign on a tape, run by the program itself, dies at crash points spread over all that it passes; each time
// the next run must end as if nothing had happened.
#include <gmock/gmock.h>
#include <signal.h>

#include "loop/testing/tape_campaign.h"

namespace hone::loop {
namespace {

#ifdef HONE_CRASH_POINTS

using ::testing::IsEmpty;
using testing::TapeCampaign;

constexpr size_t k_deaths = 60;  // some thirty seconds

// tmpfs where there is one: thousands of syncs.
fs::path quick_folder() { return fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path(); }

class Crash : public ::testing::Test {
 protected:
  Crash() : root_(*TemporaryFolder::make(quick_folder(), "hone-crash-")) {
    for (const auto& [name, text] : task::scale_files()) TapeCampaign::write(root_.path() / "scale" / name, text);
    TapeCampaign::write(root_.path() / "tape.jsonl", testing::k_tape);
    TapeCampaign::write(root_.path() / "script.jsonl", testing::k_script);
  }
  fs::path folder() const { return root_.path() / "scale.hone"; }
  fs::path runtime() const { return root_.path() / "runtime"; }

  Finished hone(const std::string& variable, const std::string& value) {
    return call({HONE_BINARY, "run", "scale", "--tape", "tape.jsonl", "--proposer", "script:script.jsonl"}, variable,
                value);
  }
  // A run that had ended already has only its views to lose; to run again would be another run.
  Finished go_on() {
    const auto left = read_campaign(folder());
    if (left && left->state.terminal)
      return call({HONE_BINARY, "audit", "scale.hone", "--rebuild"}, "HONE_CRASH_AT", "0");
    return hone("HONE_CRASH_AT", "0");
  }
  // A question between runs that no run asks: is v0 faster than v2?
  Finished ask(const std::string& variable, const std::string& value) {
    return call({HONE_BINARY, "compare", "v2", "v0", "-C", "scale.hone", "--tape", "tape.jsonl"}, variable, value);
  }
  Finished call(std::vector<std::string> words, const std::string& variable, const std::string& value) {
    Command command;
    command.argv = std::move(words);
    command.folder = root_.path();
    command.environment = {{"XDG_RUNTIME_DIR", runtime().string()}, {"HOME", root_.path().string()}, {variable, value}};
    const auto done = processes_.run(command);
    EXPECT_TRUE(done) << to_text(done.error());
    return done ? *done : Finished{};
  }
  // Everything that the campaign left, so that the next death starts from nothing.
  void forget() {
    fs::remove_all(folder());
    fs::remove_all(runtime());
  }
  static size_t points_in(const std::string& errors) {
    size_t count = 0;
    for (const std::string& line : split_lines(errors)) count += line.starts_with("crash point ") ? 1 : 0;
    return count;
  }
  // How many crash points an uninterrupted run passes.
  size_t count_points() {
    const Finished whole = hone("HONE_CRASH_COUNT", "1");
    EXPECT_TRUE(whole.succeeded()) << whole.errors;
    return points_in(whole.errors);
  }
  // From the campaign as it was kept aside.
  void start_from(const fs::path& kept) {
    forget();
    fs::copy(kept, folder(), fs::copy_options::recursive);
  }
  void dies_asking(size_t point, const fs::path& kept, const std::string& expected) {
    SCOPED_TRACE(fmt::format("crash point {}", point));
    start_from(kept);
    const Finished died = ask("HONE_CRASH_AT", std::to_string(point));
    ASSERT_EQ(died.exit_status, 128 + SIGKILL) << died.errors;
    const Finished again = ask("HONE_CRASH_AT", "0");
    ASSERT_EQ(again.exit_status, 1) << "v0 is not faster than v2: " << again.errors;
    EXPECT_THAT(testing::faults_of(folder(), expected), IsEmpty());
  }
  void dies_and_goes_on(size_t point, const std::string& expected) {
    SCOPED_TRACE(fmt::format("crash point {}", point));
    forget();
    const Finished died = hone("HONE_CRASH_AT", std::to_string(point));
    ASSERT_EQ(died.exit_status, 128 + SIGKILL) << died.errors;
    const Finished again = go_on();
    ASSERT_TRUE(again.succeeded()) << again.errors;
    EXPECT_THAT(testing::faults_of(folder(), expected), IsEmpty());
    EXPECT_THAT(testing::processes_naming(root_.path()), IsEmpty());
    EXPECT_THAT(testing::runtime_leftovers(runtime()), IsEmpty());
  }

 private:
  TemporaryFolder root_;
  Processes processes_;
};

TEST_F(Crash, DeathAnywhereEndsAsIfNothingHadHappened) {
  const size_t points = count_points();
  ASSERT_GT(points, k_deaths) << "the run passed far fewer points than it has writes";
  ASSERT_THAT(testing::faults_of(folder(), ""), IsEmpty());
  const std::string expected = testing::outcome_of(read_campaign(folder())->state);
  for (size_t i = 0; i < k_deaths && !HasFailure(); ++i) dies_and_goes_on(1 + i * points / k_deaths, expected);
  dies_and_goes_on(points, expected);
}

TEST_F(Crash, AQuestionThatDiesEndsAsIfNothingHadHappened) {
  constexpr size_t k_asked = 20;
  ASSERT_TRUE(hone("HONE_CRASH_AT", "0").succeeded());
  const fs::path kept = folder().parent_path() / "kept";
  fs::copy(folder(), kept, fs::copy_options::recursive);
  const Finished whole = ask("HONE_CRASH_COUNT", "1");
  ASSERT_EQ(whole.exit_status, 1) << whole.errors;
  const size_t points = points_in(whole.errors);
  ASSERT_GT(points, k_asked);
  const std::string expected = testing::outcome_of(read_campaign(folder())->state);
  for (size_t i = 0; i < k_asked && !HasFailure(); ++i) dies_asking(1 + i * points / k_asked, kept, expected);
  dies_asking(points, kept, expected);
}

#endif

}  // namespace
}  // namespace hone::loop
