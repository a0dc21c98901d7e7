// SPDX-License-Identifier: BSD-3-Clause
// Cholesky factorization of a matrix on a grid of processes, with the next panel ahead of the updates.
#pragma once

#include <algorithm>
#include <vector>

#include "factorization/distributed/root_layout.hpp"
#include "frond/dense.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// A = L L^H in place, A's lower triangle being in the layout of ScaLAPACK; entries above the diagonal are never read and may be
/// overwritten inside diagonal blocks. Right-looking by block columns. ScaLAPACK's PxPOTRF waits for each panel before it updates;
/// here the owners of the next block column update and factorize it first and send it while all are busy with the rest (look-ahead:
/// Strazdins 1998, "A comparison of lookahead and algorithmic blocking techniques for parallel matrix factorization").
///
/// Waiting sleeps. Under MpiThreadLevel::serialized other threads may call MPI between its calls.
template <Scalar S>
class GridCholesky {
 public:
  /// One rank's part; rank k of the communicator is the grid's rank k. Both must outlive this object. Takes the memory for two
  /// panels, each as large as two block columns and one block row of this rank.
  GridCholesky(const Communicator& grid_ranks, const RootPart<S>& part);
  ~GridCholesky();
  GridCholesky(const GridCholesky&) = delete;
  GridCholesky& operator=(const GridCholesky&) = delete;

  /// Collective. Returns how many pivots are known here to be positive. If they are fewer than the order, the rank that holds the
  /// next pivot returns its position, the others that of the first pivot of its block.
  [[nodiscard]] Index run();

 private:
  class Messages;  // under way
  struct Panel;

  [[nodiscard]] Panel& panel(Index block) { return panels_[block % 2]; }
  [[nodiscard]] Rank grid_row(Index block) const { return layout_.rows().owner(begin(block)); }
  [[nodiscard]] Rank grid_col(Index block) const { return layout_.cols().owner(begin(block)); }
  [[nodiscard]] bool has_column(Index block) const { return grid_col(block) == part_.position.col; }
  [[nodiscard]] bool has_row(Index block) const { return grid_row(block) == part_.position.row; }
  [[nodiscard]] Index begin(Index block) const {
    return static_cast<Index>(std::min<Count>(static_cast<Count>(block) * layout_.block_size(), layout_.order()));
  }
  [[nodiscard]] Index width(Index block) const { return begin(block + 1) - begin(block); }
  // Returns the number of this rank's rows before a position that is a multiple of the block size, or the order.
  [[nodiscard]] Index rows_before(Index position) const {
    return BlockCyclic(position, layout_.block_size(), layout_.shape().num_rows).local_size(part_.position.row);
  }
  [[nodiscard]] Index crossing_rows(Index block_begin, Index block_end, GridPosition position) const;
  [[nodiscard]] DenseView<S> local_columns(Index block, Index row) const;
  void expect(Index block);
  void factorize_panel(Index block);
  void factorize_diagonal(Index block);
  void send_rows(Index block);
  Index pack_blocks(Index block, Rank col);
  void send_blocks(Index block);
  void update(Index pivots, Index block);

  const Communicator& grid_ranks_;
  const RootPart<S>& part_;
  const RootLayout& layout_;
  Index num_local_rows_;
  Index num_blocks_;
  Index num_pivots_ = 0;
  std::vector<Panel> panels_;  // the present one and the next
};

}  // namespace frond
