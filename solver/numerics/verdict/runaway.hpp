// SPDX-License-Identifier: BSD-3-Clause
// Handles factorizations whose delayed pivots run away.
#pragma once

#include <functional>
#include "analysis/symbolic.hpp"
#include "factorization/memory/work_meter.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {

/// What delayed pivots may cost before another way of factorizing is tried.
struct DelayLimits {
  WorkBudget dear;  ///< beyond this the remaining work exceeds that of a whole factorization with fewer delays
  /// Beyond this it has outgrown its prediction: kRunawayFactor times the flops, or the bytes of the factors, that it has when no
  /// pivot is delayed, plus a constant, which takes a fraction of a second. Delays cost saddle points of optimization up to about
  /// ten times the prediction; when they exceed that by far, they have been seen to exceed it a thousand times.
  WorkBudget runaway;
  double lowered_threshold = 0;  ///< refinement makes up for the accuracy lost to such pivots
  std::function<bool()> fits;    ///< whether the factorization without delays fits; the same on all ranks, which all call it
};

template <Scalar S>
[[nodiscard]] DelayLimits delay_limits(const Symbolic& symbolic, Method method, const std::function<bool()>& fits);

/// Chooses the budget of a factorization that has an alternative, in full precision or with all factors: the requested budget, or,
/// if there is none, the one beyond which it has run away.
template <Scalar S>
[[nodiscard]] WorkBudget budget_of_attempt(const Symbolic& symbolic, Method method, const WorkBudget& asked);

/// Whether the way may be taken with the lowered threshold, too.
[[nodiscard]] bool may_lower_threshold(const FactorizationWay& way, const DelayLimits& limits);

inline constexpr double kDearFactor = 2;
inline constexpr double kRunawayFactor = 20;

/// Calls factorize(first) within these limits, unless `first` has a budget of its own. If delays become expensive, or need more
/// memory than there is, other ways follow:
///
///   LU with scales by a matching          those without it, within the same limits: a matching's duals amplify small entries
///   where the threshold may be lowered    the lowered one
///   elsewhere                             the other scales, unless they are the caller's, with a pivot threshold of 0.01 at most
///   then                                  the other scales with the lowered threshold
///   where it is allowed                   static pivoting, whose memory and flops are those predicted
///
/// factorize() writes report.scaling before any expensive work; a note on the chosen way is added to the report. Throws what
/// factorize() throws on the last of these ways, and errors not caused by delays at once.
void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, SystemReport& report,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static = true);

}  // namespace frond
