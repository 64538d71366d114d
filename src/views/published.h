// The published shapes of the tier face, field by field: metrics.json and the benchmark record. Units stand in the
// names. A number that hone did not obtain is null here, since the published files have every key; elsewhere in hone it
// is absent. Plain values, no failure, any thread. docs/metrics.md explains every field.
#pragma once

#include <string>

#include "base/json.h"
#include "views/figures.h"

namespace hone::views {

struct Metrics {
  std::string kernel;
  std::string gpu;  // name of the device, CPUs too
  json::Raw latency_us;
  json::Raw tflops;
  json::Raw gbps;
  json::Raw occupancy_pct;        // needs a profiler
  json::Raw sm_throughput_pct;    // needs a profiler
  json::Raw dram_throughput_pct;  // needs a profiler
  json::Raw roofline_pct;         // floor over time, × 100
  json::Raw bottleneck;           // memory, compute, latency
};

struct Benchmark {
  std::string kernel;
  std::string gpu;
  std::string vendor;  // "nvidia", "amd", "intel", "none"
  bool correctness = false;
  json::Raw latency_us;
  json::Raw tflops;
  json::Raw gbps;
  json::Raw vs_pytorch;  // null: PyTorch is no arm of a comparison yet
  std::string dtype;     // of the first floating output
  std::string shape;     // bindings of the first timed case
  std::string status;    // "pass", "fail"
};

// What the judge found of one candidate, as the published benchmark record; also what `hone measure --json` prints.
Benchmark benchmark_of(const task::Task& task, const campaign::Verdict& verdict);
// The incumbent's figures; a Story without v0 has none.
Metrics metrics_of(const Story& story);
Benchmark benchmark_of(const Story& story);

std::string vendor_of(std::string_view device_name);

template <class A>
void describe(A& a, Metrics& v) {
  a.field("kernel", v.kernel);
  a.field("gpu", v.gpu);
  a.field("latency_us", v.latency_us);
  a.field("tflops", v.tflops);
  a.field("gbps", v.gbps);
  a.field("occupancy_pct", v.occupancy_pct);
  a.field("sm_throughput_pct", v.sm_throughput_pct);
  a.field("dram_throughput_pct", v.dram_throughput_pct);
  a.field("roofline_pct", v.roofline_pct);
  a.field("bottleneck", v.bottleneck);
}

template <class A>
void describe(A& a, Benchmark& v) {
  a.field("kernel", v.kernel);
  a.field("gpu", v.gpu);
  a.field("vendor", v.vendor);
  a.field("correctness", v.correctness);
  a.field("latency_us", v.latency_us);
  a.field("tflops", v.tflops);
  a.field("gbps", v.gbps);
  a.field("vs_pytorch", v.vs_pytorch);
  a.field("dtype", v.dtype);
  a.field("shape", v.shape);
  a.field("status", v.status);
}

}  // namespace hone::views
