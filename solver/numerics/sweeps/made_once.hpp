// SPDX-License-Identifier: BSD-3-Clause
// Makes what is seldom needed when it is first asked for.
#pragma once

#include <mutex>
#include <optional>

namespace frond {

/// A value that the first caller makes, while others wait. Only forget() must not run at the same time as other calls.
template <class T>
class MadeOnce {
 public:
  template <class Make>
  [[nodiscard]] const T& of(const Make& make) const {
    const std::lock_guard lock(making_);
    if (!value_) {
      value_.emplace(make());
    }
    return *value_;
  }
  void forget() { value_.reset(); }

 private:
  mutable std::mutex making_;
  mutable std::optional<T> value_;
};

}  // namespace frond
