// SPDX-License-Identifier: BSD-3-Clause
// Finds the rows and columns of a matrix that leave no choice.
#pragma once

#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// Pairs of a row and a column, one of which meets only the other among those that are left when the pair is taken. With the pairs
/// of `first` in front, in this order, those of `last` behind, in reverse, and the rest in between, the matrix is block upper
/// triangular.
struct Singletons {
  struct Pair {
    Index row;
    Index column;
  };

  std::vector<Pair> first;  ///< by columns that meet one row
  std::vector<Pair> last;   ///< by rows that meet one column
};

/// Takes as many pairs as there are, which belong to a maximum matching: of a permuted triangle these are all. The pattern is
/// general. O(entries).
[[nodiscard]] Singletons find_singletons(const PatternView& pattern);

}  // namespace frond
