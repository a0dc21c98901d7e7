// SPDX-License-Identifier: BSD-3-Clause
// Generates triangles and chains whose rows and columns are permuted at random, arrows, and random matrices.
#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"
#include "matrices/random.hpp"

namespace frond {

namespace {

SparseMatrix<double> permuted(Triplets<double> entries, Random& random) {
  for (std::vector<Index>* positions : {&entries.rows, &entries.cols}) {
    const std::vector<Index> places = random.permutation(entries.num_rows);
    std::transform(positions->begin(), positions->end(), positions->begin(),
                   [&places](Index position) { return places[position]; });
  }
  return compress(std::move(entries));
}

/// Adds `count` entries, or as many as there are, to a row, in different columns before `end` that are not `taken`.
void add_entries(Index row, Index end, Index count, std::set<Index> taken, Random& random, Triplets<double>& entries) {
  const std::size_t enough = std::min<std::size_t>(taken.size() + static_cast<std::size_t>(count), static_cast<std::size_t>(end));
  while (taken.size() < enough) {
    const Index col = random.below(end);
    if (taken.insert(col).second) {
      entries.add(row, col, random.between(-1, 1));
    }
  }
}

}  // namespace

SparseMatrix<double> make_triangle(Index n, Index row_entries, std::uint64_t seed) {
  Random random(seed);
  Triplets<double> entries{n, n};
  for (Index row = 0; row < n; ++row) {
    entries.add(row, row, random.between(1, 2));
    add_entries(row, row, row_entries - 1, {}, random, entries);
  }
  return permuted(std::move(entries), random);
}

SparseMatrix<double> make_chain(Index n, bool has_both_sides, std::uint64_t seed) {
  Random random(seed);
  Triplets<double> entries{n, n};
  for (Index row = 0; row < n; ++row) {
    entries.add(row, row, random.between(2, 3));
    if (row > 0) {
      entries.add(row, row - 1, random.between(-1, 1));
    }
    if (has_both_sides && row + 1 < n) {
      entries.add(row, row + 1, random.between(-1, 1));
    }
  }
  return permuted(std::move(entries), random);
}

SparseMatrix<double> make_arrow(Index n, std::uint64_t seed) {
  Random random(seed);
  Triplets<double> entries{n, n};
  for (Index k = 0; k < n; ++k) {
    entries.add(k, k, random.between(1, 2));
    if (k > 0) {
      entries.add(k, 0, random.between(-1, 1) / n);
      entries.add(0, k, random.between(-1, 1));
    }
  }
  return compress(std::move(entries));
}

SparseMatrix<double> make_random(Index n, std::uint64_t seed) {
  constexpr Index kOtherEntries = 3;
  Random random(seed);
  Triplets<double> entries{n, n};
  const std::vector<Index> largest = random.permutation(n);
  for (Index row = 0; row < n; ++row) {
    const Index col = largest[row];
    entries.add(row, col, random.between(1, 2));
    add_entries(row, n, kOtherEntries, {col}, random, entries);
  }
  return compress(std::move(entries));
}

}  // namespace frond
