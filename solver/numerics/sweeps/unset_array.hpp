// SPDX-License-Identifier: BSD-3-Clause
// Provides vectors that are not set to zero before they are written.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace frond {

/// Memory from `new`, mostly recycled with its pages in place: for short work, clearing fresh pages, huge ones too (see
/// LargeAllocator), takes longer than the work. Numbers are uninitialized, except for complex ones, which are zero.
template <class T>
class UnsetArray {
 public:
  UnsetArray() = default;
  explicit UnsetArray(std::size_t size) : size_(size), data_(std::make_unique_for_overwrite<T[]>(size)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::span<T> part(std::size_t begin, std::size_t count) { return {data() + begin, count}; }
  [[nodiscard]] std::span<const T> part(std::size_t begin, std::size_t count) const { return {data() + begin, count}; }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<T[]> data_;
};

}  // namespace frond
