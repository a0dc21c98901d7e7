// SPDX-License-Identifier: BSD-3-Clause
// Reads and sets Linux affinity masks of any size.
#include "loadinfo/messages/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>

namespace frond {
namespace {

constexpr int kMostProcessors = 1 << 16;  // highest number that is looked for

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeSet>;

}  // namespace

std::vector<int> usable_processors() {
  std::vector<int> processors;
  for (int size = CPU_SETSIZE; size <= kMostProcessors && processors.empty(); size *= 2) {
    const CpuSet set(CPU_ALLOC(size));
    if (set == nullptr || sched_getaffinity(0, CPU_ALLOC_SIZE(size), set.get()) != 0) {
      continue;  // EINVAL: the machine has more processors
    }
    for (int processor = 0; processor < size; ++processor) {
      if (CPU_ISSET_S(processor, CPU_ALLOC_SIZE(size), set.get())) {
        processors.push_back(processor);
      }
    }
  }
  if (processors.empty()) {  // the system does not report them
    processors.resize(std::max(1U, std::thread::hardware_concurrency()));
    std::iota(processors.begin(), processors.end(), 0);
  }
  return processors;
}

bool keep_to_processors(std::span<const int> processors) {
  const int size = processors.empty() ? 1 : *std::max_element(processors.begin(), processors.end()) + 1;
  const CpuSet set(CPU_ALLOC(size));
  if (processors.empty() || set == nullptr) {
    return false;
  }
  CPU_ZERO_S(CPU_ALLOC_SIZE(size), set.get());
  for (const int processor : processors) {
    CPU_SET_S(processor, CPU_ALLOC_SIZE(size), set.get());
  }
  bool is_kept = true;
  std::error_code no_list;  // if set, binds only the calling thread
  for (std::filesystem::directory_iterator thread("/proc/self/task", no_list), end; !no_list && thread != end;
       thread.increment(no_list)) {
    is_kept = sched_setaffinity(std::stoi(thread->path().filename()), CPU_ALLOC_SIZE(size), set.get()) == 0 && is_kept;
  }
  return is_kept && (!no_list || sched_setaffinity(0, CPU_ALLOC_SIZE(size), set.get()) == 0);
}

std::span<const int> share_of_processors(std::span<const int> processors, int num_sharing, int index) {
  const std::size_t size = processors.size() / static_cast<std::size_t>(num_sharing);
  return processors.subspan(static_cast<std::size_t>(index) * size, size);
}

}  // namespace frond
