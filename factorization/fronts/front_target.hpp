// SPDX-License-Identifier: BSD-3-Clause
// The parts of a front as assembly sees them.
#pragma once

#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/slave_rows.hpp"

namespace frond {

/// Locates the entries of a front within the part that holds them: pointers that are indexed by positions of the front.
template <Scalar S>
class FrontTarget {
 public:
  FrontTarget(Method method, const NumericFront<S>& front);
  FrontTarget(Method method, const SlaveRows<S>& rows);

  [[nodiscard]] Index num_fully_summed() const { return num_fully_summed_; }
  [[nodiscard]] Index num_delayed_in() const { return num_delayed_in_; }
  [[nodiscard]] bool holds_row(Index row) const { return row_begin_ <= row && row < row_end_; }

  /// Symmetric methods: [r] is the entry in row r >= column.
  [[nodiscard]] S* column(Index column) const {
    const Index p = num_fully_summed_;
    if (front_ == nullptr) {
      return column < p ? summed_column(column) : contribution_row(column);
    }
    return column < p ? summed_row(column) : front_->cb + front_->cb_layout.column_offset(column - p) - p;
  }

  /// LU: [c] is the entry of A in column c of the fully summed row.
  [[nodiscard]] S* summed_row(Index row) const { return front_->factor.lower + front_->factor.layout.column_offset(row); }
  /// LU: [r] is the entry of A in the contribution row r of the fully summed column.
  [[nodiscard]] S* summed_column(Index column) const { return summed_ + static_cast<Count>(column) * summed_ld_; }
  /// LU: [c] is the entry of A in the contribution column c of the contribution row.
  [[nodiscard]] S* contribution_row(Index row) const { return contribution_ + static_cast<Count>(row) * contribution_ld_; }

 private:
  const NumericFront<S>* front_ = nullptr;  // of a master's part
  Index num_fully_summed_ = 0;
  Index num_delayed_in_ = 0;
  Index row_begin_ = 0;
  Index row_end_ = 0;
  S* summed_ = nullptr;  // entry (0, 0), if it were held, of the contribution rows' fully summed columns
  Count summed_ld_ = 0;
  S* contribution_ = nullptr;  // entry (0, 0), if it were held, of the contribution block
  Count contribution_ld_ = 0;
};

}  // namespace frond
