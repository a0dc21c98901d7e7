// SPDX-License-Identifier: BSD-3-Clause
// The operations of a method on a front: panels, updates, the exchange of columns without an acceptable pivot, and the contribution
// block.
#pragma once

#include <vector>

#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

/// Thresholds of a pivot search, in the units of the scaled matrix.
template <class R>
struct PivotTolerances {
  R threshold = 0;  ///< u of PivotingOptions
  R null = 0;       ///< a pivot up to this size is rejected with its column, and at a root, when no larger entry is left, it is
                    ///< null
  R largest = 1;    ///< the largest |a_ij|
  /// Above 0: static pivoting. Columns for which the tests find no pivot are eliminated all the same, in the order of complete
  /// pivoting among the fully summed entries; a pivot smaller than this is enlarged to this size.
  R perturbation = 0;

  [[nodiscard]] bool is_static() const { return perturbation > 0; }
};

/// What elimination counted on one front.
struct PivotCounts {
  Count two_by_two = 0;
  Count positive = 0;
  Count negative = 0;
  Count perturbed = 0;
  Count exchanges = 0;                ///< LU: of two rows or of two columns
  std::vector<Index> null_variables;  ///< new numbers
};

/// The fully summed columns of one front while they are eliminated, p columns of m rows. Columns [0, e) are eliminated; a *panel*
/// is a range of columns eliminated together; a panel may come out shorter than it went in, its rejected columns at its end.
///
/// Order of calls: eliminate_panel(b, x) and update_columns() of that panel for all columns behind it, panel after panel; then
/// close_panels() for the eliminated columns. At the end finish_upper() for all rows, then update_contribution(). update_columns()
/// for disjoint columns may run at the same time, also with eliminate_panel() of columns that are updated already.
template <Scalar S>
class FrontKernel {
 public:
  virtual ~FrontKernel() = default;

  /// Eliminates what it can of the columns [begin, end), which carry all updates of the columns before `begin`. Returns how many;
  /// they come first.
  virtual Index eliminate_panel(Index begin, Index end) = 0;

  /// Applies the eliminated columns [pivot_begin, pivot_end), one panel, to the columns [begin, end) behind it.
  virtual void update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) = 0;

  /// Carries the row exchanges of all pivots [0, num_eliminated) over to the eliminated columns [begin, end). Called when no update
  /// is running.
  virtual void close_panels(Index num_eliminated, Index begin, Index end) = 0;

  /// Exchanges two columns that are not eliminated (symmetric methods: with their rows), i < j.
  virtual void exchange(Index i, Index j) = 0;

  /// Eliminates the columns [begin, p), whatever their size, by complete pivoting. At a root, columns without a pivot become null;
  /// any rows behind are those of a Schur complement. With static pivoting any front may be finished this way, and no pivot stays
  /// below the perturbation.
  virtual void eliminate_rest(Index begin) = 0;

  /// LU: makes the rows [begin, end) of FrontFactor::upper factors. Disjoint ranges may run at the same time.
  virtual void finish_upper(Index num_eliminated, Index begin, Index end) const = 0;

  /// Subtracts the product of the border from the columns [begin, end) of the contribution block, which lie in one block column of
  /// `layout`. Disjoint ranges may run at the same time. FrontFactor::num_eliminated is set by then.
  virtual void update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const = 0;

  [[nodiscard]] virtual const PivotCounts& counts() const = 0;
};

}  // namespace frond
