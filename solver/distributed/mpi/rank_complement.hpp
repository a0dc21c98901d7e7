// SPDX-License-Identifier: BSD-3-Clause
// The Schur complement left by factors on several ranks.
#pragma once

#include <span>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/distributed/mpi/spread_schur.hpp"

namespace frond {

/// It is on a grid of ranks if it is large enough for one (MappingOptions), otherwise on one rank. Referenced objects must outlive
/// this object. All calls are collective, and errors are thrown on all ranks.
template <Scalar S>
struct RankComplement {
  const Communicator& ranks;
  const Symbolic& symbolic;
  const Mapping& mapping;
  Method method;
  const RankFactors<S>* factors;  ///< of V = A or (`is_transposed`) A^T; null: there is no complement, and its entries are NaN
  bool is_transposed;
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;

  /// The complement of A, or of V, on rank 0; nothing on the others.
  [[nodiscard]] DenseMatrix<S> on_rank_0(bool is_of_a) const;
  /// This rank's part of it on a grid.
  [[nodiscard]] SchurPart<S> part(const SchurGrid& grid, bool is_of_a) const;

 private:
  [[nodiscard]] bool is_on_grid() const { return holds_schur_complement(mapping.root_grid(), symbolic.tree()); }
  [[nodiscard]] Rank owner() const { return mapping.master(symbolic.tree().schur_node()); }
  [[nodiscard]] DenseMatrix<S> whole(bool is_of_a) const;
  [[nodiscard]] SchurSource<S> source(const DenseMatrix<S>& whole, bool is_of_a) const;
};

}  // namespace frond
