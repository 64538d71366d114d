// Result<T>: a value or an Error; the only way a function of hone reports failure.
// HONE_TRY(x, expression) unwraps or returns the error; HONE_CHECK(expression) does so for a Status.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace hone {

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error) : tl::expected<T, Error>(tl::unexpected<Error>(std::move(error))) {}
};

using Status = Result<void>;

inline Status ok() { return {}; }

#define HONE_CONCAT_(a, b) a##b
#define HONE_CONCAT(a, b) HONE_CONCAT_(a, b)

#define HONE_TRY_(target, expression, holder)    \
  auto&& holder = (expression);                  \
  if (!holder) return std::move(holder).error(); \
  target = *std::move(holder)
#define HONE_TRY(target, expression) HONE_TRY_(target, expression, HONE_CONCAT(hone_try_, __LINE__))

#define HONE_CHECK(expression)                         \
  do {                                                 \
    if (auto hone_check = (expression); !hone_check) { \
      return std::move(hone_check).error();            \
    }                                                  \
  } while (false)

}  // namespace hone
