// SPDX-License-Identifier: BSD-3-Clause
// Budgets by prediction, and ways with fewer delays.
#include "solver/runaway.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr double kFreeWork = 2e10;               // flops: less than a second
constexpr double kFreeDelays = 3e9;              // flops: a fraction of that
constexpr Count kFreeMemory = Count{512} << 20;  // bytes

constexpr double kUsualThreshold = 0.01;

bool is_limited(const WorkBudget& budget) { return budget.bytes > 0 || budget.flops < std::numeric_limits<double>::infinity(); }

bool may_lower(const PivotingOptions& pivoting, double lowered_threshold) {
  return pivoting.may_lower_threshold && pivoting.pivot_threshold > lowered_threshold;
}

// From those that disturb least.
std::vector<FactorizationWay> ways_with_fewer_delays(FactorizationWay way, double lowered_threshold, bool may_be_static) {
  std::vector<FactorizationWay> ways;
  PivotingOptions& pivoting = way.pivoting;
  way.lowered_from = pivoting.pivot_threshold;
  if (may_lower(pivoting, lowered_threshold)) {
    ways.push_back(way);
    ways.back().pivoting.pivot_threshold = lowered_threshold;
  }
  pivoting.pivot_threshold = std::min(pivoting.pivot_threshold, kUsualThreshold);
  if (way.scaling == ScalingKind::automatic) {
    way.scaling = ScalingKind::matching;
  }
  ways.push_back(way);
  pivoting.pivot_threshold = std::min(pivoting.pivot_threshold, lowered_threshold);
  ways.push_back(way);
  if (may_be_static) {
    pivoting.kind = PivotingKind::static_structure;
    ways.push_back(way);
  }
  return ways;
}

std::string name_of(const FactorizationWay& way) {
  return way.pivoting.kind == PivotingKind::static_structure
             ? std::string("static pivoting")
             : fmt::format("scales by {} and the pivot threshold {:.1g}", to_string(way.scaling), way.pivoting.pivot_threshold);
}

std::string note_of(const BudgetError::Figures& figures, const FactorizationWay& way) {
  return fmt::format("delayed pivots ran away beyond {:.1e} flops or {} bytes: factorized with {} instead", figures.budget_flops,
                     figures.budget_bytes, name_of(way));
}

}  // namespace

template <Scalar S>
DelayLimits delay_limits(const Symbolic& symbolic, Method method, const MemoryEstimate& memory) {
  const double flops = symbolic.estimate(method).front_flops;
  const Count bytes = static_cast<Count>(kRunawayFactor) * memory.peak_bytes() + kFreeMemory;
  return {.dear = {.flops = kDearFactor * flops + kFreeDelays, .bytes = bytes},
          .runaway = {.flops = kRunawayFactor * flops + kFreeWork, .bytes = bytes},
          .lowered_threshold = std::pow(static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()), 0.375)};
}

void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, std::vector<std::string>& notes,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static) {
  const bool can_run_away = first.pivoting.kind == PivotingKind::threshold && first.method != Method::cholesky;
  if (!can_run_away || is_limited(first.budget)) {
    factorize(first);
    return;
  }
  FactorizationWay way = first;
  way.budget = limits.runaway;
  std::vector<FactorizationWay> others = ways_with_fewer_delays(way, limits.lowered_threshold, may_be_static);
  others.back().budget = first.budget;
  if (may_lower(first.pivoting, limits.lowered_threshold)) {
    way.budget = limits.dear;
  }
  std::optional<BudgetError::Figures> figures;  // of the first
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
    notes.push_back(note_of(*figures, way));
  }
}

template DelayLimits delay_limits<float>(const Symbolic&, Method, const MemoryEstimate&);
template DelayLimits delay_limits<double>(const Symbolic&, Method, const MemoryEstimate&);
template DelayLimits delay_limits<std::complex<float>>(const Symbolic&, Method, const MemoryEstimate&);
template DelayLimits delay_limits<std::complex<double>>(const Symbolic&, Method, const MemoryEstimate&);

}  // namespace frond
