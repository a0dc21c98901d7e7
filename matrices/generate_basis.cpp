// SPDX-License-Identifier: BSD-3-Clause
// Generates bases of linear programs as they are at an optimum: slacks of inactive rows, and columns that a crash procedure picks.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"
#include "matrices/random.hpp"

namespace frond {

namespace {

constexpr double kInactiveShare = 0.4;  // of rows, whose slacks are basic
constexpr int kTries = 8;               // for a column that keeps the basis triangular

/// A column of the linear program, which enters the basis in its first row.
using Column = std::vector<Index>;

void add(Index row, Column& column) {
  if (std::find(column.begin(), column.end(), row) == column.end()) {
    column.push_back(row);
  }
}

/// A shipment from one of the first third of the rows, which are sources, to one of the others; or the other way round.
Index other_end(Index row, Index num_rows, Random& random) {
  const Index num_sources = std::max<Index>(1, num_rows / 3);
  return row < num_sources ? num_sources + random.below(num_rows - num_sources) : random.below(num_sources);
}

/// An activity of a period has entries in it, and in the next one, which takes over its stocks.
void add_links_to_periods(Index row, Index num_rows, Random& random, Column& column) {
  constexpr Index kPeriodRows = 25;
  const Index begin = row / kPeriodRows * kPeriodRows;
  for (int k = 0; k < 4; ++k) {
    const Index other = begin + random.below(kPeriodRows) + (k == 0 ? kPeriodRows : 0);
    if (other < num_rows) {
      add(other, column);
    }
  }
}

/// Returns the rows of a column of the linear program that has an entry in `row`.
Column draw_column(BasisKind kind, Index row, Index num_rows, Random& random) {
  Column column = {row};
  if (kind == BasisKind::network) {
    add(other_end(row, num_rows, random), column);
  } else if (kind == BasisKind::staircase) {
    add_links_to_periods(row, num_rows, random, column);
  } else {
    for (int k = 0; k == 0 || (k < 7 && random.happens(0.6)); ++k) {
      add(random.below(num_rows), column);
    }
  }
  return column;
}

/// Takes the first of a few columns whose other entries are in rows that have their column already, so that the basis remains
/// triangular; or else the last: such columns make the bump.
Column pick_column(BasisKind kind, Index row, const std::vector<bool>& is_open, Random& random) {
  Column column;
  for (int k = 0; k < kTries; ++k) {
    column = draw_column(kind, row, static_cast<Index>(is_open.size()), random);
    if (std::none_of(column.begin() + 1, column.end(), [&](Index other) { return is_open[other]; })) {
      break;
    }
  }
  return column;
}

}  // namespace

SparseMatrix<double> make_basis(Index n, BasisKind kind, std::uint64_t seed) {
  Random random(seed);
  std::vector<bool> is_open(static_cast<std::size_t>(n));  // [row]: it is active, and has no column yet
  std::generate(is_open.begin(), is_open.end(), [&random] { return !random.happens(kInactiveShare); });
  const std::vector<Index> places = random.permutation(n);  // a list of basic variables has no order
  Triplets<double> entries{n, n};
  for (const Index row : random.permutation(n)) {
    const Index col = places[row];
    if (!is_open[row]) {
      entries.add(row, col, 1.0);
      continue;
    }
    const Column column = pick_column(kind, row, is_open, random);
    is_open[row] = false;
    entries.add(row, col, random.between(1, 4));  // a pivot that a crash procedure would accept
    for (auto other = column.begin() + 1; other != column.end(); ++other) {
      entries.add(*other, col, random.happens(0.5) ? -1.0 : random.between(-2, 2));
    }
  }
  return compress(std::move(entries));
}

}  // namespace frond
