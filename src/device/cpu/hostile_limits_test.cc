// The worst that a candidate can do with its limits, while it is built and while it runs: ended within its deadline and
// two seconds, without a trace (the fixture's TearDown). Next to it, what an honest one asks of libc and the kernel.
#include <fmt/format.h>

#include "device/cpu/runner.h"
#include "device/cpu/testing/arm_fixture.h"
#include "sandbox/testing/again.h"

namespace hone::device::cpu {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds k_grace = 2s;

constexpr const char* k_includes =
    "#include <dlfcn.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <signal.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <time.h>\n"
    "#include <unistd.h>\n";

class HostileLimits : public ArmTest {
 protected:
  // Loads, then launches once; the fault, and the launch in time.
  std::optional<Fault> run(const Planted& planted, Nanoseconds deadline) {
    if (const auto fault = load(planted)) return fault;
    const SystemClock clock;
    const Nanoseconds start = clock.now();
    auto outcome = launch(deadline);
    EXPECT_LE(to_seconds(clock.now() - start), to_seconds(deadline + k_grace));
    return outcome.fault;
  }

  CompileOutcome build(const std::string& text, Nanoseconds deadline) {
    CompileRequest request;
    request.files = {{"k.cpp", false, text + "\nextern \"C\" int k() { return 0; }\n"}};
    request.sources = {"k.cpp"};
    request.entry = "k";
    request.deadline = deadline;
    const SystemClock clock;
    const Nanoseconds start = clock.now();
    auto outcome = device()->compile(request);
    EXPECT_LE(to_seconds(clock.now() - start), to_seconds(deadline + k_grace));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : CompileOutcome{};
  }
};

TEST_F(HostileLimits, TenThousandForksAndThreadsStartNothing) {
  ASSERT_FALSE(run({"static void* (*const rest)(void*) = [](void*) -> void* { for (;;) pause(); };\n"
                    "int started = 0; pthread_t t;\n"
                    "for (int i = 0; i < 10000; ++i) { started += fork() >= 0; started += vfork() >= 0;\n"
                    "  started += pthread_create(&t, nullptr, rest, nullptr) == 0; }\n"
                    "y[0] = static_cast<float>(started);",
                    k_includes},
                   20s));
  EXPECT_EQ(floats_of(collect(), 1)[0], 0.0f);
}

TEST_F(HostileLimits, AllocatingWithoutEndEndsItself) {
  if (!sandbox::k_limits_address_space) GTEST_SKIP() << "sanitizers allow no limit of the address space";
  const auto fault = run({.body = "for (;;) { char* p = new char[1 << 20]; memset(p, 1, 1 << 20); }",
                          .before = k_includes,
                          .memory_limit_bytes = 512ull << 20},
                         20s);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::memory);
}

TEST_F(HostileLimits, AHangThatTakesNoSignalEndsAtItsDeadline) {
  const auto fault = run({"sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr);\n"
                          "for (int s = 1; s < 65; ++s) signal(s, SIG_IGN); volatile int z = 1; while (z) { }",
                          k_includes},
                         500ms);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::timed_out);
}

TEST_F(HostileLimits, TenGigabytesOfOutputGoNowhere) {
  ASSERT_FALSE(
      run({"static char block[1 << 20]; long written = 0;\n"
           "for (int i = 0; i < 10000; ++i) { long got = write(1, block, sizeof block); if (got > 0) written += "
           "got; }\ny[0] = static_cast<float>(written);",
           k_includes},
          20s));
  EXPECT_LE(floats_of(collect(), 1)[0], 65536.0f);
}

TEST_F(HostileLimits, ItsOwnLibraryAndFolderCannotBeTouched) {
  ASSERT_FALSE(run({"Dl_info here; dladdr(reinterpret_cast<void*>(&k), &here); char folder[4096];\n"
                    "strcpy(folder, here.dli_fname); *strrchr(folder, '/') = 0; int done = 0;\n"
                    "done += unlink(here.dli_fname) == 0; done += rmdir(folder) == 0;\n"
                    "done += rename(folder, \"/tmp/elsewhere\") == 0; done += truncate(here.dli_fname, 0) == 0;\n"
                    "done += chmod(folder, 0) == 0; done += open(here.dli_fname, O_RDWR) >= 0;\n"
                    "done += open(folder, O_TMPFILE | O_RDWR, 0600) >= 0; done += mkdir(\"/tmp/x\", 0700) == 0;\n"
                    "y[0] = static_cast<float>(done);",
                    std::string(k_includes) + "extern \"C\" int k(const float*, float*, int, float);\n"},
                   20s));
  EXPECT_EQ(floats_of(collect(), 1)[0], 0.0f);
}

