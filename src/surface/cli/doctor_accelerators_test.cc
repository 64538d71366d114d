// What doctor says of accelerators, of documents made here; and its searches on machines made here.
#include "surface/cli/doctor_accelerators.h"

#include <gmock/gmock.h>

#include "base/disk.h"

namespace hone::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

device::Accelerator h200() {
  device::Accelerator device;
  device.kind = "cuda";
  device.uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";
  device.vendor = "nvidia";
  device.name = "NVIDIA H200";
  device.arch = "sm_90";
  device.compute_capability = "9.0";
  device.multiprocessors = 132;
  device.memory_bytes = 150'100'000'000;
  device.l2_bytes = 60 << 20;
  device.driver = "570.124.06 (CUDA 12.8)";
  device.compute_mode = "shared";
  device.mig = false;
  device.max_clock_mhz = 1980;
  device.power_limit_watts = 700;
  device.notes = {"in use: 1 other process computes on it"};
  return device;
}

// A machine with an NVIDIA GPU and without any of its tools.
DoctorDocument bare(const std::string& vendor) {
  DoctorDocument document;
  if (!vendor.empty()) document.gpu_vendors = {vendor};
  document.absent = {{"cuda", "not found as libcuda.so.1", "install NVIDIA's driver"},
                     {"hip", "not found as libamdhip64.so", "install ROCm"},
                     {"opencl", "not found as libOpenCL.so.1", "install it"},
                     {"NVRTC", "not found as libnvrtc.so", "install NVRTC"}};
  document.tools = {{"NVRTC", "compiler", "nvidia", {}, {}, "install NVRTC"},
                    {"ncu", "profiler", "nvidia", {}, {}, "install Nsight Compute"},
                    {"nsys", "profiler", "nvidia", "2025.1", "/usr/bin/nsys", {}},
                    {"rocprofv3", "profiler", "amd", {}, {}, "install ROCm"}};
  return document;
}

std::vector<std::string> names_of(const std::vector<Lack>& lacks) {
  std::vector<std::string> names;
  for (const Lack& lack : lacks) names.push_back(lack.what);
  return names;
}

TEST(DoctorAccelerators, ARecordHasThePublishedFields) {
  const DeviceEntry record = record_of(h200());
  EXPECT_EQ(record.vendor, "nvidia");
  EXPECT_EQ(record.compute_capability, "9.0");
  EXPECT_DOUBLE_EQ(record.total_memory_gb, 150.1);
  EXPECT_EQ(record.multiprocessor_count, 132);
  EXPECT_EQ(record.arch_family, "sm_90");
  EXPECT_FALSE(record.is_hip);
  EXPECT_EQ(record.kind, "cuda");
  EXPECT_EQ(record.place, "cuda:0");
  EXPECT_EQ(record.trust, "device-only");
}

TEST(DoctorAccelerators, OpenclIsNamedByPlatformAndDevice) {
  device::Accelerator device = h200();
  device.kind = "opencl";
  device.place = "1.0";
  EXPECT_EQ(record_of(device).place, "opencl:1.0");
}

TEST(DoctorAccelerators, TextSaysWhatAPersonAsksFor) {
  DeviceEntry record = record_of(h200());
  record.runs_kernels = false;
  EXPECT_EQ(accelerator_text(record),
            "  cuda:0: NVIDIA H200 (sm_90, 150.1 GB)\n"
            "    uuid GPU-00010203-0405-0607-0809-0a0b0c0d0e0f\n"
            "    132 multiprocessors, L2 60.0 MiB, up to 1980 MHz, 700 W\n"
            "    driver 570.124.06 (CUDA 12.8), trust device-only, compute mode shared, MIG off\n"
            "    note: in use: 1 other process computes on it\n"
            "    hone runs no kernels on it yet\n");
  record.runs_kernels = true;
  EXPECT_THAT(accelerator_text(record), Not(HasSubstr("no kernels")));
}

TEST(DoctorAccelerators, NothingIsMissedWithoutAGpu) { EXPECT_THAT(accelerator_lacks(bare("")), IsEmpty()); }

