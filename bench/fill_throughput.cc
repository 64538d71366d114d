// Throughput of fills on one core: every fill against a plain loop over Random123 and against memcpy, interleaved in
// one run. Usage: bench_fill_throughput [MiB per fill, default 8] [repetitions, default 15]. Prints medians in GB/s and
// ratios of them.
#include <Random123/philox.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "device/fill.h"
#include "device/philox.h"

namespace {

using namespace hone;

struct Subject {
  std::string name;
  std::function<void(std::span<std::byte>)> run;
  std::vector<double> seconds = {};
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void plain_uniform(std::span<std::byte> out) {
  r123::Philox4x32 generator;
  for (size_t i = 0; i < out.size() / sizeof(float); ++i) {
    const auto words = generator({{static_cast<uint32_t>(i), static_cast<uint32_t>(i >> 32), 1, 2}}, {{3, 4}});
    const float value = static_cast<float>(-1.0 + 2.0 * (static_cast<double>(words[0] >> 8) * 0x1p-24));
    std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
  }
}

Subject subject(std::string name, task::DType dtype, task::FillKind kind, device::Distribution distribution) {
  return {std::move(name), [=](std::span<std::byte> out) {
            device::FillPlan plan;
            plan.dtype = dtype;
            plan.count = out.size() / task::size_bytes(dtype);
            plan.row_length = 1024;
            plan.fill.kind = kind;
            plan.distribution = distribution;
            device::fill(out, plan, sha256("bench"), 0);
          }};
}

std::vector<Subject> subjects(const std::vector<std::byte>& source) {
  using device::Distribution;
  using task::DType;
  using task::FillKind;
  const auto contract = Distribution::contract;
  std::vector<Subject> all;
  all.push_back({"memcpy", [&](std::span<std::byte> out) { std::memcpy(out.data(), source.data(), out.size()); }});
  all.push_back({"plain Random123 uniform f32", plain_uniform});
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    const std::string suffix = " " + std::string(name_of(dtype));
    all.push_back(subject("uniform" + suffix, dtype, FillKind::uniform, contract));
    all.push_back(subject("normal" + suffix, dtype, FillKind::normal, contract));
  }
  for (const DType dtype : {DType::i64, DType::i32, DType::u8}) {
    all.push_back(subject("integers " + std::string(name_of(dtype)), dtype, FillKind::integers, contract));
  }
  for (const auto& row : EnumNames<Distribution>::table) {
    if (row.value == contract) continue;
    all.push_back(subject(std::string(row.name) + " f32", DType::f32, FillKind::uniform, row.value));
  }
  all.push_back({"poison f32", [](std::span<std::byte> out) { device::poison(out, DType::f32, sha256("bench"), 0); }});
  all.push_back({"poison u8", [](std::span<std::byte> out) { device::poison(out, DType::u8, sha256("bench"), 0); }});
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t bytes = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 8) << 20;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 15;
  std::vector<std::byte> out(bytes, std::byte{1});
  const std::vector<std::byte> source(bytes, std::byte{2});
  auto all = subjects(source);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (Subject& one : all) {
      const int64_t start = judge_clock_ns();
      one.run(out);
      one.seconds.push_back(static_cast<double>(judge_clock_ns() - start) * 1e-9);
    }
  }
  const double copy = median(all[0].seconds);
  const double plain = median(all[1].seconds);
  fmt::print("{:30} {:>8} {:>12} {:>10}\n", "fill", "GB/s", "of memcpy", "of plain");
  for (const Subject& one : all) {
    const double time = median(one.seconds);
    fmt::print("{:30} {:8.2f} {:11.1f}% {:9.2f}x\n", one.name, static_cast<double>(bytes) / time * 1e-9,
               100.0 * copy / time, plain / time);
  }
}
