// The launcher's protocol, version 5 (docs/launcher-protocol.md): what judge and launcher say to each other over one
// SOCK_SEQPACKET pair, a packet a message, and one shared area for bulk.
//
// Constraints: fixed-size records and counted arrays of them, the machine's own byte order, since both ends are the
// same executable; at most k_most_packet_bytes a packet. The judge trusts no reply further than the fate of the
// candidate that was loaded: every length is checked, and what does not parse ends the launcher. Layout of a packet:
// Verb, then the fields of its message in the order written here. Every verb but stage and scrub has one reply: Verb
// again, u32 failed, and the reply's fields or an Error. What goes wrong in a stage or a scrub is told by the next
// reply. Recovery: none; a launcher that dies, stays silent past its deadline or talks nonsense is killed, and the next
// load starts another. Versioning: the first reply carries k_protocol_version.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "device/launcher/driver.h"

namespace hone::device::launcher {

inline constexpr uint32_t k_protocol_version = 5;
inline constexpr size_t k_most_packet_bytes = 64 << 10;
inline constexpr uint64_t k_area_bytes = 32ull << 20;  // shared, for bulk in either direction
inline constexpr uint32_t k_most_parameters = 64;
inline constexpr uint32_t k_most_sets = 64;
inline constexpr int k_socket_descriptor = 3;
inline constexpr int k_area_descriptor = 4;

enum class Verb : uint32_t { open, load, unload, upload, stage, settle, launch, window, collect, scrub, occupancy };

// ---- writing and reading packets ----

class Packet {
 public:
  template <class T>
  Packet& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Packet& put_text(std::string_view text) {
    put(static_cast<uint32_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  template <class T>
  Packet& put_all(const std::vector<T>& values) {
    put(static_cast<uint32_t>(values.size()));
    for (const T& value : values) put(value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads in the order written. After anything that is not there everything else is empty, and ok() says so.
class Unpacked {
 public:
  explicit Unpacked(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::string_view bytes = take(sizeof value);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(get<uint32_t>())); }
  template <class T>
  std::vector<T> all() {
    const uint32_t count = get<uint32_t>();
    std::vector<T> values;
    for (uint32_t i = 0; i < count && ok_; ++i) values.push_back(get<T>());
    if (!ok_) values.clear();
    return values;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::string_view take(size_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// ---- records ----

// Four words that number a Philox stream (device/philox.h).
struct StreamWords {
  std::array<uint32_t, 4> words{};
};

// How a buffer's payload is made on the device.
enum class Making : uint32_t { draw, pattern, noise, upload };

// What a launch may do with a buffer. What is written holds poison before, what is read is looked at for changes.
enum class Use : uint32_t { written, updated, read };

struct DrawRecord {
  uint32_t draw = 0;  // as in duties_source.h
  uint32_t floating = 0;
  uint32_t as = 0;  // AS_* of a floating type, else bytes of an element
  uint32_t values = 0;
  uint64_t count = 0;
  uint64_t low = 0;
  double a = 0;
  double b = 0;
};

// One buffer of a set before a launch. An `upload` was written into the set before, by the verb of that name.
struct StageRecord {
  uint32_t parameter = 0;
  Making making = Making::pattern;
  Use use = Use::written;
  uint64_t payload_bytes = 0;
  uint64_t pattern = 0;
  StreamWords stream;
  DrawRecord draw;
  StreamWords guard_before;
  StreamWords guard_after;
};

// A kernel of the candidate, as one of a set's launches in order.
struct StepRecord {
  uint32_t entry = 0;  // in the list of names that was loaded
  uint32_t cooperative = 0;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  std::array<uint32_t, 3> cluster{1, 1, 1};
  uint64_t dynamic_shared_bytes = 0;
  std::array<uint16_t, 64> arguments{};  // parameters
  uint32_t argument_count = 0;
};

// What the driver says of one step. Known 0: nothing, and the rest is 0.
struct OccupancyRecord {
  uint32_t known = 0;
  uint32_t has_fraction = 0;
  uint64_t resident_blocks = 0;
  double thread_fraction = 0;
};

inline OccupancyRecord to_record(const std::optional<Occupancy>& occupancy) {
  if (!occupancy) return {};
  const auto& fraction = occupancy->thread_fraction;
  return {1, fraction ? 1u : 0u, occupancy->resident_blocks, fraction.value_or(0)};
}

// A share that is none is not believed.
inline std::optional<Occupancy> occupancy_in(const OccupancyRecord& record) {
  if (record.known == 0) return std::nullopt;
  Occupancy occupancy{record.resident_blocks, std::nullopt};
  if (record.has_fraction != 0 && record.thread_fraction >= 0 && record.thread_fraction <= 1)
    occupancy.thread_fraction = record.thread_fraction;
  return occupancy;
}

struct ParameterRecord {
  ParameterKind kind = ParameterKind::buffer;
  uint64_t capacity_bytes = 0;
  uint64_t align_bytes = 256;
};

// The value of one parameter that is no buffer.
struct ValueRecord {
  uint32_t parameter = 0;
  uint32_t size_bytes = 0;  // of `bytes`; of a local one the memory asked for stands in local_bytes
  std::array<std::byte, 128> bytes{};
  uint64_t local_bytes = 0;
};

// A descriptor that is encoded anew for every launch, of the parameter `base`.
struct TensorMapRecord {
  uint32_t parameter = 0;
  uint32_t base = 0;
  TensorMapWords words;
};

struct RangeRecord {
  uint32_t parameter = 0;
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
};

// What a collect found besides the bytes: a bit per parameter.
struct FindingsRecord {
  uint64_t broken_before = 0;
  uint64_t broken_after = 0;
  uint64_t changed_inputs = 0;
};

}  // namespace hone::device::launcher
