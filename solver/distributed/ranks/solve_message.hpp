// SPDX-License-Identifier: BSD-3-Clause
// The messages of a joint solve on ranks. The first byte is the kind, then come the fields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "loadinfo/messages/message_fields.hpp"
#include "loadinfo/messages/outbox.hpp"

namespace frond {

/// Rows are blocks of one number per right-hand side.
enum class SolveMessage : std::uint8_t {
  next_block,      ///< down the tree of ranks: the columns of B that are solved for next, begin and end
  given_rows,      ///< the reply, to rank 0: whether the sender requests rows of X; the rows of B that it passes, their columns
  right_sides,     ///< from rank 0: part, operation, number of right-hand sides, the rows of the receiver's variables
  masters_rows,    ///< from rank 0: the first of some columns of B, their number, the rows of the receiver's variables, to be
                   ///< eliminated with the matrix
  rows_loaded,     ///< the reply
  backward_sweep,  ///< from rank 0: the columns, of those eliminated with the matrix, for which X is wanted, begin and end
  contribution,   ///< child's master to parent's: node, its delayed equations and unknowns, their rows and those of its cb_rows, or
                  ///< no rows if all are zero
  forward_rows,   ///< master to slave: node, rows of the eliminated positions
  backward_rows,  ///< master to slave: node, the solution at the slave's rows
  enter_root,     ///< root's master to the ranks of its grid: operation on the root, number of right-hand sides
  root_solved,    ///< the reply, when that is done
  product,        ///< the slave's reply to either: node, minus its rows of the factor times the received rows
  solution,       ///< parent's master to child's: node, the solution at its delayed unknowns and at its cb_rows
  unknowns,       ///< to rank 0: the unknowns (or pivots) that the sender has eliminated, their rows
  point,          ///< down the tree of ranks: X, column by column
  sums,           ///< up the tree of ranks: sums of op(A) X, |op(A)| |X| and (once) |op(A)| over the sender's branch
  columns,        ///< down the tree of ranks: the columns of X that have been solved for, begin, end and numbers
  result,         ///< down the tree of ranks: the reports of all columns; the last message
  done,           ///< these two: see CommonEnd
  failure
};

/// The tree of ranks is binary: the branches of rank r are 2 r + 1 and 2 r + 2, as far as they exist.
[[nodiscard]] inline bool goes_down_the_tree(SolveMessage kind) {
  return kind == SolveMessage::next_block || kind == SolveMessage::point || kind == SolveMessage::columns ||
         kind == SolveMessage::result;
}
[[nodiscard]] constexpr Rank trunk_of(Rank rank) { return (rank - 1) / 2; }
[[nodiscard]] constexpr Rank num_branches(Rank rank, Rank num_ranks) { return std::clamp(num_ranks - (2 * rank + 1), 0, 2); }

inline void send_down_the_tree(Outbox& outbox, std::span<const std::byte> message) {
  const Rank first = 2 * outbox.rank() + 1;
  for (Rank branch = first; branch < first + num_branches(outbox.rank(), outbox.num_ranks()); ++branch) {
    outbox.send(branch, {message.begin(), message.end()});
  }
}

}  // namespace frond
