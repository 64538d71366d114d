// The CUDA driver over a stand-in that keeps device memory in this process: what it asks of NVIDIA's library, and what
// it makes of the answers.
#include "device/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "device/cuda/testing/fake_cuda.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using launcher::Launch;
using launcher::Value;
using launcher::View;
using testing::ElementsAre;
using testing::HasSubstr;

// As k_working_cuda has it.
struct Asked {
  uint64_t reserved, freed, mapped, unmapped, created, released;
  uint64_t last_reserved, last_reserved_bytes, last_mapped, last_mapped_bytes, allocated_bytes;
  int opened, shared_bytes_allowed, large_clusters_allowed, modules;
  unsigned launches, cooperative, cluster[3], shared_bytes, grid[3], block[3];
  unsigned occupancy_threads, occupancy_shared_bytes;
};

class CudaDriverTest : public testing::Test {
 protected:
  void open(const std::vector<std::string>& macros = {}, const std::string& uuid = "",
            launcher::Placing placing = launcher::Placing::guarded) {
    std::vector<std::string> all = macros;
    all.emplace_back("WORKS");
    fake_.emplace(std::string(k_fake_cuda) + std::string(k_working_cuda), all);
    const auto library = CudaLibrary::open({fake_->path()});
    ASSERT_TRUE(library) << to_text(library.error());
    auto opened = open_driver(*library, uuid, placing);
    error_ = opened ? Error{} : opened.error();
    if (opened) driver_ = std::move(*opened);
  }
  const Asked& asked() const {
    return *static_cast<const Asked*>(dlsym(dlopen(fake_->path().c_str(), RTLD_NOW | RTLD_NOLOAD), "fake"));
  }

  // A launch of the kernel that copies 8 bytes.
  Launch launch_of(const launcher::Memory& from, const launcher::Memory& to) {
    const auto module = driver_->load("good cubin");
    EXPECT_TRUE(module);
    Launch launch;
    launch.function = *driver_->function(*module, "k");
    launch.grid = {7, 2, 1};
    launch.block = {64, 1, 1};
    launch.arguments = {View{from, 0, 8}, View{to, 16, 8}};
    return launch;
  }

  std::optional<FakeLibrary> fake_;
  std::unique_ptr<launcher::Driver> driver_;
  Error error_;
};

TEST_F(CudaDriverTest, TellsWhatItsDeviceIs) {
  open();
  ASSERT_TRUE(driver_);
  const launcher::DeviceFacts& facts = driver_->facts();
  EXPECT_EQ(facts.vendor, "nvidia");
  EXPECT_EQ(facts.name, "NVIDIA H200");
  EXPECT_EQ(facts.arch, "sm_90");
  EXPECT_EQ(facts.driver, "CUDA 12.8");
  EXPECT_EQ(facts.last_cache_bytes, 62914560u);
  EXPECT_EQ(facts.multiprocessors, 132u);
  EXPECT_EQ(facts.trust, Trust::device_only);
}

TEST_F(CudaDriverTest, TellsWhatALaunchMayAskFor) {
  open();
  EXPECT_EQ(driver_->facts().limits, task::widest_limits(task::Language::cuda)) << "an H200 takes all that any takes";
  open({"SMALL"});
  const task::LaunchLimits& limits = driver_->facts().limits;
  EXPECT_EQ(limits.threads, 512u);
  EXPECT_THAT(limits.block, ElementsAre(256u, 128u, 32u));
  EXPECT_THAT(limits.grid, ElementsAre(65535u, 4095u, 1023u));
  EXPECT_EQ(limits.cluster_blocks, 1u);
  EXPECT_EQ(limits.shared_bytes, 101376u) << "with the opt-in";
}

TEST_F(CudaDriverTest, WhereADriverDoesNotSayTheWidestLimitsStay) {
  open({"SILENT"});
  ASSERT_TRUE(driver_) << to_text(error_);
  EXPECT_EQ(driver_->facts().limits, task::widest_limits(task::Language::cuda));
}

TEST_F(CudaDriverTest, ADeviceThatReachesTheMachinesMemoryRunsHostCode) {
  open({"PAGEABLE=1"});
  EXPECT_EQ(driver_->facts().trust, Trust::host_code);
}

