// What building together saves: the same builds one after another and by the pool of build workers, alternately in one
// run, each time into an empty cache. Usage: bench_build_pool [builds, default 8] [repetitions, default 5]. Prints the
// medians of both in seconds, and the median of the ratios of each repetition.
#include "device/build_pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/disk.h"
#include "device/backends.h"
#include "device/roles.h"

namespace {

using namespace hone;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Kernels as a tuner makes them: one text, a tunable that differs.
std::vector<device::BuildOrder> orders_for(device::Device& device, int builds) {
  std::vector<device::BuildOrder> orders;
  for (int i = 0; i < builds; ++i) {
    device::CompileRequest request;
    request.files = {{"k.cpp", false,
                      "#include <algorithm>\n#include <cmath>\n#include <vector>\n"
                      "extern \"C\" int k(float* y, int n) {\n"
                      "  std::vector<float> v(y, y + n);\n"
                      "  std::sort(v.begin(), v.end());\n"
                      "  for (int i = 0; i < n; i += TILE)\n"
                      "    for (int j = i; j < std::min(n, i + TILE); ++j) y[j] = std::exp(v[j]) * TILE;\n"
                      "  return 0;\n}\n"}};
    request.sources = {"k.cpp"};
    request.entry = std::string("k");
    request.options = {"O3"};
    request.macros = {{"TILE", std::to_string(8 + i)}};
    orders.push_back({&device, std::move(request)});
  }
  return orders;
}

// Seconds of all builds with so many workers.
Result<double> seconds_of(int builds, size_t workers) {
  HONE_TRY(const TemporaryFolder cache, TemporaryFolder::make("/tmp", "hone-bench-"));
  Processes processes;
  HONE_TRY(const auto device, device::cpu::CpuDevice::open({}, cache.path(), processes));
  const auto orders = orders_for(*device, builds);
  const SystemClock clock;
  const Nanoseconds begin = clock.now();
  for (const auto& built : device::BuildPool(workers).run(orders)) {
    if (!built || !built->artefact)
      return Error{ErrorCode::internal, "it does not compile: " + (built ? built->messages : "")};
  }
  return to_seconds(clock.now() - begin);
}

Status measure(int builds, int repetitions) {
  const size_t workers = device::BuildPool().workers();
  std::vector<double> serial, pooled, ratios;
  for (int i = 0; i < repetitions; ++i) {
    HONE_TRY(const double one_by_one, seconds_of(builds, 1));
    HONE_TRY(const double together, seconds_of(builds, workers));
    serial.push_back(one_by_one);
    pooled.push_back(together);
    ratios.push_back(one_by_one / together);
  }
  fmt::print("{} builds, {} repetitions: one by one {:.2f} s, {} workers {:.2f} s, ratio {:.2f} (medians)\n", builds,
             repetitions, median(serial), workers, median(pooled), median(ratios));
  return ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = device::run_role(argc, argv)) return *status;
  const Status measured =
      measure(std::max(1, argc > 1 ? std::atoi(argv[1]) : 8), std::max(1, argc > 2 ? std::atoi(argv[2]) : 5));
  if (!measured) fmt::print("{}\n", to_text(measured.error()));
  return measured ? 0 : 1;
}
