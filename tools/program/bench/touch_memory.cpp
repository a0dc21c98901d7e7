// SPDX-License-Identifier: BSD-3-Clause
// Maps, writes and unmaps memory.
#include "tools/program/bench/touch_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

namespace frond {
namespace {

// Returns 0 if /proc does not report it.
Count available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    if (word == "MemAvailable:") {
      Count kibibytes = 0;
      file >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

}  // namespace

void touch_memory(Count bytes) {
  const auto size = static_cast<std::size_t>(std::min(bytes, available_bytes() / 2));
  void* memory = size == 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    madvise(memory, size, MADV_HUGEPAGE);
    std::memset(memory, 1, size);
    munmap(memory, size);
  }
}

}  // namespace frond
