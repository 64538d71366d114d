// Planted candidates that break a rule on purpose, each caught by the layer that is there for it. The fixture's
// TearDown shows that none leaves a process or a folder behind.
#include <fmt/format.h>

#include "device/cpu/runner.h"
#include "device/cpu/testing/arm_fixture.h"

namespace hone::device::cpu {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

using HostileArm = ArmTest;

constexpr const char* k_includes =
    "#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <sched.h>\n#include <signal.h>\n#include "
    "<stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/prctl.h>\n#include <sys/ptrace.h>\n"
    "#include <sys/shm.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n";

TEST_F(HostileArm, ACrashIsAFaultAndStaysOne) {
  const auto fault = fault_of({"*(volatile int*)8 = 1;"});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::crashed);
  EXPECT_EQ(fault->signal_or_code, SIGSEGV);
  EXPECT_EQ(launch().fault->message, fault->message) << "a dead arm stays dead";
}

TEST_F(HostileArm, AnAbortIsNamed) {
  for (const char* body : {"abort();", "throw 1;", "std::abort();"}) {
    const auto fault = fault_of({body, "#include <stdlib.h>\n#include <cstdlib>\n"});
    ASSERT_TRUE(fault) << body;
    EXPECT_EQ(fault->kind, FaultKind::crashed);
    EXPECT_THAT(fault->message, HasSubstr("it aborted"));
  }
}

TEST_F(HostileArm, AHangThatIgnoresSignalsIsKilledAtTheDeadline) {
  const auto fault = fault_of(
      {"for (int s = 1; s < 65; ++s) signal(s, SIG_IGN); volatile int z = 1; while (z) { }", k_includes}, 100ms);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::timed_out);
}

TEST_F(HostileArm, LeavingEarlyWithSuccessIsADeath) {
  const auto fault = fault_of({"exit(0);", k_includes});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::crashed);
  EXPECT_THAT(fault->message, HasSubstr("exited with status 0"));
}

TEST_F(HostileArm, AStatusOtherThanZeroIsAFault) {
  const auto fault = fault_of({"return 3;"});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::bad_return);
  EXPECT_EQ(fault->signal_or_code, 3);
}

// Every forbidden act answers as the table of rules says; the kernel reports the number of those that did not.
TEST_F(HostileArm, ForbiddenCallsAreRefused) {
  const char* acts[] = {
      "fork() == -1 && errno == EPERM",
      "vfork() == -1 && errno == EPERM",
      "syscall(SYS_clone3, nullptr, 0) == -1 && errno == ENOSYS",
      "syscall(SYS_clone, 0x10000 | 0x800 | 0x100, 0, 0, 0, 0) == -1 && errno == EPERM",
      "execl(\"/bin/true\", \"true\", nullptr) == -1 && errno == EPERM",
      "socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EPERM",
      "mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EPERM",
      "syscall(SYS_memfd_create, \"x\", 0) == -1 && errno == EPERM",
      "shmget(IPC_PRIVATE, 4096, 0600) == -1 && errno == EPERM",
      "ptrace(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == EPERM",
      "prctl(PR_SET_SECCOMP, 2, nullptr) == -1 && errno == EPERM",
      "syscall(SYS_seccomp, 1, 0, nullptr) == -1 && errno == EPERM",
      "syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0) == -1 && errno == EPERM",
      "syscall(SYS_userfaultfd, 0) == -1 && errno == EPERM",
      "syscall(SYS_io_uring_setup, 1, nullptr) == -1 && errno == EPERM",
      "syscall(SYS_bpf, 0, nullptr, 0) == -1 && errno == EPERM",
      "unshare(CLONE_NEWNS) == -1 && errno == EPERM",
      "madvise(y, 4096, 25 /* collapse */) == -1 && errno == EPERM",
      "madvise(y, 4096, MADV_REMOVE) == -1 && errno == EPERM",
      "kill(-1, SIGCONT) == -1 && errno == EPERM",
      "kill(1234, 0) == -1 && errno == EPERM",
      "sched_setaffinity(0, sizeof set, &set) == 0 && sched_getaffinity(0, sizeof set, &set) > -1",
  };
  std::string body = "cpu_set_t set; memset(&set, 0xff, sizeof set);\n";
  int number = 0;
  for (const char* act : acts) body += fmt::format("errno = 0; y[{0}] = ({1}) ? 1.0f : 0.0f;\n", number++, act);
  ASSERT_FALSE(load({body, k_includes}));
  const auto outcome = launch();
  ASSERT_FALSE(outcome.fault) << outcome.fault->message << outcome.fault->output;
  const auto y = floats_of(collect(), 1);
  for (int i = 0; i < number; ++i) EXPECT_EQ(y[i], 1.0f) << acts[i];
}

