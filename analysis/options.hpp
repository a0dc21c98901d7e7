// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about the analysis.
#pragma once

#include <vector>

#include "matrices/types.hpp"

namespace frond {

enum class OrderingKind {
  automatic,  ///< chosen by a model of predicted flops and ordering cost
  metis,      ///< nested dissection
  amd,        ///< approximate minimum degree
  natural,    ///< as given, up to a postorder
  given       ///< the permutation in OrderingOptions::perm, up to a postorder
};

struct OrderingOptions {
  OrderingKind kind = OrderingKind::automatic;
  std::vector<Index> perm;  ///< for `given`: perm[new] = old, a permutation of 0..n-1
  bool compress = true;     ///< order groups of indistinguishable variables as one (not for `natural` and `given`)
};

/// When is a child merged into its parent? When one front is predicted to take no longer than two, and not too many explicit zeros
/// are stored. A front is predicted to take
///     front_seconds + entry_seconds * (entries of the front) + flop_seconds * (flops of its elimination).
/// The times are those of one core with AVX2 or AVX-512; only their ratios matter. Two bounds on zeros, of which the larger holds:
/// `free_zeros` lets tiny fronts grow (the header and index list of one more front take as many bytes), `max_zero_fraction` bounds
/// the growth of the large ones. Together they add 1 to 5 % of entries on grids in 3D and 10 to 20 % in 2D and on circuits, where
/// they leave a fifth to a quarter of the fronts.
struct AmalgamationOptions {
  bool enabled = true;
  double front_seconds = 2e-6;      ///< per front, whatever its size: allocation, index lists, calls
  double entry_seconds = 1e-9;      ///< per entry of the front: set to zero, update, add into the parent
  double flop_seconds = 1 / 20e9;   ///< per flop of the elimination
  Count free_zeros = 64;            ///< explicit zeros among a front's factor entries that are always accepted
  double max_zero_fraction = 0.20;  ///< explicit zeros accepted beyond that, as a fraction of the front's factor entries
};

struct AnalysisOptions {
  OrderingOptions ordering;
  AmalgamationOptions amalgamation;
};

}  // namespace frond
