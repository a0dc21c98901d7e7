// SPDX-License-Identifier: BSD-3-Clause
// The part of a front that goes to its parent, as a sequence of scalars.
#pragma once

#include <span>
#include <vector>

#include "factorization/assemble.hpp"

namespace frond {

/// Pieces of memory that lie one behind the other in a message: of the d delayed columns of `lower` the rows from the first delayed
/// one on; for LU the delayed rows of `upper`; the contribution block.
template <Scalar S>
class ContributionImage {
 public:
  explicit ContributionImage(const NumericFront<S>& front);

  [[nodiscard]] Count num_bytes() const;
  void read(Count offset, std::span<std::byte> bytes) const;
  void write(Count offset, std::span<const std::byte> bytes) const;  ///< into the front's memory

 private:
  template <class Copy>
  void for_each_overlap(Count offset, Count num_bytes, Copy copy) const;

  std::vector<std::span<S>> pieces_;
};

/// A child of another rank as its parent sees it: a front of which nothing is left but what goes to the parent. `memory` holds
/// guest_entries() scalars, the lists of variables num_delayed each; they belong to the caller and outlive the front.
template <Scalar S>
[[nodiscard]] NumericFront<S> make_guest(Index cb_order, Index num_delayed, Method method, S* memory, Index* row_variables,
                                         Index* col_variables);

[[nodiscard]] Count guest_entries(Index cb_order, Index num_delayed, Method method);

}  // namespace frond
