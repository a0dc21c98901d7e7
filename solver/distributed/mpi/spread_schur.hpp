// SPDX-License-Identifier: BSD-3-Clause
// Moves a Schur complement from where the factorization left it to the grid that a user requests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "factorization/distributed/root_layout.hpp"
#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Which entries of a Schur complement the ranks hold.
enum class SchurForm : std::uint8_t {
  all,              ///< all entries
  symmetric_lower,  ///< the lower triangle; the upper one is undefined
  hermitian_lower
};

/// S of a matrix whose row and column k were multiplied with row_scaling[variables[k]] and col_scaling[variables[k]] (none: 1), on
/// a grid; a grid of one rank has all of it. Referenced objects must outlive this.
template <Scalar S>
struct SchurSource {
  SchurForm form = SchurForm::all;
  bool is_transposed = false;  ///< the ranks have S^T in that form
  RootLayout layout;
  std::vector<Rank> ranks;     ///< of the grid, increasing: ranks[k] is the grid's rank k
  const S* entries = nullptr;  ///< of this rank, if it is one of them
  std::span<const Index> variables;
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
};

/// Collective. Fills `mine`, to.num_entries() of this rank's position, with its entries of S, unscaled; the grid's rank k is rank
/// k, and other ranks pass nothing. A rank holds at most its own entries, and in addition those that it sends to, or receives from,
/// the others for one rank of the grid.
template <Scalar S>
void spread_schur_complement(const Communicator& ranks, const SchurSource<S>& source, const RootLayout& to, std::span<S> mine);

}  // namespace frond
