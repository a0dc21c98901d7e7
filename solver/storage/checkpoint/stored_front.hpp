// SPDX-License-Identifier: BSD-3-Clause
// Converts parts of fronts to pieces of a log and back, whatever ranks held them and will hold them.
#pragma once

#include <functional>
#include <vector>

#include "factorization/distributed/rank_factors.hpp"
#include "factorization/distributed/row_stream.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "loadinfo/messages/message_fields.hpp"
#include "solver/storage/checkpoint/front_log.hpp"
#include "solver/storage/checkpoint/log_threads.hpp"

namespace frond {

/// The description of a master's part in an index, independent of the precision.
struct DescribedFront {
  std::vector<Index> born_children;  ///< [child] = the run that executed the child front from which this one was made
  Rank master = 0;
  FrontSize size;
  Index num_eliminated = 0;
  std::vector<RowShare> shares;  ///< of its contribution rows, in pieces of their own; empty: they are in this piece

  [[nodiscard]] Index num_delayed() const { return size.num_fully_summed - num_eliminated; }
};

/// The pivots of a master's part.
template <Scalar F>
struct DescribedPivots {
  PivotCounts counts;
  std::vector<Index> row_variables;  ///< num_fully_summed
  std::vector<Index> col_variables;  ///< the same; LU only
  std::vector<PivotKind> pivots;     ///< the same; not for Cholesky
  std::vector<F> d;                  ///< twice as many; LDLT and LDLH only
};

template <class Fields>
void visit(Fields& fields, DescribedFront& front) {
  fields(front.born_children, front.master, front.size, front.num_eliminated, front.shares);
}
template <class Fields, Scalar F>
void visit(Fields& fields, DescribedPivots<F>& front) {
  fields(front.counts.two_by_two, front.counts.positive, front.counts.negative, front.counts.perturbed, front.counts.exchanges,
         front.counts.null_variables, front.row_variables, front.col_variables, front.pivots, front.d);
}

// Make pieces to write; the parts must outlive them. Entries are those of saved_fronts.hpp, columns and then, if the master holds
// them, rows; blocks are the RowImage of all rows of a part, for a master including delayed variables.

template <Scalar F>
[[nodiscard]] PieceToWrite factor_to_write(NodeId node, const NumericFront<F>& front, Method method,
                                           const DescribedFront& described, const PivotCounts& counts);
template <Scalar F>
[[nodiscard]] PieceToWrite factor_rows_to_write(NodeId node, const SlaveRows<F>& rows);
template <Scalar F>
[[nodiscard]] PieceToWrite block_to_write(NodeId node, const NumericFront<F>& front, Method method, bool is_row_distributed);
template <Scalar F>
[[nodiscard]] PieceToWrite block_rows_to_write(NodeId node, const SlaveRows<F>& rows, Method method);

/// Throws InternalError unless the piece is a factor of that node as written by factor_to_write(), with valid sizes.
[[nodiscard]] DescribedFront described_front(const StoredPiece& piece, const AssemblyTree& tree);
/// `described` is the result of described_front(). Throws InternalError unless its lists and entries have the right lengths, and
/// variables and pivots are valid; VariablePlaces checks where variables belong.
template <Scalar F>
[[nodiscard]] DescribedPivots<F> described_pivots(const StoredPiece& piece, const DescribedFront& described,
                                                  const AssemblyTree& tree, Method method);

/// Reads the columns of a factor into an allocated front, with or without its rows, and its lists. Throws InputError.
template <Scalar F>
void read_columns(const FrontLogReader& log, const StoredPiece& piece, const DescribedFront& described,
                  const DescribedPivots<F>& pivots, Method method, FrontFactor<F>& front);

/// Reads the rows [begin, end) of a piece and passes them to write(begin, end, entries), a block of rows at a time, row by row.
template <Scalar F>
void read_some_rows(const FrontLogReader& log, const StoredPiece& piece, const DescribedFront& described, Method method,
                    Index begin, Index end, const std::function<void(Index begin, Index end, const F* entries)>& write);

/// Whether a master's piece, of the factor or of the block, has all contribution rows of the front; it has none if slaves hold
/// them.
[[nodiscard]] bool holds_rows(const StoredPiece& piece, const DescribedFront& described);

/// The stream whose image is the block in a piece.
[[nodiscard]] RowStream stored_stream(const StoredPiece& piece, const DescribedFront& described);

}  // namespace frond
