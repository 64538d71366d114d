#include <fmt/format.h>

#include "base/text.h"
#include "device/backends.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

namespace {

constexpr OptionRow k_options[] = {
    {"--threads", "N", "1", "ceilings of so many threads, one core each", "a contract's own default"},
    {"--budget", "DURATION", "8s", "time to spend", "about a second for each ceiling"},
    k_cores_option,
    k_device_option};

constexpr auto k_least_budget = std::chrono::seconds(1);

std::string to_text(const device::Identity& identity, const device::Ceilings& ceilings) {
  std::vector<std::vector<std::string>> rows{{"ceiling", "copy", "read", "holds"}};
  for (const device::LevelBandwidth& level : ceilings.bandwidth)
    rows.push_back({level.level, human_rate(level.copy_bytes_per_second, "B/s"),
                    human_rate(level.read_bytes_per_second, "B/s"), human_bytes(level.capacity_bytes)});
  const std::string threads =
      identity.is_of_cores() ? fmt::format(" ({})", counted(static_cast<size_t>(ceilings.threads), "thread")) : "";
  std::string text = fmt::format("{}{}\n{}", identity.name, threads, align_table(rows));
  for (const device::ArithmeticRate& rate : ceilings.arithmetic)
    text += fmt::format("{} arithmetic: {}{}\n", rate.dtype, human_rate(rate.flops_per_second, "op/s"),
                        rate.vector_bits > 0 ? fmt::format(" with {}-bit vectors", rate.vector_bits) : "");
  if (ceilings.empty_launch_seconds)
    text += fmt::format("empty launch: {}\n", human_time(*ceilings.empty_launch_seconds));
  return text;
}

Result<int> run(Context& context) {
  HONE_TRY(const auto threads, context.arguments.count("threads"));
  HONE_TRY(const auto budget, context.arguments.duration("budget"));
  if (threads == 0u) return Error{ErrorCode::usage, "--threads takes a number from 1"};
  if (budget && *budget < k_least_budget)
    return Error{ErrorCode::usage,
                 "--budget takes 1s or more",
                 {},
                 "rough ceilings would replace good ones, and every floor rests on them"};
  const int count = static_cast<int>(threads.value_or(1));
  HONE_TRY(const task::Language language, language_of_device(context));
  HONE_TRY(const auto device, open_named_device(context, language, count));
  const double seconds = to_seconds(budget.value_or(std::chrono::seconds(8)));
  HONE_TRY(const device::Ceilings ceilings, calibrate_now(context, *device, count, seconds));
  if (context.json()) {
    print_json(json::to_text(ceilings));
  } else {
    print(to_text(device->identity(), ceilings));
  }
  return 0;
}

}  // namespace

Command calibrate_command() {
  return {"calibrate",
          "Measures this device's ceilings: copy bandwidth per level, arithmetic by type, the empty launch",
          "The figures are kept per device, and make the physical floor that every time is held against.",
          {},
          k_options,
          run};
}

}  // namespace hone::cli