TEST_F(HostileArm, AffinityIsNotTheCandidatesToSet) {
  ASSERT_FALSE(
      load({"cpu_set_t set; memset(&set, 0xff, sizeof set); sched_setaffinity(0, sizeof set, &set);"
            "sched_getaffinity(0, sizeof set, &set); y[0] = static_cast<float>(CPU_COUNT(&set));",
            k_includes}));
  launch();
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
}

TEST_F(HostileArm, SeesNeitherTheMachinesFilesNorTheCache) {
  const auto layers = sandbox::available_layers();
  if (!layers.has(sandbox::Layer::mount_namespace) && !layers.has(sandbox::Layer::landlock))
    GTEST_SKIP() << "this machine refuses both layers";
  const std::string body = fmt::format(
      "const char* paths[] = {{\"/etc/hostname\", \"/etc/passwd\", \"{}/artefacts\", \"/root\", \"/home\", \"/work\", "
      "\"/sys\", \"/dev/mem\"}};\n"
      "int seen = 0; for (const char* p : paths) seen += open(p, O_RDONLY) >= 0;\n"
      "seen += open(\"/usr/x\", O_CREAT | O_WRONLY, 0600) >= 0;\n"
      "seen += open(\"/proc/self/mem\", O_RDWR) >= 0;\n"
      "y[0] = static_cast<float>(seen); y[1] = static_cast<float>(open(\"/dev/null\", O_RDONLY));",
      cache()->path().string());
  ASSERT_FALSE(load({body, k_includes}));
  ASSERT_FALSE(launch().fault);
  const auto y = floats_of(collect(), 1);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(y[1], 3.0f) << "no descriptor but the standard ones is open";
}

// The work of a library is no work of a kernel, unless the contract says so.
TEST_F(HostileArm, FindsNoLibraryOfTheSystemUnlessTheContractAllowsIt) {
  const auto layers = sandbox::available_layers();
  if (!layers.has(sandbox::Layer::mount_namespace) && !layers.has(sandbox::Layer::landlock))
    GTEST_SKIP() << "this machine refuses both layers";
  Planted planted{
      "y[0] = dlopen(\"libresolv.so.2\", RTLD_NOW) != nullptr; y[1] = dlopen(\"libm.so.6\", RTLD_NOW) != nullptr;"
      "y[2] = open(\"/usr/bin/env\", O_RDONLY) >= 0;",
      std::string(k_includes) + "#include <dlfcn.h>\n"};
  for (const LibraryCalls calls : {LibraryCalls::refused, LibraryCalls::allowed}) {
    planted.library_calls = calls;
    ASSERT_FALSE(load(planted));
    ASSERT_FALSE(launch().fault);
    const auto y = floats_of(collect(), 1);
    const float allowed = calls == LibraryCalls::allowed ? 1.0f : 0.0f;
    EXPECT_EQ(y[0], allowed);
    EXPECT_EQ(y[1], 1.0f) << "the runtimes of its language are there";
    EXPECT_EQ(y[2], allowed);
  }
}

