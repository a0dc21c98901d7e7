// SPDX-License-Identifier: BSD-3-Clause
// Draws the Schur variables of matrices whose pivots come in pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "frond/types.hpp"

namespace frond::testing {

/// Returns the variables of random pairs (2 k, 2 k + 1), where random_matrix() has its certain pivots, in random order.
[[nodiscard]] inline std::vector<Index> random_pairs(Index order, Index num_pairs, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<Index> pairs(static_cast<std::size_t>(order / 2));
  std::iota(pairs.begin(), pairs.end(), 0);
  std::shuffle(pairs.begin(), pairs.end(), generator);
  std::vector<Index> variables;
  for (Index k = 0; k < num_pairs; ++k) {
    variables.push_back(2 * pairs[static_cast<std::size_t>(k)]);
    variables.push_back(2 * pairs[static_cast<std::size_t>(k)] + 1);
  }
  std::shuffle(variables.begin(), variables.end(), generator);
  return variables;
}

}  // namespace frond::testing
