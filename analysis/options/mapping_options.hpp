// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about mapping the tree to ranks. The thresholds come from a plain machine: 20 GFlop/s per core, 1 GB/s and
// some 10 us per message between ranks, 8 bytes per entry; only the ratios matter.
#pragma once

#include <vector>

#include "matrices/types.hpp"

namespace frond {

/// The layer of leaf subtrees (Geist, Ng 1989, "Task scheduling for parallel sparse Cholesky factorization", Int. J. Parallel
/// Programming 18).
struct SubtreeLayerOptions {
  double tolerance = 0.10;  ///< the fullest rank may exceed the mean of the subtrees by this share of a rank's part of the
                            ///< whole work; a subtree is cut only where that can save more than this share of its time
  double upper_node_seconds = 100e-6;  ///< what a node outside the subtrees costs in messages: some 10 of them; three
                                       ///< for each child if these are more
};

/// Which fronts are distributed by rows (type 2).
struct RowDistributionOptions {
  Index min_slave_rows = 80;     ///< a slave does 2 flops per row of its own with each entry of the panels sent to it: from
                                 ///< 8e-9 s * 20e9 / 2 = 80 rows on it computes longer than it receives
  double min_front_flops = 2e7;  ///< 1 ms of one core, against some 20 messages for choosing slaves, row lists, panels and ends
};

/// The root on a two-dimensional grid (type 3; Blackford et al. 1997, "ScaLAPACK Users' Guide": near square, blocks of 64).
struct GridOptions {
  Index order_per_side = 256;    ///< rows and columns of the root per row and column of the grid, at least: a rank with k of them
                                 ///< updates for 2 * 64 k^2 / 20e9 s per block column and receives for 2 * 64 k * 8e-9 s and some
                                 ///< messages; from about k = 250 on it computes longer
  Index block_size = 64;         ///< of the block cyclic distribution
  std::vector<Rank> ranks = {};  ///< those that may take part, for example no more of each machine than it has cores; empty: all
};

/// Cutting large fully summed blocks into chains (Amestoy, Duff, L'Excellent, Koster 2001, "A fully asynchronous multifrontal
/// solver using distributed dynamic scheduling", SIAM J. Matrix Anal. Appl. 23).
struct SplittingOptions {
  bool enabled = true;
  double max_master_ratio = 1;           ///< a master may have this many times the work of one of its slaves: from 1 on they wait
  Index min_pivots = 128;                ///< fully summed variables of a piece, at least: one panel of the factorization
  double entry_transfer_seconds = 8e-9;  ///< per entry of a contribution block that goes from one piece to the next
};

struct MappingOptions {
  Rank num_ranks = 1;
  double candidate_relaxation = 0.25;  ///< candidates beyond a node's proportional share, as a part of it, one at least where there
                                       ///< are any (Amestoy, Duff, Voemel 2004, "Task scheduling in an asynchronous distributed
                                       ///< memory multifrontal solver", SIAM J. Matrix Anal. Appl. 26): room for dynamic choice
  SubtreeLayerOptions layer = {};
  RowDistributionOptions rows = {};
  GridOptions grid = {};
  SplittingOptions splitting = {};
};

}  // namespace frond
