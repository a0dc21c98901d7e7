// SPDX-License-Identifier: BSD-3-Clause
// Makes some random sequences in every run; the program random_calls SEED SEQUENCES makes any number.
#include "tests/interfaces/c/random_calls.hpp"

#include <gtest/gtest.h>

#include <random>

namespace frond {
namespace {

TEST(RandomCalls, ComeToAStatusAndAText) {
  const std::uint64_t first = std::random_device{}();
  SCOPED_TRACE(first);
  for (std::uint64_t k = 0; k < 500; ++k) {
    ASSERT_EQ(testing::run_random_calls(first + k), "") << "seed " << first + k;
  }
}

}  // namespace
}  // namespace frond
