// SPDX-License-Identifier: BSD-3-Clause
// Converts relative thresholds to absolute ones.
#include "factorization/fronts/pivot_tolerances.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "factorization/fronts/front_entries.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Rounding leaves about this much, in units of eps times the largest entry of the scaled matrix, in a pivot that is zero in exact
// arithmetic: the errors of up to n updates add up like a random walk. The factors were fitted to matrices of known rank with up to
// 20000 rows.
double null_pivot_units(Index order) { return std::max(10.0, 5 * std::sqrt(static_cast<double>(order))); }

// Largest modulus of an entry of the scaled matrix that is assembled into the front of the node.
template <Scalar S>
RealOf<S> scaled_norm(const Symbolic& symbolic, const ScaledValues<S>& matrix, NodeId node) {
  RealOf<S> norm = 0;
  for_each_entry(symbolic, matrix.values, node, [&](const FrontEntry& entry) {
    norm = std::max<RealOf<S>>(norm, std::abs(scaled_value(symbolic.tree(), matrix, node, entry)));
  });
  return norm;
}

void check(const PivotingOptions& options) {
  if (!(options.pivot_threshold >= 0 && options.pivot_threshold <= 1)) {
    throw UsageError("the pivot threshold is " + std::to_string(options.pivot_threshold) + ": it must lie between 0 and 1");
  }
  if (!(options.perturbation >= 0 && options.perturbation < 1)) {
    throw UsageError("the perturbation of static pivots is " + std::to_string(options.perturbation) +
                     " times the largest entry: it must be below 1, and 0 stands for the square root of the rounding unit");
  }
}

// The same over all nodes.
template <Scalar S>
RealOf<S> scaled_norm(const Symbolic& symbolic, const ScaledValues<S>& matrix) {
  using R = RealOf<S>;
  constexpr NodeId kGrain = 1024;
  return tbb::parallel_reduce(
      tbb::blocked_range<NodeId>(0, symbolic.tree().num_nodes(), kGrain), R(0),
      [&](const tbb::blocked_range<NodeId>& nodes, R norm) {
        for (NodeId node = nodes.begin(); node < nodes.end(); ++node) {
          norm = std::max(norm, scaled_norm(symbolic, matrix, node));
        }
        return norm;
      },
      [](R one, R other) { return std::max(one, other); });
}

}  // namespace

template <Scalar S>
double default_null_threshold(Index order) {
  return null_pivot_units(order) * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
}

template <Scalar S>
PivotTolerances<RealOf<S>> pivot_tolerances(const Symbolic& symbolic, const ScaledValues<S>& matrix,
                                            const PivotingOptions& options) {
  check(options);
  using R = RealOf<S>;
  const double relative = relative_null_threshold<S>(symbolic.order(), options);
  const R largest = scaled_norm(symbolic, matrix);
  PivotTolerances<R> tolerances{static_cast<R>(options.pivot_threshold), static_cast<R>(relative) * largest, largest};
  if (options.kind == PivotingKind::static_structure) {
    const R perturbation =
        options.perturbation > 0 ? static_cast<R>(options.perturbation) : std::sqrt(std::numeric_limits<R>::epsilon());
    tolerances.perturbation = largest > 0 ? perturbation * largest : perturbation;
  }
  return tolerances;
}

#define FROND_INSTANTIATE(S)                        \
  template double default_null_threshold<S>(Index); \
  template PivotTolerances<RealOf<S>> pivot_tolerances(const Symbolic&, const ScaledValues<S>&, const PivotingOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
