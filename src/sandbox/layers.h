// Layers of confinement: what stands between a confined process and the machine. Kernels and containers refuse some of
// them, so a set of layers is a value that is detected once, used for every child, and recorded with every verdict. A
// layer is one row in layers.cc, one step in child_setup.cc, and one bit here.
// Plain values, no failure, any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enums.h"

namespace hone::sandbox {

enum class Layer {
  user_namespace,     // own identities: only for an ordinary user, or for a container's root
  pid_namespace,      // sees and signals nobody; its death ends the whole tree
  mount_namespace,    // own root: system read-only, private /tmp, minimal /dev, and what the caller lends
  network_namespace,  // no interface at all
  ipc_namespace,      // no System V or POSIX message objects of others
  own_proc,           // a /proc that shows the child's own processes; without it there is no /proc inside
  landlock,           // opens nothing but what it was lent
  other_user,         // root gives its identity away before anything untrusted runs
  no_new_privileges,
  resource_limits,  // of each process
  control_group,    // the tree is one to the kernel, and killed as one
  group_limits,     // of the tree as a whole
  seccomp,          // refuses every system call that is not listed
};

}  // namespace hone::sandbox

namespace hone {
template <>
struct EnumNames<sandbox::Layer> {
  using T = sandbox::Layer;
  static constexpr EnumName<T> table[] = {
      {T::user_namespace, "user-namespace"},
      {T::pid_namespace, "pid-namespace"},
      {T::mount_namespace, "mount-namespace"},
      {T::network_namespace, "network-namespace"},
      {T::ipc_namespace, "ipc-namespace"},
      {T::own_proc, "own-proc"},
      {T::landlock, "landlock"},
      {T::other_user, "other-user"},
      {T::no_new_privileges, "no-new-privileges"},
      {T::resource_limits, "resource-limits"},
      {T::control_group, "control-group"},
      {T::group_limits, "group-limits"},
      {T::seccomp, "seccomp"},
  };
};
}  // namespace hone

namespace hone::sandbox {

class LayerSet {
 public:
  constexpr LayerSet() = default;
  constexpr LayerSet(std::initializer_list<Layer> layers) {
    for (const Layer layer : layers) bits_ |= bit(layer);
  }
  static constexpr LayerSet all() {
    LayerSet set;
    for (const auto& row : EnumNames<Layer>::table) set.bits_ |= bit(row.value);
    return set;
  }

  constexpr bool has(Layer layer) const { return (bits_ & bit(layer)) != 0; }
  constexpr LayerSet with(Layer layer) const { return LayerSet(bits_ | bit(layer)); }
  constexpr LayerSet without(Layer layer) const { return LayerSet(bits_ & ~bit(layer)); }
  constexpr LayerSet operator&(LayerSet other) const { return LayerSet(bits_ & other.bits_); }
  friend constexpr bool operator==(LayerSet, LayerSet) = default;

 private:
  explicit constexpr LayerSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t bit(Layer layer) { return 1u << static_cast<uint32_t>(layer); }
  uint32_t bits_ = 0;
};

std::vector<std::string> names(LayerSet set);
LayerSet set_of(const std::vector<std::string>& names);  // a name that is no layer's is passed over

// What a layer is for, in words: the one source of `hone doctor`, of reports and of the table in SECURITY.md.
struct LayerRow {
  Layer layer;
  std::string_view gives;
  std::string_view without;  // what its absence means
  std::string_view remedy;   // what to type
};
std::span<const LayerRow> layer_rows();
const LayerRow& row_of(Layer layer);

// Layers that are not there and that no other replaces: identities are taken away in one of two ways, an ordinary
// user's by a namespace, root's by giving them up.
LayerSet missing_from(LayerSet active);

// Whether a process inside these layers finds no file of the machine but what it was lent.
constexpr bool hides_files(LayerSet set) { return set.has(Layer::mount_namespace) || set.has(Layer::landlock); }

}  // namespace hone::sandbox
