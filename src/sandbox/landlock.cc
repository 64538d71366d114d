#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "sandbox/child_calls.h"

namespace hone::sandbox {

namespace {

// The kernel's interface as far as it is used, so that it does not hang on the age of the headers.
constexpr long k_create_ruleset = 444;
constexpr long k_add_rule = 445;
constexpr long k_restrict_self = 446;
constexpr unsigned k_ask_version = 1;
constexpr int k_path_beneath = 1;

struct RulesetAttributes {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct PathBeneath {
  uint64_t access;
  int parent;
} __attribute__((packed));

constexpr uint64_t bits(unsigned first, unsigned last) { return ((2ull << (last - first)) - 1) << first; }

constexpr uint64_t k_execute = bits(0, 0);
constexpr uint64_t k_write_file = bits(1, 1) | bits(14, 14);  // truncation with it
constexpr uint64_t k_read_file = bits(2, 2);
constexpr uint64_t k_read = k_execute | k_read_file | bits(3, 3);
constexpr uint64_t k_make_devices = bits(6, 6) | bits(9, 9) | bits(11, 11);  // character, socket, block
constexpr uint64_t k_of_files = bits(0, 2) | bits(14, 15);                   // what can be granted on a single file

struct AbiRow {
  int abi;
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scopes = 0;
};

// What each version of the interface added (Linux 5.13, 5.19, 6.2, 6.7, 6.10, 6.12).
constexpr AbiRow k_abis[] = {{.abi = 1, .files = bits(0, 12)},   // execute, write, read, list, remove, make
                             {.abi = 2, .files = bits(13, 13)},  // link and rename across folders
                             {.abi = 3, .files = bits(14, 14)},  // truncate
                             {.abi = 4, .network = bits(0, 1)},  // bind and connect of TCP
                             {.abi = 5, .files = bits(15, 15)},  // ioctl on devices
                             {.abi = 6, .scopes = bits(0, 1)}};  // abstract sockets, signals

LandlockPlan denials(int abi) {
  LandlockPlan plan;
  for (const AbiRow& row : k_abis) {
    if (row.abi > abi) continue;
    plan.files |= row.files;
    plan.network |= row.network;
    plan.scopes |= row.scopes;
  }
  return plan;
}

uint64_t access_of(const RootEntry& entry, uint64_t files) {
  const uint64_t wanted = entry.access == Access::read_write ? ~k_make_devices : k_read;
  return wanted & files & (entry.kind == RootEntry::Kind::file ? k_of_files : ~0ull);
}

// A root of its own holds nothing but what is lent: one rule lets it be read.
bool needs_rule(const RootEntry& entry, bool own_root) {
  if (entry.kind == RootEntry::Kind::link) return false;  // its target has one
  return own_root ? entry.access == Access::read_write : entry.kind != RootEntry::Kind::tmpfs;
}

int add_rule(int ruleset, int beneath, uint64_t access) {
  const PathBeneath rule{access, beneath};
  return syscall(k_add_rule, ruleset, k_path_beneath, &rule, 0) == 0 ? 0 : errno;
}

int add_rules(int ruleset, const LandlockPlan& plan, int executable) {
  if (executable >= 0) {
    if (const int failed = add_rule(ruleset, executable, plan.executable_access); failed != 0) return failed;
  }
  for (const LandlockRule& rule : plan.rules) {
    const int beneath = child::open(rule.path.c_str(), O_PATH | O_CLOEXEC);
    if (beneath < 0) continue;
    const int failed = add_rule(ruleset, beneath, rule.access);
    child::close(beneath);
    if (failed != 0) return failed;
  }
  return 0;
}

// Older kernels know a shorter structure, and refuse what is behind it unless it is zero.
int make_ruleset(const LandlockPlan& plan) {
  const RulesetAttributes attributes{plan.files, plan.network, plan.scopes};
  size_t known = sizeof(attributes.files);
  if (plan.network != 0) known = offsetof(RulesetAttributes, scopes);
  if (plan.scopes != 0) known = sizeof attributes;
  return static_cast<int>(syscall(k_create_ruleset, &attributes, known, 0));
}

}  // namespace

int landlock_abi() { return static_cast<int>(std::max(0l, syscall(k_create_ruleset, nullptr, 0, k_ask_version))); }

LandlockPlan plan_landlock(int abi, LayerSet layers, const RootPlan& root, Access own_proc, Network network) {
  const bool own_root = layers.has(Layer::mount_namespace);
  LandlockPlan plan = denials(abi);
  plan.executable_access = k_execute | k_read_file;
  if (network == Network::own_loopback && layers.has(Layer::network_namespace)) plan.network = 0;
  if (own_root) plan.rules.push_back({"/", k_read});
  if (layers.has(Layer::own_proc) && own_proc == Access::read_write)
    plan.rules.push_back({"/proc", (k_read | k_write_file) & plan.files});
  for (const RootEntry& entry : root.entries) {
    if (needs_rule(entry, own_root)) plan.rules.push_back({entry.inside, access_of(entry, plan.files)});
  }
  return plan;
}

int enter_landlock(const LandlockPlan& plan, int executable) {
  const int ruleset = make_ruleset(plan);
  if (ruleset < 0) return errno;
  int failed = add_rules(ruleset, plan, executable);
  if (failed == 0 && syscall(k_restrict_self, ruleset, 0) != 0) failed = errno;
  child::close(ruleset);
  return failed;
}

}  // namespace hone::sandbox
