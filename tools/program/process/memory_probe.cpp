// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc (proc(5)), and maps memory.
#include "tools/program/process/memory_probe.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

namespace frond {
namespace {

// Returns 0 if the file does not report it.
Count bytes_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word == key) {
      Count kibibytes = 0;
      file >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

}  // namespace

Count resident_bytes() { return bytes_in("/proc/self/status", "VmRSS:"); }

Count peak_bytes() { return bytes_in("/proc/self/status", "VmHWM:"); }

bool reset_peak_bytes() {
  std::ofstream clear_refs("/proc/self/clear_refs");
  clear_refs << '5' << std::flush;
  return clear_refs.good();
}

void touch_memory(Count bytes) {
  const auto size = static_cast<std::size_t>(std::min(bytes, bytes_in("/proc/meminfo", "MemAvailable:") / 2));
  void* memory = size == 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    madvise(memory, size, MADV_HUGEPAGE);
    std::memset(memory, 1, size);
    munmap(memory, size);
  }
}

}  // namespace frond
