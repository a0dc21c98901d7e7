// SPDX-License-Identifier: BSD-3-Clause
// Computes selected entries of the inverse.
#pragma once

#include <span>
#include <vector>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// Columns of the inverse that are solved for together, and their wanted rows.
struct InverseBlock {
  std::vector<Index> columns;
  std::vector<Index> rows;  ///< of all these columns together, increasing
};

/// Divides the columns that have wanted entries into blocks of at most `width`. `place[j]`: columns with nearby places share most
/// of their path through the tree; their new numbers, for example (Amestoy, Duff, L'Excellent & Rouet 2015).
[[nodiscard]] std::vector<InverseBlock> inverse_blocks(const PatternView& pattern, std::span<const Index> place, Index width);

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