TEST(DoctorAccelerators, AVendorsToolsAreMissedWhereItsGpuIs) {
  const auto lacks = accelerator_lacks(bare("nvidia"));
  EXPECT_THAT(names_of(lacks), ElementsAre("cuda", "NVRTC", "ncu"));
  for (const Lack& lack : lacks) {
    EXPECT_EQ(lack.need, Need::useful) << lack.what;
    EXPECT_THAT(lack.help, HasSubstr("install")) << lack.what;
    EXPECT_FALSE(lack.why.empty()) << lack.what;
  }
  EXPECT_THAT(names_of(accelerator_lacks(bare("amd"))), ElementsAre("hip", "rocprofv3"));
}

TEST(DoctorAccelerators, AnUnlistedOpenclIsMissedAlways) {
  DoctorDocument document;
  document.absent = {{"NVIDIA's OpenCL", "/lib/libnvidia-opencl.so.1 is here", "export OCL_ICD_FILENAMES=…"}};
  EXPECT_THAT(names_of(accelerator_lacks(document)), ElementsAre("NVIDIA's OpenCL"));
}

TEST(DoctorAccelerators, AbsentKindsNotesAndBackendsAreLines) {
  DoctorDocument document = bare("nvidia");
  document.notes = {"CUDA_VISIBLE_DEVICES is set to '1' and not followed"};
  document.backends = {"cpu"};
  document.absent.push_back({"hip", "HIP cannot start: no device", ""});
  const std::string text = absent_text(document);
  EXPECT_THAT(text, HasSubstr("  hip: none: HIP cannot start: no device\n  note:")) << "nothing to do, so no such line";
  EXPECT_THAT(text, HasSubstr("  cuda: none: not found as libcuda.so.1\n    do: install NVIDIA's driver\n"));
  EXPECT_THAT(text, HasSubstr("  note: CUDA_VISIBLE_DEVICES is set to '1' and not followed\n"));
  EXPECT_THAT(text, HasSubstr("  this hone runs kernels on: cpu\n"));
  EXPECT_THAT(text, Not(HasSubstr("NVRTC"))) << "a tool, in its own table";
}

TEST(DoctorAccelerators, ToolsPlatformsAndPythonAreTables) {
  DoctorDocument document = bare("nvidia");
  document.opencl_platforms = {{0, "Portable Computing Language", "The pocl project", "OpenCL 3.0", {"cpu-x"}}};
  document.python = PythonRecord{"3.11.2", "/usr/bin/python3", {{"numpy", "1.24.2"}, {"cutlass", {}}}, {"torch"}};
  EXPECT_THAT(tools_text(document), HasSubstr("none: install Nsight Compute"));
  EXPECT_THAT(tools_text(document), HasSubstr("2025.1   /usr/bin/nsys"));
  EXPECT_THAT(platforms_text(document), HasSubstr("0: Portable Computing Language  OpenCL 3.0  cpu-x"));
  EXPECT_EQ(python_text(document),
            "\nPython\n  3.11.2 (/usr/bin/python3)\n  packages: numpy 1.24.2, cutlass of an unknown version\n"
            "  not here: torch\n");
  document.python.reset();
  EXPECT_THAT(python_text(document), HasSubstr("apt-get install python3"));
}

// A machine whose programs are scripts that answer --version.
class DoctorTools : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryFolder::make(fs::temp_directory_path(), "hone-tools-");
    ASSERT_TRUE(made);
    folder_.emplace(std::move(*made));
    request_.root = folder_->path();
    request_.variables = {};
  }
  void add(const std::string& path, const std::string& answer) {
    Disk disk;
    const fs::path file = folder_->path() / path;
    ASSERT_TRUE(disk.make_directories(file.parent_path()));
    ASSERT_TRUE(write_file(disk, file, "#!/bin/sh\necho '" + answer + "'\n", Durable::no, 0755));
  }
  ToolRecord tool(const std::string& name, const device::Accelerators& found = {}) {
    Processes processes;
    for (const ToolRecord& record : examine_tools(processes, found, request_)) {
      if (record.name == name) return record;
    }
    ADD_FAILURE() << name;
    return {};
  }

  std::optional<TemporaryFolder> folder_;
  device::AcceleratorRequest request_;
};

