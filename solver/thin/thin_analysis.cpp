// SPDX-License-Identifier: BSD-3-Clause
// Predicts seconds of both ways, and lists entries in the order of elimination.
#include "solver/thin/thin_analysis.hpp"

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"

namespace frond {
namespace {

// Seconds of one thread: for each multiplication of columns and each entry of their factors; and with fronts, scales and a matching
// for each variable, each entry of the matrix, and each multiplication.
constexpr double kSecondsOfMultiplication = 1.2e-9;
constexpr double kSecondsOfFactorEntry = 8e-9;
constexpr double kSecondsOfVariable = 2e-6;
constexpr double kSecondsOfEntry = 2e-7;
constexpr double kSecondsWithinFronts = 1e-10;

bool follows(const AnalysisOptions& analysis) {
  const OrderingOptions& ordering = analysis.ordering;
  return ordering.kind == OrderingKind::automatic && ordering.matching == Use::automatic &&
         analysis.block_triangular == Use::automatic && analysis.mapping.num_ranks == 1 && analysis.schur_variables.empty() &&
         analysis.method.value_or(Method::lu) == Method::lu;
}

bool follows(const FactorizationOptions& factorization) {
  const PivotingOptions& pivoting = factorization.pivoting;
  return factorization.thin != Use::never && pivoting.kind == PivotingKind::threshold && pivoting.null_threshold == 0 &&
         pivoting.pivot_threshold > 0 && factorization.kept == KeptFactors::all && factorization.log == nullptr;
}

// Whether a thin system does what these options ask for.
bool follows(const SolverOptions& options) {
  return options.method.value_or(Method::lu) == Method::lu && options.scaling == ScalingKind::automatic &&
         !options.mixed_precision && options.error_bounds == ErrorBounds::never && options.checkpoint.directory.empty() &&
         follows(options.analysis) && follows(options.factorization);
}

bool is_faster(const BlockOrder& order, const PatternView& pattern) {
  const double by_columns = kSecondsOfMultiplication * order.multiplications + kSecondsOfFactorEntry * order.entries;
  const double by_fronts = kSecondsOfVariable * static_cast<double>(pattern.num_cols) +
                           kSecondsOfEntry * static_cast<double>(pattern.num_entries()) +
                           kSecondsWithinFronts * order.multiplications;
  return by_columns < by_fronts;
}

bool fits(const ThinPlan& plan, Count limit) {
  const Count most = plan.most_bytes(limit);
  return most == 0 || plan.bytes(2 * plan.order.entries) <= most;  // arrays that grow take twice their size meanwhile
}

// Returns false if a position is held twice.
bool list_places(ThinPlan& plan) {
  const std::vector<Index> place_of_row = invert(plan.order.row_order);
  std::vector<Index> last_column(place_of_row.size(), -1);
  plan.place_offsets.reserve(plan.column_offsets.size());
  plan.place_offsets.push_back(0);
  plan.places.reserve(plan.row_indices.size());
  plan.sources.reserve(plan.row_indices.size());
  auto block = plan.order.blocks.begin();
  for (Index k = 0; k < static_cast<Index>(place_of_row.size()); ++k) {
    const Index column = plan.order.column_order[k];
    block += k == block[1] ? 1 : 0;
    for (Count entry = plan.column_offsets[column]; entry < plan.column_offsets[column + 1]; ++entry) {
      const Index place = place_of_row[plan.row_indices[entry]];
      if (std::exchange(last_column[place], column) == column) {
        return false;
      }
      plan.num_couplings += place < *block ? 1 : 0;
      plan.places.push_back(place);
      plan.sources.push_back(static_cast<Index>(entry));
    }
    plan.place_offsets.push_back(static_cast<Index>(plan.places.size()));
  }
  return true;
}

std::shared_ptr<const ThinPlan> plan_of(const PatternView& pattern, Use use) {
  std::optional<BlockOrder> order = order_blocks(pattern);
  if (!order || (use == Use::automatic && !is_faster(*order, pattern))) {
    return nullptr;
  }
  auto plan = std::make_shared<ThinPlan>();
  plan->column_offsets.assign(pattern.column_offsets.begin(), pattern.column_offsets.end());
  plan->row_indices.assign(pattern.row_indices.begin(), pattern.row_indices.end());
  plan->order = std::move(*order);
  return list_places(*plan) ? plan : nullptr;
}

}  // namespace

bool ThinPlan::serves(const PatternView& pattern) const {
  return pattern.symmetry == Symmetry::general && std::ranges::equal(pattern.column_offsets, column_offsets) &&
         std::ranges::equal(pattern.row_indices, row_indices);
}

Count ThinPlan::bytes(double factor_entries) const {
  constexpr double kBytesOfEntry = sizeof(std::complex<double>) + sizeof(Index);
  constexpr double kBytesOfVariable = 160;
  return static_cast<Count>(kBytesOfEntry * (factor_entries + static_cast<double>(sources.size())) +
                            kBytesOfVariable * static_cast<double>(order.column_order.size()));
}

Count ThinPlan::most_bytes(Count limit) const {
  constexpr Count kAlwaysThere = Count{4} << 20;
  const bool is_small = bytes(order.entries) <= kAlwaysThere;
  return limit > 0 || is_small ? limit : find_memory_limit(1).bytes;
}

const AnalysisParts& ThinAnalysis::for_fronts() const {
  std::call_once(made_, [&] { for_fronts_ = std::make_unique<const AnalysisParts>(analyse_(options_)); });
  return *for_fronts_;
}

std::shared_ptr<const ThinAnalysis> ThinAnalysis::with_options(SolverOptions options) const {
  return follows(options) && fits(*plan_, options.factorization.memory_limit)
             ? std::make_shared<const ThinAnalysis>(plan_, std::move(options), place_, analyse_)
             : nullptr;
}

AnalysisFigures analysis_figures(const ThinPlan& plan) {
  const BlockOrder& order = plan.order;
  AnalysisFigures figures;
  figures.order = figures.structural_rank = static_cast<Index>(order.column_order.size());
  figures.num_blocks = static_cast<Index>(order.blocks.size()) - 1;
  const double off_diagonal = order.entries - figures.order;
  figures.estimate.elimination_flops = figures.estimate.front_flops = off_diagonal / 2 + 2 * order.multiplications;
  figures.estimate.exact_factor_entries = figures.estimate.factor_entries = static_cast<Count>(order.entries);
  return figures;
}

MemoryEstimate estimate_memory(const ThinPlan& plan, Count scalar_bytes) {
  const auto num_entries = static_cast<Count>(plan.order.entries) + static_cast<Count>(plan.sources.size());
  return {.factor_bytes = num_entries * (scalar_bytes + static_cast<Count>(sizeof(Index)))};
}

template <Scalar S>
std::shared_ptr<const ThinAnalysis> analyze_thin(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place) {
  if (matrix.stored.pattern.symmetry != Symmetry::general || matrix.order() == 0 || !follows(options) ||
      is_treated_as_symmetric(matrix.stored, options)) {
    return nullptr;
  }
  const std::shared_ptr<const ThinPlan> plan = plan_of(matrix.stored.pattern, options.factorization.thin);
  if (!plan || !fits(*plan, options.factorization.memory_limit)) {
    return nullptr;
  }
  const auto values = std::make_shared<const std::vector<S>>(matrix.stored.values.begin(), matrix.stored.values.end());
  const auto analyse = [plan, values, place, is_transposed = matrix.transposed](const SolverOptions& its_options) {
    return place.parts().of<S>().analyze(SystemMatrix<S>({plan->given(), *values}, is_transposed), its_options);
  };
  return std::make_shared<const ThinAnalysis>(plan, options, place, analyse);
}

#define FROND_INSTANTIATE(S) \
  template std::shared_ptr<const ThinAnalysis> analyze_thin(const SystemMatrix<S>&, const SolverOptions&, const Place&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
