// SPDX-License-Identifier: BSD-3-Clause
// Allocates arrays of millions of elements from huge pages, without zeroing memory that is about to be written.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace frond {

/// From 4 MiB on, aligns memory to huge pages of 2 MiB and asks the system for them: touching fresh memory then costs one page
/// fault per 2 MiB instead of 512. Elements without a given value stay uninitialized.
template <class T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): allocators convert

  [[nodiscard]] T* allocate(std::size_t count) {
    if (!is_large(count)) {
      return std::allocator<T>().allocate(count);
    }
    const std::size_t bytes = (count * sizeof(T) + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = std::aligned_alloc(kHugePage, bytes);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: failure does no harm
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (is_large(count)) {
      std::free(memory);
    } else {
      std::allocator<T>().deallocate(memory, count);
    }
  }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20U;
  static bool is_large(std::size_t count) { return count >= 2 * kHugePage / sizeof(T); }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace frond
