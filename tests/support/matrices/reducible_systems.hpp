// SPDX-License-Identifier: BSD-3-Clause
// Generates general matrices whose block triangular form is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {

/// How the rows and columns of a block triangular matrix are hidden.
enum class Shuffle {
  none,
  alike,  ///< rows and columns by the same permutation: the diagonal stays
  apart   ///< rows and columns by separate permutations: the diagonal may be lost
};

/// Returns a shuffled block upper triangular matrix with a dominant diagonal. Diagonal blocks have the given orders and are
/// irreducible because of a cycle; every column has about `num_couplings` entries above its block.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> reducible_matrix(const std::vector<Index>& blocks, Index num_couplings, Shuffle shuffle,
                                               std::uint64_t seed) {
  const Index order = std::accumulate(blocks.begin(), blocks.end(), Index{0});
  std::mt19937_64 random(seed);
  std::vector<Index> rows(static_cast<std::size_t>(order));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<Index> columns = rows;
  if (shuffle != Shuffle::none) {
    std::shuffle(rows.begin(), rows.end(), random);
    columns = rows;
  }
  if (shuffle == Shuffle::apart) {
    std::shuffle(columns.begin(), columns.end(), random);
  }
  std::uniform_real_distribution<double> number(-1, 1);
  const auto entry = [&]() -> S {
    if constexpr (kIsComplex<S>) {
      return S(static_cast<RealOf<S>>(number(random)), static_cast<RealOf<S>>(number(random)));
    } else {
      return static_cast<S>(number(random));
    }
  };
  Triplets<S> entries{order, order, Symmetry::general};
  const auto add = [&](Index i, Index j, S value) { entries.add(rows[i], columns[j], value); };
  Index begin = 0;
  for (const Index size : blocks) {
    for (Index k = 0; k < size; ++k) {
      add(begin + k, begin + k, S(4) + entry());
      if (size > 1) {
        add(begin + k, begin + (k + 1) % size, entry());
        add(begin + static_cast<Index>(random() % static_cast<std::uint64_t>(size)), begin + k, entry());
      }
      for (Index c = 0; c < num_couplings && begin > 0; ++c) {
        add(static_cast<Index>(random() % static_cast<std::uint64_t>(begin)), begin + k, entry());
      }
    }
    begin += size;
  }
  return compress(std::move(entries));
}

}  // namespace frond::testing
