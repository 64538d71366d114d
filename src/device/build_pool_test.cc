// Builds at the same time: by a device that says who was there with whom, and by real confined compilers, whose
// artefacts must be those of builds one by one, whoever fails or dies beside them.
#include "device/build_pool.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "device/cpu/testing/arm_fixture.h"
#include "device/workshop.h"

namespace hone::device {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto k_patience = std::chrono::seconds(60);

// Builds nothing. No build ends before `together` of them have begun, or the patience is over, which is written down.
class MeetingDevice final : public Device {
 public:
  size_t together = 1;
  std::set<std::string> faulty, broken, known;  // by entry; known: the cache has it

  const Identity& identity() const override { return identity_; }
  std::vector<std::string> active_layers() const override { return {}; }
  Result<LoadOutcome> load(const LoadRequest&) override { return Error{ErrorCode::internal, "nothing to load"}; }

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    std::unique_lock held(guard_);
    compiled_.push_back(request.entry);
    ++begun_;
    news_.notify_all();
    missed_ = !news_.wait_for(held, k_patience, [this] { return begun_ >= together; }) || missed_;
    if (broken.contains(request.entry)) return Error{ErrorCode::environment, "no room for " + request.entry};
    return answer(request, known.contains(request.entry) ? Nanoseconds(0) : Nanoseconds(1));
  }

  bool all_met() const { return !missed_; }
  std::vector<std::string> compiled() const { return compiled_; }

 private:
  CompileOutcome answer(const CompileRequest& request, Nanoseconds took) const {
    CompileOutcome outcome;
    outcome.took = took;
    if (faulty.contains(request.entry)) {
      outcome.fault = CompileFault::compile_error;
    } else {
      outcome.artefact = Artefact{sha256(request.entry), {}, {}, {request.entry}};
    }
    return outcome;
  }

  Identity identity_;
  std::mutex guard_;
  std::condition_variable news_;
  size_t begun_ = 0;
  bool missed_ = false;
  std::vector<std::string> compiled_;
};

class BuildPoolTest : public testing::Test {
 protected:
  std::vector<std::optional<CompileOutcome>> run(
      size_t workers, const std::vector<std::string>& entries,
      const std::function<bool()>& stop = [] { return false; }) {
    std::vector<BuildOrder> orders;
    for (const std::string& entry : entries) orders.push_back(order_of(entry));
    return BuildPool(workers).run(orders, stop);
  }
  BuildOrder order_of(const std::string& entry) {
    CompileRequest request;
    request.entry = entry;
    return {&device_, request};
  }

  MeetingDevice device_;
};

TEST_F(BuildPoolTest, AllWorkersBuildAtTheSameTime) {
  device_.together = 4;
  const auto answers = run(4, {"a", "b", "c", "d"});
  EXPECT_TRUE(device_.all_met()) << "a build waited for its peers in vain";
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(answers[i]->artefact->digest, sha256(std::string(1, "abcd"[i])));
}

TEST_F(BuildPoolTest, NoMoreWorkThanThereIs) {
  EXPECT_TRUE(run(8, {}).empty());
  EXPECT_TRUE(run(8, {"a"}).front()->artefact);
  EXPECT_THAT(device_.compiled(), ElementsAre("a"));
}

