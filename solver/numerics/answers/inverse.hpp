// SPDX-License-Identifier: BSD-3-Clause
// Computes selected entries of the inverse.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// Columns of the inverse that are solved for together, and their wanted rows.
struct InverseBlock {
  std::vector<Index> columns;
  std::vector<Index> rows;  ///< of all these columns together, increasing
};

/// The rows with entries in this column of a pattern.
[[nodiscard]] std::span<const Index> rows_of(const PatternView& pattern, Index column);

/// The columns of the pattern that are not empty.
[[nodiscard]] std::vector<Index> columns_with_entries(const PatternView& pattern);

/// Divides the columns that have wanted entries into blocks of at most `width`. `place[j]`: columns with nearby places share most
/// of their path through the tree; their new numbers, for example (Amestoy, Duff, L'Excellent & Rouet 2015).
[[nodiscard]] std::vector<InverseBlock> inverse_blocks(const PatternView& pattern, std::span<const Index> place, Index width);

/// The columns of all blocks.
[[nodiscard]] std::vector<Index> columns_of(std::span<const InverseBlock> blocks);

/// Solves for a few of these columns of the inverse, spread evenly, with `solve`, which must solve as was done for the entries.
/// Sets in `entries` the numbers of all and of checked columns, and the largest backward error. `measure` measures one column of
/// op(A)^-1.
template <Scalar S>
void check_columns(std::span<const Index> columns, Index order, Operation operation, const SolveInPlace<S>& solve,
                   const std::function<ColumnReport(std::span<const S> b, std::span<const S> x)>& measure,
                   InverseEntries<S>& entries);

/// Sets in `entries` that nothing is measured, and the number of columns.
template <Scalar S>
void leave_unmeasured(Index num_columns, InverseEntries<S>& entries) {
  entries.verdict = Verdict::unmeasured;
  entries.backward_error = std::numeric_limits<double>::quiet_NaN();
  entries.num_columns = num_columns;
}

/// Copies the wanted entries of the block from x, rows.size() x columns.size(), to their places in `values`.
template <Scalar S>
void take_entries(const PatternView& pattern, const InverseBlock& block, DenseView<const S> x, std::span<S> values);

/// The same from full columns, of the order's length.
template <Scalar S>
void take_entries_of_columns(const PatternView& pattern, const InverseBlock& block, DenseView<const S> x, std::span<S> values);

/// The unit vectors of some columns as a sparse matrix.
template <Scalar S>
class UnitVectors {
 public:
  UnitVectors(Index order, std::span<const Index> columns);
  [[nodiscard]] MatrixView<S> view() const;

 private:
  Index order_;
  std::vector<Count> offsets_;
  std::vector<Index> rows_;
  std::vector<S> ones_;
};

/// Throws UsageError unless the pattern has the order's size and its arrays have the right lengths.
void check_inverse_pattern(Index order, const PatternView& pattern);

/// The pattern of the diagonal.
struct DiagonalPattern {
  explicit DiagonalPattern(Index order);
  [[nodiscard]] PatternView view() const { return {order, order, Symmetry::general, offsets, rows}; }

  Index order;
  std::vector<Count> offsets;
  std::vector<Index> rows;
};

/// The result if there is no inverse.
template <Scalar S>
[[nodiscard]] InverseEntries<S> no_inverse(const PatternView& pattern, FactorizationStatus status);

}  // namespace frond
