// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a factorization whose delayed pivots run away.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/memory_estimate.hpp"
#include "factorization/work_meter.hpp"
#include "solver/verdict/proof_search.hpp"

namespace frond {

/// Beyond this a factorization has outgrown its prediction: kRunawayFactor times the flops and bytes that it takes when no pivot is
/// delayed, and some more, which take a fraction of a second. Delays cost saddle points of optimization up to about ten times the
/// prediction; where they pass it by far they have been seen to pass it a thousand times.
[[nodiscard]] WorkBudget runaway_budget(const Symbolic& symbolic, Method method, const MemoryEstimate& memory);

inline constexpr double kRunawayFactor = 20;

/// Calls factorize(first) within that budget, unless `first` has one of its own. If it runs away: scales of a matching and a pivot
/// threshold of 0.01 at most, then one of 1e-6, then static pivoting, whose memory and flops are those predicted. Adds a note of it
/// to `notes`, which factorize() may write, too. Throws what factorize() throws.
void factorize_on_a_way(const FactorizationWay& first, const WorkBudget& budget, std::vector<std::string>& notes,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static = true);

}  // namespace frond
