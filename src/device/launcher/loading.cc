#include "device/launcher/loading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hone::device::launcher {

namespace {

constexpr Nanoseconds k_duties_deadline = std::chrono::seconds(60);

bool is_constant(const ParameterLayout& parameter) { return !parameter.constant.empty(); }

Packet load_order(uint64_t binary_bytes, const LoadRequest& request) {
  Packet order;
  const std::vector<std::string> kernels = kernels_of(request.steps);
  order.put(binary_bytes).put(static_cast<uint32_t>(kernels.size()));
  for (const std::string& kernel : kernels) order.put_text(kernel);
  std::vector<ParameterRecord> records;
  for (const ParameterLayout& parameter : request.parameters)
    records.push_back({parameter.kind, parameter.capacity_bytes, parameter.align_bytes});
  order.put_all(records);
  order.put(static_cast<uint32_t>(std::ranges::count_if(request.parameters, is_constant)));
  for (uint32_t p = 0; p < request.parameters.size(); ++p) {
    if (is_constant(request.parameters[p])) order.put(p).put_text(request.parameters[p].constant);
  }
  order.put(static_cast<uint32_t>(request.sets)).put(request.layout_seed);
  return order;
}

}  // namespace

Result<Loaded> load_into(Launcher& launcher, std::string_view binary, const LoadRequest& request) {
  if (binary.size() > launcher.area().size())
    return Error{ErrorCode::contract, fmt::format("its binary has {}, more than {}", human_bytes(binary.size()),
                                                  human_bytes(launcher.area().size()))};
  std::memcpy(launcher.area().data(), binary.data(), binary.size());
  HONE_TRY(Answered answered, launcher.ask(Verb::load, load_order(binary.size(), request), request.start_deadline));
  if (answered.fault) return Loaded{0, std::move(answered.fault)};
  Unpacked reply(answered.packet);
  Loaded loaded;
  loaded.arm = reply.get<uint32_t>();
  if (reply.get<uint32_t>() != 0) {
    const auto kind = reply.get<FaultKind>();
    const auto code = reply.get<int32_t>();
    loaded.fault = Fault{kind, code, quote_untrusted(reply.text(), 4096), {}};
  }
  if (!reply.at_end()) return Error{ErrorCode::internal, "the launcher's answer to a load does not parse"};
  return loaded;
}

Status load_duties(Launcher& launcher, std::string_view binary) {
  LoadRequest duties;
  duties.start_deadline = k_duties_deadline;
  HONE_TRY(const Loaded loaded, load_into(launcher, binary, duties));
  if (!loaded.fault) return ok();
  return Error{ErrorCode::environment,
               fmt::format("the launcher does not take hone's own kernels: {}", loaded.fault->message)};
}

}  // namespace hone::device::launcher
