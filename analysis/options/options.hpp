// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about the analysis.
#pragma once

#include <optional>
#include <vector>

#include "analysis/options/mapping_options.hpp"
#include "matrices/types.hpp"

namespace frond {

enum class OrderingKind {
  automatic,   ///< chosen by a model of predicted flops and ordering cost
  dissection,  ///< nested dissection, on several threads
  metis,       ///< nested dissection by METIS, on one thread
  amd,         ///< approximate minimum degree
  natural,     ///< as given, up to a postorder
  given        ///< the permutation in OrderingOptions::perm, up to a postorder
};

/// When are large entries sought as pivots before the ordering, by a matching of rows and columns (see pivot_order.hpp)?
enum class MatchingUse {
  automatic,  ///< where the diagonal is weak and pivots are predicted to wait so long that it pays
  never,
  always  ///< wherever the diagonal is weak
};

/// What large entries were sought for, before the ordering.
enum class MatchingKind {
  none,
  pairs,  ///< 2 by 2 pivots of a symmetric matrix, whose variables were kept together
  rows    ///< a diagonal for LU: rows were permuted
};

/// When is a general matrix that is factorized by LU taken apart into the diagonal blocks of its block triangular form, which alone
/// are factorized (see block_triangular.hpp)?
enum class BlockTriangularUse {
  automatic,  ///< from order 1000 on, where no block has more than 0.9 of the order
  never,
  always  ///< wherever the structure splits
};

struct OrderingOptions {
  OrderingKind kind = OrderingKind::automatic;
  std::vector<Index> perm;  ///< for `given`: perm[new] = old, a permutation of 0..n-1
  bool compress = true;     ///< order groups of indistinguishable variables as one (not for `natural` and `given`)
  int num_threads = 1;      ///< of nested dissection, >= 1; the order does not depend on it
  MatchingUse matching = MatchingUse::automatic;  ///< not for `natural`, `given` and Cholesky
  std::vector<Index> row_of_column =
      {};  ///< for `given` and LU, a permutation: the row whose place each column has; empty: its own
};

/// When is a child merged into its parent? When one front is predicted to take no longer than two, and not too many explicit zeros
/// are stored. A front is predicted to take
///     front_seconds + entry_seconds * (entries of the front) + flop_seconds * (flops of its elimination).
/// The times are those of Frond's own fronts on one AVX-512 core; only their ratios matter. Of the two bounds on zeros the larger
/// holds: `free_zeros` lets tiny fronts grow (the header and the index list of one front more take as many bytes),
/// `max_zero_fraction` bounds the growth of the others. Together they leave a fifth to a third of the fronts on grids in 2D and on
/// circuits, for 10 to 20 % more entries, and about half of the fronts on grids in 3D, for 1 to 5 % more.
struct AmalgamationOptions {
  bool enabled = true;
  double front_seconds = 0.5e-6;    ///< per front, whatever its size: index lists, calls, small loops
  double entry_seconds = 1e-9;      ///< per entry of the front: set to zero, update, add into the parent
  double flop_seconds = 1 / 20e9;   ///< per flop of the elimination
  Count free_zeros = 64;            ///< explicit zeros among a front's factor entries that are always accepted
  double max_zero_fraction = 0.20;  ///< explicit zeros accepted beyond that, as a fraction of the front's factor entries
};

struct AnalysisOptions {
  OrderingOptions ordering = {};
  AmalgamationOptions amalgamation = {};
  /// Not with a Schur complement, for symmetric methods, and with a given matching that takes rows out of their blocks.
  BlockTriangularUse block_triangular = BlockTriangularUse::automatic;
  MappingOptions mapping = {};  ///< for several ranks large fronts are split; the tree must then be mapped with the same options
  std::optional<Method> method = {};  ///< for which they are split; empty: LU for a general matrix, LDLT otherwise
  /// Original numbers (0-based, none twice) of the variables that are not eliminated, in the order that the rows and columns of
  /// their Schur complement are to have. Empty: all are eliminated.
  std::vector<Index> schur_variables = {};
};

}  // namespace frond
