// Kills hone at random moments, lets the next run go on, and looks at what is left: `kill -9` where crash points do not
// stand. Prints one table; ends with 1 when a campaign was not as it should be.
//   bench_kill_campaigns HONE TAPE_KILLS [EXAMPLE CPU_KILLS]
// On the tape every end must equal that of a run that nothing interrupted. On the CPU, where times differ, it must be
// sound: chain, git, views, budgets, no process and no folder left.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "loop/testing/autopsy.h"
#include "loop/testing/sample_texts.h"

namespace hone {
namespace {

using loop::testing::faults_of;
using loop::testing::processes_naming;
using loop::testing::runtime_leftovers;
using Words = std::vector<std::string>;

constexpr uint64_t k_seed = 20'260'729;  // the moments differ with the machine's speed all the same

struct Place {
  fs::path root;
  fs::path folder() const { return root / "task.hone"; }
  fs::path runtime() const { return root / "runtime"; }
};

void enter(const Place& place, const Words& words) {
  setenv("XDG_RUNTIME_DIR", place.runtime().c_str(), 1);
  if (chdir(place.root.c_str()) != 0) _exit(127);
  const int silent = open("output.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(silent, STDOUT_FILENO);
  dup2(silent, STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

pid_t start(const Place& place, const Words& words) {
  const pid_t pid = fork();
  if (pid == 0) enter(place, words);
  return pid;
}

int end_of(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Campaigns {
  std::string name;
  Place place;
  Words run;    // the command, HONE first
  Words audit;  // for a run that had ended when it died: only its views may be missing
  std::string expected;
  int kills = 0;
};

struct Tally {
  int killed = 0;
  int ended_before = 0;
  uint64_t comparisons_resumed = 0;
  std::vector<std::string> faults;
};

void forget(const Place& place) {
  fs::remove_all(place.folder());
  fs::remove_all(place.runtime());
}

// The dead one's children notice within moments.
std::vector<std::string> left_behind(const Place& place) {
  std::vector<std::string> left;
  for (int i = 0; i < 50; ++i) {
    left = processes_naming(place.root);
    if (left.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (std::string& one : runtime_leftovers(place.runtime())) left.push_back(std::move(one));
  return left;
}

void kill_once(const Campaigns& campaigns, std::chrono::nanoseconds moment, Tally& tally) {
  forget(campaigns.place);
  const pid_t pid = start(campaigns.place, campaigns.run);
  std::this_thread::sleep_for(moment);
  kill(pid, SIGKILL);
  const bool was_killed = end_of(pid) == 128 + SIGKILL;
  (was_killed ? tally.killed : tally.ended_before) += 1;
  const auto dead = loop::read_campaign(campaigns.place.folder());
  if (dead && dead->state.open_comparison) ++tally.comparisons_resumed;
  const bool had_ended = dead && dead->state.terminal;
  const int status = end_of(start(campaigns.place, had_ended ? campaigns.audit : campaigns.run));
  const std::string when = fmt::format("killed after {:.3f} s: ", std::chrono::duration<double>(moment).count());
  if (status != 0) tally.faults.push_back(when + fmt::format("the next run ended with {}", status));
  for (const std::string& fault : faults_of(campaigns.place.folder(), campaigns.expected))
    tally.faults.push_back(when + fault);
  for (const std::string& left : left_behind(campaigns.place)) tally.faults.push_back(when + left);
}

Tally kill_many(Campaigns& campaigns, bool same_end) {
  const auto begin = std::chrono::steady_clock::now();
  Tally tally;
  forget(campaigns.place);
  if (end_of(start(campaigns.place, campaigns.run)) != 0) {
    tally.faults.emplace_back("the uninterrupted run failed: see output.txt");
    return tally;
  }
  const std::chrono::nanoseconds whole = std::chrono::steady_clock::now() - begin;
  if (same_end) campaigns.expected = loop::testing::outcome_of(loop::read_campaign(campaigns.place.folder())->state);
  std::mt19937_64 random(k_seed);
  std::uniform_int_distribution<int64_t> moments(0, whole.count());
  while (tally.killed < campaigns.kills && tally.ended_before <= campaigns.kills)
    kill_once(campaigns, std::chrono::nanoseconds(moments(random)), tally);
  return tally;
}

void print_row(const Campaigns& campaigns, const Tally& tally) {
  fmt::print("| {} | {} | {} | {} | {} |\n", campaigns.name, tally.killed, tally.ended_before,
             tally.comparisons_resumed, tally.faults.size());
  fflush(stdout);  // a row is not lost with what comes after it
  for (const std::string& fault : tally.faults) fmt::print(stderr, "{}: {}\n", campaigns.name, fault);
}

Campaigns on_tape(const fs::path& root, const std::string& hone, int kills) {
  Disk disk;
  for (const auto& [name, text] : task::scale_files()) {
    std::ignore = disk.make_directories(root / "task");
    std::ignore = write_file(disk, root / "task" / name, text);
  }
  std::ignore = write_file(disk, root / "tape.jsonl", loop::testing::k_tape);
  std::ignore = write_file(disk, root / "script.jsonl", loop::testing::k_script);
  return {"tape",
          {root},
          {hone, "run", "task", "--tape", "tape.jsonl", "--proposer", "script:script.jsonl"},
          {hone, "audit", "task.hone", "--rebuild"},
          "",
          kills};
}

Campaigns on_cpu(const fs::path& root, const std::string& hone, const fs::path& example, int kills) {
  fs::copy(example, root / "task", fs::copy_options::recursive);
  return {"cpu, " + example.filename().string(),     {root}, {hone, "run", "task", "--max-iterations", "2"},
          {hone, "audit", "task.hone", "--rebuild"}, "",     kills};
}

int main_of(int count, char** words) {
  if (count != 3 && count != 5) {
    fmt::print(stderr, "usage: bench_kill_campaigns HONE TAPE_KILLS [EXAMPLE CPU_KILLS]\n");
    return 2;
  }
  const std::string hone = fs::absolute(words[1]).string();
  const auto tape_root = TemporaryFolder::make(fs::temp_directory_path(), "hone-kill-");
  const auto cpu_root = TemporaryFolder::make(fs::temp_directory_path(), "hone-kill-");
  if (!tape_root || !cpu_root) return 5;
  fmt::print("| campaign | killed | ended before | in a comparison | faults |\n|---|---|---|---|---|\n");
  Campaigns tape = on_tape(tape_root->path(), hone, atoi(words[2]));
  const Tally on_the_tape = kill_many(tape, true);
  print_row(tape, on_the_tape);
  if (count == 3) return on_the_tape.faults.empty() ? 0 : 1;
  Campaigns cpu = on_cpu(cpu_root->path(), hone, fs::absolute(words[3]), atoi(words[4]));
  const Tally on_the_cpu = kill_many(cpu, false);
  print_row(cpu, on_the_cpu);
  return on_the_tape.faults.empty() && on_the_cpu.faults.empty() ? 0 : 1;
}

}  // namespace
}  // namespace hone

int main(int count, char** words) { return hone::main_of(count, words); }
