#include "device/launcher/wire.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::device::launcher {
namespace {

TEST(Wire, IsReadInTheOrderWritten) {
  Packet packet;
  packet.put(Verb::load).put_text("kernel").put_all(std::vector<uint64_t>{1, 2, 3}).put_text("").put(0.5);
  Unpacked read(packet.bytes());
  EXPECT_EQ(read.get<Verb>(), Verb::load);
  EXPECT_EQ(read.text(), "kernel");
  EXPECT_EQ(read.all<uint64_t>(), (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(read.text(), "");
  EXPECT_FALSE(read.at_end());
  EXPECT_EQ(read.get<double>(), 0.5);
  EXPECT_TRUE(read.at_end());
}

TEST(Wire, EveryShorterPacketIsSeen) {
  Packet packet;
  packet.put_text("kernel").put_all(std::vector<uint32_t>{7, 8}).put(uint16_t{1});
  for (size_t size = 0; size < packet.bytes().size(); ++size) {
    Unpacked read(std::string_view(packet.bytes()).substr(0, size));
    read.text();
    EXPECT_TRUE(read.all<uint32_t>().empty() || size >= 22) << size;
    read.get<uint16_t>();
    EXPECT_FALSE(read.ok()) << size;
  }
}

TEST(Wire, LengthsThatLieEndNothing) {
  Packet packet;
  packet.put(~0u).put(uint32_t{5});
  Unpacked text(packet.bytes());
  EXPECT_EQ(text.text(), "");
  EXPECT_FALSE(text.ok());
  EXPECT_EQ(text.get<uint32_t>(), 0u) << "nothing is read behind a fault";
  Unpacked records(packet.bytes());
  EXPECT_TRUE(records.all<StageRecord>().empty());
  EXPECT_FALSE(records.ok());
}

TEST(Wire, OccupancyComesAsItWasSentAndWhatIsAbsentStaysSo) {
  Packet packet;
  const std::vector<std::optional<Occupancy>> sent = {Occupancy{12, 0.75}, std::nullopt, Occupancy{3, std::nullopt},
                                                      Occupancy{0, 0.0}};
  std::vector<OccupancyRecord> records;
  for (const auto& one : sent) records.push_back(to_record(one));
  packet.put_all(records);
  Unpacked read(packet.bytes());
  std::vector<std::optional<Occupancy>> got;
  for (const OccupancyRecord& record : read.all<OccupancyRecord>()) got.push_back(occupancy_in(record));
  EXPECT_TRUE(read.at_end());
  EXPECT_EQ(got, sent);
}

TEST(Wire, AShareThatIsNoneIsNotBelieved) {
  for (const double fraction : {-0.1, 1.1, std::nan(""), HUGE_VAL})
    EXPECT_EQ(occupancy_in({1, 1, 2, fraction}), (Occupancy{2, std::nullopt})) << fraction;
}

TEST(Wire, MoreThanWasAskedForIsSeen) {
  Packet packet;
  packet.put(1u).put(2u);
  Unpacked read(packet.bytes());
  read.get<uint32_t>();
  EXPECT_TRUE(read.ok());
  EXPECT_FALSE(read.at_end());
}

}  // namespace
}  // namespace hone::device::launcher