TEST_F(BuildPoolTest, OneWorkerBuildsInTheirOrder) {
  run(1, {"a", "b", "c"});
  EXPECT_THAT(device_.compiled(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(BuildPool(0).workers(), 1u);
}

TEST_F(BuildPoolTest, AsManyWorkersAsProcessorsAtMost) {
  EXPECT_EQ(BuildPool().workers(), std::min<size_t>(cpu::test_cores().size(), 32));
}

TEST_F(BuildPoolTest, EqualOrdersAreBuiltOnce) {
  device_.together = 2;
  const auto answers = run(4, {"a", "b", "a", "a"});
  EXPECT_THAT(device_.compiled(), testing::UnorderedElementsAre("a", "b"));
  for (const size_t i : {0, 2, 3}) EXPECT_EQ(answers[i]->artefact->digest, sha256("a"));
  EXPECT_EQ(answers[1]->artefact->digest, sha256("b"));
}

TEST_F(BuildPoolTest, OrdersThatDifferInOneChoiceAreNotEqual) {
  std::vector<BuildOrder> orders(5, order_of("a"));
  orders[1].request.macros["TILE"] = "8";
  orders[2].request.options = {"O3"};
  orders[3].request.launches = {{"k", {}}};
  MeetingDevice other;
  orders[4].device = &other;
  BuildPool(1).run(orders);
  EXPECT_EQ(device_.compiled().size(), 4u);
  EXPECT_EQ(other.compiled().size(), 1u);
}

// They shared the machine: neither a fault nor an error counts before it comes back alone.
TEST_F(BuildPoolTest, WhatFailsBesideAnotherBuildIsLeftToItsTurn) {
  device_.together = 3;
  device_.faulty = {"faulty"};
  device_.broken = {"broken"};
  const auto answers = run(3, {"faulty", "good", "broken"});
  ASSERT_TRUE(device_.all_met());
  EXPECT_FALSE(answers[0]);
  EXPECT_TRUE(answers[1]->artefact);
  EXPECT_FALSE(answers[2]);
}

TEST_F(BuildPoolTest, WhatFailsWhileNobodyElseBuildsIsToldAtOnce) {
  device_.faulty = {"faulty"};
  device_.broken = {"broken"};
  const auto answers = run(1, {"good", "faulty", "broken"});
  EXPECT_TRUE(answers[0]->artefact);
  EXPECT_EQ(answers[1]->fault, CompileFault::compile_error);
  EXPECT_FALSE(answers[2]) << "an error is the machine's, and the next build may find it gone";
}

TEST_F(BuildPoolTest, WhatTheCacheHadIsNobodyBeside) {
  device_.together = 3;
  device_.known = {"b", "c"};
  device_.faulty = {"a"};
  const auto answers = run(3, {"a", "b", "c"});
  EXPECT_EQ(answers[0]->fault, CompileFault::compile_error);
}

TEST_F(BuildPoolTest, OnceStoppedNoBuildBegins) {
  const auto answers = run(1, {"a", "b", "c"}, [this] { return device_.compiled().size() == 2; });
  EXPECT_THAT(device_.compiled(), ElementsAre("a", "b"));
  EXPECT_TRUE(answers[1]);
  EXPECT_FALSE(answers[2]);
}

// ---- real compilers

class RealBuilds : public testing::Test {
 protected:
  static std::unique_ptr<cpu::CpuDevice> open(const fs::path& cache) {
    Processes processes;
    Identity identity;
    identity.kind = "cpu";
    identity.name = "test";
    identity.cores = cpu::test_cores();
    auto opened = cpu::CpuDevice::open(identity, cache, processes);
    EXPECT_TRUE(opened) << to_text(opened.error());
    return opened ? *std::move(opened) : nullptr;
  }

  static CompileRequest request_of(const std::string& text) {
    CompileRequest request;
    request.files = {{"kernel.cpp", false, text}};
    request.sources = {"kernel.cpp"};
    request.entry = "k";
    return request;
  }
  static std::string good(int number) {
    return fmt::format(
        "#include <algorithm>\n#include <vector>\nextern \"C\" int k(float* y, int n) {{ std::vector<float> v(y, y + "
        "n);\n  std::sort(v.begin(), v.end()); std::copy(v.begin(), v.end(), y); y[0] += {}; return 0; }}\n",
        number);
  }
  static std::vector<BuildOrder> orders_of(Device& device, const std::vector<std::string>& texts) {
    std::vector<BuildOrder> orders;
    for (const std::string& text : texts) orders.push_back({&device, request_of(text)});
    return orders;
  }
  static std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    if (path_exists(folder)) entries.assign(fs::directory_iterator(folder), fs::directory_iterator());
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  void TearDown() override { traces_.expect_none(); }

  TemporaryFolder cache_ = *TemporaryFolder::make("/tmp", "hone-pool-test-");
  TemporaryFolder other_cache_ = *TemporaryFolder::make("/tmp", "hone-pool-test-");

 private:
  sandbox::Traces traces_;
};

TEST_F(RealBuilds, ArtefactsAreThoseOfBuildsOneByOne) {
  const auto device = open(cache_.path());
  const auto serial = open(other_cache_.path());
  std::vector<std::string> texts;
  for (int i = 0; i < 6; ++i) texts.push_back(good(i));
  const auto answers = BuildPool(3).run(orders_of(*device, texts));
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto alone = serial->compile(request_of(texts[i]));
    ASSERT_TRUE(alone && alone->artefact && answers[i] && answers[i]->artefact);
    EXPECT_EQ(answers[i]->artefact->digest, alone->artefact->digest);
    EXPECT_EQ(answers[i]->artefact->folder.filename(), alone->artefact->folder.filename());
    const auto again = device->compile(request_of(texts[i]));
    ASSERT_TRUE(again && again->artefact);
    EXPECT_EQ(again->artefact->digest, alone->artefact->digest);
    EXPECT_EQ(again->took, Nanoseconds(0)) << "the cache has it";
  }
  EXPECT_THAT(entries_of(cache_.path() / "builds"), testing::IsEmpty());
}

TEST_F(RealBuilds, OneThatFailsDisturbsNobodyAndSaysTheSameAfterwards) {
  const auto device = open(cache_.path());
  const auto serial = open(other_cache_.path());
  const std::string bad = "\nextern \"C\" int k( { }\n";
  std::vector<std::string> texts{good(0), bad, good(1), "int not_k() { return 0; }", good(2)};
  const auto answers = BuildPool(5).run(orders_of(*device, texts));
  for (const size_t i : {0, 2, 4}) EXPECT_TRUE(answers[i] && answers[i]->artefact);
  for (const size_t i : {1, 3}) {
    const auto here = device->compile(request_of(texts[i]));
    const auto there = serial->compile(request_of(texts[i]));
    ASSERT_TRUE(here && there);
    EXPECT_TRUE(here->fault);
    EXPECT_EQ(here->fault, there->fault);
    EXPECT_EQ(here->messages, there->messages);
    EXPECT_EQ(here->explanation, there->explanation);
  }
  EXPECT_EQ(entries_of(cache_.path() / "artefacts").size(), 3u);
}

// Below the pool nobody keeps equal requests apart: judges of several campaigns share a cache.
TEST_F(RealBuilds, TheSameRequestByManyThreadsLeavesOneArtefact) {
  const auto device = open(cache_.path());
  std::vector<std::string> digests(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& digest : digests)
      threads.emplace_back([&] {
        const auto outcome = device->compile(request_of(good(7)));
        if (outcome && outcome->artefact) digest = outcome->artefact->digest.hex();
      });
  }
  EXPECT_NE(digests.front(), "");
  EXPECT_THAT(digests, testing::Each(digests.front()));
  EXPECT_EQ(entries_of(cache_.path() / "artefacts").size(), 1u);
  EXPECT_THAT(entries_of(cache_.path() / "builds"), testing::IsEmpty());
}

