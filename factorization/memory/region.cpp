// SPDX-License-Identifier: BSD-3-Clause
// Anonymous mappings aligned to huge pages, and heap memory for regions smaller than a few pages.
#include "factorization/memory/region.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "frond/error.hpp"

namespace frond {
namespace {

constexpr Count kHugePage = Count{2} << 20;

// Mapping and unmapping takes longer than clearing this much.
constexpr Count kSmallBytes = Count{64} << 10;
constexpr std::size_t kSmallAlignment = 64;

[[noreturn]] void refuse(Count bytes) {
  throw MemoryError("the system refuses " + std::to_string(bytes) +
                        " bytes of memory: free some, lower the number of threads, or raise the limit of the process",
                    bytes, 0);
}

bool is_small(Count bytes) { return bytes < kSmallBytes; }

Count page_size() { return sysconf(_SC_PAGESIZE); }

}  // namespace

Region::Region(Count bytes) {
  if (bytes <= 0) {
    return;
  }
  if (is_small(bytes)) {
    const std::size_t size = (static_cast<std::size_t>(bytes) + kSmallAlignment - 1) / kSmallAlignment * kSmallAlignment;
    data_ = static_cast<std::byte*>(std::aligned_alloc(kSmallAlignment, size));  // NOLINT(cppcoreguidelines-no-malloc): aligned
    if (data_ == nullptr) {
      refuse(bytes);
    }
    std::fill_n(data_, size, std::byte{0});
    bytes_ = bytes;
    return;
  }
  const Count slack = bytes >= kHugePage ? kHugePage : 0;
  void* mapped = mmap(nullptr, static_cast<std::size_t>(bytes + slack), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    refuse(bytes);
  }
  data_ = static_cast<std::byte*>(mapped);
  bytes_ = bytes;
  if (slack > 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(mapped);
    const auto aligned = (address + kHugePage - 1) / kHugePage * kHugePage;
    const auto before = aligned - address;
    if (before > 0) {
      munmap(mapped, before);
    }
    const auto page = static_cast<std::uintptr_t>(page_size());
    const auto end = (static_cast<std::uintptr_t>(bytes) + page - 1) / page * page;
    const auto mapped_end = (static_cast<std::uintptr_t>(bytes + slack) + page - 1) / page * page;
    munmap(static_cast<std::byte*>(mapped) + before + end, mapped_end - before - end);
    data_ = static_cast<std::byte*>(mapped) + before;
    madvise(data_, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  }
}

void Region::avoid_huge_pages() {
  if (bytes_ >= kHugePage) {
    madvise(data_, static_cast<std::size_t>(bytes_), MADV_NOHUGEPAGE);
  }
}

void Region::discard(Count begin, Count end) {
  if (is_small(bytes_)) {
    return;
  }
  const Count page = page_size();
  const Count first = (begin + page - 1) / page * page;
  const Count last = end / page * page;
  if (first < last) {
    madvise(data_ + first, static_cast<std::size_t>(last - first), MADV_DONTNEED);
  }
}

Region::~Region() {
  if (is_small(bytes_)) {
    std::free(data_);  // NOLINT(cppcoreguidelines-no-malloc): of std::aligned_alloc()
  } else {
    munmap(data_, static_cast<std::size_t>(bytes_));
  }
}

}  // namespace frond
