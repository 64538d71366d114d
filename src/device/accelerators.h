// The accelerators of this machine: every GPU (and OpenCL device) that a vendor's driver shows, what its driver says of
// it, and for each kind that shows none, why. Vendors' libraries are loaded in a child process alone, one for each kind
// (the role describe-accelerators of this executable), under a deadline: a driver that hangs or crashes is a line in
// the answer.
//
// Devices are listed whatever *_VISIBLE_DEVICES says: which one judges is chosen by uuid, not by a variable that
// whoever is judged can set. The answer notes such a variable. CUDA's index is the order of PCI buses, as nvidia-smi
// counts. Sizes are bytes. What a driver does not say is absent. Plain values; failure is part of the answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/process.h"
#include "base/result.h"
#include "device/cuda/places.h"
#include "device/device.h"

namespace hone::device {

// What a kernel launch may use on it.
struct LaunchLimits {
  std::optional<int> threads_per_block;
  std::optional<int> threads_per_multiprocessor;
  std::optional<uint64_t> shared_bytes_per_block;         // without asking
  std::optional<uint64_t> shared_bytes_per_block_opt_in;  // after asking the driver
  std::optional<uint64_t> shared_bytes_per_multiprocessor;
  std::optional<int> registers_per_block;  // of 32 bits
  std::optional<int> registers_per_multiprocessor;
  std::optional<bool> clusters;
  std::optional<bool> cooperative;
};

struct Accelerator {
  std::string kind;                  // the backend's folder: "cuda", "hip", "opencl"
  int index = 0;                     // among its kind
  std::optional<std::string> place;  // of OpenCL: platform and device, "0.1"
  std::string uuid;                  // "GPU-00010203-…"; where the driver has none, the place: "opencl:0.1"
  std::string vendor;                // "nvidia", "amd", "intel", "cpu", else "none"
  std::string name;                  // "NVIDIA H200"
  std::optional<std::string> arch;   // "sm_90", "gfx942"
  std::optional<std::string> compute_capability;  // "9.0"
  std::optional<int> multiprocessors;             // SMs, CUs
  std::optional<int> warp_size;                   // a wavefront on AMD
  uint64_t memory_bytes = 0;
  std::optional<uint64_t> l2_bytes;
  LaunchLimits limits;
  std::string driver;                       // "570.124.06 (CUDA 12.8)"
  Trust trust = Trust::device_only;         // of device code on it
  std::optional<std::string> compute_mode;  // "shared", "exclusive-process", "prohibited"
  std::optional<bool> mig;                  // it is divided, or a part of a divided one
  std::optional<int> max_clock_mhz;         // of its multiprocessors
  std::optional<double> power_limit_watts;
  std::vector<std::string> notes;  // sentences for a person
};

struct OpenclPlatform {
  int index = 0;
  std::string name;  // "Portable Computing Language"
  std::string vendor;
  std::string version;  // "OpenCL 3.0 PoCL 3.1 …"
  std::vector<std::string> devices;
};

// A compiler that is a library.
struct RuntimeCompiler {
  std::string name;  // "NVRTC"
  std::string version;
  std::string path;
  std::vector<int> architectures;  // 90: compute_90
};

struct Absence {
  std::string what;    // "cuda", "hip", "opencl", "NVRTC", "hiprtc", "NVIDIA's OpenCL"
  std::string reason;  // one line
  std::string help;    // what to type; may be empty
};

struct Accelerators {
  std::vector<Accelerator> devices;  // by kind, then index
  std::vector<OpenclPlatform> platforms;
  std::vector<RuntimeCompiler> compilers;
  std::vector<Absence> absent;
  std::vector<std::string> notes;
};

// Files that the loader is asked for, first to last, by the name of their library ("cuda", "nvml", "nvrtc", "hip",
// "hiprtc", "opencl"); a library without an entry is looked for under its usual names. Tests put stand-ins here.
using DriverFiles = std::map<std::string, std::vector<std::string>>;

template <class Library>
Result<Library> open_library(const DriverFiles& files, const std::string& name) {
  const auto found = files.find(name);
  return found == files.end() ? Library::open() : Library::open(found->second);
}

struct AcceleratorRequest {
  DriverFiles files;
  cuda::Variables variables = cuda::environment_variables();
  Nanoseconds deadline = std::chrono::seconds(20);   // for each child
  std::filesystem::path root = "/";                  // of the file system
  std::filesystem::path program = "/proc/self/exe";  // knows the role
};

// "00010203-0405-0607-0809-0a0b0c0d0e0f".
std::string uuid_text(std::span<const uint8_t, 16> bytes);

// A sentence for each variable that is set to hide or renumber devices, and does not here.
std::vector<std::string> notes_on_hiding(const cuda::Variables& variables);

Accelerators list_accelerators(Processes& processes, const AcceleratorRequest& request = {});

template <class A>
void describe(A& a, LaunchLimits& v) {
  a.field("threads_per_block", v.threads_per_block);
  a.field("threads_per_multiprocessor", v.threads_per_multiprocessor);
  a.field("shared_bytes_per_block", v.shared_bytes_per_block);
  a.field("shared_bytes_per_block_opt_in", v.shared_bytes_per_block_opt_in);
  a.field("shared_bytes_per_multiprocessor", v.shared_bytes_per_multiprocessor);
  a.field("registers_per_block", v.registers_per_block);
  a.field("registers_per_multiprocessor", v.registers_per_multiprocessor);
  a.field("clusters", v.clusters);
  a.field("cooperative", v.cooperative);
}

template <class A>
void describe(A& a, Accelerator& v) {
  a.field("kind", v.kind);
  a.field("index", v.index);
  a.field("place", v.place);
  a.field("uuid", v.uuid);
  a.field("vendor", v.vendor);
  a.field("name", v.name);
  a.field("arch", v.arch);
  a.field("compute_capability", v.compute_capability);
  a.field("multiprocessors", v.multiprocessors);
  a.field("warp_size", v.warp_size);
  a.field("memory_bytes", v.memory_bytes);
  a.field("l2_bytes", v.l2_bytes);
  a.field("limits", v.limits);
  a.field("driver", v.driver);
  a.field("trust", v.trust);
  a.field("compute_mode", v.compute_mode);
  a.field("mig", v.mig);
  a.field("max_clock_mhz", v.max_clock_mhz);
  a.field("power_limit_watts", v.power_limit_watts);
  a.field("notes", v.notes);
}

template <class A>
void describe(A& a, OpenclPlatform& v) {
  a.field("index", v.index);
  a.field("name", v.name);
  a.field("vendor", v.vendor);
  a.field("version", v.version);
  a.field("devices", v.devices);
}

template <class A>
void describe(A& a, RuntimeCompiler& v) {
  a.field("name", v.name);
  a.field("version", v.version);
  a.field("path", v.path);
  a.field("architectures", v.architectures);
}

template <class A>
void describe(A& a, Absence& v) {
  a.field("what", v.what);
  a.field("reason", v.reason);
  a.field("do", v.help);
}

template <class A>
void describe(A& a, Accelerators& v) {
  a.field("devices", v.devices);
  a.field("platforms", v.platforms);
  a.field("compilers", v.compilers);
  a.field("absent", v.absent);
  a.field("notes", v.notes);
}

}  // namespace hone::device
