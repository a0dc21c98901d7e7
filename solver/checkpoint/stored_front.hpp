// SPDX-License-Identifier: BSD-3-Clause
// How fronts become pieces of a log, and fronts again.
#pragma once

#include <vector>

#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "solver/checkpoint/front_log.hpp"
#include "solver/checkpoint/log_threads.hpp"

namespace frond {

/// What an index says of an eliminated front.
template <Scalar F>
struct DescribedFactor {
  Index order = 0;
  Index num_fully_summed = 0;
  Index num_eliminated = 0;
  PivotCounts counts;
  std::vector<Index> row_variables;  ///< num_fully_summed
  std::vector<Index> col_variables;  ///< the same; LU only
  std::vector<PivotKind> pivots;     ///< the same; not for Cholesky
  std::vector<F> d;                  ///< twice as many; LDLT and LDLH only
  std::vector<Index> born_children;  ///< [child] = the run that has executed the front which this one was made of
};

/// Its entries are those of saved_fronts.hpp, columns and then rows. The front outlives the piece.
template <Scalar F>
[[nodiscard]] PieceToWrite factor_to_write(NodeId node, const NumericFront<F>& front, Method method, const PivotCounts& counts,
                                           const std::vector<Index>& born_children);

/// Throws InternalError unless `described` is what factor_to_write() wrote.
template <Scalar F>
[[nodiscard]] DescribedFactor<F> described_factor(const StoredPiece& piece, Method method);

/// DescribedFactor::born_children of a front in any precision. Throws InternalError.
[[nodiscard]] std::vector<Index> born_children(const StoredPiece& factor);

/// Fills a front that was placed for what is described. Throws InputError where the entries are damaged.
template <Scalar F>
void read_factor(const FrontLogReader& log, const StoredPiece& piece, const DescribedFactor<F>& described, Method method,
                 FrontFactor<F>& front);

/// A contribution block with what is delayed, as RowImage has all of its rows. The front outlives the piece.
template <Scalar F>
[[nodiscard]] PieceToWrite block_to_write(NodeId node, const NumericFront<F>& front, Method method);

}  // namespace frond