TEST_F(CudaDriverTest, ADeviceIsChosenByItsUuid) {
  open({"DEVICES=2"}, "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f");
  ASSERT_TRUE(driver_);
  EXPECT_EQ(driver_->facts().uuid, "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f");
  driver_.reset();
  open({"DEVICES=2"}, "GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_FALSE(driver_);
  EXPECT_THAT(error_.what, HasSubstr("GPU-00000000"));
  open({"DEVICES=0"});
  EXPECT_EQ(error_.code, ErrorCode::environment);
}

TEST_F(CudaDriverTest, ADriverThatDoesNotStartIsTheMachines) {
  open({"INIT=100"});
  EXPECT_EQ(error_.code, ErrorCode::environment);
  EXPECT_THAT(error_.what, HasSubstr("CUDA_ERROR_NO_DEVICE"));
}

TEST_F(CudaDriverTest, MemoryLiesBetweenHoles) {
  open();
  ASSERT_TRUE(driver_->allocate(5000));
  EXPECT_EQ(asked().last_mapped_bytes, 8192u);
  EXPECT_EQ(asked().last_mapped, asked().last_reserved + 4096) << "a hole in front of it";
  EXPECT_EQ(asked().last_reserved_bytes, 8192u + 2 * 4096) << "and one behind";
}

TEST_F(CudaDriverTest, MemoryIsGivenBackWhole) {
  open();
  const auto memory = driver_->allocate(100);
  driver_->release(*memory);
  driver_->release(*memory);
  EXPECT_EQ(asked().reserved, 1u);
  EXPECT_EQ(asked().freed, 1u);
  EXPECT_EQ(asked().unmapped, 1u);
  EXPECT_EQ(asked().released, asked().created);
}

// A checker sees what lies outside of an allocation, so that is as large as what was asked for.
TEST_F(CudaDriverTest, ExactMemoryIsTheDriversOwn) {
  open({}, "", launcher::Placing::exact);
  ASSERT_TRUE(driver_);
  EXPECT_EQ(driver_->facts().allocation_bytes, 1u);
  const auto memory = driver_->allocate(100);
  ASSERT_TRUE(memory);
  EXPECT_EQ(asked().allocated_bytes, 100u);
  EXPECT_EQ(asked().mapped, 0u);
  EXPECT_EQ(asked().reserved, 0u);
  driver_->release(*memory);
  EXPECT_EQ(asked().freed, 1u);
  EXPECT_EQ(asked().unmapped, 0u);
}

TEST_F(CudaDriverTest, TooMuchMemoryLeavesNothingBehind) {
  open();
  const auto refused = driver_->allocate(uint64_t{1} << 29);
  ASSERT_FALSE(refused);
  EXPECT_EQ(asked().freed, asked().reserved);
  EXPECT_EQ(asked().unmapped, 0u);
}

TEST_F(CudaDriverTest, BytesComeBackFromWhereTheyWentTo) {
  open();
  const auto memory = *driver_->allocate(100);
  const std::byte bytes[] = {std::byte{1}, std::byte{2}, std::byte{3}};
  ASSERT_TRUE(driver_->write({memory, 40, 3}, bytes));
  std::byte back[3];
  ASSERT_TRUE(driver_->read({memory, 40, 3}, back));
  EXPECT_THAT(back, ElementsAre(std::byte{1}, std::byte{2}, std::byte{3}));
  EXPECT_FALSE(driver_->read({memory, 4095, 3}, back)) << "past its end";
  EXPECT_FALSE(driver_->write({launcher::Memory{99}, 0, 3}, bytes));
}

TEST_F(CudaDriverTest, KernelsAreFoundByName) {
  open();
  EXPECT_FALSE(driver_->load("bad"));
  const auto module = driver_->load("good cubin");
  ASSERT_TRUE(module);
  EXPECT_TRUE(driver_->function(*module, "k"));
  EXPECT_THAT(driver_->function(*module, "other").error().what, HasSubstr("'other'"));
  driver_->unload(*module);
  EXPECT_EQ(asked().modules, 0);
}

TEST_F(CudaDriverTest, ALaunchIsAskedForAsItStands) {
  open();
  const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
  const uint64_t value = 0x1122334455667788;
  ASSERT_TRUE(driver_->write({from, 0, 8}, std::as_bytes(std::span(&value, 1))));
  Launch launch = launch_of(from, to);
  launch.cluster = {4, 1, 1};
  launch.cooperative = true;
  launch.dynamic_shared_bytes = 100'000;
  const auto outcome = driver_->timed(std::span(&launch, 1));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->nanoseconds, 0.5e6);
  EXPECT_EQ(asked().launches, 1u);
  EXPECT_THAT(asked().grid, ElementsAre(7, 2, 1));
  EXPECT_THAT(asked().block, ElementsAre(64, 1, 1));
  EXPECT_THAT(asked().cluster, ElementsAre(4, 1, 1));
  EXPECT_EQ(asked().cooperative, 1u);
  EXPECT_EQ(asked().shared_bytes, 100'000u);
  EXPECT_EQ(asked().shared_bytes_allowed, 100'000) << "above 48 KiB it must be allowed";
  EXPECT_EQ(asked().large_clusters_allowed, 0) << "eight blocks every device takes";
  uint64_t copied = 0;
  ASSERT_TRUE(driver_->read({to, 16, 8}, std::as_writable_bytes(std::span(&copied, 1))));
  EXPECT_EQ(copied, value);
}

TEST_F(CudaDriverTest, AClusterAboveEightBlocksIsAllowed) {
  open();
  Launch launch = launch_of(*driver_->allocate(64), *driver_->allocate(64));
  launch.cluster = {2, 4, 1};
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1))->nanoseconds);
  EXPECT_EQ(asked().large_clusters_allowed, 0);
  launch.cluster = {4, 4, 1};
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1))->nanoseconds);
  EXPECT_EQ(asked().large_clusters_allowed, 1);
}

