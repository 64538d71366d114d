// `hone doctor`: what this machine offers, and what to type for what is missing; hone.doctor/1. Sizes are bytes unless
// a name says otherwise; what a device does not have is absent. Gathering reads the machine; judging what is missing is
// a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/enums.h"
#include "base/json.h"
#include "base/process.h"
#include "campaign/device_record.h"
#include "device/accelerators.h"
#include "sandbox/layers.h"
#include "surface/cli/doctor_python.h"
#include "surface/cli/doctor_tools.h"

namespace hone::cli {

// One device, with the published fields of a device record.
struct DeviceEntry : campaign::DeviceRecord {
  DeviceEntry() = default;
  explicit DeviceEntry(campaign::DeviceRecord published) : campaign::DeviceRecord(std::move(published)) {}

  std::string kind;  // "cpu", "cuda", "hip", "opencl"
  std::string uuid;
  std::string key;                    // what figures are bound to, with the default cores and the compiler in use
  std::vector<int> cores;             // the default
  std::string reason;                 // why these
  std::vector<int> processors;        // that hone may use
  std::vector<uint64_t> cache_bytes;  // per level, of the last core
  std::string trust;
  std::optional<std::string> calibrated_at;  // absent: not yet, or no compiler
  std::optional<std::string> selftest;       // what the last one showed, in a sentence; absent likewise
  // Of an accelerator; such a device has no cores, no processors, and no key before a backend judges on it.
  std::optional<std::string> place;  // as --device names it: "cuda:0", "opencl:0.1"
  std::optional<std::string> driver;
  std::optional<std::string> compute_mode;
  std::optional<bool> mig;
  std::optional<int> max_clock_mhz;
  std::optional<double> power_limit_watts;
  std::optional<device::LaunchLimits> limits;
  bool runs_kernels = true;  // this hone has a backend for its kind
  std::vector<std::string> notes;
};

struct CompilerRecord {
  std::string name;  // "g++ 12.2.0"
  std::string path;
  bool in_use = false;
  std::optional<std::string> chosen_by;  // "HONE_CXX", "CXX", "first on PATH": of the one in use
  std::optional<bool> openmp;            // of the one in use: whether -fopenmp builds a program
};

struct LayerRecord {
  std::string name;
  bool active = false;
  std::optional<std::string> without;  // of one that is missing and that no other replaces: what that means
  std::optional<std::string> remedy;   // and what to type
};

struct StoredCalibration {
  std::string device_key;
  int threads = 1;
  std::string measured_at;
};

// A folder that HONE_INCLUDE_<NAME> lends to builds (`[kernel] include`).
struct HeaderRootRecord {
  std::string name;
  std::string variable;
  std::optional<std::string> folder;  // of one that can serve, and so the rest
  std::optional<std::string> digest;
  std::optional<uint64_t> files;
  std::optional<uint64_t> bytes;
  std::optional<std::string> fault;  // or why it cannot
};

enum class Need { required, useful };

struct Lack {
  std::string what;
  Need need = Need::useful;
  std::string why;
  std::string help;  // what to type
};

struct DoctorDocument {
  std::string schema = "hone.doctor/1";
  std::string hone_version;
  std::vector<DeviceEntry> devices;  // the first is the default
  std::vector<CompilerRecord> compilers;
  std::optional<std::string> git;  // "git version 2.39.5"
  std::vector<LayerRecord> confinement;
  std::string data_folder;   // calibrations
  std::string cache_folder;  // artefacts
  std::vector<StoredCalibration> calibrations;
  std::vector<Lack> missing;
  bool ready = true;                                     // nothing that is required is missing
  std::vector<device::OpenclPlatform> opencl_platforms;  // as hone numbers them
  std::vector<device::Absence> absent;                   // kinds of devices and libraries that are not here, and why
  std::vector<ToolRecord> tools;
  std::optional<PythonRecord> python;
  std::vector<std::string> gpu_vendors;  // of GPUs on the bus or with a driver: "nvidia", "amd", "intel"
  std::vector<std::string> backends;     // kinds of devices on which this hone runs kernels
  std::vector<std::string> notes;
  std::vector<HeaderRootRecord> header_roots;  // by name
};

// `request` says how accelerators are looked for; its program must know hone's roles.
DoctorDocument examine_machine(Processes& processes, const device::AcceleratorRequest& request);
std::vector<HeaderRootRecord> examine_header_roots();
// What the rest of the document lacks.
std::vector<Lack> lacks_of(const DoctorDocument& document);
std::vector<LayerRecord> layer_records(sandbox::LayerSet active);
std::string to_text(const DoctorDocument& document);

template <class A>
void describe(A& a, DeviceEntry& v) {
  describe(a, static_cast<campaign::DeviceRecord&>(v));
  a.field("kind", v.kind);
  a.field("uuid", v.uuid);
  a.field("key", v.key);
  a.field("cores", v.cores);
  a.field("reason", v.reason);
  a.field("processors", v.processors);
  a.field("cache_bytes", v.cache_bytes);
  a.field("trust", v.trust);
  a.field("calibrated_at", v.calibrated_at);
  a.field("selftest", v.selftest);
  a.field("place", v.place);
  a.field("driver", v.driver);
  a.field("compute_mode", v.compute_mode);
  a.field("mig", v.mig);
  a.field("max_clock_mhz", v.max_clock_mhz);
  a.field("power_limit_watts", v.power_limit_watts);
  a.field("limits", v.limits);
  a.field("runs_kernels", v.runs_kernels);
  a.field("notes", v.notes);
}

template <class A>
void describe(A& a, CompilerRecord& v) {
  a.field("name", v.name);
  a.field("path", v.path);
  a.field("in_use", v.in_use);
  a.field("chosen_by", v.chosen_by);
  a.field("openmp", v.openmp);
}

template <class A>
void describe(A& a, LayerRecord& v) {
  a.field("name", v.name);
  a.field("active", v.active);
  a.field("without", v.without);
  a.field("remedy", v.remedy);
}

template <class A>
void describe(A& a, StoredCalibration& v) {
  a.field("device_key", v.device_key);
  a.field("threads", v.threads);
  a.field("measured_at", v.measured_at);
}

template <class A>
void describe(A& a, HeaderRootRecord& v) {
  a.field("name", v.name);
  a.field("variable", v.variable);
  a.field("folder", v.folder);
  a.field("digest", v.digest);
  a.field("files", v.files);
  a.field("bytes", v.bytes);
  a.field("fault", v.fault);
}

template <class A>
void describe(A& a, Lack& v) {
  a.field("what", v.what);
  a.field("need", v.need);
  a.field("why", v.why);
  a.field("do", v.help);
}

template <class A>
void describe(A& a, DoctorDocument& v) {
  a.field("schema", v.schema);
  a.field("hone_version", v.hone_version);
  a.field("devices", v.devices);
  a.field("compilers", v.compilers);
  a.field("git", v.git);
  a.field("confinement", v.confinement);
  a.field("data_folder", v.data_folder);
  a.field("cache_folder", v.cache_folder);
  a.field("calibrations", v.calibrations);
  a.field("missing", v.missing);
  a.field("ready", v.ready);
  a.field("opencl_platforms", v.opencl_platforms);
  a.field("absent", v.absent);
  a.field("tools", v.tools);
  a.field("python", v.python);
  a.field("gpu_vendors", v.gpu_vendors);
  a.field("backends", v.backends);
  a.field("notes", v.notes);
  a.field("header_roots", v.header_roots);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::Need> {
  using T = cli::Need;
  static constexpr EnumName<T> table[] = {{T::required, "required"}, {T::useful, "useful"}};
};
}  // namespace hone
