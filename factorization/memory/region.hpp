// SPDX-License-Identifier: BSD-3-Clause
// Takes memory in large pieces, straight from the operating system.
#pragma once

#include <cstddef>
#include <utility>

#include "frond/types.hpp"

namespace frond {

/// A private piece of memory, zero until written, on huge pages where the system has them, and aligned to 64 bytes if it is smaller
/// than a few pages. Its pages count as used only once touched, so they are first touched by the thread that works on them.
/// Returned to the system by the destructor.
class Region {
 public:
  Region() = default;
  explicit Region(Count bytes);  ///< throws MemoryError when the system refuses
  ~Region();
  Region(Region&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), is_zero_(other.is_zero_) {}
  Region& operator=(Region&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(is_zero_, other.is_zero_);
    return *this;
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] Count bytes() const { return bytes_; }
  [[nodiscard]] bool is_zero() const { return is_zero_; }  ///< true if it is still as it comes from the system
  void mark_used() { is_zero_ = false; }
  /// Pages that are touched from now on are small ones.
  void avoid_huge_pages();
  /// Returns the pages that lie in [begin, end), byte offsets, to the system; their contents are lost.
  void discard(Count begin, Count end);

 private:
  std::byte* data_ = nullptr;
  Count bytes_ = 0;
  bool is_zero_ = true;
};

}  // namespace frond
