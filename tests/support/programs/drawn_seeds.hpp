// SPDX-License-Identifier: BSD-3-Clause
// Runs a random test with many seeds, or replays one of its runs.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/programs/all_tests.hpp"

namespace frond::testing {

/// Counts what runs have met, of which a long test must have met all that is wanted.
class EventCoverage {
 public:
  explicit EventCoverage(std::string wanted) {  // names, between them "; "
    for (std::size_t end = wanted.find("; "); end != std::string::npos; end = wanted.find("; ")) {
      want(wanted.substr(0, end));
      wanted.erase(0, end + 2);
    }
    want(wanted);
  }
  void want(const std::string& name) { wanted_.push_back(name); }

  void note(const std::string& name, long long count = 1) {
    if (count > 0) {
      met_[name] += count;
    }
  }
  [[nodiscard]] std::string missing() const {
    std::string names;
    for (const std::string& name : wanted_) {
      names += met_.contains(name) ? "" : name + "; ";
    }
    return names;
  }
  void print() const {
    for (const auto& [name, count] : met_) {
      std::cout << name << ' ' << count << "; ";
    }
    std::cout << '\n';
  }

 private:
  std::vector<std::string> wanted_;
  std::map<std::string, long long> met_;
};

/// Runs `run_one(seed, coverage)`, which returns what is wrong, with fresh seeds: as many as the environment variable
/// FROND_NAME_SEEDS says, otherwise `num_seeds`, or a fifth where not everything is tested, and up to ten times `num_seeds` until
/// nothing is missing in the coverage, which it prints. FROND_NAME_SEED runs that one seed only.
template <class Coverage, class RunOne>
void run_drawn_seeds(const std::string& name, int num_seeds, Coverage& coverage, RunOne run_one) {
  const std::string one = "FROND_" + name + "_SEED";
  if (const char* seed = std::getenv(one.c_str()); seed != nullptr) {
    EXPECT_EQ(run_one(static_cast<std::uint32_t>(std::strtoul(seed, nullptr, 10)), coverage), "");
    return;
  }
  int num_fewest = is_all_tested() ? num_seeds : (num_seeds + 4) / 5;
  if (const char* text = std::getenv((one + "S").c_str()); text != nullptr) {
    num_fewest = num_seeds = std::atoi(text);
  }
  std::random_device device;
  for (int i = 0; i < num_fewest || (i < 10 * num_seeds && !coverage.missing().empty()); ++i) {
    const std::uint32_t seed = device();
    ASSERT_EQ(run_one(seed, coverage), "") << "replay with " << one << '=' << seed << "; found by run " << i + 1;
  }
  coverage.print();
  EXPECT_EQ(coverage.missing(), "");
}

}  // namespace frond::testing
