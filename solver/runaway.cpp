// SPDX-License-Identifier: BSD-3-Clause
// Budgets by prediction, and ways with fewer delays.
#include "solver/runaway.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>

#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr double kFreeWork = 2e10;   // flops: less than a second
constexpr double kFreeDelays = 3e9;  // flops: a fraction of that
constexpr Count kFreeMemory = Count{512} << 20;

constexpr double kUsualThreshold = 0.01;

bool is_limited(const WorkBudget& budget) { return budget.bytes > 0 || budget.flops < std::numeric_limits<double>::infinity(); }

bool may_lower(const PivotingOptions& pivoting, double lowered_threshold) {
  return pivoting.may_lower_threshold && pivoting.pivot_threshold > lowered_threshold;
}

// From those that disturb least.
std::vector<FactorizationWay> ways_with_fewer_delays(FactorizationWay way, const DelayLimits& limits, bool may_be_static) {
  std::vector<FactorizationWay> ways;
  const WorkBudget last_budget = std::exchange(way.budget, limits.runaway);
  PivotingOptions& pivoting = way.pivoting;
  if (may_lower(pivoting, limits.lowered_threshold)) {
    ways.push_back(way);
    ways.back().pivoting.pivot_threshold = limits.lowered_threshold;
  }
  pivoting.pivot_threshold = std::min(pivoting.pivot_threshold, kUsualThreshold);
  if (way.scaling == ScalingKind::automatic) {
    way.scaling = ScalingKind::matching;
  }
  ways.push_back(way);
  pivoting.pivot_threshold = std::min(pivoting.pivot_threshold, limits.lowered_threshold);
  ways.push_back(way);
  if (may_be_static) {
    pivoting.kind = PivotingKind::static_structure;
    ways.push_back(way);
  }
  ways.back().budget = last_budget;
  return ways;
}

std::string name_of(const FactorizationWay& way) {
  return way.pivoting.kind == PivotingKind::static_structure
             ? std::string("static pivoting")
             : fmt::format("{}the pivot threshold {:g}", way.scaling == ScalingKind::matching ? "scales by a matching and " : "",
                           way.pivoting.pivot_threshold);
}

std::string reason_of(const BudgetError& error) {
  const BudgetError::Figures& figures = error.figures();
  return fmt::format("delayed pivots would have taken more than {:.1e} flops or {} bytes", figures.budget_flops,
                     figures.budget_bytes);
}

std::string reason_of(const MemoryError& error) {
  return fmt::format("delayed pivots needed more than {} bytes", error.limit_bytes());
}

}  // namespace

template <Scalar S>
DelayLimits delay_limits(const Symbolic& symbolic, Method method, const std::function<bool()>& fits) {
  const FactorizationEstimate estimate = symbolic.estimate(method);
  const double flops = estimate.front_flops;
  const Count bytes = static_cast<Count>(kRunawayFactor * sizeof(S)) * estimate.factor_entries + kFreeMemory;
  return {.dear = {.flops = kDearFactor * flops + kFreeDelays, .bytes = bytes},
          .runaway = {.flops = kRunawayFactor * flops + kFreeWork, .bytes = bytes},
          .lowered_threshold = std::is_same_v<RealOf<S>, float> ? 1e-3 : 1e-6,
          .fits = fits};
}

template <Scalar S>
WorkBudget budget_of_attempt(const Symbolic& symbolic, Method method, const WorkBudget& asked) {
  return is_limited(asked) ? asked : delay_limits<S>(symbolic, method, {}).runaway;
}

void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, std::vector<std::string>& notes,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static) {
  const bool can_run_away = first.pivoting.kind == PivotingKind::threshold && first.method != Method::cholesky;
  if (!can_run_away || is_limited(first.budget)) {
    factorize(first);
    return;
  }
  FactorizationWay way = first;
  way.budget = may_lower(first.pivoting, limits.lowered_threshold) ? limits.dear : limits.runaway;
  std::vector<FactorizationWay> others = ways_with_fewer_delays(first, limits, may_be_static);
  std::string reason;  // to leave the first
  for (auto next = others.begin();; ++next) {
    try {
      factorize(way);
      break;
    } catch (const BudgetError& error) {
      if (next == others.end()) {
        throw;
      }
      reason = reason.empty() ? reason_of(error) : reason;
    } catch (const MemoryError& error) {
      if (next == others.end() || error.limit_bytes() == 0 || !limits.fits()) {
        throw;
      }
      reason = reason.empty() ? reason_of(error) : reason;
    }
    way = *next;
  }
  if (!reason.empty()) {
    notes.push_back(fmt::format("{}: factorized with {} instead", reason, name_of(way)));
  }
}

template WorkBudget budget_of_attempt<float>(const Symbolic&, Method, const WorkBudget&);
template WorkBudget budget_of_attempt<double>(const Symbolic&, Method, const WorkBudget&);
template WorkBudget budget_of_attempt<std::complex<float>>(const Symbolic&, Method, const WorkBudget&);
template WorkBudget budget_of_attempt<std::complex<double>>(const Symbolic&, Method, const WorkBudget&);
template DelayLimits delay_limits<float>(const Symbolic&, Method, const std::function<bool()>&);
template DelayLimits delay_limits<double>(const Symbolic&, Method, const std::function<bool()>&);
template DelayLimits delay_limits<std::complex<float>>(const Symbolic&, Method, const std::function<bool()>&);
template DelayLimits delay_limits<std::complex<double>>(const Symbolic&, Method, const std::function<bool()>&);

}  // namespace frond
