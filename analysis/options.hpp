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
/// are stored. A front with k pivots and m other rows takes, in the model,
///     front_seconds + entry_seconds * (entries of the front) + flop_seconds * (flops of its elimination).
struct AmalgamationOptions {
  bool enabled = true;
  double front_seconds = 2e-6;      ///< per front, whatever its size: allocation, index lists, calls
  double entry_seconds = 1e-9;      ///< per entry of the front: set to zero, update, add into the parent
  double flop_seconds = 1 / 20e9;   ///< per flop of the elimination, on one core
  double max_zero_fraction = 0.20;  ///< of a front's factor entries, at most this fraction are explicit zeros
};

struct AnalysisOptions {
  OrderingOptions ordering;
  AmalgamationOptions amalgamation;
};

}  // namespace frond
