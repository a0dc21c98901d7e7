// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a factorization whose delayed pivots run away.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/work_meter.hpp"
#include "solver/verdict/proof_search.hpp"

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
/// that there is not, and the threshold may be lowered, it is. If that runs away, or what may not be lowered: scales of a matching
/// and a pivot threshold of 0.01 at most, then the lowered one, then static pivoting, whose memory and flops are those predicted.
/// Adds a note of it to `notes`, which factorize() may write, too. Throws what factorize() throws on the last of these ways, and
/// what is not for delays at once.
void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, std::vector<std::string>& notes,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static = true);

}  // namespace frond
