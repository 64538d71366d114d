#include "device/pci.h"

#include <gmock/gmock.h>

#include "base/disk.h"

namespace hone::device {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void add(const fs::path& root, const std::string& place, const std::string& pci_class, const std::string& vendor) {
  Disk disk;
  const fs::path folder = root / "sys/bus/pci/devices" / place;
  ASSERT_TRUE(disk.make_directories(folder));
  ASSERT_TRUE(write_file(disk, folder / "class", pci_class + "\n"));
  ASSERT_TRUE(write_file(disk, folder / "vendor", vendor + "\n"));
}

TEST(Pci, GpusOfKnownVendorsAlone) {
  const auto root = TemporaryFolder::make(fs::temp_directory_path(), "hone-pci-");
  ASSERT_TRUE(root);
  add(root->path(), "0000:0a:00.0", "0x030200", "0x10de");  // a GPU without a display
  add(root->path(), "0000:0b:00.0", "0x030200", "0x10de");
  add(root->path(), "0000:0c:00.0", "0x120000", "0x1002");  // a processing accelerator
  add(root->path(), "0000:0d:00.0", "0x020000", "0x8086");  // a network card
  add(root->path(), "0000:0e:00.0", "0x030000", "0x1a03");  // a server's console
  EXPECT_THAT(gpu_vendors_on_pci(root->path()), ElementsAre("amd", "nvidia"));
}

TEST(Pci, WithoutSysThereAreNone) { EXPECT_THAT(gpu_vendors_on_pci("/nowhere"), IsEmpty()); }

}  // namespace
}  // namespace hone::device
