#include "sandbox/control_group.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/disk.h"
#include "base/random.h"
#include "base/text.h"
#include "record/owner.h"

namespace hone::sandbox {

namespace {

// Longer than any kernel takes to end killed processes; only one stuck in a driver outlives it.
constexpr Nanoseconds k_patience = std::chrono::seconds(10);
constexpr Nanoseconds k_glance = std::chrono::microseconds(200);

// The kernel's files are there or not: none is created, and a short write does not happen.
bool write_control(const fs::path& file, std::string_view text) {
  const Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool kill_group(const fs::path& group) { return write_control(group / "cgroup.kill", "1"); }

// Killed processes take a moment to be gone.
void remove_group(const fs::path& group) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + k_patience;
  while (rmdir(group.c_str()) != 0 && errno == EBUSY && clock.now() < until) {
    kill_group(group);
    std::this_thread::sleep_for(k_glance);
  }
}

// ---- names ----

uint64_t pid_namespace() {
  struct stat info {};
  return stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}

std::string new_name() {
  const record::Owner self = record::this_process();
  return fmt::format("hone-{}-{}-{}-{:016x}", pid_namespace(), self.pid, self.start_ticks, random_u64());
}

std::optional<uint64_t> number_in(const std::string& text) {
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Of a group made in another pid namespace nobody here can say whether its maker lives.
bool is_left_over(const std::string& name) {
  const auto parts = split(name, '-');
  if (parts.size() != 5 || parts[0] != "hone" || number_in(parts[1]) != pid_namespace()) return false;
  const auto pid = number_in(parts[2]);
  const auto start_ticks = number_in(parts[3]);
  return pid && start_ticks && !record::is_alive({static_cast<pid_t>(*pid), *start_ticks});
}

// ---- the home ----

// "36 27 0:31 ROOT PLACE rw,relatime - cgroup2 cgroup2 rw": the root within the hierarchy, and where it is mounted.
struct Hierarchy {
  std::string root;
  fs::path place;
};

std::optional<Hierarchy> second_version(std::string_view mountinfo) {
  for (const std::string& line : split(mountinfo, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() > 5 && line.find(" - cgroup2 ") != std::string::npos) return Hierarchy{words[3], words[4]};
  }
  return std::nullopt;
}

bool hands_limits_on(const fs::path& group) {
  const fs::path file = group / "cgroup.subtree_control";
  write_control(file, "+memory +pids");  // refused where it is not ours to say, or where processes are in the group
  const auto words = split(trim(read_file(file).value_or("")), ' ');
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  return has("memory") && has("pids");
}

bool is_ours(const fs::path& group) {
  return access(group.c_str(), W_OK) == 0 && access((group / "cgroup.procs").c_str(), W_OK) == 0;
}

// A slice belongs to the service manager, whatever its mode says.
bool may_use_parent_of(const fs::path& group, const fs::path& top) {
  const fs::path parent = group.parent_path();
  return group != top && parent.extension() != ".slice" && is_ours(parent);
}

std::optional<GroupHome> find_home() {
  const auto mountinfo = read_file("/proc/self/mountinfo");
  const auto cgroup = read_file("/proc/self/cgroup");
  const auto own = own_group(mountinfo.value_or(""), cgroup.value_or(""));
  if (!own || !is_ours(*own)) return std::nullopt;
  GroupHome home{*own, hands_limits_on(*own)};
  const fs::path top = second_version(*mountinfo)->place;
  if (!home.limits && may_use_parent_of(*own, top) && hands_limits_on(own->parent_path()))
    home = {own->parent_path(), true};
  sweep_groups(home.folder);
  return home;
}

}  // namespace

std::optional<fs::path> own_group(std::string_view mountinfo, std::string_view cgroup) {
  const auto hierarchy = second_version(mountinfo);
  if (!hierarchy) return std::nullopt;
  for (const std::string& line : split(cgroup, '\n')) {
    if (!line.starts_with("0::/")) continue;
    const fs::path below = fs::path(line.substr(3)).lexically_relative(hierarchy->root);
    if (below.empty() || *below.begin() == "..") return std::nullopt;
    return below == "." ? hierarchy->place : hierarchy->place / below;
  }
  return std::nullopt;
}

const std::optional<GroupHome>& group_home() {
  static const std::optional<GroupHome> home = find_home();
  return home;
}

void sweep_groups(const fs::path& home) {
  std::error_code error;
  fs::directory_iterator walk(home, error), end;
  std::vector<fs::path> dead;
  for (; !error && walk != end; walk.increment(error)) {
    if (is_left_over(walk->path().filename().string())) dead.push_back(walk->path());
  }
  for (const fs::path& group : dead) {
    kill_group(group);
    remove_group(group);
  }
}

Result<ControlGroup> ControlGroup::make(const GroupHome& home, const Limits& limits) {
  const fs::path path = home.folder / new_name();
  if (mkdir(path.c_str(), 0755) != 0) return io_error("make the control group", path, errno);
  ControlGroup group(path, Fd(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
  if (!group.folder_) return io_error("open the control group", path, errno);
  if (access((path / "cgroup.kill").c_str(), W_OK) != 0) return io_error("end a control group", path, errno);
  if (!home.limits) return group;
  bool limited = write_control(path / "pids.max", std::to_string(limits.processes));
  if (limits.address_space_bytes)
    limited = write_control(path / "memory.max", std::to_string(*limits.address_space_bytes)) && limited;
  if (!limited) return io_error("limit the control group", path, errno);
  return group;
}

ControlGroup::~ControlGroup() {
  if (!folder_) return;
  kill();
  remove_group(path_);
}

void ControlGroup::kill() { kill_group(path_); }

}  // namespace hone::sandbox
