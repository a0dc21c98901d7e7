// SPDX-License-Identifier: BSD-3-Clause
// Cuts the cycles of a matching into pairs.
#include "analysis/pivots/pivot_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "analysis/pivots/weighted_matching.hpp"

namespace frond {
namespace {

double magnitude(const MatrixView<double>& matrix, Index row, Index column) {
  const auto begin = matrix.pattern.row_indices.begin() + matrix.pattern.column_offsets[column];
  const auto end = matrix.pattern.row_indices.begin() + matrix.pattern.column_offsets[static_cast<std::size_t>(column) + 1];
  const auto entry = std::find(begin, end, row);
  return entry == end ? 0 : matrix.values[entry - matrix.pattern.row_indices.begin()];
}

// The sum of the logarithms of the entries between cycle[first] and its next, and every second pair after that, `num_pairs` in all.
double log_product(const MatrixView<double>& matrix, const std::vector<Index>& cycle, std::size_t first, std::size_t num_pairs) {
  double sum = 0;
  for (std::size_t pair = 0; pair < num_pairs; ++pair) {
    const std::size_t k = first + 2 * pair;
    sum += std::log(magnitude(matrix, cycle[k % cycle.size()], cycle[(k + 1) % cycle.size()]));
  }
  return sum;
}

// Returns the place at which the pairs begin.
std::size_t best_cut(const MatrixView<double>& matrix, const std::vector<Index>& cycle) {
  if (cycle.size() % 2 == 0) {
    const std::size_t num_pairs = cycle.size() / 2;
    return log_product(matrix, cycle, 0, num_pairs) >= log_product(matrix, cycle, 1, num_pairs) ? 0 : 1;
  }
  std::size_t alone = 0;
  for (std::size_t k = 1; k < cycle.size(); ++k) {
    if (magnitude(matrix, cycle[k], cycle[k]) > magnitude(matrix, cycle[alone], cycle[alone])) {
      alone = k;
    }
  }
  return alone + 1;
}

}  // namespace

std::vector<Index> pivot_partners(const MatrixView<double>& matrix, Count most_looks) {
  const WeightedMatching matching = nearly_largest_product_matching(matrix, most_looks);
  std::vector<Index> partners(matching.row_of_column.size());
  std::iota(partners.begin(), partners.end(), 0);
  std::vector<bool> seen(partners.size(), false);
  for (Index start = 0; start < static_cast<Index>(partners.size()); ++start) {
    std::vector<Index> cycle;
    bool is_matched = true;
    for (Index k = start; !seen[k]; k = matching.row_of_column[k]) {
      seen[k] = true;
      is_matched = is_matched && matching.is_matched[k];
      cycle.push_back(k);
    }
    if (cycle.size() < 2 || !is_matched) {
      continue;
    }
    const std::size_t cut = best_cut(matrix, cycle);
    for (std::size_t pair = 0; pair < cycle.size() / 2; ++pair) {
      const Index a = cycle[(cut + 2 * pair) % cycle.size()];
      const Index b = cycle[(cut + 2 * pair + 1) % cycle.size()];
      partners[a] = b;
      partners[b] = a;
    }
  }
  return partners;
}

}  // namespace frond
