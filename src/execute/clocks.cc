#include "execute/clocks.h"

#include <fmt/format.h>

#include <charconv>

#include "device/cuda/clock_lock.h"

namespace hone::execute {

namespace {

constexpr std::string_view k_lock = "lock";
constexpr std::string_view k_as_is = "as-is";
constexpr uint32_t k_highest_mhz = 10'000;

class ClockedExecutor final : public Executor {
 public:
  ClockedExecutor(std::unique_ptr<Executor> inner, std::unique_ptr<device::cuda::HeldClocks> held, std::string note)
      : inner_(std::move(inner)), held_(std::move(held)), note_(std::move(note)) {}

  Result<campaign::Verdict> run(const judge::JudgingJob& job, const judge::Observer& observer) override {
    HONE_TRY(campaign::Verdict verdict, inner_->run(job, observer));
    verdict.notes.push_back(note_);
    return verdict;
  }
  Result<device::Identity> identity() override { return inner_->identity(); }
  std::vector<device::HeaderRoot> header_roots() override { return inner_->header_roots(); }

 private:
  std::unique_ptr<Executor> inner_;
  std::unique_ptr<device::cuda::HeldClocks> held_;  // null: the clocks are as they are
  std::string note_;
};

Result<std::unique_ptr<device::cuda::HeldClocks>> hold(const device::Identity& identity, const Clocks& clocks,
                                                       const std::string& library) {
  if (identity.kind != "cuda")
    return Error{ErrorCode::environment,
                 "only the clocks of a CUDA device can be locked, and this one is " + identity.name};
  return device::cuda::HeldClocks::start({identity.uuid, clocks.mhz.value_or(0), library});
}

}  // namespace

Result<Clocks> parse_clocks(std::string_view word) {
  if (word == k_as_is) return Clocks{};
  if (word == k_lock) return Clocks{true, std::nullopt};
  uint32_t mhz = 0;
  if (word.starts_with("lock:")) {
    const std::string_view digits = word.substr(k_lock.size() + 1);
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), mhz);
    if (failed == std::errc() && end == digits.data() + digits.size() && mhz > 0 && mhz <= k_highest_mhz)
      return Clocks{true, mhz};
  }
  return Error{ErrorCode::usage,
               fmt::format("'{}' says nothing of clocks", word),
               {},
               {},
               "--clocks as-is, --clocks lock, or --clocks lock:MHZ with 1 to 10000"};
}

Result<std::unique_ptr<Executor>> with_clocks(std::unique_ptr<Executor> executor, const Clocks& clocks,
                                              const std::string& library) {
  if (!clocks.locked) return executor;
  HONE_TRY(const device::Identity identity, executor->identity());
  auto held = hold(identity, clocks, library);
  const std::string note =
      held ? fmt::format("the SM clock was locked at {} MHz from the beginning, and is given back at the end",
                         (*held)->sm_mhz())
           : fmt::format("clocks as they are: {}{}", held.error().what,
                         held.error().help.empty() ? "" : " (" + held.error().help + ")");
  return std::unique_ptr<Executor>(
      std::make_unique<ClockedExecutor>(std::move(executor), held ? *std::move(held) : nullptr, note));
}

}  // namespace hone::execute
