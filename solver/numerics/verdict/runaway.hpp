// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a factorization whose delayed pivots run away.
#pragma once

#include <functional>
#include "analysis/symbolic.hpp"
#include "factorization/memory/work_meter.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {

/// What delayed pivots may cost before a factorization goes another way.
struct DelayLimits {
  WorkBudget dear;  ///< from there on what is left to do is more than all of it with fewer delays
  /// Beyond this it has outgrown its prediction: kRunawayFactor times the flops, or the bytes of the factors, that it has when no
  /// pivot is delayed, and some more, which take a fraction of a second. Delays cost saddle points of optimization up to about ten
  /// times the prediction; where they pass it by far they have been seen to pass it a thousand times.
  WorkBudget runaway;
  double lowered_threshold = 0;  ///< refinement makes up for what is lost to such pivots
  std::function<bool()> fits;    ///< whether the factorization without delays does; the same on all ranks, which all call it
};

template <Scalar S>
[[nodiscard]] DelayLimits delay_limits(const Symbolic& symbolic, Method method, const std::function<bool()>& fits);

/// Chooses the budget of a factorization in whose place another is ready, one in full precision or with all factors: the budget
/// that is asked for, or, if that is none, the one beyond which it has run away.
template <Scalar S>
[[nodiscard]] WorkBudget budget_of_attempt(const Symbolic& symbolic, Method method, const WorkBudget& asked);

inline constexpr double kDearFactor = 2;
inline constexpr double kRunawayFactor = 20;

/// Calls factorize(first) within these limits, unless `first` has a budget of its own. Where delays become dear, or take memory
/// that there is not, other ways follow:
///
///   LU with scales by a matching          those without it, within the same limits: a matching's duals amplify what is small
///   where the threshold may be lowered    the lowered one
///   elsewhere                             the other scales, unless they are the caller's, with a pivot threshold of 0.01 at most
///   then                                  the other scales with the lowered threshold
///   where it is allowed                   static pivoting, whose memory and flops are those predicted
///
/// factorize() writes report.scaling before it does anything that costs; a note on the way that was taken is added to the report.
/// Throws what factorize() throws on the last of these ways, and what is not for delays at once.
void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, SystemReport& report,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static = true);

}  // namespace frond
