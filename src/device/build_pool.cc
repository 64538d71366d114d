#include "device/build_pool.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "device/cpu/topology.h"

namespace hone::device {

namespace {

// A running build takes half a dozen of the judge's descriptors, and 256 are what a machine has to give
// (sandbox/own_limits.h).
constexpr size_t k_most_workers = 32;

struct Build {
  const BuildOrder* order = nullptr;
  std::optional<Result<CompileOutcome>> answer = {};  // absent: not begun
  Nanoseconds began{0};
  Nanoseconds ended{0};

  bool failed() const { return answer && (!*answer || (*answer)->fault); }
  // A hit in the cache disturbs nobody.
  bool worked() const { return failed() || (answer && (*answer)->took > Nanoseconds(0)); }
};

bool at_once(const Build& a, const Build& b) { return a.began < b.ended && b.began < a.ended; }

// The builds of one call, taken by the workers in their order.
class Batch {
 public:
  explicit Batch(std::span<const BuildOrder> orders) {
    for (const BuildOrder& order : orders) {
      const auto same = std::ranges::find_if(builds_, [&](const Build& one) { return *one.order == order; });
      numbers_.push_back(static_cast<size_t>(same - builds_.begin()));
      if (same == builds_.end()) builds_.push_back({&order});
    }
  }

  size_t size() const { return builds_.size(); }

  bool one_more() {
    const size_t number = next_++;
    if (number >= builds_.size()) return false;
    Build& build = builds_[number];
    build.began = SystemClock().now();
    build.answer = build.order->device->compile(build.order->request);
    build.ended = SystemClock().now();
    return true;
  }

  void begin_no_more() { next_ = builds_.size(); }

  // When all workers have ended.
  std::vector<std::optional<CompileOutcome>> answers() const {
    std::vector<std::optional<CompileOutcome>> out;
    for (const size_t number : numbers_) out.push_back(answer_of(builds_[number]));
    return out;
  }

 private:
  std::optional<CompileOutcome> answer_of(const Build& build) const {
    if (!build.answer || !*build.answer) return std::nullopt;
    if (build.failed() && !was_alone(build)) return std::nullopt;
    return **build.answer;
  }

  bool was_alone(const Build& build) const {
    return std::ranges::none_of(
        builds_, [&](const Build& other) { return &other != &build && other.worked() && at_once(build, other); });
  }

  std::vector<Build> builds_;
  std::vector<size_t> numbers_;  // of each order
  std::atomic<size_t> next_ = 0;
};

void work(Batch& batch) {
  while (batch.one_more()) {
  }
}

std::vector<std::jthread> start_helpers(Batch& batch, size_t count) {
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() < count) helpers.emplace_back(work, std::ref(batch));
  } catch (const std::system_error&) {
    // This machine gives no more threads: those there are do all of it.
  }
  return helpers;
}

}  // namespace

BuildPool::BuildPool() : BuildPool(std::min(cpu::allowed_processors().size(), k_most_workers)) {}

BuildPool::BuildPool(size_t workers) : workers_(std::max<size_t>(workers, 1)) {}

std::vector<std::optional<CompileOutcome>> BuildPool::run(std::span<const BuildOrder> orders,
                                                          const std::function<bool()>& stop) const {
  Batch batch(orders);
  {
    const auto helpers = start_helpers(batch, std::min(workers_, std::max<size_t>(batch.size(), 1)) - 1);
    while (!stop() && batch.one_more()) {
    }
    if (stop()) batch.begin_no_more();
  }
  return batch.answers();
}

}  // namespace hone::device
