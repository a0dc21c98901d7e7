// SPDX-License-Identifier: BSD-3-Clause
// Sets budgets by prediction, and chooses ways with fewer delays.
#include "solver/numerics/verdict/runaway.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "analysis/pivots/pivot_magnitudes.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

constexpr double kFreeWork = 2e10;   // flops: less than a second
constexpr double kFreeDelays = 3e9;  // flops: a fraction of that
constexpr Count kFreeMemory = Count{512} << 20;

static_assert(PivotingOptions{}.pivot_threshold == kUsualThreshold);

bool is_limited(const WorkBudget& budget) { return budget.bytes > 0 || budget.flops < std::numeric_limits<double>::infinity(); }

WorkBudget first_budget(const FactorizationWay& way, const DelayLimits& limits) {
  return may_lower_threshold(way, limits) ? limits.dear : limits.runaway;
}

// Switches to the matching if `scales` are without it, and vice versa; the caller's own are unchanged.
FactorizationWay with_other_scales(FactorizationWay way, ScalingKind scales) {
  if (way.scaling == ScalingKind::automatic) {
    way.scaling = scales == ScalingKind::matching ? ScalingKind::equilibrate : ScalingKind::matching;
  }
  return way;
}

// In increasing order of perturbation. `scales` are those of the first way.
std::vector<FactorizationWay> ways_with_fewer_delays(const FactorizationWay& first, ScalingKind scales, const DelayLimits& limits,
                                                     bool may_be_static) {
  std::vector<FactorizationWay> ways;
  FactorizationWay way = first;
  way.budget = limits.runaway;
  FactorizationWay rescaled = with_other_scales(way, scales);
  rescaled.pivoting.pivot_threshold = std::min(first.pivoting.pivot_threshold, kUsualThreshold);
  const bool are_scales_suspect = first.method == Method::lu && rescaled.scaling == ScalingKind::equilibrate;
  if (are_scales_suspect) {
    ways.push_back(rescaled);
    ways.back().budget = first_budget(first, limits);
  }
  if (may_lower_threshold(first, limits)) {
    ways.push_back(way);
    ways.back().pivoting.pivot_threshold = limits.lowered_threshold;
  }
  if (!are_scales_suspect) {
    ways.push_back(rescaled);
  }
  rescaled.pivoting.pivot_threshold = std::min(rescaled.pivoting.pivot_threshold, limits.lowered_threshold);
  ways.push_back(rescaled);
  if (may_be_static) {
    ways.push_back(rescaled.scaling == ScalingKind::matching ? rescaled : way);
    ways.back().pivoting.kind = PivotingKind::static_structure;
    ways.back().pivoting.pivot_threshold = rescaled.pivoting.pivot_threshold;
  }
  ways.back().budget = first.budget;
  return ways;
}

std::string name_of(const FactorizationWay& way, const FactorizationWay& first) {
  if (way.pivoting.kind == PivotingKind::static_structure) {
    return "static pivoting";
  }
  const std::string scales = way.scaling == first.scaling ? "" : fmt::format("scales by {} and ", to_string(way.scaling));
  return fmt::format("{}the pivot threshold {:g}", scales, way.pivoting.pivot_threshold);
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
          .lowered_threshold = kLoweredThreshold<RealOf<S>>,
          .fits = fits};
}

template <Scalar S>
WorkBudget budget_of_attempt(const Symbolic& symbolic, Method method, const WorkBudget& asked) {
  return is_limited(asked) ? asked : delay_limits<S>(symbolic, method, {}).runaway;
}

bool may_lower_threshold(const FactorizationWay& way, const DelayLimits& limits) {
  return way.pivoting.may_lower_threshold && way.pivoting.pivot_threshold > limits.lowered_threshold;
}

void factorize_on_a_way(const FactorizationWay& first, const DelayLimits& limits, SystemReport& report,
                        const std::function<void(const FactorizationWay&)>& factorize, bool may_be_static) {
  const bool can_run_away = first.pivoting.kind == PivotingKind::threshold && first.method != Method::cholesky;
  if (!can_run_away || is_limited(first.budget)) {
    factorize(first);
    return;
  }
  std::vector<FactorizationWay> ways{first};
  ways.front().budget = first_budget(first, limits);
  const auto has_next = [&](std::size_t k) {
    if (k == 0) {
      const std::vector<FactorizationWay> others = ways_with_fewer_delays(first, report.scaling, limits, may_be_static);
      ways.insert(ways.end(), others.begin(), others.end());
    }
    return k + 1 < ways.size();
  };
  std::string reason;  // for leaving the first way
  std::size_t k = 0;
  for (;; ++k) {
    try {
      factorize(ways[k]);
      break;
    } catch (const BudgetError& error) {
      if (!has_next(k)) {
        throw;
      }
      reason = reason.empty() ? reason_of(error) : reason;
    } catch (const MemoryError& error) {
      if (error.limit_bytes() == 0 || !has_next(k) || !limits.fits()) {
        throw;
      }
      reason = reason.empty() ? reason_of(error) : reason;
    }
  }
  if (!reason.empty()) {
    report.notes.push_back(fmt::format("{}: factorized with {} instead", reason, name_of(ways[k], first)));
  }
}

#define FROND_INSTANTIATE(S)                                                            \
  template WorkBudget budget_of_attempt<S>(const Symbolic&, Method, const WorkBudget&); \
  template DelayLimits delay_limits<S>(const Symbolic&, Method, const std::function<bool()>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