TEST_F(HostileArm, WritingBesideAnOutputIsSeen) {
  ASSERT_FALSE(load({"y[n] = 0.0f;"}));
  ASSERT_FALSE(launch().fault);
  EXPECT_THAT(collect().violation, HasSubstr("past the end of parameter 1"));
  ASSERT_FALSE(load({"y[-1] = 0.0f;"}));
  ASSERT_FALSE(launch().fault);
  const Collected collected = collect();
  EXPECT_FALSE(collected.guards_intact);
  EXPECT_THAT(collected.violation, HasSubstr("before the start of parameter 1"));
}

TEST_F(HostileArm, InputsCannotBeWrittenNorMadeWritable) {
  const auto fault = fault_of({"const_cast<float*>(x)[0] = 1.0f;"});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->signal_or_code, SIGSEGV);
  ASSERT_FALSE(load(
      {"void* page = (void*)((unsigned long)x & ~4095ul); y[0] = mprotect(page, 4096, PROT_READ | PROT_WRITE) == -1;",
       k_includes}));
  launch();
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
}

TEST_F(HostileArm, MegabytesOfOutputNeitherBlockNorGrow) {
  ASSERT_FALSE(
      load({"for (int i = 0; i < 100000; ++i) puts(\"a line of forty characters, more or less\"); fflush(stdout); y[0] "
            "= 1.0f;",
            k_includes}));
  ASSERT_FALSE(launch().fault);
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
  const auto fault = fault_of(
      {"for (int i = 0; i < 100000; ++i) { puts(\"bytes \\x1b[2J\"); fflush(stdout); } return 1;", k_includes});
  ASSERT_TRUE(fault);
  EXPECT_LE(fault->output.size(), 70u << 10);
  EXPECT_THAT(fault->output, HasSubstr("\\x1b")) << "control characters are quoted";
}

TEST_F(HostileArm, AThreadBeyondTheLimitCannotStartOrIsCounted) {
  if (!k_counts_threads) GTEST_SKIP() << "the thread sanitizer has a thread of its own";
  const std::string thread = "static void* forever(void*) { for (;;) pause(); return nullptr; }";
  ASSERT_FALSE(load(
      {"pthread_t t; y[0] = static_cast<float>(pthread_create(&t, nullptr, forever, nullptr));", k_includes + thread}));
  ASSERT_FALSE(launch().fault);
  EXPECT_NE(floats_of(collect(), 1)[0], 0.0f) << "one thread is the limit";
  if (test_cores().size() < 2) return;
  const auto fault =
      fault_of({"pthread_t t; for (int i = 0; i < 2; ++i) pthread_create(&t, nullptr, forever, nullptr);",
                k_includes + thread, 2});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::too_many_threads);
  EXPECT_EQ(fault->signal_or_code, 3);
}

// A thread left behind counts into a buffer of the launch that started it. While the arm stands still the counter does
// too.
// "T" for a task that a signal has stopped: the letter behind the name in /proc/PID/stat.
char state_of(pid_t process) {
  const auto stat = read_file(fmt::format("/proc/{}/stat", process));
  const size_t name_end = stat ? stat->rfind(')') : std::string::npos;
  return name_end == std::string::npos ? '?' : stat->at(name_end + 2);
}

TEST_F(HostileArm, StandsStillFromItsLoadUntilItsFirstLaunch) {
  ASSERT_FALSE(load({"y[0] = x[0];"}));
  EXPECT_EQ(state_of(runner().pid()), 'T');
  ASSERT_FALSE(launch().fault);
  EXPECT_EQ(state_of(runner().pid()), 'T');
}

TEST_F(HostileArm, AThreadLeftBehindStandsStillOutsideItsLaunch) {
  if (!k_counts_threads) GTEST_SKIP() << "the thread sanitizer has a thread of its own";
  if (test_cores().size() < 2) GTEST_SKIP() << "needs two cores";
  const std::string thread =
      "static volatile float* place; static void* count(void*) { for (;;) *place = *place + 1.0f; return nullptr; }";
  ASSERT_FALSE(
      load({"if (!place) { y[0] = 0.0f; place = y; pthread_t t; pthread_create(&t, nullptr, count, nullptr); while "
            "(*place < 10.0f) { } }",
            k_includes + thread, 2}));
  ASSERT_FALSE(launch().fault);
  const float stopped_at = floats_of(collect(), 1)[0];
  EXPECT_GE(stopped_at, 10.0f);
  for (int look = 0; look < 5; ++look) {
    usleep(5000);
    EXPECT_EQ(floats_of(collect(), 1)[0], stopped_at);
  }
}

