// Work on every processor that this process may use, from start() on until its destructor: the load of selftest's
// stress mode. Owns its threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace hone::cli {

class Load {
 public:
  ~Load() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  void start() {
    const size_t processors = std::max(1u, std::thread::hardware_concurrency());
    while (threads_.size() < processors)
      threads_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
        }
      });
  }
  bool started() const { return !threads_.empty(); }

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hone::cli