TEST_F(DoctorTools, VersionsAreFoundInWhatProgramsAnswer) {
  struct Row {
    const char* path;
    const char* name;
    const char* answer;
    const char* version;
  };
  constexpr Row k_rows[] = {
      {"usr/local/cuda/bin/nvcc", "nvcc", "Cuda compilation tools, release 13.0, V13.0.88\nBuild 1", "13.0.88"},
      {"opt/nvidia/nsight-compute/2025.3.0/ncu", "ncu", "Copyright (c)\nVersion 2025.3.0.0 (build 1)", "2025.3.0.0"},
      {"opt/nvidia/nsight-systems/2025.1.1/bin/nsys", "nsys", "NVIDIA Nsight Systems version 2025.1.1.103-2v0",
       "2025.1.1.103"},
      {"usr/local/cuda/bin/compute-sanitizer", "compute-sanitizer", "NVIDIA (R)\nVersion 2025.3.0", "2025.3.0"},
      {"opt/rocm/bin/hipcc", "hipcc", "HIP version: 6.3.42131-fa1d09cbd\nAMD clang", "6.3.42131"},
      {"opt/rocm/bin/rocprofv3", "rocprofv3", "            version: 1.1.0\n", "1.1.0"},
      {"opt/rocm/bin/rocprof-compute", "rocprof-compute", "rocprofiler-compute version: 3.1.0 (release)", "3.1.0"},
  };
  for (const Row& row : k_rows) {
    if (find_program(row.name)) continue;  // the machine's own goes first
    add(row.path, row.answer);
    const ToolRecord record = tool(row.name);
    EXPECT_EQ(record.version, row.version) << row.name;
    EXPECT_EQ(record.path, (folder_->path() / row.path).string());
    EXPECT_FALSE(record.help);
  }
}

TEST_F(DoctorTools, OneThatDoesNotSayItsVersionIsStillHere) {
  if (find_program("rocprofv3")) GTEST_SKIP() << "the machine's own goes first";
  add("opt/rocm/bin/rocprofv3", "usage: rocprofv3");
  EXPECT_FALSE(tool("rocprofv3").version);
  EXPECT_TRUE(tool("rocprofv3").path);
}

TEST_F(DoctorTools, WhatIsNotHereSaysWhatToType) {
  if (find_program("rocprof-compute")) GTEST_SKIP() << "it is here";
  const ToolRecord record = tool("rocprof-compute");
  EXPECT_FALSE(record.path || record.version);
  EXPECT_THAT(record.help.value_or(""), HasSubstr("install"));
}

TEST_F(DoctorTools, RunTimeCompilersComeFromWhatWasFound) {
  device::Accelerators found;
  found.compilers = {{"NVRTC", "13.0", "/lib/libnvrtc.so.13", {90}}};
  found.absent = {{"hiprtc", "not found", "install ROCm"}};
  EXPECT_EQ(tool("NVRTC", found).version, "13.0");
  EXPECT_EQ(tool("NVRTC", found).path, "/lib/libnvrtc.so.13");
  EXPECT_FALSE(tool("NVRTC", found).help);
  EXPECT_EQ(tool("hiprtc", found).help, "install ROCm");
}

TEST(DoctorPython, FindsPackagesWithoutImportingThem) {
  Processes processes;
  const auto python = examine_python(processes);
  if (!python) GTEST_SKIP() << "there is no python3 on PATH";
  EXPECT_THAT(python->version, HasSubstr("3."));
  EXPECT_EQ(python->packages.size() + python->absent.size(), 8u);
}

// Answers for Python whatever a test says.
class FakePython final : public Processes {
 public:
  explicit FakePython(Finished answer) : answer_(std::move(answer)) {}
  Result<Finished> run(const Command& command) override {
    asked = command;
    return answer_;
  }
  Command asked;

 private:
  Finished answer_;
};

TEST(DoctorPython, IsIsolatedAndItsFailureIsNone) {
  FakePython broken({1, false, "", "SyntaxError"});
  EXPECT_FALSE(examine_python(broken));
  EXPECT_EQ(broken.asked.argv[0], "python3");
  EXPECT_EQ(broken.asked.argv[1], "-I");
  EXPECT_THAT(broken.asked.argv, Contains(HasSubstr("torch=torch")));
  FakePython babbling({0, false, "hello", ""});
  EXPECT_FALSE(examine_python(babbling));
}

}  // namespace
}  // namespace hone::cli