TEST_F(HostileArm, MemoryBeyondTheLimitIsRefused) {
  if (!sandbox::k_limits_address_space) GTEST_SKIP() << "sanitizers allow no limit of the address space";
  ASSERT_FALSE(load({.body = "y[0] = malloc(600ul << 20) == nullptr; y[1] = malloc(1 << 20) != nullptr;",
                     .before = k_includes,
                     .memory_limit_bytes = 512ull << 20}));
  ASSERT_FALSE(launch().fault);
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
  EXPECT_EQ(floats_of(collect(), 1)[1], 1.0f);
  const auto fault = fault_of({.body = "y[0] = *new float[200ul << 20];", .memory_limit_bytes = 512ull << 20});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::memory) << fault->output;
}

TEST_F(HostileArm, WhatHappensAtLoadTimeHappensToTheLoad) {
  const auto hang =
      fault_of({.body = "",
                .before = "__attribute__((constructor)) static void c() { volatile int z = 1; while (z) { } }",
                .start_deadline = 300ms});
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->kind, FaultKind::timed_out);
  const auto leave =
      fault_of({"", std::string(k_includes) +
                        "__attribute__((constructor)) static void c() { puts(\"bye\"); fflush(stdout); _exit(0); }"});
  ASSERT_TRUE(leave);
  EXPECT_EQ(leave->kind, FaultKind::load_failed);
  EXPECT_THAT(leave->output, HasSubstr("bye"));
  EXPECT_FALSE(
      fault_of({"", std::string(k_includes) + "__attribute__((constructor)) static void c() { puts(\"hello\"); }"}));
}

TEST_F(HostileArm, AForgedFinishIsOnlyAnEarlyEnd) {
  // The page is found by its shape: a shared mapping that is neither x nor y. Setting every small word to 1 forges
  // `finished`.
  const std::string forge =
      "FILE* maps = fopen(\"/proc/self/maps\", \"r\"); char line[512];\n"
      "while (maps && fgets(line, sizeof line, maps)) { unsigned long b, e; char r[8];\n"
      "  if (sscanf(line, \"%lx-%lx %7s\", &b, &e, r) == 3 && r[0] == 'r' && r[1] == 'w' && r[3] == 's' && ((unsigned "
      "long)y < b || (unsigned long)y >= e))\n"
      "    memset((void*)b, 0x01, e - b); }\nfor (;;) pause();";
  ASSERT_FALSE(load({forge, k_includes}));
  const auto outcome = launch(300ms);
  EXPECT_TRUE(outcome.fault || std::isnan(floats_of(collect(), 1)[0])) << "no forged word makes an output right";
}

TEST_F(HostileArm, DestroyingAnArmInItsLaunchEndsIt) {
  ASSERT_FALSE(load({"for (;;) { }"}));
  EXPECT_EQ(launch(50ms).fault->kind, FaultKind::timed_out);
  arm_.reset();
}

TEST_F(HostileArm, AMissingEntryIsALoadFault) {
  auto compiled = device()->compile(request_of({"y[0] = 1.0f;"}));
  ASSERT_TRUE(compiled && compiled->artefact);
  LoadRequest request;
  request.artefact = *compiled->artefact;
  request.entry = "nowhere";
  const auto loaded = device()->load(request);
  ASSERT_TRUE(loaded);
  ASSERT_TRUE(loaded->fault);
  EXPECT_EQ(loaded->fault->kind, FaultKind::load_failed);
  EXPECT_THAT(loaded->fault->message, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace hone::device::cpu
