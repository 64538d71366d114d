// The HIP driver over a stand-in that keeps device memory in this process: what it asks of AMD's library, and what it
// makes of the answers.
#include "device/hip/hip_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "device/hip/testing/fake_hip.h"
#include "device/testing/fake_library.h"

namespace hone::device::hip {
namespace {

using launcher::Launch;
using launcher::View;
using testing::ElementsAre;
using testing::HasSubstr;

class HipDriverTest : public testing::Test {
 protected:
  void open(const std::vector<std::string>& macros = {}, const std::string& uuid = "") {
    fake_.emplace(k_fake_hip, macros);
    const auto library = HipLibrary::open({fake_->path()});
    ASSERT_TRUE(library) << to_text(library.error());
    auto opened = open_driver(*library, uuid);
    error_ = opened ? Error{} : opened.error();
    if (opened) driver_ = std::move(*opened);
  }
  const AskedOfHip& asked() const {
    return *static_cast<const AskedOfHip*>(dlsym(dlopen(fake_->path().c_str(), RTLD_NOW | RTLD_NOLOAD), "fake"));
  }

  // A launch of the kernel that copies 8 bytes.
  Launch launch_of(const launcher::Memory& from, const launcher::Memory& to) {
    const auto module = driver_->load("good code object");
    EXPECT_TRUE(module);
    Launch launch;
    launch.function = *driver_->function(*module, "k");
    launch.grid = {7, 2, 3};
    launch.block = {64, 4, 1};
    launch.arguments = {View{from, 0, 8}, View{to, 16, 8}};
    return launch;
  }
  Launch any_launch() { return launch_of(*driver_->allocate(64), *driver_->allocate(64)); }

