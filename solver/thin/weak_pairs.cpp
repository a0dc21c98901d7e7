// SPDX-License-Identifier: BSD-3-Clause
// Scales, compares diagonal entries with their columns, and matches.
#include "solver/thin/weak_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/pivots/pivot_pairs.hpp"
#include "factorization/kernels/magnitude.hpp"

namespace frond {
namespace {

constexpr double kWeak = 0.1;  // of the largest of the column
constexpr int kScalingSweeps = 2;
constexpr Count kLooksPerEntry = 20;
constexpr Count kFreeLooks = 100000;

// Calls visit(row, column, entry) for all entries.
template <class Visit>
void visit_entries(const PatternView& pattern, const Visit& visit) {
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count entry = pattern.column_offsets[column]; entry < pattern.column_offsets[column + 1]; ++entry) {
      visit(pattern.row_indices[entry], column, entry);
    }
  }
}

std::vector<double> largest_of_columns(const MatrixView<double>& sizes) {
  std::vector<double> largest(static_cast<std::size_t>(sizes.pattern.num_cols), 0.0);
  visit_entries(sizes.pattern, [&](Index /*row*/, Index column, Count entry) {
    largest[column] = std::max(largest[column], sizes.values[entry]);
  });
  return largest;
}

// Divides rows and columns alike, so that the largest entry of each is about 1.
void scale(const PatternView& pattern, std::vector<double>& sizes) {
  for (int sweep = 0; sweep < kScalingSweeps; ++sweep) {
    std::vector<double> roots = largest_of_columns({pattern, sizes});
    std::ranges::transform(roots, roots.begin(), [](double largest) { return largest > 0 ? std::sqrt(largest) : 1.0; });
    visit_entries(pattern, [&](Index row, Index column, Count entry) { sizes[entry] = sizes[entry] / roots[row] / roots[column]; });
  }
}

std::vector<char> weak_diagonals(const MatrixView<double>& sizes) {
  const std::vector<double> largest = largest_of_columns(sizes);
  std::vector<char> are_weak(largest.size(), 1);
  visit_entries(sizes.pattern, [&](Index row, Index column, Count entry) {
    if (row == column && sizes.values[entry] >= kWeak * largest[column]) {
      are_weak[column] = 0;
    }
  });
  return are_weak;
}

}  // namespace

template <Scalar S>
std::vector<Index> weak_pairs(const MatrixView<S>& matrix) {
  const SparseMatrix<S> whole = expand_to_general(matrix);
  std::vector<double> sizes(whole.values.size());
  std::ranges::transform(whole.values, sizes.begin(), [](S value) {
    return static_cast<double>(magnitude_bound(value * RealOf<S>(0.5)));  // both parts of a complex number may be huge
  });
  scale(whole.pattern(), sizes);
  const MatrixView<double> scaled{whole.pattern(), sizes};
  const std::vector<char> are_weak = weak_diagonals(scaled);
  if (std::ranges::find(are_weak, 1) == are_weak.end()) {
    return {};
  }
  std::vector<Index> partners = pivot_partners(scaled, kFreeLooks + kLooksPerEntry * whole.pattern().num_entries());
  bool has_pairs = false;
  for (Index variable = 0; variable < whole.num_cols; ++variable) {
    const Index partner = partners[variable];
    if (are_weak[variable] == 0 && are_weak[partner] == 0) {
      partners[variable] = variable;  // its partner is treated alike
    }
    has_pairs = has_pairs || partners[variable] != variable;
  }
  return has_pairs ? partners : std::vector<Index>();
}

#define FROND_INSTANTIATE(S) template std::vector<Index> weak_pairs(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
