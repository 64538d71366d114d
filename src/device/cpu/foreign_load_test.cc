#include "device/cpu/foreign_load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "base/disk.h"

namespace hone::device::cpu {
namespace {

class ForeignLoad : public testing::Test {
 protected:
  void write(const fs::path& name, std::string_view text) {
    ASSERT_TRUE(disk_.make_directories((root() / name).parent_path()));
    ASSERT_TRUE(write_file(disk_, root() / name, text));
  }
  const fs::path& root() const { return folder_.path(); }
  Disk disk_;
  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "load");
};

TEST_F(ForeignLoad, TicksAreSummedOverTheChosenCores) {
  write("proc/stat", "cpu  9 9 9 9 9 9 9 9 9 9\ncpu1 10 0 5 80 3 1 0 1 0 0\ncpu11 1 1 1 1 1 1 1 1 0 0\n");
  const auto one = read_core_ticks(std::vector{1}, root());
  ASSERT_TRUE(one);
  EXPECT_EQ(one->total, 100u);
  EXPECT_EQ(one->busy, 17u);
  const auto both = read_core_ticks(std::vector{1, 11}, root());
  ASSERT_TRUE(both);
  EXPECT_EQ(both->total, 108u);
  EXPECT_FALSE(read_core_ticks(std::vector{2}, root()));
}

TEST_F(ForeignLoad, MalformedOrMissingFilesGiveNothing) {
  EXPECT_FALSE(read_core_ticks(std::vector{0}, root()));
  write("proc/stat", "cpu0 1 2 x\n");
  EXPECT_FALSE(read_core_ticks(std::vector{0}, root()));
  const MachineLoad load = read_machine_load(root());
  EXPECT_FALSE(load.load_average_1m);
  EXPECT_FALSE(load.pressure_10s_fraction);
}

TEST_F(ForeignLoad, OwnTimeIsTakenAway) {
  const double second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto ticks = [&](double seconds) { return static_cast<uint64_t>(seconds * second); };
  const CoreTicks before{ticks(5), ticks(10)};
  const CoreTicks after{ticks(8), ticks(20)};
  EXPECT_DOUBLE_EQ(*foreign_fraction(before, after, 0.0), 0.3);
  EXPECT_DOUBLE_EQ(*foreign_fraction(before, after, 2.0), 0.1);
  EXPECT_DOUBLE_EQ(*foreign_fraction(before, after, 9.0), 0.0);
  EXPECT_FALSE(foreign_fraction(after, after, 0.0));
}

TEST_F(ForeignLoad, LoadAndPressureAreRead) {
  write("proc/loadavg", "0.85 0.41 0.17 2/97 1\n");
  write("proc/pressure/cpu", "some avg10=92.50 avg60=1.0 avg300=1.0 total=1\nfull avg10=0.00\n");
  const MachineLoad load = read_machine_load(root());
  EXPECT_DOUBLE_EQ(*load.load_average_1m, 0.85);
  EXPECT_DOUBLE_EQ(*load.pressure_10s_fraction, 0.925);
}

}  // namespace
}  // namespace hone::device::cpu