TEST_F(CudaDriverTest, WhatComesAfterALaunchIsStartedWithIt) {
  open();
  const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
  const Launch launch = launch_of(from, to);
  const std::vector<Launch> after(2, launch);
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1), after)->nanoseconds);
  EXPECT_EQ(asked().launches, 3u);
}

TEST_F(CudaDriverTest, AConstantOfAModuleIsFilledAndGoesWithIt) {
  open();
  const auto module = *driver_->load("good cubin");
  const auto constant = driver_->constant(module, "weights");
  ASSERT_TRUE(constant) << to_text(constant.error());
  EXPECT_EQ(constant->size_bytes, 20u);
  EXPECT_THAT(driver_->constant(module, "other").error().what, HasSubstr("find the constant 'other'"));
  const auto memory = *driver_->allocate(64);
  std::vector<std::byte> bytes(20, std::byte{7}), back(20);
  ASSERT_TRUE(driver_->write({memory, 32, 20}, bytes));
  ASSERT_TRUE(driver_->copy(*constant, {memory, 32, 20}));
  ASSERT_TRUE(driver_->read(*constant, back));
  EXPECT_EQ(back, bytes);
  EXPECT_FALSE(driver_->copy(*constant, {memory, 4090, 20})) << "past the end of what it comes from";
  driver_->release(constant->memory);
  EXPECT_EQ(asked().unmapped, 0u) << "nothing of it was mapped";
  EXPECT_FALSE(driver_->read(*constant, back));
}

TEST_F(CudaDriverTest, ATensorMapIsOfThePlaceWhereItsBufferLiesNow) {
  open();
  const auto memory = *driver_->allocate(4096);
  launcher::TensorMapWords words{7, 1, 3, 2, 1, 2, {100, 20}, {512}, {64, 8}, {1, 1}};
  for (const uint64_t offset : {256u, 512u}) {
    const auto map = driver_->tensor_map(words, {memory, offset, 1024});
    ASSERT_TRUE(map) << to_text(map.error());
    EXPECT_EQ(map->size_bytes, 128u);
    std::array<uint64_t, 13> told{};
    std::memcpy(told.data(), map->bytes.data(), sizeof told);
    EXPECT_THAT(told, ElementsAre(asked().last_mapped + offset, 7, 2, 100, 20, 512, 64, 8, 1, 1, 3, 2, 1));
  }
  EXPECT_FALSE(driver_->tensor_map(words, {memory, 4000, 1024})) << "past its end";
  words.box_elements[0] = 257;
  EXPECT_THAT(driver_->tensor_map(words, {memory, 0, 1024}).error().what, HasSubstr("encode a tensor map"));
}

