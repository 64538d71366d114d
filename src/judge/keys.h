// The judge's secret and what is drawn from it. A fresh secret is made for every judging job and after every resume; it
// never leaves the process. sub-key = HMAC-SHA256(secret, purpose ‖ case ‖ stage ‖ round ‖ attempt ‖ launch) (JUDGE.md
// 2). A sub-key tells nothing about another one, so the few that are logged after the decision give nothing away.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace hone::judge {

struct LaunchName {
  std::string_view purpose;  // "content", "poison", "coin", "layout", "tiles", "trial"
  std::string_view case_id;
  std::string_view stage;
  uint64_t round = 0;
  uint64_t attempt = 0;
  uint64_t launch = 0;
};

class Secret {
 public:
  Secret();                                                          // from the kernel
  explicit Secret(std::array<uint8_t, 32> bytes) : bytes_(bytes) {}  // tests

  Digest sub_key(const LaunchName& name) const;

 private:
  std::array<uint8_t, 32> bytes_;
};

// A stream of secret choices (coins, shuffles, draws), keyed by one sub-key.
class Draws {
 public:
  explicit Draws(const Digest& key) : key_(key) {}
  uint64_t next();
  uint64_t below(uint64_t limit);  // uniform in [0, limit), limit ≥ 1, without modulo bias
  bool coin() { return (next() & 1) != 0; }
  bool comes(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  Digest key_;
  uint64_t counter_ = 0;
};

}  // namespace hone::judge
