// SPDX-License-Identifier: BSD-3-Clause
// Builds the patterns of the analysis tests.
#include "tests/support/matrices/patterns.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace frond::test {

Pattern pattern_of(Index order, Symmetry symmetry, const std::vector<Entry>& entries) {
  Pattern pattern{order, symmetry, std::vector<Count>(static_cast<std::size_t>(order) + 1, 0), std::vector<Index>(entries.size())};
  for (const auto& [row, column] : entries) ++pattern.column_offsets[column + 1];
  std::partial_sum(pattern.column_offsets.begin(), pattern.column_offsets.end(), pattern.column_offsets.begin());
  std::vector<Count> next(pattern.column_offsets.begin(), pattern.column_offsets.end() - 1);
  for (const auto& [row, column] : entries) pattern.row_indices[next[column]++] = row;
  return pattern;
}

Pattern random_pattern(Index order, Symmetry symmetry, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Entry> entries;
  for (Index row = 0; row < order; ++row) {
    for (Index column = 0; column < order; ++column) {
      const bool is_mirror = symmetry != Symmetry::general && row < column;
      if (is_mirror || uniform(random) >= (row == column ? 0.75 : density)) continue;
      const bool flip = symmetry != Symmetry::general && uniform(random) < 0.5;
      entries.push_back(flip ? Entry{column, row} : Entry{row, column});
    }
  }
  std::shuffle(entries.begin(), entries.end(), random);
  return pattern_of(order, symmetry, entries);
}

std::vector<Pattern> random_sample() {
  std::vector<Pattern> sample;
  std::uint64_t seed = 1;
  for (const Index order : {0, 1, 2, 7, 20, 45}) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
      for (const double density : {0.0, 0.02, 0.08, 0.3, 1.0}) {
        for (int repetition = 0; repetition < 4; ++repetition) sample.push_back(random_pattern(order, symmetry, density, seed++));
      }
    }
  }
  return sample;
}

Pattern grid_pattern(Index nx, Index ny, Index nz, Index dofs) {
  Pattern pattern{nx * ny * nz * dofs, Symmetry::symmetric, {0}, {}};
  const auto couple = [&](Index point, Index first_dof) {
    for (Index d = first_dof; d < dofs; ++d) pattern.row_indices.push_back(point * dofs + d);
  };
  for (Index point = 0; point < nx * ny * nz; ++point) {
    const Index x = point % nx;
    const Index y = point / nx % ny;
    const Index z = point / (nx * ny);
    for (Index dof = 0; dof < dofs; ++dof) {
      couple(point, dof);
      if (x + 1 < nx) couple(point + 1, 0);
      if (y + 1 < ny) couple(point + nx, 0);
      if (z + 1 < nz) couple(point + nx * ny, 0);
      pattern.column_offsets.push_back(static_cast<Count>(pattern.row_indices.size()));
    }
  }
  return pattern;
}

std::vector<Index> random_permutation(Index order, std::uint64_t seed) {
  std::vector<Index> perm(order);
  std::iota(perm.begin(), perm.end(), 0);
  std::mt19937_64 random(seed);
  std::shuffle(perm.begin(), perm.end(), random);
  return perm;
}

}  // namespace frond::test
