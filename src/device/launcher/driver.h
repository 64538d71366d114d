// Driver: what a launcher needs of a vendor's library, and nothing else: memory, modules, launches, marks. One folder
// per backend implements it; a launcher has one, on one device, with one context. It knows nothing of tasks, keys or
// decisions.
//
// Order: everything asked of a Driver happens on the device in the order asked; read, timed and finish wait for it.
// Ownership: memory and modules live until released, unloaded, or the Driver's end. Handles are the Driver's own; a
// foreign one is an error, not a crash.
// Failure: environment, where the machine or the library refuses; what a foreign kernel does wrong is a Fault of
// timed(), after which a context may be unusable and its launcher is to be ended. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::device::launcher {

struct Memory {
  uint64_t id = 0;
};
struct Module {
  uint64_t id = 0;
};
struct Function {
  uint64_t id = 0;
};

// Bytes [offset, offset + size) of one allocation; as a kernel's argument a pointer to their start.
struct View {
  Memory memory;
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
};

// A value that is passed as it is: scalars, and descriptors of up to 128 bytes.
struct Value {
  alignas(128) std::array<std::byte, 128> bytes{};
  uint32_t size_bytes = 0;

  template <class T>
  static Value of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 128);
    Value packed;
    packed.size_bytes = sizeof(T);
    std::memcpy(packed.bytes.data(), &value, sizeof(T));
    return packed;
  }
};

// Memory of a work group, by its size alone (OpenCL's __local pointers).
struct LocalBytes {
  uint64_t size_bytes = 0;
};

using Argument = std::variant<View, Value, LocalBytes>;

struct Launch {
  Function function;
  std::array<uint32_t, 3> grid{1, 1, 1};     // in blocks
  std::array<uint32_t, 3> block{1, 1, 1};    // in threads
  std::array<uint32_t, 3> cluster{1, 1, 1};  // in blocks
  uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<Argument> arguments;
};

// What lies around a buffer's content. Guarded: noise, and holes in the address space, in another place for every
// launch. Exact: nothing, an allocation is what was asked for; a checker that watches accesses sees those one byte
// past.
enum class Placing : uint32_t { guarded, exact };

// What a launcher and the duties need to know of their device; sizes in bytes.
struct DeviceFacts {
  std::string vendor;  // "nvidia", "amd", "intel", "cpu"
  std::string name;
  std::string uuid;
  std::string arch;  // "sm_90", "gfx942"; of an OpenCL device its version
  std::string driver;
  uint64_t memory_bytes = 0;
  uint64_t last_cache_bytes = 0;  // the largest cache that all of the device shares; 0 = unknown
  uint64_t shared_bytes = 0;      // that one block may ask for
  uint32_t multiprocessors = 1;
  task::LaunchLimits limits;        // of one launch; the widest of the language where the driver does not say
  uint64_t allocation_bytes = 1;    // an allocation holds a multiple of this, all of it within a kernel's reach
  uint64_t view_align_bytes = 256;  // a View that a kernel gets starts at a multiple of this within its memory
  Trust trust = Trust::device_only;
};

// Of a block.
inline uint64_t threads_of(const Launch& launch) {
  return uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
}

// Makes a limit as narrow as the driver states it. What it does not state, and what is no limit, changes nothing.
template <class T, class Stated>
void narrow(T& limit, std::optional<Stated> stated) {
  if (stated && std::cmp_greater(*stated, 0) && std::cmp_less(*stated, limit)) limit = static_cast<T>(*stated);
}

// All of a tensor map but its address (task/tensor_map.h), in the numbers of the driver's own call: enums as
// task/types.h orders them, dimensions from the innermost on, of which `rank` count.
struct TensorMapWords {
  uint32_t elements = 0;
  uint32_t interleave = 0;
  uint32_t swizzle = 0;
  uint32_t l2_promotion = 0;
  uint32_t out_of_bounds = 0;
  uint32_t rank = 0;
  std::array<uint64_t, 5> size_elements{};
  std::array<uint64_t, 4> stride_bytes{};  // the innermost has none
  std::array<uint32_t, 5> box_elements{};
  std::array<uint32_t, 5> element_strides{};
};

class Driver {
 public:
  virtual ~Driver() = default;
  virtual const DeviceFacts& facts() const = 0;

  virtual Result<Memory> allocate(uint64_t size_bytes) = 0;
  virtual void release(Memory memory) = 0;
  virtual Status write(const View& to, std::span<const std::byte> bytes) = 0;  // `bytes` may go when it returns
  virtual Status read(const View& from, std::span<std::byte> bytes) = 0;

  virtual Result<Module> load(std::string_view binary) = 0;
  virtual void unload(Module module) = 0;
  virtual Result<Function> function(Module module, const std::string& name) = 0;

  // A constant of a module, as memory that lives as long as it does; and what gives it its content.
  virtual Result<View> constant(Module module, const std::string& name) {
    std::ignore = std::pair(&module, &name);
    return Error{ErrorCode::environment, "this device's driver knows no constants of modules"};
  }
  virtual Status copy(const View& to, const View& from) {
    std::ignore = std::pair(&to, &from);
    return Error{ErrorCode::environment, "this device's driver copies nothing on the device"};
  }

  // The descriptor of what lies in the view, as a kernel's argument.
  virtual Result<Value> tensor_map(const TensorMapWords& words, const View& base) {
    std::ignore = std::pair(&words, &base);
    return Error{ErrorCode::environment, "this device's driver encodes no tensor maps"};
  }

  // How full a launch of its kernel, block and shared memory can keep a multiprocessor; its arguments do not matter.
  // Absent where the driver does not say.
  virtual std::optional<Occupancy> occupancy(const Launch& launch) {
    std::ignore = &launch;
    return std::nullopt;
  }

  virtual Status enqueue(const Launch& launch) = 0;  // hone's own kernels
  // Foreign kernels between two marks: nanoseconds by the device's own clock, or the fault. hone's own `after` them are
  // queued before it waits, and not timed.
  virtual Result<LaunchOutcome> timed(std::span<const Launch> launches, std::span<const Launch> after = {}) = 0;
  virtual Status finish() = 0;
};

}  // namespace hone::device::launcher