TEST_F(HostileLimits, ABuildIsEndedInTimeWhateverItsSourcesSay) {
  const char* sources[] = {
      "constexpr long f() { long s = 0; for (long i = 0; i < (1l << 60); ++i) s += i; return s; } constexpr long x = "
      "f();",
      "#include \"/dev/zero\"",
      "#include \"k.cpp\"",
      "asm(\".incbin \\\"/dev/zero\\\"\");",
      "asm(\".fill 0x7fffffffffff\");",
      "asm(\".rept 2000000000\\nnop\\n.endr\");",
      "template <int N> struct F { F<N + 1> a; F<N + 2> b; }; F<0> f;",
  };
  for (const char* source : sources) {
    const auto outcome = build(source, 3s);
    EXPECT_TRUE(outcome.fault) << source;
    EXPECT_FALSE(outcome.artefact) << source;
    EXPECT_LE(outcome.messages.size(), 70u << 10) << source;
  }
}

// ---- the honest ----

TEST_F(HostileLimits, HonestCodeHasWhatItNeeds) {
  const char* acts[] = {
      "[] { try { throw std::runtime_error(\"x\"); } catch (const std::exception& e) { return e.what()[0] == 'x'; } "
      "return false; }()",
      "[] { std::vector<float> v; for (int i = 0; i < 5000000; ++i) v.push_back(1.0f); return v[4999999] == 1.0f; }()",
      "[] { static thread_local int t = 3; return t == 3; }()",
      "[] { char* p = (char*)malloc(64 << 20); p = (char*)realloc(p, 256 << 20); p[255 << 20] = 1; free(p); return p "
      "!= "
      "nullptr; }()",
      "[] { void* p = aligned_alloc(1 << 21, 1 << 22); return madvise(p, 1 << 22, MADV_HUGEPAGE) == 0 || errno == "
      "EINVAL; "
      "}()",
      "printf(\"%f\\n\", 1.5) > 0 && fflush(stdout) == 0",
      "[] { std::ostringstream s; s << 1.5; return s.str() == \"1.5\"; }()",
      "[] { std::random_device d; return d() != d() || true; }()",
      "[] { timespec t; return syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t) == 0 && time(nullptr) > 0; }()",
      "sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(_SC_PAGESIZE) > 0",
      "usleep(10) == 0 && sched_yield() == 0",
      "[] { char c[16]; return getrandom(c, 16, 0) == 16; }()",
      "[] { volatile char big[4 << 20]; big[0] = 1; big[(4 << 20) - 1] = 2; return big[0] == 1; }()",
      "signal(SIGFPE, SIG_DFL) != SIG_ERR && raise(0) == 0",
  };
  std::string body;
  int number = 0;
  for (const char* act : acts) body += fmt::format("y[{}] = ({}) ? 1.0f : 0.0f;\n", number++, act);
  ASSERT_FALSE(run({body, std::string(k_includes) +
                              "#include <sched.h>\n#include <sys/mman.h>\n#include <sys/random.h>\n#include "
                              "<sys/syscall.h>\n#include <random>\n#include <sstream>\n#include <stdexcept>\n#include "
                              "<vector>\n"},
                   20s));
  const auto y = floats_of(collect(), 1);
  for (int i = 0; i < number; ++i) EXPECT_EQ(y[i], 1.0f) << acts[i];
}

TEST_F(HostileLimits, HonestThreadsRunInEveryManner) {
  if (!k_counts_threads) GTEST_SKIP() << "the thread sanitizer has a thread of its own";
  if (test_cores().size() < 2) GTEST_SKIP() << "needs two cores";
  const std::string body =
      "int sum = 0;\n#pragma omp parallel for reduction(+ : sum)\nfor (int i = 0; i < 1000; ++i) sum += i;\n"
      "y[0] = static_cast<float>(sum); y[1] = static_cast<float>(omp_get_max_threads());\n";
  ASSERT_FALSE(run({body, "#include <omp.h>\n", 2}, 20s));
  const auto y = floats_of(collect(), 1);
  EXPECT_EQ(y[0], 499500.0f);
  EXPECT_EQ(y[1], 2.0f);
  ASSERT_FALSE(run({"std::atomic<int> seen = 0; std::thread other([&] { seen += 1; }); other.join(); y[0] = "
                    "static_cast<float>(seen);",
                    "#include <atomic>\n#include <thread>\n", 2},
                   20s));
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
}

// ---- the same as somebody else, and with less ----

constexpr const char* k_again = "HostileArm.*:HostileLimits.*:CompileTest.*";

TEST(HostileAgain, AnOrdinaryUserIsServedAsWell) {
  if (geteuid() != 0) GTEST_SKIP() << "this is one";
  const auto done = sandbox::run_again({sandbox::k_as_ordinary_user}, k_again);
  ASSERT_TRUE(done) << "needs setpriv";
  EXPECT_TRUE(done->succeeded()) << done->output;
}

TEST(HostileAgain, AnOrdinaryUserWithoutNamespacesToo) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  const auto done = sandbox::run_again({sandbox::k_as_ordinary_user, sandbox::k_without_namespaces}, k_again);
  if (!done) GTEST_SKIP() << "this machine refuses user namespaces";
  EXPECT_TRUE(done->succeeded()) << done->output;
}

}  // namespace
}  // namespace hone::device::cpu
