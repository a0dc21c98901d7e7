// SPDX-License-Identifier: BSD-3-Clause
// Measures memory that is taken and released, and its peak.
#include "tools/program/process/memory_probe.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace frond {
namespace {

constexpr Count kBlock = 64 << 20;

// A block of touched memory straight from the system, which gets it back at once; an allocator might keep freed memory.
class Block {
 public:
  Block() : data_(mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    EXPECT_NE(data_, MAP_FAILED);
    std::memset(data_, 1, kBlock);
  }
  ~Block() { munmap(data_, kBlock); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  void* data_;
};

TEST(MemoryProbe, SeesMemoryComeAndGo) {
  const Count before = resident_bytes();
  ASSERT_GT(before, 0);
  {
    const Block block;
    EXPECT_GE(resident_bytes(), before + kBlock * 9 / 10);
  }
  EXPECT_LE(resident_bytes(), before + kBlock / 2);
  EXPECT_GE(peak_bytes(), before + kBlock * 9 / 10);
}

TEST(MemoryProbe, ForgetsTheOldPeak) {
  { const Block block; }
  if (!reset_peak_bytes()) {
    GTEST_SKIP() << "the system does not let the peak be reset";
  }
  EXPECT_LE(peak_bytes(), resident_bytes() + kBlock / 2);
}

}  // namespace
}  // namespace frond
