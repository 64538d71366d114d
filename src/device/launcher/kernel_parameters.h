// KernelParameters: what CUDA's and HIP's launch functions want of a launch's arguments, the places of their values.
// Ownership: not copied, since it points into itself and into the launch, both of which must outlive the call that
// starts the kernel. Failure: fill says false where an argument is no memory of the driver's, or of a kind that these
// languages do not have. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/launcher/driver.h"

namespace hone::device::launcher {

class KernelParameters {
 public:
  KernelParameters() = default;
  KernelParameters(const KernelParameters&) = delete;
  KernelParameters& operator=(const KernelParameters&) = delete;

  // `address_of` makes a Result<uint64_t> of a View.
  template <class AddressOf>
  bool fill(const Launch& launch, const AddressOf& address_of) {
    addresses_.resize(launch.arguments.size());
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      if (const auto* value = std::get_if<Value>(&launch.arguments[i])) {
        places_.push_back(const_cast<std::byte*>(value->bytes.data()));
        continue;
      }
      const auto* view = std::get_if<View>(&launch.arguments[i]);
      const auto address = view != nullptr ? address_of(*view) : Result<uint64_t>(Error{});
      if (!address) return false;
      addresses_[i] = *address;
      places_.push_back(&addresses_[i]);
    }
    return true;
  }
  void** places() { return places_.data(); }

 private:
  std::vector<uint64_t> addresses_;
  std::vector<void*> places_;
};

}  // namespace hone::device::launcher
