#include "sandbox/profile.h"

namespace hone::sandbox {

namespace {

constexpr uint64_t k_kib = 1ull << 10;
constexpr uint64_t k_gib = 1ull << 30;

// A compiler may use 8 GiB and 10 minutes before it counts as runaway; deadlines of the task are shorter.
// A runner's file limit is the cap on captured output: its standard output is a file, so a flood ends in EFBIG and
// never blocks.
constexpr ProfileRow k_profiles[] = {
    {Profile::build,
     LayerSet::all(),
     Rules::build,
     FilterInstalledBy::spawn,
     1 * k_gib,
     {8 * k_gib, 600, 1 * k_gib, 1024, 1024}},
    {Profile::runner,
     LayerSet::all(),
     Rules::runner,
     FilterInstalledBy::program,
     std::nullopt,
     {std::nullopt, 3600, 64 * k_kib, 1024, 1024}},
    {Profile::oracle,
     LayerSet::all(),
     Rules::runner,
     FilterInstalledBy::program,
     std::nullopt,
     {std::nullopt, 36000, 64 * k_kib, 1024, 1024}},
    // Vendors' drivers start threads, which they name in /proc, keep caches in /tmp and map address space without end.
    {Profile::launcher,
     LayerSet::all(),
     Rules::launcher,
     FilterInstalledBy::spawn,
     1 * k_gib,
     {std::nullopt, 36000, 1 * k_gib, 4096, 1024},
     Access::read_write},
    // A launcher below a vendor's checker, which preloads a library into it and speaks with that over sockets.
    {Profile::sanitizer,
     LayerSet::all(),
     Rules::sanitizer,
     FilterInstalledBy::spawn,
     1 * k_gib,
     {std::nullopt, 3600, 1 * k_gib, 4096, 1024},
     Access::read_write,
     Network::own_loopback,
     {Layer::network_namespace, Layer::pid_namespace, Layer::mount_namespace},
     1 * k_gib},
};

}  // namespace

std::span<const ProfileRow> profiles() { return k_profiles; }

const ProfileRow& row_of(Profile profile) {
  for (const ProfileRow& row : k_profiles) {
    if (row.profile == profile) return row;
  }
  return k_profiles[0];
}

}  // namespace hone::sandbox
