// SPDX-License-Identifier: BSD-3-Clause
// Generates random matrices and vectors of every scalar and symmetry from a seed.
#pragma once

#include <random>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

template <Scalar S>
S random_scalar(std::mt19937& random) {
  std::uniform_real_distribution<RealOf<S>> uniform(RealOf<S>(-1), RealOf<S>(1));
  if constexpr (kIsComplex<S>) {
    const RealOf<S> real = uniform(random);
    return {real, uniform(random)};
  } else {
    return uniform(random);
  }
}

template <Scalar S>
std::vector<S> random_vector(std::size_t length, std::mt19937& random) {
  std::vector<S> x(length);
  for (S& element : x) {
    element = random_scalar<S>(random);
  }
  return x;
}

/// Triplets in random order, with duplicates, in the triangle that the symmetry allows; square unless general.
template <Scalar S>
Triplets<S> random_triplets(Index num_rows, Index num_cols, Count num_entries, Symmetry symmetry, std::mt19937& random) {
  Triplets<S> triplets;
  triplets.num_rows = num_rows;
  triplets.num_cols = num_cols;
  triplets.symmetry = symmetry;
  std::uniform_int_distribution<Index> draw_row(0, num_rows - 1);
  std::uniform_int_distribution<Index> draw_col(0, num_cols - 1);
  while (triplets.num_entries() < num_entries) {
    const Index row = draw_row(random);
    const Index col = draw_col(random);
    const bool allowed = symmetry == Symmetry::general || row > col || (row == col && symmetry != Symmetry::skew_symmetric);
    S value = random_scalar<S>(random);
    if (symmetry == Symmetry::hermitian && row == col) {
      value = std::real(value);
    }
    if (allowed) {
      triplets.add(row, col, value);
    }
  }
  return triplets;
}

}  // namespace frond
