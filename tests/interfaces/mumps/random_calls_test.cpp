// SPDX-License-Identifier: BSD-3-Clause
// Makes random sequences of calls; frond_random_mumps_calls compares any number of them with MUMPS's own outcomes.
#include "tests/interfaces/mumps/random_calls.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/interfaces/mumps/client.hpp"

namespace frond::testing {
namespace {

TEST(MumpsRandomCalls, NoneDiesAndNoSolutionIsWrong) {
  constexpr std::uint64_t kFirst = 1;
  constexpr std::uint64_t kCount = 400;
  const std::string lines = with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", [](void* function) {
    std::string all;
    for (std::uint64_t seed = kFirst; seed < kFirst + kCount; ++seed) {
      all += "seed " + std::to_string(seed) + '\n' + run_random_mumps_calls(function, seed);
    }
    return all;
  });
  EXPECT_FALSE(lines.starts_with("died")) << lines;
  EXPECT_EQ(lines.find("WRONG"), std::string::npos) << lines.substr(lines.find("WRONG") - 300, 320);
  EXPECT_NE(lines.find("solved"), std::string::npos);
}

}  // namespace
}  // namespace frond::testing
