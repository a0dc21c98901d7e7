// SPDX-License-Identifier: BSD-3-Clause
// Generates saddle point matrices [D A^T; A 0] whose D spans many orders of magnitude; inertia and rank do not depend on D.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {

struct KktKind {
  std::uint64_t seed = 1;
  int exponent = 12;         ///< half of D's entries lie in 10^-exponent .. 10^-2, the others in 10^2 .. 10^exponent
  Index num_dependent = 0;   ///< further rows of A, at most 10, each the sum of two others: as many null vectors
  int most_scaled = 0;       ///< then S (...) S with S of random powers of 2 between 2^-most_scaled and 2^most_scaled
  Index num_variables = 30;  ///< order of D: this many positive eigenvalues
  Index num_rows = 20;       ///< of A, of full rank, entries 0, 1, -1 and 1/2: this many negative eigenvalues
};

using KktRows = std::vector<std::vector<int>>;  // twice the entries

inline bool has_full_rank(const KktRows& rows) {
  const std::size_t order = rows.front().size();  // rows of zeros make it square
  IntegerMatrix square{static_cast<Index>(order), Symmetry::general, std::vector<std::int64_t>(order * order)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < order; ++j) {
      square.entries[i + j * order] = rows[i][j];
    }
  }
  return static_cast<std::size_t>(rank_of(square)) == rows.size();
}

inline KktRows draw_rows(const KktKind& kind, std::mt19937_64& random) {
  constexpr int kEntries[] = {0, 0, 0, 2, -2, 1};
  KktRows rows(static_cast<std::size_t>(kind.num_rows), std::vector<int>(static_cast<std::size_t>(kind.num_variables)));
  do {
    for (std::vector<int>& row : rows) {
      for (int& entry : row) {
        entry = kEntries[random() % 6];
      }
    }
  } while (!has_full_rank(rows));
  for (std::size_t k = 0; k < static_cast<std::size_t>(kind.num_dependent); ++k) {
    std::vector<int> sum = rows[k];
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j] += rows[k + static_cast<std::size_t>(kind.num_dependent)][j];
    }
    rows.push_back(std::move(sum));
  }
  return rows;
}

inline double draw_diagonal(int exponent, std::mt19937_64& random) {
  std::uniform_real_distribution<double> small(-exponent, -2);
  std::uniform_real_distribution<double> large(2, exponent);
  return std::pow(10.0, random() % 2 == 0 ? small(random) : large(random));
}

/// Returns the lower triangle. Redraws A until exact elimination with fractions finds full rank.
[[nodiscard]] inline SparseMatrix<double> kkt_matrix(const KktKind& kind) {
  std::mt19937_64 random(kind.seed);
  const KktRows rows = draw_rows(kind, random);
  const Index order = kind.num_variables + static_cast<Index>(rows.size());
  std::vector<double> scales;
  for (Index i = 0; i < order; ++i) {
    const int shift = kind.most_scaled > 0 ? static_cast<int>(random() % static_cast<unsigned>(2 * kind.most_scaled + 1)) : 0;
    scales.push_back(std::ldexp(1.0, shift - kind.most_scaled));
  }
  Triplets<double> entries{.num_rows = order, .num_cols = order, .symmetry = Symmetry::symmetric};
  const auto add = [&](Index i, Index j, double value) { entries.add(i, j, value * scales[i] * scales[j]); };
  for (Index j = 0; j < kind.num_variables; ++j) {
    add(j, j, draw_diagonal(kind.exponent, random));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (const int entry = rows[i][j]; entry != 0) {
        add(kind.num_variables + static_cast<Index>(i), j, entry / 2.0);
      }
    }
  }
  return compress(std::move(entries));
}

/// Returns [A B^T; B 3 I], where B has `width` rows with some entries of 1.
[[nodiscard]] inline SparseMatrix<double> bordered(const SparseMatrix<double>& triangle, Index width) {
  const Index order = triangle.num_cols;
  Triplets<double> entries{.num_rows = order + width, .num_cols = order + width, .symmetry = triangle.symmetry};
  for_each_entry(triangle, [&](Index i, Index j, double value) { entries.add(i, j, value); });
  for (Index j = 0; j < order; j += 3) {
    entries.add(order + j % width, j, 1);
  }
  for (Index j = order; j < order + width; ++j) {
    entries.add(j, j, 3);
  }
  return compress(std::move(entries));
}

}  // namespace frond::testing
