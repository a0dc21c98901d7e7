// SPDX-License-Identifier: BSD-3-Clause
// Writes to so many GiB of memory and gives them back: virtual machines take memory that nobody uses from their guests, and the
// first to touch it again waits several times as long as the next.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
  const long gibibytes = argc == 2 ? std::atol(argv[1]) : 0;
  if (gibibytes < 1) {
    std::cerr << "usage: frond_touch_memory GIBIBYTES\n";
    return 2;
  }
  const std::size_t bytes = static_cast<std::size_t>(gibibytes) << 30;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::cerr << "frond_touch_memory: the system refuses " << bytes << " bytes\n";
    return 4;
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 1, bytes);
  return 0;
}
