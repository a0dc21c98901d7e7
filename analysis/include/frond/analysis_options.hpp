// SPDX-License-Identifier: BSD-3-Clause
// The options of the analysis. The mapping thresholds assume an ordinary machine: 20 GFlop/s per core, 1 GB/s and about 10 us per
// message between ranks, 8 bytes per entry; only the ratios matter.
#pragma once

#include <optional>
#include <vector>

#include <frond/observer.hpp>
#include <frond/types.hpp>

namespace frond {

enum class OrderingKind {  ///< where the order of elimination comes from
  automatic,               ///< chosen by a model of predicted flops and ordering cost
  dissection,              ///< nested dissection, on several threads
  metis,                   ///< nested dissection by METIS, on one thread
  amd,                     ///< approximate minimum degree
  natural,                 ///< as given, up to a postorder
  given                    ///< the permutation in OrderingOptions::perm, up to a postorder
};

/// When something is done that pays off for some matrices only: where it is predicted to, never, or wherever it is possible.
enum class Use { automatic, never, always };

struct OrderingOptions {                        ///< how the order of elimination is found
  OrderingKind kind = OrderingKind::automatic;  ///< where the order comes from
  std::vector<Index> perm = {};  ///< for `given`: perm[new] = old, a permutation of 0..n-1; {2, 0, 1} eliminates variable 2 first
  bool compress = true;          ///< order groups of indistinguishable variables as one (not for `natural` and `given`)
  int num_threads = 1;           ///< of nested dissection, >= 1; the order does not depend on it
  double expected_factorizations = 2;  ///< with this order, > 0: the analysis may spend as much time as it saves in these
  /// Whether large entries are sought as pivots before the ordering, by a matching of rows and columns (see pivot_order.hpp), where
  /// the diagonal is weak; automatic: if the predicted pivot delays are long enough. Not for `natural`, `given` and Cholesky.
  Use matching = Use::automatic;
  std::vector<Index> row_of_column = {};  ///< for `given` and LU, a permutation: the row matched to each column; empty: the row of
                                          ///< the same number. {1, 0, 2} puts the entries (1, 0), (0, 1) and (2, 2) on the diagonal
  Observer* observer = nullptr;           ///< of the caller of an analysis; a solver uses the one in its own options
};

struct MappingOptions {                ///< which ranks get which fronts
  Rank num_ranks = 1;                  ///< for which the tree is mapped
  double candidate_relaxation = 0.25;  ///< candidates beyond a node's proportional share, as a fraction of it, at least one where
                                       ///< any exist (Amestoy, Duff, Voemel 2004, "Task scheduling in an asynchronous distributed
                                       ///< memory multifrontal solver", SIAM J. Matrix Anal. Appl. 26): room for dynamic choice

  // The layer of leaf subtrees, each of one rank (Geist, Ng 1989, "Task scheduling for parallel sparse Cholesky factorization",
  // Int. J. Parallel Programming 18).
  /// The most loaded rank may exceed the mean of the subtrees by this fraction of a rank's share of the whole work; a subtree is
  /// cut only where that can save more than this fraction of its time.
  double layer_tolerance = 0.10;
  double upper_node_seconds = 100e-6;  ///< message cost of a node outside the subtrees: about 10 messages, or three per child if
                                       ///< these are more

  // Fronts that are distributed by rows (type 2).
  Index min_slave_rows = 80;     ///< a slave does 2 flops per row of its own with each entry of the panels sent to it: from 8e-9 s
                                 ///< * 20e9 / 2 = 80 rows on, computing takes longer than receiving
  double min_front_flops = 2e7;  ///< 1 ms of one core, against about 20 messages for choosing slaves, row lists, panels and ends

  // The root on a two-dimensional grid (type 3; Blackford et al. 1997, "ScaLAPACK Users' Guide": near square, blocks of 64).
  Index grid_order_per_side = 256;    ///< rows and columns of the root per row and column of the grid, at least: a rank with k of
                                      ///< them updates for 2 * 64 k^2 / 20e9 s per block column and receives for 2 * 64 k * 8e-9 s
                                      ///< and a few messages; from about k = 250 on, computing takes longer
  Index grid_block_size = 64;         ///< of the block cyclic distribution
  std::vector<Rank> grid_ranks = {};  ///< ranks that may take part, for example no more of each machine than it has cores; empty:
                                      ///< all

  // Cutting large fully summed blocks into chains (Amestoy, Duff, L'Excellent, Koster 2001, "A fully asynchronous multifrontal
  // solver using distributed dynamic scheduling", SIAM J. Matrix Anal. Appl. 23).
  bool split_fronts = true;              ///< whether blocks are cut
  double max_master_ratio = 1;           ///< a master may have this many times the work of one of its slaves; above 1 the slaves
                                         ///< wait
  Index min_split_pivots = 128;          ///< fully summed variables of a piece, at least: one panel of the factorization
  double entry_transfer_seconds = 8e-9;  ///< per entry of a contribution block that goes from one piece to the next
};

struct AnalysisOptions {          ///< decisions about a matrix before any of it is eliminated
  OrderingOptions ordering = {};  ///< the order of elimination
  bool amalgamate = true;         ///< children are merged into their parents where one front is faster than two
  /// Whether a general matrix whose structure splits is factorized only in the diagonal blocks of its block triangular form (see
  /// block_triangular.hpp); automatic: if no block has more than 0.9 of the order. Not with a Schur complement, a symmetric method,
  /// or a given matching that takes rows out of their blocks.
  Use block_triangular = Use::automatic;
  MappingOptions mapping = {};  ///< for several ranks large fronts are split; the tree must then be mapped with the same options
  std::optional<Method> method = {};  ///< the method for which they are split; empty: LU for a general matrix, LDLT otherwise
  /// Original numbers (0-based, distinct) of the variables that are not eliminated, in the order of the rows and columns of their
  /// Schur complement. Empty: all are eliminated. {7, 3}: row 0 of the complement is that of variable 7.
  std::vector<Index> schur_variables = {};
};

/// What is kept of an eliminated front once its contribution block has been computed. The rest is given back, so that only the
/// fronts being eliminated need memory for it. A Schur complement is always kept.
enum class KeptFactors {
  all,
  backward,  ///< for LU the factor that the backward sweep for A x = b reads, about half; for the symmetric methods all, since L
             ///< serves both sweeps
  none       ///< pivots are counted and multiplied, but nothing is left to solve with
};

}  // namespace frond
