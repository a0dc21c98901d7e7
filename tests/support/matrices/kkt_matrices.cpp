// SPDX-License-Identifier: BSD-3-Clause
// Redraws A until exact elimination with fractions finds full rank.
#include "tests/support/matrices/kkt_matrices.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

using Rows = std::vector<std::vector<int>>;  // twice the entries

bool has_full_rank(const Rows& rows) {
  const std::size_t order = rows.front().size();  // rows of zeros make it square
  IntegerMatrix square{static_cast<Index>(order), Symmetry::general, std::vector<std::int64_t>(order * order)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < order; ++j) {
      square.entries[i + j * order] = rows[i][j];
    }
  }
  return static_cast<std::size_t>(rank_of(square)) == rows.size();
}

Rows draw_rows(const KktKind& kind, std::mt19937_64& random) {
  constexpr int kEntries[] = {0, 0, 0, 2, -2, 1};
  Rows rows(static_cast<std::size_t>(kind.num_rows), std::vector<int>(static_cast<std::size_t>(kind.num_variables)));
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

double draw_diagonal(int exponent, std::mt19937_64& random) {
  std::uniform_real_distribution<double> small(-exponent, -2);
  std::uniform_real_distribution<double> large(2, exponent);
  return std::pow(10.0, random() % 2 == 0 ? small(random) : large(random));
}

}  // namespace

SparseMatrix<double> kkt_matrix(const KktKind& kind) {
  std::mt19937_64 random(kind.seed);
  const Rows rows = draw_rows(kind, random);
  const Index order = kind.num_variables + static_cast<Index>(rows.size());
  std::vector<double> scales;
  for (Index i = 0; i < order; ++i) {
    const int shift = kind.most_scaled > 0 ? static_cast<int>(random() % static_cast<unsigned>(2 * kind.most_scaled + 1)) : 0;
    scales.push_back(std::ldexp(1.0, shift - kind.most_scaled));
  }
  Triplets<double> entries{.num_rows = order, .num_cols = order, .symmetry = Symmetry::symmetric};
  const auto add = [&](Index i, Index j, double value) {
    entries.add(i, j, value * scales[static_cast<std::size_t>(i)] * scales[static_cast<std::size_t>(j)]);
  };
  for (Index j = 0; j < kind.num_variables; ++j) {
    add(j, j, draw_diagonal(kind.exponent, random));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (const int entry = rows[i][static_cast<std::size_t>(j)]; entry != 0) {
        add(kind.num_variables + static_cast<Index>(i), j, entry / 2.0);
      }
    }
  }
  return compress(std::move(entries));
}

SparseMatrix<double> bordered(const SparseMatrix<double>& triangle, Index width) {
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
