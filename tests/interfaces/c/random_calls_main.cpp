// SPDX-License-Identifier: BSD-3-Clause
// random_calls SEED SEQUENCES: makes this many sequences of calls, from this seed on; stops at the first failure.
#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/interfaces/c/random_calls.hpp"

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string wrong = frond::testing::run_random_calls(first + k);
    if (!wrong.empty()) {
      fmt::print(stderr, "seed {}: {}\n", first + k, wrong);
      return 1;
    }
  }
  fmt::print("{} sequences from seed {} on: no call went wrong\n", count, first);
  return 0;
}