  std::optional<FakeLibrary> fake_;
  std::unique_ptr<launcher::Driver> driver_;
  Error error_;
};

TEST_F(HipDriverTest, TellsWhatItsDeviceIs) {
  open();
  ASSERT_TRUE(driver_) << to_text(error_);
  const launcher::DeviceFacts& facts = driver_->facts();
  EXPECT_EQ(facts.vendor, "amd");
  EXPECT_EQ(facts.name, "AMD Instinct MI300X");
  EXPECT_EQ(facts.uuid, "GPU-8a3f6c2be17d9054");
  EXPECT_EQ(facts.arch, "gfx942");
  EXPECT_EQ(facts.driver, "HIP 6.3");
  EXPECT_EQ(facts.memory_bytes, 206000000000u);
  EXPECT_EQ(facts.last_cache_bytes, 0u) << "there is a cache behind the L2 that HIP does not tell of";
  EXPECT_EQ(facts.shared_bytes, 65536u);
  EXPECT_EQ(facts.multiprocessors, 304u);
  EXPECT_EQ(facts.trust, Trust::device_only);
}

TEST_F(HipDriverTest, TellsWhatALaunchMayAskFor) {
  open();
  task::LaunchLimits usual = task::widest_limits(task::Language::hip);
  usual.shared_bytes = 65536;
  EXPECT_EQ(driver_->facts().limits, usual) << "never wider than what a contract may ask for";
  open({"SMALL"});
  const task::LaunchLimits& limits = driver_->facts().limits;
  EXPECT_EQ(limits.threads, 512u);
  EXPECT_THAT(limits.block, ElementsAre(256u, 128u, 32u));
  EXPECT_THAT(limits.grid, ElementsAre(65535u, 4095u, 1023u));
  EXPECT_EQ(limits.cluster_blocks, 1u);
  EXPECT_EQ(limits.shared_bytes, 32768u);
}

TEST_F(HipDriverTest, WhereARunTimeDoesNotSayTheWidestLimitsStay) {
  open({"SILENT"});
  ASSERT_TRUE(driver_) << to_text(error_);
  EXPECT_EQ(driver_->facts().limits, task::widest_limits(task::Language::hip));
}

TEST_F(HipDriverTest, ADeviceThatReachesTheMachinesMemoryRunsHostCode) {
  open({"XNACK=1"});
  EXPECT_EQ(driver_->facts().trust, Trust::host_code);
}

TEST_F(HipDriverTest, ADeviceIsChosenByItsUuid) {
  open({"DEVICES=2"}, "GPU-8a3f6c2be17d9055");
  ASSERT_TRUE(driver_) << to_text(error_);
  EXPECT_EQ(driver_->facts().uuid, "GPU-8a3f6c2be17d9055");
  EXPECT_EQ(asked().device, 1);
  EXPECT_TRUE(driver_->allocate(64)) << "on that device";
  driver_.reset();
  open({"DEVICES=2"}, "GPU-0000000000000000");
  EXPECT_FALSE(driver_);
  EXPECT_THAT(error_.what, HasSubstr("GPU-0000"));
  open({"DEVICES=0"});
  EXPECT_THAT(error_.what, HasSubstr("there is no HIP device"));
}

TEST_F(HipDriverTest, ARunTimeThatDoesNotStartIsTheMachines) {
  open({"INIT=100"});
  EXPECT_EQ(error_.code, ErrorCode::environment);
  EXPECT_THAT(error_.what, HasSubstr("hipErrorNoDevice"));
}

TEST_F(HipDriverTest, AnOldRunTimeIsTooOld) {
  open({"OLD"});
  EXPECT_FALSE(driver_);
  EXPECT_THAT(to_text(error_), HasSubstr("install ROCm 6 or newer"));
}

TEST_F(HipDriverTest, ItsDeviceIsResetAtTheEnd) {
  open();
  driver_.reset();
  EXPECT_EQ(asked().resets, 1);
  open({"INIT=100"});
  EXPECT_EQ(asked().resets, 0) << "it had none";
}

TEST_F(HipDriverTest, MemoryLiesBetweenHoles) {
  open();
  EXPECT_EQ(driver_->facts().allocation_bytes, 8192u);
  ASSERT_TRUE(driver_->allocate(9000));
  EXPECT_EQ(asked().last_mapped_bytes, 16384u);
  EXPECT_EQ(asked().last_mapped, asked().last_reserved + 8192) << "a hole in front of it";
  EXPECT_EQ(asked().last_reserved_bytes, 16384u + 2 * 8192) << "and one behind";
}

TEST_F(HipDriverTest, MemoryIsGivenBackWhole) {
  open();
  const auto memory = driver_->allocate(100);
  driver_->release(*memory);
  driver_->release(*memory);
  EXPECT_EQ(asked().reserved, 1u);
  EXPECT_EQ(asked().freed, 1u);
  EXPECT_EQ(asked().unmapped, 1u);
  EXPECT_EQ(asked().released, asked().created);
}

TEST_F(HipDriverTest, WithoutMappingMemoryIsAllocatedPlainly) {
  open({"MAPS=0"});
  EXPECT_EQ(driver_->facts().allocation_bytes, 4096u);
  const auto memory = driver_->allocate(100);
  ASSERT_TRUE(memory);
  EXPECT_EQ(asked().allocated, 1u);
  EXPECT_EQ(asked().reserved, 0u);
  driver_->release(*memory);
  EXPECT_EQ(asked().given_back, 1u);
}

TEST_F(HipDriverTest, TooMuchMemoryLeavesNothingBehind) {
  for (const char* maps : {"MAPS=1", "MAPS=0"}) {
    open({maps});
    EXPECT_FALSE(driver_->allocate(uint64_t{1} << 29));
    EXPECT_EQ(asked().freed, asked().reserved);
    EXPECT_EQ(asked().unmapped, 0u);
    EXPECT_EQ(asked().given_back, 0u);
  }
}

TEST_F(HipDriverTest, BytesComeBackFromWhereTheyWentTo) {
  open();
  const auto memory = *driver_->allocate(100);
  const std::byte bytes[] = {std::byte{1}, std::byte{2}, std::byte{3}};
  ASSERT_TRUE(driver_->write({memory, 40, 3}, bytes));
  std::byte back[3];
  ASSERT_TRUE(driver_->read({memory, 40, 3}, back));
  EXPECT_THAT(back, ElementsAre(std::byte{1}, std::byte{2}, std::byte{3}));
  EXPECT_FALSE(driver_->read({memory, 8191, 3}, back)) << "past its end";
  EXPECT_FALSE(driver_->write({launcher::Memory{99}, 0, 3}, bytes));
}

TEST_F(HipDriverTest, MoreThanIsPinnedComesBackToo) {
  open();
  std::vector<std::byte> bytes((1 << 20) + 5, std::byte{7});
  const auto memory = *driver_->allocate(bytes.size());
  ASSERT_TRUE(driver_->write({memory, 0, bytes.size()}, bytes));
  std::vector<std::byte> back(bytes.size());
  ASSERT_TRUE(driver_->read({memory, 0, bytes.size()}, back));
  EXPECT_EQ(back, bytes);
}

TEST_F(HipDriverTest, KernelsAreFoundByName) {
  open();
  EXPECT_FALSE(driver_->load("bad"));
  const auto module = driver_->load("good code object");
  ASSERT_TRUE(module);
  EXPECT_TRUE(driver_->function(*module, "k"));
  EXPECT_THAT(driver_->function(*module, "other").error().what, HasSubstr("'other'"));
  driver_->unload(*module);
  EXPECT_EQ(asked().modules, 0);
}

TEST_F(HipDriverTest, ALaunchIsAskedForAsItStands) {
  open();
  const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
  const uint64_t value = 0x1122334455667788;
  ASSERT_TRUE(driver_->write({from, 0, 8}, std::as_bytes(std::span(&value, 1))));
  Launch launch = launch_of(from, to);
  launch.dynamic_shared_bytes = 65536;
  const auto outcome = driver_->timed(std::span(&launch, 1), {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->nanoseconds, 0.5e6);
  EXPECT_EQ(asked().launches, 1u);
  EXPECT_EQ(asked().cooperative, 0u);
  EXPECT_THAT(asked().grid, ElementsAre(7, 2, 3));
  EXPECT_THAT(asked().block, ElementsAre(64, 4, 1));
  EXPECT_EQ(asked().shared_bytes, 65536u);
  uint64_t copied = 0;
  ASSERT_TRUE(driver_->read({to, 16, 8}, std::as_writable_bytes(std::span(&copied, 1))));
  EXPECT_EQ(copied, value);
}

TEST_F(HipDriverTest, WhatComesAfterIsStartedToo) {
  open();
  const Launch launch = any_launch();
  const std::vector<Launch> after(3, launch);
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1), after));
  EXPECT_EQ(asked().launches, 4u);
}

