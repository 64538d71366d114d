#include "device/cpu/topology.h"

#include <gtest/gtest.h>

#include "base/disk.h"

namespace hone::device::cpu {
namespace {

// Four processors on two cores (0,2 and 1,3), as /sys and /proc describe them.
class FakeMachine {
 public:
  FakeMachine() : folder_(*TemporaryFolder::make(fs::temp_directory_path(), "topology")) {
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Grindstone 9\n\nprocessor\t: 1\nmodel name\t: other\n");
    write("proc/meminfo", "MemTotal:       2048 kB\nMemFree: 1 kB\n");
    write("etc/machine-id", "abc\n");
    for (int processor = 0; processor < 4; ++processor) {
      const std::string cpu = "sys/devices/system/cpu/cpu" + std::to_string(processor);
      const std::string siblings = processor % 2 == 0 ? "0,2\n" : "1,3\n";
      write(cpu + "/topology/thread_siblings_list", siblings);
      cache(cpu + "/cache/index0", "1", "Data", "32K", siblings);
      cache(cpu + "/cache/index1", "1", "Instruction", "64K", siblings);
      cache(cpu + "/cache/index2", "3", "Unified", "8M", "0-3\n");
      cache(cpu + "/cache/index3", "2", "Unified", "512K", siblings);
    }
  }
  const fs::path& root() const { return folder_.path(); }
  void write(const fs::path& name, std::string_view text) {
    EXPECT_TRUE(disk_.make_directories((root() / name).parent_path()));
    EXPECT_TRUE(write_file(disk_, root() / name, text));
  }

 private:
  void cache(const std::string& at, std::string_view level, std::string_view type, std::string_view size,
             std::string_view shared) {
    write(at + "/level", level);
    write(at + "/type", type);
    write(at + "/size", size);
    write(at + "/shared_cpu_list", shared);
  }
  Disk disk_;
  TemporaryFolder folder_;
};

Topology fake_topology(std::vector<int> allowed = {0, 1, 2, 3}) {
  const FakeMachine machine;
  return *read_topology(std::move(allowed), machine.root());
}

TEST(Topology, ReadsCoresCachesAndMemory) {
  const Topology topology = fake_topology();
  EXPECT_EQ(topology.model, "Grindstone 9");
  EXPECT_EQ(topology.machine_id, "abc");
  EXPECT_EQ(topology.memory_bytes, 2048u << 10);
  EXPECT_EQ(topology.physical, (std::vector<int>{0, 1}));
  ASSERT_EQ(topology.caches.size(), 3u);
  EXPECT_EQ(topology.caches[0].size_bytes, 32u << 10);
  EXPECT_EQ(topology.caches[1].level, 2);
  EXPECT_EQ(topology.caches[2].size_bytes, 8u << 20);
  EXPECT_EQ(topology.caches[2].shared_by, (std::vector<int>{0, 1, 2, 3}));
}

TEST(Topology, OnlyAllowedProcessorsCount) {
  EXPECT_EQ(fake_topology({3, 2}).physical, (std::vector<int>{2, 3}));
  EXPECT_EQ(fake_topology({1, 3}).physical, (std::vector<int>{1}));
  EXPECT_FALSE(read_topology({}, "/"));
}

TEST(Topology, AMachineThatSaysNothingHasItsProcessorsAlone) {
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "topology");
  const auto topology = read_topology({4, 5}, folder->path());
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->physical, (std::vector<int>{4, 5}));
  EXPECT_TRUE(topology->caches.empty());
  EXPECT_TRUE(topology->model.empty());
}

TEST(Topology, DefaultCoresAreTheLastPhysicalOnes) {
  EXPECT_EQ(*choose_cores(fake_topology(), {}, 1), (std::vector<int>{1}));
  EXPECT_EQ(*choose_cores(fake_topology(), {}, 2), (std::vector<int>{0, 1}));
  const auto many = choose_cores(fake_topology(), {}, 3);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::usage);
}

TEST(Topology, AskedCoresAreChecked) {
  EXPECT_EQ(*choose_cores(fake_topology(), {3, 0}, 2), (std::vector<int>{3, 0}));
  EXPECT_FALSE(choose_cores(fake_topology(), {0, 2}, 1)) << "two threads of one core";
  EXPECT_FALSE(choose_cores(fake_topology({0, 1}), {3}, 1)) << "not allowed";
  EXPECT_FALSE(choose_cores(fake_topology(), {1}, 2)) << "too few";
}

TEST(Topology, CoreListsAreParsed) {
  EXPECT_EQ(*parse_core_list("3"), (std::vector<int>{3}));
  EXPECT_EQ(*parse_core_list("7, 1-3"), (std::vector<int>{7, 1, 2, 3}));
  for (const char* bad : {"", ",", "1,", "x", "-1", "3-1", "1,1", "1-3,2", "1-", "99999", "1.5", "0x1"}) {
    const auto cores = parse_core_list(bad);
    ASSERT_FALSE(cores) << bad;
    EXPECT_EQ(cores.error().code, ErrorCode::usage);
    EXPECT_FALSE(cores.error().help.empty());
  }
}

TEST(Topology, IdentityNamesTheMachineAndTheCores) {
  const Topology topology = fake_topology();
  const Identity one = identity_of(topology, {1}, "g++ 12", "/usr/bin/g++");
  EXPECT_EQ(one.kind, "cpu");
  EXPECT_EQ(one.cache_bytes, (std::vector<uint64_t>{32u << 10, 512u << 10, 8u << 20}));
  EXPECT_EQ(one.uuid.size(), 32u);
  const Identity other = identity_of(topology, {0}, "g++ 12", "/usr/bin/g++");
  EXPECT_NE(one.uuid, other.uuid);
  EXPECT_NE(one.key(), other.key());
  EXPECT_NE(one.key(), identity_of(topology, {1}, "g++ 13", "/usr/bin/g++").key());
  Identity twin = one;
  twin.uuid = "another machine of the same make";
  EXPECT_EQ(one.key(), twin.key());
}

TEST(Topology, ThisMachineCanBeRead) {
  const auto topology = read_topology();
  ASSERT_TRUE(topology);
  EXPECT_FALSE(topology->physical.empty());
  EXPECT_GT(topology->memory_bytes, 0u);
  EXPECT_TRUE(choose_cores(*topology, {}, 1));
}

}  // namespace
}  // namespace hone::device::cpu
