// Every document that --json can print: its schema in docs/schemas, one example beside it, both kept by this test.
// HONE_REBASE=1 rewrites them; a field that goes away or changes its type needs a new major version of the schema.
#include <gmock/gmock.h>

#include "base/testing/golden.h"
#include "device/ceilings.h"
#include "surface/cli/apply.h"
#include "surface/cli/audit_parts.h"
#include "surface/cli/check.h"
#include "surface/cli/diff.h"
#include "surface/cli/doctor_accelerators.h"
#include "surface/cli/doctor_examine.h"
#include "surface/cli/export.h"
#include "surface/cli/init.h"
#include "surface/cli/log.h"
#include "surface/cli/program.h"
#include "surface/cli/report.h"
#include "surface/cli/status.h"
#include "surface/cli/tune.h"
#include "surface/selftest/cheats.h"
#include "surface/selftest/document.h"
#include "views/testing/example_campaign.h"

namespace hone::cli {
namespace {

using campaign::testing::digest_of;

campaign::Verdict verdict_example() {
  return views::testing::comparison(campaign::Outcome::faster, digest_of('b'), digest_of('a'), 1, 2e-3, 1e-3);
}

report::Summary report_example() {
  const auto example = views::testing::whole_campaign();
  return *report::summarize(example.state(), views::testing::example_task(), example.reader());
}

ReportsDocument reports_example() {
  ReportsDocument document;
  document.reports.push_back(report_example());
  return document;
}

device::Ceilings ceilings_example() {
  device::Ceilings ceilings;
  ceilings.device_key = digest_of('d');
  ceilings.measured_at = "2026-01-02T00:00:00.000Z";
  ceilings.bandwidth = {{"L1", 32768, 2.5e11, 3e11, 2.5e11, {}}, {"memory", 67108864000, 2e10, 1.5e10, 1.4e10, 2e10}};
  ceilings.arithmetic = {{"f32", 9.6e10, 256}, {"f64", 4.8e10, 256}};
  ceilings.empty_launch_seconds = 2e-7;
  return ceilings;
}

ErrorDocument error_example() {
  Error error{ErrorCode::contract,
              "the contract has faults",
              {"softmax/task.toml", 12, 3},
              "nothing can be judged under it",
              "hone check softmax"};
  return to_document(std::move(error).because({ErrorCode::contract, "unknown key 'ais', did you mean 'axis'?"}));
}

ContractDocument contract_example() {
  return {"hone.contract/1",
          "softmax",
          digest_of('c'),
          3,
          {{"the kernel as it stands is its own oracle", "softmax/task.toml:40:1", "its bugs become the specification",
            "write a reference and use kind = \"c_function\""}}};
}

InitDocument init_example() {
  return {"hone.init/1", "softmax/task.toml", {"[[args]] out: role"}, "hone check softmax"};
}

StatusDocument status_example() {
  const auto example = views::testing::whole_campaign();
  loop::ReadOnly log;
  log.state = example.state();
  log.head = {log.state.sequence, *Digest::from_hex(log.state.head)};
  const record::LockNote holder{{4711, 81234}, "2026-01-02T00:00:02.000Z", "hone resume softmax"};
  return status_of(log, "softmax.hone", holder);
}

LogDocument log_example() {
  LogDocument document;
  document.events = {{R"({"seq":1,"time":"2026-01-02T00:00:01.000Z","type":"stopped","status":"PLATEAU"})"}};
  return document;
}

DiffDocument diff_example() {
  return {"hone.diff/1", "baseline", "best", digest_of('a'), digest_of('b'), "diff --git a/kernel.cpp b/kernel.cpp\n"};
}

ApplyDocument apply_example() {
  return {"hone.apply/1",
          "v3",
          digest_of('b'),
          "/home/me/softmax",
          {{"kernel.cpp", FileChange::written}, {"variant.toml", FileChange::unchanged}}};
}

ExportDocument export_example() {
  ExportDocument document;
  document.form = ExportForm::branch;
  document.version = "v3";
  document.candidate = digest_of('b');
  document.branch = "hone/softmax-v3";
  document.commit = digest_of('c').substr(0, 40);
  return document;
}

CheatsDocument cheats_example() {
  CheatsDocument document;
  document.device = "AMD EPYC";
  document.toolchain = "g++ 12.2.0";
  document.layers = {"pid-namespace", "seccomp"};
  document.rows = {{"axpy/hangs", "cheats", "result channel", "Never comes back.", "TIMEOUT (deadline)", "TIMEOUT",
                    "deadline", "it did not finish before its deadline", CheatAnswer::as_expected, 2.1},
                   {"team/with-openmp", "honest", "honest", "A parallel loop.", "CORRECT", "", "", "needs 2 cores",
                    CheatAnswer::skipped, 0}};
  document.cheats = document.cheats_rejected = 1;
  document.skipped = 1;
  document.passed = true;
  return document;
}

AuditDocument audit_example() {
  AuditDocument document;
  document.campaign = "softmax.hone";
  document.events = 71;
  document.head = digest_of('e');
  document.blobs_named = 40;
  document.blobs_bytes = 123456;
  document.views = 7;
  document.commits = 3;
  document.findings = {{AuditPart::view, "metrics.json", "missing", Repair::done},
                       {AuditPart::view, "reports/report.md", "edited", Repair::asked}};
  document.claims = {{weigh({"v1", "v0", 2.0, campaign::Interval{1.9, 2.1}}, verdict_example())}};
  document.whole = false;
  return document;
}

DeviceEntry gpu_example() {
  device::Accelerator gpu;
  gpu.kind = "cuda";
  gpu.uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";
  gpu.vendor = "nvidia";
  gpu.name = "NVIDIA H200";
  gpu.arch = "sm_90";
  gpu.compute_capability = "9.0";
  gpu.multiprocessors = 132;
  gpu.warp_size = 32;
  gpu.memory_bytes = 150'100'000'000;
  gpu.l2_bytes = 62'914'560;
  gpu.limits.threads_per_block = 1024;
  gpu.limits.shared_bytes_per_block_opt_in = 232'448;
  gpu.limits.clusters = true;
  gpu.driver = "570.124.06 (CUDA 12.8)";
  gpu.compute_mode = "shared";
  gpu.mig = false;
  gpu.max_clock_mhz = 1980;
  gpu.power_limit_watts = 700;
  DeviceEntry record = record_of(gpu);
  record.runs_kernels = true;
  return record;
}

void add_tools(DoctorDocument& document) {
  document.opencl_platforms = {
      {0, "Portable Computing Language", "The pocl project", "OpenCL 3.0 PoCL 3.1", {"pthread-AMD EPYC 9454"}}};
  document.absent = {{"hip", "AMD's HIP run time cannot be opened: not found as libamdhip64.so", "install ROCm"}};
  document.tools = {{"NVRTC", "compiler", "nvidia", "13.0", "/usr/local/cuda/lib64/libnvrtc.so.13", {}},
                    {"ncu", "profiler", "nvidia", {}, {}, "install Nsight Compute"}};
  document.python = PythonRecord{"3.11.2", "/usr/bin/python3", {{"numpy", "1.24.2"}}, {"torch", "triton", "cupy"}};
  document.gpu_vendors = {"nvidia"};
  document.backends = {"cpu", "cuda"};
  document.notes = {"CUDA_VISIBLE_DEVICES is set to '1' and not followed: every device is listed"};
}

DoctorDocument doctor_example() {
  DoctorDocument document;
  document.hone_version = "0.1.0";
  DeviceEntry device;
  device.vendor = "amd";
  device.name = "AMD EPYC 9454";
  device.total_memory_gb = 67.1;
  device.multiprocessor_count = 2;
  device.arch_family = "x86_64";
  device.kind = "cpu";
  device.uuid = digest_of('4').substr(0, 32);
  device.key = digest_of('d');
  device.cores = {1};
  device.reason = "the last physical core";
  device.processors = {0, 1};
  device.cache_bytes = {32768, 1048576, 268435456};
  device.trust = "host-code";
  document.devices = {device, gpu_example()};
  document.compilers = {{"g++ 12.2.0", "/usr/bin/g++", true, "first on PATH", true},
                        {"clang++ 14.0.6", "/usr/bin/clang++", false, {}, {}}};
  document.git = "git version 2.39.5";
  document.confinement = {{"seccomp", true, {}, {}}, {"own-proc", false, "there is no /proc inside", "unmask /proc"}};
  document.data_folder = "/home/me/.local/share/hone";
  document.cache_folder = "/home/me/.cache/hone";
  document.calibrations = {{digest_of('d'), 1, "2026-01-02T00:00:00.000Z"}};
  document.missing = {
      {"own-proc", Need::useful, "candidates run less confined; every verdict says so", "unmask /proc"}};
  document.header_roots = {
      {"cutlass", "HONE_INCLUDE_CUTLASS", "/opt/cutlass/include", digest_of('c'), 712, 9437184, {}},
      {"mine", "HONE_INCLUDE_MINE", {}, {}, {}, {}, "HONE_INCLUDE_MINE is 'mine', which is no absolute path"}};
  add_tools(document);
  return document;
}

SelftestDocument selftest_example() {
  SelftestDocument document;
  document.device = "AMD EPYC 9454";
  document.toolchain = "g++ 12.2.0";
  document.identical_runs = 60;
  document.false_promotion_bound = 0.049;
  document.round_noise = 0.0023;
  document.smallest_promotable_gain = 0.013;
  document.boundary_campaigns = 3000;
  document.boundary_stage1_share = 0.0033;
  document.finished = "2026-01-02T00:00:00.000Z";
  document.device_key = digest_of('d');
  document.families = {{"exact copy", 60, 0, 0.049}};
  document.skewness = 0.1;
  document.single_look = SingleLook{300, 14, 4, 28, 0.4};
  document.periodic = PeriodicResult{60, 0, 0.0001};
  document.ladder = {{0.005, "NOT_FASTER", 0.0049, 1, 0, 0.0}, {0.02, "FASTER", 0.0201, 1, 1, 0.99}};
  document.label_swap_mirrors = true;
  document.passed = true;
  return document;
}

TuneDocument tune_example() {
  return {"hone.tune/1",
          "softmax",
          2,
          {{"ITEMS", "4"}},
          {{"tunables/2", "ITEMS=4", "screened", 0.61}, {"tunables/2", "ITEMS=8", "COMPILE_ERROR", {}}}};
}

struct DocumentRow {
  std::string name;
  std::string schema;
  std::string example;
  std::string again;  // the example read and written once more
};

template <class T>
DocumentRow row(const std::string& name, const T& example) {
  const std::string text = json::to_text(example);
  const auto back = json::from_text<T>(text);
  return {name, json::schema_of<T>("hone." + name + "/1"), text, back ? json::to_text(*back) : to_text(back.error())};
}

std::vector<DocumentRow> rows() {
  std::vector<DocumentRow> rows{
      row("apply", apply_example()),     row("audit", audit_example()),       row("ceilings", ceilings_example()),
      row("cheats", cheats_example()),   row("contract", contract_example()), row("diff", diff_example()),
      row("doctor", doctor_example()),   row("error", error_example()),       row("export", export_example()),
      row("init", init_example()),       row("log", log_example()),           row("report", report_example()),
      row("reports", reports_example()), row("selftest", selftest_example()), row("status", status_example()),
      row("tune", tune_example()),       row("verdict", verdict_example()),
  };
  return rows;
}

fs::path schemas_folder() { return fs::path(HONE_SOURCE_DIR) / "docs/schemas"; }

TEST(Documents, HaveTheirSchemasInTheTree) {
  for (const DocumentRow& one : rows()) testing::expect_golden(schemas_folder() / (one.name + ".json"), one.schema);
}

TEST(Documents, HaveAnExampleEach) {
  for (const DocumentRow& one : rows())
    testing::expect_golden(schemas_folder() / "examples" / (one.name + ".json"), json::pretty(one.example));
}

TEST(Documents, ComeBackAsTheyWere) {
  for (const DocumentRow& one : rows()) EXPECT_EQ(one.again, one.example) << one.name;
}

TEST(Documents, CarryTheNameOfTheirSchemaFirst) {
  for (const DocumentRow& one : rows())
    EXPECT_TRUE(one.example.starts_with("{\"schema\":\"hone." + one.name + "/1\"")) << one.example;
}

TEST(Documents, NoSchemaIsThereWithoutItsDocument) {
  std::vector<std::string> known{"README.md"};
  for (const DocumentRow& one : rows()) {
    known.push_back(one.name + ".json");
    known.push_back("examples/" + one.name + ".json");
  }
  const auto files = list_files(schemas_folder());
  ASSERT_TRUE(files);
  for (const fs::path& file : *files) EXPECT_THAT(known, ::testing::Contains(file.string()));
}

}  // namespace
}  // namespace hone::cli
