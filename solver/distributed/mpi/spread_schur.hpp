// SPDX-License-Identifier: BSD-3-Clause
// A Schur complement on its way from where the factorization has left it to the grid that a user asks for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "factorization/distributed/root_layout.hpp"
#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// What the ranks have of a Schur complement.
enum class SchurForm : std::uint8_t {
  all,              ///< all entries
  symmetric_lower,  ///< the lower triangle; what is above means nothing
  hermitian_lower
};

/// S of a matrix whose row and column k were multiplied with row_scaling[variables[k]] and col_scaling[variables[k]] (none: 1), on
/// a grid; a grid of one rank has it whole. What is referred to outlives this.
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

/// Collective. Fills `mine`, to.num_entries() of this rank's position, with its entries of S, without scales; the grid's rank k is
/// rank k, and other ranks pass nothing. No rank has more than its own entries, and once more those that it sends to, or gets
/// from, the others for one rank of the grid.
template <Scalar S>
void spread_schur_complement(const Communicator& ranks, const SchurSource<S>& source, const RootLayout& to, std::span<S> mine);

}  // namespace frond
