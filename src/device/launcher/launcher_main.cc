#include "device/launcher/launcher_main.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>

#include "device/launcher/arms.h"
#include "device/launcher/drivers.h"
#include "device/launcher/receive.h"
#include "device/launcher/wire.h"

namespace hone::device::launcher {

namespace {

constexpr int k_bad_order = 70;
constexpr int k_no_area = 71;

Packet succeeded(Verb verb) {
  Packet reply;
  reply.put(verb).put(uint32_t{0});
  return reply;
}

Packet failed(Verb verb, const Error& error) {
  Packet reply;
  reply.put(verb).put(uint32_t{1}).put(error.code).put_text(error.what).put_text(error.help);
  return reply;
}

void put(Packet& reply, const std::optional<Fault>& fault) {
  reply.put(static_cast<uint32_t>(fault.has_value()));
  if (fault) reply.put(fault->kind).put(static_cast<int32_t>(fault->signal_or_code)).put_text(fault->message);
}

// One judge's orders, one after another.
class Service {
 public:
  explicit Service(std::span<std::byte> area) : area_(area) {}

  // Serves until the judge hangs up; the exit status.
  int run();

 private:
  // The reply, nothing for a verb that has none; an order that does not parse ends the launcher.
  std::optional<Packet> answer(Verb verb, Unpacked& order);
  Result<Packet> open(Unpacked& order);
  Result<Packet> load(Unpacked& order);
  Result<Packet> unload(Unpacked& order);
  Result<Packet> upload(Unpacked& order);
  Status stage(Unpacked& order);
  Result<Packet> settle(Unpacked& order);
  Result<Packet> launch(Unpacked& order);
  Result<Packet> window(Unpacked& order);
  Result<Packet> collect(Unpacked& order);
  Status scrub(Unpacked& order);
  Result<Packet> occupancy(Unpacked& order);
  Result<std::span<std::byte>> in_area(uint64_t bytes) const;

