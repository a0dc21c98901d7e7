// SPDX-License-Identifier: BSD-3-Clause
// A front with its own memory and numbers that need no pivoting.
#pragma once

#include <vector>

#include "factorization/fronts/assemble.hpp"

namespace frond {

template <Scalar S>
class SampleFront {
 public:
  /// `num_fully_summed` of `order` variables; 0 < num_fully_summed <= order. Its memory is not filled.
  SampleFront(Method method, Index order, Index num_fully_summed);
  SampleFront(const SampleFront&) = delete;
  SampleFront& operator=(const SampleFront&) = delete;

  /// Fills the front as if newly assembled: the diagonal is larger than the sums of its rows.
  void fill();

  [[nodiscard]] NumericFront<S>& front() { return front_; }
  [[nodiscard]] static Count bytes(Method method, Index order, Index num_fully_summed);  ///< of its entries

 private:
  NumericFront<S> front_;
  std::vector<S> lower_;
  std::vector<S> upper_;
  std::vector<S> cb_;
  std::vector<S> d_;
  std::vector<PivotKind> pivots_;
  std::vector<Index> rows_;
  std::vector<Index> columns_;
};

}  // namespace frond