TEST_F(HipDriverTest, ACooperativeLaunchHasItsOwnFunction) {
  open();
  Launch launch = any_launch();
  launch.cooperative = true;
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1), {})->nanoseconds);
  EXPECT_EQ(asked().cooperative, 1u);
  EXPECT_THAT(asked().grid, ElementsAre(7, 2, 3));
}

TEST_F(HipDriverTest, ThereAreNoClusters) {
  open();
  Launch launch = any_launch();
  launch.cluster = {2, 1, 1};
  const auto outcome = driver_->timed(std::span(&launch, 1), {});
  ASSERT_TRUE(outcome && outcome->fault);
  EXPECT_EQ(outcome->fault->kind, FaultKind::launch_refused);
  EXPECT_EQ(asked().launches, 0u);
}

TEST_F(HipDriverTest, AnArgumentThatIsNoMemoryIsRefused) {
  open();
  Launch launch = any_launch();
  launch.arguments[1] = launcher::LocalBytes{64};
  EXPECT_FALSE(driver_->enqueue(launch));
  launch.arguments[1] = View{launcher::Memory{99}, 0, 8};
  EXPECT_FALSE(driver_->enqueue(launch));
  EXPECT_EQ(asked().launches, 0u);
}

TEST_F(HipDriverTest, OccupancyIsTheRunTimesOwnOfTheBlockAndItsSharedMemory) {
  open();
  Launch launch = any_launch();
  launch.block = {10, 10, 3};
  launch.dynamic_shared_bytes = 4096;
  EXPECT_EQ(driver_->occupancy(launch), (Occupancy{6, 6 * 320 / 2048.0})) << "300 threads are 5 wavefronts of 64";
  EXPECT_EQ(asked().occupancy_threads, 300u);
  EXPECT_EQ(asked().occupancy_shared_bytes, 4096u);
  EXPECT_EQ(asked().launches, 0u);
}

TEST_F(HipDriverTest, WhatARunTimeDoesNotSayOfOccupancyIsAbsent) {
  for (const char* macro : {"OCCUPANCY=1", "LACKS_OCCUPANCY"}) {
    open({macro});
    EXPECT_EQ(driver_->occupancy(any_launch()), std::nullopt) << macro;
  }
  open({"SILENT"});
  EXPECT_EQ(driver_->occupancy(any_launch()), (Occupancy{6, std::nullopt}));
}

struct StatusRow {
  int status;
  FaultKind kind;
};

class HipFaults : public HipDriverTest, public testing::WithParamInterface<StatusRow> {
 protected:
  void expect_it(const std::string& macro) {
    open({fmt::format("{}={}", macro, GetParam().status)});
    const Launch launch = any_launch();
    const auto outcome = driver_->timed(std::span(&launch, 1), {});
    ASSERT_TRUE(outcome) << to_text(outcome.error());
    EXPECT_FALSE(outcome->nanoseconds);
    ASSERT_TRUE(outcome->fault);
    EXPECT_EQ(outcome->fault->kind, GetParam().kind);
  }
};

TEST_P(HipFaults, OfALaunch) { expect_it("LAUNCH"); }
TEST_P(HipFaults, WhileItIsWaitedFor) { expect_it("SYNCHRONIZE"); }

INSTANTIATE_TEST_SUITE_P(Rows, HipFaults,
                         testing::Values(StatusRow{700, FaultKind::crashed}, StatusRow{710, FaultKind::crashed},
                                         StatusRow{719, FaultKind::crashed}, StatusRow{702, FaultKind::timed_out},
                                         StatusRow{701, FaultKind::launch_refused},
                                         StatusRow{1, FaultKind::launch_refused},
                                         StatusRow{9, FaultKind::launch_refused},
                                         StatusRow{720, FaultKind::launch_refused}, StatusRow{2, FaultKind::memory}));

TEST_F(HipDriverTest, WhatIsTheMachinesIsNoKernelsFault) {
  open({"SYNCHRONIZE=214"});  // an uncorrectable error of memory
  const Launch launch = any_launch();
  EXPECT_FALSE(driver_->timed(std::span(&launch, 1), {}));
}

}  // namespace
}  // namespace hone::device::hip
