// SPDX-License-Identifier: BSD-3-Clause
// Anonymous mappings aligned to huge pages.
#include "factorization/region.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr Count kHugePage = Count{2} << 20;

Count read_number(const char* path) {
  std::ifstream file(path);
  Count number = -1;
  return file >> number ? number : -1;  // "max" is no number
}

Count memory_available_to_system() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  Count kilobytes = 0;
  std::string unit;
  while (file >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") {
      return kilobytes * 1024;
    }
    if (unit != "kB") {  // lines without a unit: the word read belongs to the next line
      file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
  }
  return std::numeric_limits<Count>::max();
}

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

Count available_memory_bytes() {
  const Count group_limit = read_number("/sys/fs/cgroup/memory.max");
  const Count group_used = read_number("/sys/fs/cgroup/memory.current");
  const Count system = memory_available_to_system();
  return group_limit >= 0 && group_used >= 0 ? std::min(system, std::max<Count>(0, group_limit - group_used)) : system;
}

}  // namespace frond
