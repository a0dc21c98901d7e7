// SPDX-License-Identifier: BSD-3-Clause
// Redraws A until exact elimination with fractions finds full rank.
#include "tests/support/matrices/kkt_matrices.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

using Rows = std::vector<std::vector<int>>;  // twice the entries

constexpr std::int64_t kPrime = 2147483629;

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % kPrime) {
    if (exponent % 2 == 1) {
      result = result * base % kPrime;
    }
  }
  return result;
}

// Full rank modulo a prime implies full rank.
bool has_full_rank(const Rows& rows) {
  std::vector<std::vector<std::int64_t>> left;
  for (const std::vector<int>& row : rows) {
    std::vector<std::int64_t>& residues = left.emplace_back();
    for (const int entry : row) {
      residues.push_back((entry + kPrime) % kPrime);
    }
  }
  std::size_t rank = 0;
  for (std::size_t column = 0; column < rows.front().size() && rank < left.size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < left.size() && left[pivot][column] == 0) {
      ++pivot;
    }
    if (pivot == left.size()) {
      continue;
    }
    std::swap(left[rank], left[pivot]);
    const std::int64_t inverse = power(left[rank][column], kPrime - 2);
    for (std::size_t i = rank + 1; i < left.size(); ++i) {
      const std::int64_t factor = left[i][column] * inverse % kPrime;
      for (std::size_t j = column; j < left[i].size(); ++j) {
        left[i][j] = (left[i][j] + (kPrime - factor) * left[rank][j]) % kPrime;
      }
    }
    ++rank;
  }
  return rank == rows.size();
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
