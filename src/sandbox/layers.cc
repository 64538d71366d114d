#include "sandbox/layers.h"

#include <algorithm>

namespace hone::sandbox {

namespace {

constexpr std::string_view k_namespaces =
    "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces > 0, AppArmor's "
    "kernel.apparmor_restrict_unprivileged_userns=0), or run as root outside of a container";

constexpr LayerRow k_rows[] = {
    {Layer::user_namespace, "how an ordinary user, or a container's root, gets the other namespaces",
     "what hone starts has the identity of whoever started hone, and the other namespaces are root's to make",
     k_namespaces},
    {Layer::pid_namespace, "sees and signals nobody; its death ends everything it started",
     "other processes have numbers inside too; a tree is ended through its control group or its process group",
     k_namespaces},
    {Layer::mount_namespace,
     "a root of its own: the system read-only, `/dev` of three harmless files, the files it was lent, and for a build "
     "an empty private `/tmp`",
     "it can be found out which paths exist, and landlock alone decides what can be opened",
     "allow mounts in user namespaces; in a container: add CAP_SYS_ADMIN or relax its seccomp and AppArmor profile"},
    {Layer::network_namespace, "no network interface (a sanitizer: a loopback of its own)",
     "seccomp and landlock alone refuse to connect", k_namespaces},
    {Layer::ipc_namespace, "no message or shared memory object of others",
     "seccomp alone refuses message and shared memory objects of others", k_namespaces},
    {Layer::own_proc, "a `/proc` of its own processes alone",
     "there is no /proc inside; without landlock and a root of its own, the machine's",
     "in a container: unmask /proc (for example --security-opt systempaths=unconfined)"},
    {Layer::landlock,
     "opens what it was lent and nothing else, writes where it may and nowhere else, whatever other layer fails; "
     "newer kernels: no TCP (Linux 6.7), no signal to the outside (Linux 6.12)",
     "the private root alone decides what can be opened; without that too, the user's own rights do",
     "use Linux 5.13 or newer and name landlock among its security modules (kernel command line lsm=landlock,...; "
     "cat /sys/kernel/security/lsm shows them)"},
    {Layer::other_user, "what root starts runs as a user whom nothing belongs to, another one for each hone",
     "what hone starts has the rights of root over files",
     "run hone as an ordinary user, or give root CAP_SETUID and CAP_SETGID"},
    {Layer::no_new_privileges, "nothing it starts gains rights", "a set-user-id program could gain rights",
     "use Linux 3.5 or newer"},
    {Layer::resource_limits,
     "for each process: memory, processor time, file size, descriptors; for its user: processes; no core files",
     "only deadlines bound what it uses", "raise the hard limits of this shell (ulimit -H -a)"},
    {Layer::control_group, "all processes of a tree are one to the kernel (cgroup v2) and are killed as one",
     "where pid-namespace is missing too: what a killed hone leaves behind ends at its own limits alone",
     "use Linux 5.14 or newer with cgroup v2, and start hone in a group that it may write: systemd-run --user --scope "
     "-p Delegate=yes hone ..."},
    {Layer::group_limits, "memory and number of processes are limited for the tree as a whole",
     "limits hold for each process, not for all of them together",
     "hand memory and pids on to a cgroup v2 above hone's own: systemd-run --user --pty -p Delegate=yes -p "
     "DelegateSubgroup=hone hone ... (systemd 254)"},
    {Layer::seccomp,
     "every system call that is not listed below is refused; a runner sets it before it loads the candidate",
     "every system call of the kernel can be tried", "use a kernel with CONFIG_SECCOMP_FILTER"},
};

}  // namespace

std::vector<std::string> names(LayerSet set) {
  std::vector<std::string> out;
  for (const auto& row : EnumNames<Layer>::table) {
    if (set.has(row.value)) out.emplace_back(row.name);
  }
  return out;
}

LayerSet set_of(const std::vector<std::string>& names) {
  LayerSet set;
  for (const auto& row : EnumNames<Layer>::table) {
    if (std::find(names.begin(), names.end(), row.name) != names.end()) set = set.with(row.value);
  }
  return set;
}

std::span<const LayerRow> layer_rows() { return k_rows; }

const LayerRow& row_of(Layer layer) {
  for (const LayerRow& row : k_rows) {
    if (row.layer == layer) return row;
  }
  return k_rows[0];
}

LayerSet missing_from(LayerSet active) {
  LayerSet missing;
  for (const LayerRow& row : k_rows) {
    if (!active.has(row.layer)) missing = missing.with(row.layer);
  }
  if (active.has(Layer::other_user)) missing = missing.without(Layer::user_namespace);
  if (active.has(Layer::user_namespace)) missing = missing.without(Layer::other_user);
  return missing;
}

}  // namespace hone::sandbox
