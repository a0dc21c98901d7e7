// SPDX-License-Identifier: BSD-3-Clause
// Anonymous mappings aligned to huge pages.
#include "factorization/region.hpp"

#include <sys/mman.h>

#include <string>

#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr Count kHugePage = Count{2} << 20;

}  // namespace

Region::Region(Count bytes) {
  if (bytes <= 0) {
    return;
  }
  const Count slack = bytes >= kHugePage ? kHugePage : 0;
  void* mapped = mmap(nullptr, static_cast<std::size_t>(bytes + slack), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    throw MemoryError("the system refuses " + std::to_string(bytes) +
                          " bytes of memory: free some, lower the number of threads, or raise the limit of the process",
                      bytes, 0);
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
    const auto end = (static_cast<std::uintptr_t>(bytes) + 4095) / 4096 * 4096;
    const auto mapped_end = (static_cast<std::uintptr_t>(bytes + slack) + 4095) / 4096 * 4096;
    munmap(static_cast<std::byte*>(mapped) + before + end, mapped_end - before - end);
    data_ = static_cast<std::byte*>(mapped) + before;
    madvise(data_, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  }
}

Region::~Region() {
  if (data_ != nullptr) {
    munmap(data_, static_cast<std::size_t>(bytes_));
  }
}

}  // namespace frond
