// SPDX-License-Identifier: BSD-3-Clause
// Runs a random test with many seeds, or replays one of its runs.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace frond::testing {

/// Runs `run_one(seed, coverage)`, which returns what is wrong, with fresh seeds: as many as the environment variable
/// FROND_NAME_SEEDS says, otherwise `num_seeds`, and up to ten times as many until nothing is missing in the coverage, which it
/// prints. FROND_NAME_SEED runs that one seed only.
template <class Coverage, class RunOne>
void run_drawn_seeds(const std::string& name, int num_seeds, Coverage& coverage, RunOne run_one) {
  const std::string one = "FROND_" + name + "_SEED";
  if (const char* seed = std::getenv(one.c_str()); seed != nullptr) {
    EXPECT_EQ(run_one(static_cast<std::uint32_t>(std::strtoul(seed, nullptr, 10)), coverage), "");
    return;
  }
  if (const char* text = std::getenv((one + "S").c_str()); text != nullptr) {
    num_seeds = std::atoi(text);
  }
  std::random_device device;
  for (int i = 0; i < num_seeds || (i < 10 * num_seeds && !coverage.missing().empty()); ++i) {
    const std::uint32_t seed = device();
    ASSERT_EQ(run_one(seed, coverage), "") << "replay with " << one << '=' << seed << "; found by run " << i + 1;
  }
  coverage.print();
  EXPECT_EQ(coverage.missing(), "");
}

}  // namespace frond::testing