// ---- killed in the middle

// Direct children of all threads of a process.
std::set<pid_t> children_of(pid_t process) {
  std::set<pid_t> children;
  std::error_code error;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) children.insert(child);
  }
  return children;
}

bool is_running(pid_t process) {
  const std::string stat = read_file(fmt::format("/proc/{}/stat", process)).value_or("");
  const size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.substr(name_end + 2, 1) != "Z";
}

template <class Condition>
bool comes_true(Condition condition) {
  const Nanoseconds until = SystemClock().now() + k_patience;
  while (!condition()) {
    if (SystemClock().now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// Deep enough to keep a compiler busy until it is killed.
const char* const k_endless =
    "template <int n, int m> struct Deep {{ static constexpr long v = Deep<n - 1, m>::v + Deep<n - 1, m + (1 << "
    "n)>::v; "
    "}};\ntemplate <int m> struct Deep<0, m> {{ static constexpr long v = m; }};\nextern \"C\" int k() {{ return "
    "Deep<26, {}>::v > 0; }}\n";

TEST_F(RealBuilds, AKilledJudgeLeavesNoCompilerAndNothingHalfWritten) {
  if (!sandbox::available_layers().has(sandbox::Layer::pid_namespace))
    GTEST_SKIP() << "without a pid namespace a killed judge's compilers end at their own limits (SECURITY.md)";
  const auto device = open(cache_.path());  // before the fork: what a machine grants is known then
  const std::vector<BuildOrder> orders =
      orders_of(*device, {good(0), fmt::format(fmt::runtime(k_endless), 1), fmt::format(fmt::runtime(k_endless), 2)});
  const pid_t judge = fork();
  if (judge == 0) {
    BuildPool(3).run(orders);
    _exit(0);
  }
  const fs::path artefacts = cache_.path() / "artefacts";
  std::set<pid_t> compilers;
  EXPECT_TRUE(comes_true([&] {
    compilers = children_of(judge);
    return compilers.size() >= 2 && !entries_of(artefacts).empty();
  }));
  kill(judge, SIGKILL);
  waitpid(judge, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return std::ranges::none_of(compilers, is_running); }))
      << "a compiler outlives its judge";
  if (sandbox::group_home()) sandbox::sweep_groups(sandbox::group_home()->folder);
  ASSERT_EQ(entries_of(artefacts).size(), 1u);
  const auto known = device->compile(orders.front().request);
  ASSERT_TRUE(known && known->artefact);
  EXPECT_EQ(known->took, Nanoseconds(0)) << "what was finished before is whole";
  sweep_left_overs(builds_folder(cache_.path()));
  EXPECT_THAT(entries_of(builds_folder(cache_.path())), testing::IsEmpty());
}

}  // namespace
}  // namespace hone::device
