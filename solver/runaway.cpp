// SPDX-License-Identifier: BSD-3-Clause
// Budgets by prediction, and ways with fewer delays.
#include "solver/runaway.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr double kFreeWork = 2e10;               // flops: less than a second
constexpr Count kFreeMemory = Count{512} << 20;  // bytes

constexpr double kUsualThreshold = 0.01;
constexpr double kSmallThreshold = 1e-6;

bool is_limited(const WorkBudget& budget) { return budget.bytes > 0 || budget.flops < std::numeric_limits<double>::infinity(); }

// From those that disturb least.
std::vector<FactorizationWay> ways_with_fewer_delays(FactorizationWay way, bool may_be_static) {
  std::vector<FactorizationWay> ways;
  way.pivoting.pivot_threshold = std::min(way.pivoting.pivot_threshold, kUsualThreshold);
  if (way.scaling == ScalingKind::automatic) {
    way.scaling = ScalingKind::matching;
  }
  ways.push_back(way);
  way.pivoting.pivot_threshold = std::min(way.pivoting.pivot_threshold, kSmallThreshold);
  ways.push_back(way);
  if (may_be_static) {
    way.pivoting.kind = PivotingKind::static_structure;
    ways.push_back(way);
  }
  return ways;
}

std::string name_of(const FactorizationWay& way) {
  return way.pivoting.kind == PivotingKind::static_structure
             ? std::string("static pivoting")
             : fmt::format("scales by {} and the pivot threshold {:g}", to_string(way.scaling), way.pivoting.pivot_threshold);
}

}  // namespace

WorkBudget runaway_budget(const Symbolic& symbolic, Method method, const MemoryEstimate& memory) {
  return {.flops = kRunawayFactor * symbolic.estimate(method).front_flops + kFreeWork,
          .bytes = static_cast<Count>(kRunawayFactor) * memory.peak_bytes() + kFreeMemory};
}

void factorize_on_a_way(const FactorizationWay& first, const WorkBudget& budget, std::vector<std::string>& notes,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static) {
  const bool can_run_away = first.pivoting.kind == PivotingKind::threshold && first.method != Method::cholesky;
  if (!can_run_away || is_limited(first.budget)) {
    factorize(first);
    return;
  }
  FactorizationWay way = first;
  way.budget = budget;
  std::optional<BudgetError::Figures> figures;  // of the first
  std::vector<FactorizationWay> others = ways_with_fewer_delays(way, may_be_static);
  others.back().budget = first.budget;
  for (auto next = others.begin();; ++next) {
    try {
      factorize(way);
      break;
    } catch (const BudgetError& error) {
      if (next == others.end()) {
        throw;
      }
      figures = figures ? figures : error.figures();
      way = *next;
    }
  }
  if (figures) {
    notes.push_back(fmt::format("delayed pivots ran away beyond {:.1e} flops or {} bytes: factorized with {} instead",
                                figures->budget_flops, figures->budget_bytes, name_of(way)));
  }
}

}  // namespace frond