TEST_F(CudaDriverTest, OccupancyIsTheDriversOwnOfTheBlockAndItsSharedMemory) {
  open();
  Launch launch = launch_of(*driver_->allocate(64), *driver_->allocate(64));
  launch.block = {10, 10, 3};
  launch.dynamic_shared_bytes = 50 << 10;
  launch.arguments.clear();  // they do not matter
  const auto found = driver_->occupancy(launch);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->resident_blocks, 4u);
  EXPECT_EQ(found->thread_fraction, 4 * 320 / 2048.0) << "300 threads are 10 warps";
  EXPECT_EQ(asked().occupancy_threads, 300u);
  EXPECT_EQ(asked().occupancy_shared_bytes, 50u << 10);
  EXPECT_EQ(asked().shared_bytes_allowed, 50 << 10) << "else the driver says that none fits";
  EXPECT_EQ(asked().launches, 0u);
}

TEST_F(CudaDriverTest, ABlockThatDoesNotFitHasNoResidentBlocks) {
  open({"RESIDENT=0"});
  EXPECT_EQ(driver_->occupancy(launch_of(*driver_->allocate(64), *driver_->allocate(64))), (Occupancy{0, 0.0}));
}

TEST_F(CudaDriverTest, WhatADriverDoesNotSayOfOccupancyIsAbsent) {
  open({"OCCUPANCY=1"});
  Launch launch = launch_of(*driver_->allocate(64), *driver_->allocate(64));
  EXPECT_EQ(driver_->occupancy(launch), std::nullopt);
  open({"SILENT"});
  EXPECT_EQ(driver_->occupancy(launch), (Occupancy{4, std::nullopt})) << "of how many threads it does not say";
  open({"ALLOW=1"});
  launch.dynamic_shared_bytes = 50 << 10;
  EXPECT_EQ(driver_->occupancy(launch), std::nullopt);
}

TEST_F(CudaDriverTest, OrdinaryLaunchesNeedNoPermission) {
  open();
  const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
  Launch launch = launch_of(from, to);
  launch.dynamic_shared_bytes = 48 << 10;
  ASSERT_TRUE(driver_->timed(std::span(&launch, 1))->nanoseconds);
  EXPECT_EQ(asked().shared_bytes_allowed, 0);
  EXPECT_EQ(asked().cooperative, 0u);
}

struct StatusRow {
  int status;
  FaultKind kind;
};

class CudaFaults : public CudaDriverTest, public testing::WithParamInterface<StatusRow> {
 protected:
  void expect_it(const std::string& macro) {
    open({fmt::format("{}={}", macro, GetParam().status)});
    const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
    const Launch launch = launch_of(from, to);
    const auto outcome = driver_->timed(std::span(&launch, 1));
    ASSERT_TRUE(outcome) << to_text(outcome.error());
    EXPECT_FALSE(outcome->nanoseconds);
    ASSERT_TRUE(outcome->fault);
    EXPECT_EQ(outcome->fault->kind, GetParam().kind);
  }
};

TEST_P(CudaFaults, OfALaunch) { expect_it("LAUNCH"); }
TEST_P(CudaFaults, WhileItIsWaitedFor) { expect_it("SYNCHRONIZE"); }

INSTANTIATE_TEST_SUITE_P(Rows, CudaFaults,
                         testing::Values(StatusRow{700, FaultKind::crashed}, StatusRow{716, FaultKind::crashed},
                                         StatusRow{719, FaultKind::crashed}, StatusRow{702, FaultKind::timed_out},
                                         StatusRow{701, FaultKind::launch_refused},
                                         StatusRow{1, FaultKind::launch_refused},
                                         StatusRow{912, FaultKind::launch_refused},
                                         StatusRow{720, FaultKind::launch_refused}, StatusRow{2, FaultKind::memory}));

TEST_F(CudaDriverTest, WhatIsTheMachinesIsNoKernelsFault) {
  open({"SYNCHRONIZE=214"});  // an uncorrectable error of memory
  const auto from = *driver_->allocate(64), to = *driver_->allocate(64);
  const Launch launch = launch_of(from, to);
  EXPECT_FALSE(driver_->timed(std::span(&launch, 1)));
}

}  // namespace
}  // namespace hone::device::cuda