  std::span<std::byte> area_;
  Placing placing_ = Placing::guarded;
  std::unique_ptr<Driver> driver_;
  std::optional<Duties> duties_;
  std::optional<LoadedArms> arms_;
  std::optional<Error> remembered_;  // of a stage or a scrub
  bool understood_ = true;
};

Result<std::span<std::byte>> Service::in_area(uint64_t bytes) const {
  if (bytes > area_.size()) return Error{ErrorCode::internal, "the area holds less"};
  return area_.first(bytes);
}

Result<Packet> Service::open(Unpacked& order) {
  const std::string backend = order.text();
  const std::string uuid = order.text();
  placing_ = order.get<Placing>();
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to open that does not parse"};
  HONE_TRY(driver_, open_driver(backend, uuid, placing_));
  const DeviceFacts& facts = driver_->facts();
  Packet reply = succeeded(Verb::open);
  reply.put(k_protocol_version).put_text(facts.vendor).put_text(facts.name).put_text(facts.uuid);
  reply.put_text(facts.arch).put_text(facts.driver).put(facts.memory_bytes).put(facts.last_cache_bytes);
  reply.put(facts.shared_bytes).put(facts.multiprocessors).put(facts.limits).put(facts.view_align_bytes);
  reply.put(facts.trust);
  return reply;
}

// The first load brings the duties' own kernels; they have no entries.
Result<Packet> Service::load(Unpacked& order) {
  const auto binary_bytes = order.get<uint64_t>();
  LoadOrder load;
  const auto entries = order.get<uint32_t>();
  for (uint32_t i = 0; i < entries && order.ok(); ++i) load.entries.push_back(order.text());
  load.parameters = order.all<ParameterRecord>();
  const auto constants = order.get<uint32_t>();
  for (uint32_t i = 0; i < constants && order.ok(); ++i) {
    const auto parameter = order.get<uint32_t>();
    load.constants[parameter] = order.text();
  }
  load.sets = order.get<uint32_t>();
  load.layout_seed = order.get<uint64_t>();
  HONE_TRY(const auto binary, in_area(binary_bytes));
  if (!order.at_end() || !driver_) return Error{ErrorCode::internal, "an order to load that does not parse"};
  load.binary = {reinterpret_cast<const char*>(binary.data()), binary.size()};
  LoadedArms::Loaded loaded;
  if (!duties_) {
    HONE_TRY(duties_, Duties::make(*driver_, load.binary));
    arms_.emplace(*driver_, *duties_, placing_);
  } else {
    HONE_TRY(loaded, arms_->load(load));
  }
  Packet reply = succeeded(Verb::load);
  reply.put(loaded.arm);
  put(reply, loaded.fault);
  return reply;
}

Result<Packet> Service::unload(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to unload that does not parse"};
  HONE_CHECK(arms_->unload(arm));
  return succeeded(Verb::unload);
}

Result<Packet> Service::upload(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const auto set = order.get<uint32_t>();
  const auto parameter = order.get<uint32_t>();
  const auto offset = order.get<uint64_t>();
  HONE_TRY(const auto bytes, in_area(order.get<uint64_t>()));
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to upload that does not parse"};
  HONE_CHECK(arms_->upload(arm, set, parameter, offset, bytes));
  return succeeded(Verb::upload);
}

Status Service::stage(Unpacked& order) {
  StageOrder stage;
  stage.arm = order.get<uint32_t>();
  stage.set = order.get<uint32_t>();
  stage.cold = order.get<uint32_t>();
  stage.buffers = order.all<StageRecord>();
  stage.values = order.all<ValueRecord>();
  stage.tensor_maps = order.all<TensorMapRecord>();
  stage.steps = order.all<StepRecord>();
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to stage that does not parse"};
  return arms_->stage(stage);
}

// Everything that was asked for is done when it answers.
Result<Packet> Service::settle(Unpacked& order) {
  const bool works = order.get<uint32_t>() != 0;
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to settle that does not parse"};
  if (works) HONE_CHECK(duties_->touch());
  HONE_CHECK(driver_->finish());
  return succeeded(Verb::settle);
}

Result<Packet> Service::launch(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const std::vector<uint32_t> sets = order.all<uint32_t>();
  std::optional<CollectOrder> collect;
  if (order.get<uint32_t>() != 0) collect = CollectOrder{order.all<RangeRecord>(), area_};
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to launch that does not parse"};
  HONE_TRY(const Launched launched, arms_->launch(arm, sets, collect));
  Packet reply = succeeded(Verb::launch);
  reply.put(launched.outcome.nanoseconds.value_or(0.0));
  put(reply, launched.outcome.fault);
  reply.put(static_cast<uint32_t>(launched.findings.has_value()));
  if (launched.findings) reply.put(*launched.findings);
  return reply;
}

// The judge measures how long the answer takes, and leaves what the device's clock says alone.
Result<Packet> Service::window(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const std::vector<uint32_t> sets = order.all<uint32_t>();
  const auto count = order.get<uint32_t>();
  const auto what = order.get<Windowed>();
  if (!order.at_end()) return Error{ErrorCode::internal, "an order for a window that does not parse"};
  HONE_TRY(const LaunchOutcome outcome, arms_->window(arm, sets, count, what));
  Packet reply = succeeded(Verb::window);
  reply.put(outcome.nanoseconds.value_or(0.0));
  put(reply, outcome.fault);
  return reply;
}

Result<Packet> Service::collect(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const auto set = order.get<uint32_t>();
  const CollectOrder collect{order.all<RangeRecord>(), area_};
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to collect that does not parse"};
  HONE_TRY(const FindingsRecord findings, arms_->collect(arm, set, collect));
  Packet reply = succeeded(Verb::collect);
  reply.put(findings);
  return reply;
}

Status Service::scrub(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const auto set = order.get<uint32_t>();
  if (!order.at_end()) return Error{ErrorCode::internal, "an order to scrub that does not parse"};
  return arms_->scrub(arm, set);
}

Result<Packet> Service::occupancy(Unpacked& order) {
  const auto arm = order.get<uint32_t>();
  const std::vector<StepRecord> steps = order.all<StepRecord>();
  if (!order.at_end()) return Error{ErrorCode::internal, "a question for occupancy that does not parse"};
  HONE_TRY(const std::vector<OccupancyRecord> records, arms_->occupancy(arm, steps));
  return succeeded(Verb::occupancy).put_all(records);
}

std::optional<Packet> Service::answer(Verb verb, Unpacked& order) {
  using Handler = Result<Packet> (Service::*)(Unpacked&);
  struct Row {
    Verb verb;
    Handler handler;
  };
  constexpr Row k_rows[] = {
      {Verb::open, &Service::open},     {Verb::load, &Service::load},       {Verb::unload, &Service::unload},
      {Verb::upload, &Service::upload}, {Verb::settle, &Service::settle},   {Verb::launch, &Service::launch},
      {Verb::window, &Service::window}, {Verb::collect, &Service::collect}, {Verb::occupancy, &Service::occupancy}};
  const bool is_silent = verb == Verb::stage || verb == Verb::scrub;
  if (!arms_ && verb != Verb::open && verb != Verb::load) {
    understood_ = false;
    return std::nullopt;
  }
  if (is_silent) {
    const Status done = verb == Verb::stage ? stage(order) : scrub(order);
    if (!done && !remembered_) remembered_ = done.error();
    return std::nullopt;
  }
  if (remembered_) return failed(verb, *std::exchange(remembered_, std::nullopt));
  for (const Row& row : k_rows) {
    if (row.verb != verb) continue;
    auto reply = (this->*row.handler)(order);
    return reply ? *std::move(reply) : failed(verb, reply.error());
  }
  understood_ = false;
  return std::nullopt;
}

int Service::run() {
  std::string packet(k_most_packet_bytes, '\0');
  while (true) {
    const auto soon = receive_soon(k_socket_descriptor, packet);
    const ssize_t got = soon ? *soon : recv(k_socket_descriptor, packet.data(), packet.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    Unpacked order(std::string_view(packet).substr(0, static_cast<size_t>(got)));
    const auto reply = answer(order.get<Verb>(), order);
    if (!understood_) return k_bad_order;
    if (reply && send(k_socket_descriptor, reply->bytes().data(), reply->bytes().size(), MSG_NOSIGNAL) < 0) return 0;
  }
}

}  // namespace

int launcher_main() {
  void* area = mmap(nullptr, k_area_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, k_area_descriptor, 0);
  if (area == MAP_FAILED) return k_no_area;
  return Service({static_cast<std::byte*>(area), k_area_bytes}).run();
}

}  // namespace hone::device::launcher
