#include "device/ceilings.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::device {
namespace {

Error unusable(const fs::path& path, std::string what) {
  return Error{ErrorCode::contract, std::move(what), {path.string()}, {}, "run `hone calibrate` again"};
}

void raise(std::optional<double>& rate, const std::optional<double>& again) {
  if (again) rate = std::max(rate.value_or(*again), *again);
}

}  // namespace

fs::path ceilings_path(const fs::path& folder, std::string_view device_key, int threads) {
  const std::string name = threads == 1 ? std::string(device_key) : fmt::format("{}-{}", device_key, threads);
  return folder / "ceilings" / (name + ".json");
}

Status store_ceilings(Disk& disk, const Ceilings& ceilings, const fs::path& folder) {
  const fs::path path = ceilings_path(folder, ceilings.device_key, ceilings.threads);
  HONE_CHECK(disk.make_directories(path.parent_path()));
  return write_file(disk, path, json::pretty(json::to_text(ceilings)));
}

Result<std::optional<Ceilings>> load_ceilings(std::string_view device_key, int threads, const fs::path& folder) {
  const fs::path path = ceilings_path(folder, device_key, threads);
  if (!path_exists(path)) return std::optional<Ceilings>();
  HONE_TRY(const std::string text, read_file(path, 1 << 20));
  auto stored = json::from_text<Ceilings>(text);
  if (!stored) return unusable(path, "the stored ceilings cannot be read").because(std::move(stored).error());
  if (stored->schema != Ceilings{}.schema)
    return unusable(path, fmt::format("the stored ceilings are not {}", Ceilings{}.schema));
  if (stored->device_key != device_key || stored->threads != threads) {
    return unusable(path, "the stored ceilings are another device's");
  }
  return std::optional(*std::move(stored));
}

void raise(Ceilings& ceilings, const LevelBandwidth& again) {
  const auto found = std::find_if(ceilings.bandwidth.begin(), ceilings.bandwidth.end(),
                                  [&](const LevelBandwidth& one) { return one.level == again.level; });
  if (found == ceilings.bandwidth.end()) return ceilings.bandwidth.push_back(again);
  found->copy_bytes_per_second = std::max(found->copy_bytes_per_second, again.copy_bytes_per_second);
  found->read_bytes_per_second = std::max(found->read_bytes_per_second, again.read_bytes_per_second);
  raise(found->ordinary_copy_bytes_per_second, again.ordinary_copy_bytes_per_second);
  raise(found->non_temporal_copy_bytes_per_second, again.non_temporal_copy_bytes_per_second);
}

void raise(Ceilings& ceilings, const ArithmeticRate& again) {
  const auto found = std::find_if(ceilings.arithmetic.begin(), ceilings.arithmetic.end(),
                                  [&](const ArithmeticRate& one) { return one.dtype == again.dtype; });
  if (found == ceilings.arithmetic.end()) return ceilings.arithmetic.push_back(again);
  if (again.flops_per_second > found->flops_per_second) *found = again;
}

}  // namespace hone::device
