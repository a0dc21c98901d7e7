// SPDX-License-Identifier: BSD-3-Clause
// Predicts seconds of both ways, and lists entries in the order of elimination.
#include "solver/thin/thin_analysis.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/thin/weak_pairs.hpp"

namespace frond {
namespace {

// Seconds of one thread.
struct Costs {
  double multiplication;  // of columns
  double factor_entry;    // likewise
  double variable;        // with fronts, scales and a matching included
  double first_variable;  // of these for each of the first: for small matrices several orders are tried
  double entry;           // of the matrix, with scales and a matching
  double front_entry;     // of factors, with fronts
  double front_multiplication;
};
constexpr Costs kCostsOfLu{1.2e-9, 8e-9, 2e-6, 0, 2e-7, 0, 1e-10};
constexpr Costs kCostsOfLdlt{6.5e-10, 2e-9, 2.5e-7, 1.2e-6, 0, 1.5e-8, 5e-11};
constexpr Costs kCostsOfPairs{1.2e-9, 8e-9, 1e-6, 2e-6, 1e-7, 1.5e-8, 5e-11};  // fronts need scales, a matching and its order
constexpr double kFirstVariables = 1500;

bool follows(const AnalysisOptions& analysis) {
  const OrderingOptions& ordering = analysis.ordering;
  return ordering.kind == OrderingKind::automatic && ordering.matching == Use::automatic &&
         analysis.block_triangular == Use::automatic && analysis.mapping.num_ranks == 1 && analysis.schur_variables.empty();
}

bool follows(const FactorizationOptions& factorization) {
  const PivotingOptions& pivoting = factorization.pivoting;
  return factorization.thin != Use::never && pivoting.kind == PivotingKind::threshold && pivoting.null_threshold == 0 &&
         pivoting.pivot_threshold > 0 && factorization.kept == KeptFactors::all && factorization.log == nullptr;
}

// Whether a thin system of this symmetry does what these options ask for.
bool follows(const SolverOptions& options, Symmetry symmetry) {
  const auto allows = [symmetry](std::optional<Method> method) {
    return !method || (*method == Method::lu) == (symmetry == Symmetry::general);
  };
  return symmetry != Symmetry::skew_symmetric && allows(options.method) && allows(options.analysis.method) &&
         options.scaling == ScalingKind::automatic && !options.mixed_precision && options.error_bounds == ErrorBounds::never &&
         options.checkpoint.directory.empty() && follows(options.analysis) && follows(options.factorization);
}

double seconds_by_fronts(const BlockOrder& order, const PatternView& pattern, const Costs& costs) {
  const double num_variables = pattern.num_cols;
  return costs.variable * num_variables + costs.first_variable * std::min(num_variables, kFirstVariables) +
         costs.entry * static_cast<double>(pattern.num_entries()) + costs.front_entry * order.entries +
         costs.front_multiplication * order.multiplications;
}

bool is_faster(const BlockOrder& order, const PatternView& pattern, const Costs& costs) {
  return costs.multiplication * order.multiplications + costs.factor_entry * order.entries <
         seconds_by_fronts(order, pattern, costs);
}

bool fits(const ThinPlan& plan, Count limit) {
  const Count most = plan.most_bytes(limit);
  return most == 0 || plan.bytes(2 * plan.order.entries) <= most;  // arrays that grow take twice their size meanwhile
}

// Returns false if a position is held twice.
bool list_places(ThinPlan& plan) {
  const std::vector<Index> place_of_row = invert(plan.order.row_order);
  std::vector<Index> last_column(place_of_row.size(), -1);
  plan.place_offsets.resize(plan.column_offsets.size());
  plan.places.resize(plan.row_indices.size());
  plan.sources.resize(plan.row_indices.size());
  Index num_places = 0;
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
      plan.places[num_places] = place;
      plan.sources[num_places++] = static_cast<Index>(entry);
    }
    plan.place_offsets[k + 1] = num_places;
  }
  return true;
}

// Lists the entries of the upper triangle by columns, the diagonal last. A stored triangle may have them in its lower part; of
// Hermitian matrices the sources of these are below 0.
void list_upper_places(ThinPlan& plan) {
  const std::vector<Index> place_of = invert(plan.order.row_order);
  const bool is_whole = plan.given_symmetry == Symmetry::general;
  const bool is_hermitian = plan.symmetry == Symmetry::hermitian;
  const auto visit_upper = [&](const auto& visit) {
    for (Index column = 0; column < static_cast<Index>(place_of.size()); ++column) {
      for (Count entry = plan.column_offsets[column]; entry < plan.column_offsets[column + 1]; ++entry) {
        const Index row_place = place_of[plan.row_indices[entry]];
        const Index place = place_of[column];
        if (row_place <= place) {
          visit(row_place, place, static_cast<Index>(entry));
        } else if (!is_whole) {
          visit(place, row_place, static_cast<Index>(is_hermitian ? -1 - entry : entry));
        }
      }
    }
  };
  plan.place_offsets.assign(place_of.size() + 1, 0);
  visit_upper([&](Index /*row*/, Index column, Index /*source*/) { ++plan.place_offsets[column + 1]; });
  std::partial_sum(plan.place_offsets.begin(), plan.place_offsets.end(), plan.place_offsets.begin());
  plan.places.resize(static_cast<std::size_t>(plan.place_offsets.back()));
  plan.sources.resize(plan.places.size());
  std::vector<Index> next(plan.place_offsets.begin(), plan.place_offsets.end() - 1);
  std::vector<Index> ends(plan.place_offsets.begin() + 1, plan.place_offsets.end());
  visit_upper([&](Index row, Index column, Index source) {
    const Index to = row == column ? --ends[column] : next[column]++;
    plan.places[to] = row;
    plan.sources[to] = source;
  });
}

// Whether no position is held twice, and, if all are needed, each diagonal entry is held.
bool are_places_sound(const SparsePattern& pattern, bool needs_diagonal) {
  std::vector<Index> last_column(static_cast<std::size_t>(pattern.num_columns()), -1);
  for (Index column = 0; column < pattern.num_columns(); ++column) {
    for (Index entry = pattern.offsets[column]; entry < pattern.offsets[column + 1]; ++entry) {
      if (std::exchange(last_column[pattern.rows[entry]], column) == column) {
        return false;
      }
    }
    if (needs_diagonal && last_column[column] != column) {
      return false;
    }
  }
  return true;
}

// Returns false if there is none, or L has more entries than memory was found for.
bool find_structure(ThinPlan& plan) {
  constexpr double kMostEntries = std::numeric_limits<Index>::max() / 2.0;
  list_upper_places(plan);
  if (!are_places_sound(plan.pattern(), true)) {
    return false;
  }
  plan.structure = LdltStructure::of(plan.pattern(), static_cast<std::size_t>(std::min(2 * plan.order.entries, kMostEntries)));
  return plan.structure.order() == static_cast<Index>(plan.order.row_order.size());
}

// Lists the entries of both triangles by columns, for rows and columns in orders of their own. Returns false if a position is held
// twice.
bool list_paired_places(ThinPlan& plan) {
  const std::vector<Index> place_of_row = invert(plan.order.row_order);
  const std::vector<Index> place_of_column = invert(plan.order.column_order);
  const bool is_whole = plan.given_symmetry == Symmetry::general;
  const auto visit_all = [&](const auto& visit) {
    for (Index column = 0; column < static_cast<Index>(place_of_column.size()); ++column) {
      for (Count entry = plan.column_offsets[column]; entry < plan.column_offsets[column + 1]; ++entry) {
        const Index row = plan.row_indices[entry];
        visit(place_of_row[row], place_of_column[column], static_cast<Index>(entry));
        if (!is_whole && row != column) {
          visit(place_of_row[column], place_of_column[row], static_cast<Index>(entry));
        }
      }
    }
  };
  plan.place_offsets.assign(place_of_row.size() + 1, 0);
  visit_all([&](Index /*row*/, Index column, Index /*source*/) { ++plan.place_offsets[column + 1]; });
  std::partial_sum(plan.place_offsets.begin(), plan.place_offsets.end(), plan.place_offsets.begin());
  plan.places.resize(static_cast<std::size_t>(plan.place_offsets.back()));
  plan.sources.resize(plan.places.size());
  std::vector<Index> next(plan.place_offsets.begin(), plan.place_offsets.end() - 1);
  visit_all([&](Index row, Index column, Index source) {
    plan.places[next[column]] = row;
    plan.sources[next[column]++] = source;
  });
  return are_places_sound(plan.pattern(), false);
}

// Nothing large is taken before it is known to fit. `pairs()` returns the pairs of variables of a symmetric matrix that are to make
// pivots together, or nothing.
template <class Pairs>
std::shared_ptr<ThinPlan> plan_of(const PatternView& pattern, Symmetry symmetry, const FactorizationOptions& options,
                                  const Pairs& pairs) {
  const bool is_general = symmetry == Symmetry::general;
  const auto may_pay = [&](const BlockOrder& order, const Costs& costs) {
    return options.thin != Use::automatic || is_faster(order, pattern, costs);
  };
  const Costs* costs = is_general ? &kCostsOfLu : &kCostsOfLdlt;
  std::optional<BlockOrder> order = is_general ? order_blocks(pattern) : order_symmetric(pattern);
  if (!order || !may_pay(*order, *costs)) {
    return nullptr;
  }
  const std::vector<Index> partners = is_general ? std::vector<Index>() : pairs();
  if (!partners.empty()) {
    costs = &kCostsOfPairs;
    order = order_pairs(pattern, partners);
    if (!may_pay(*order, *costs)) {
      return nullptr;
    }
  }
  auto plan = std::make_shared<ThinPlan>();
  plan->column_offsets.assign(pattern.column_offsets.begin(), pattern.column_offsets.end());
  plan->row_indices.assign(pattern.row_indices.begin(), pattern.row_indices.end());
  plan->given_symmetry = pattern.symmetry;
  plan->symmetry = symmetry;
  plan->is_paired = !partners.empty();
  plan->most_multiplications = seconds_by_fronts(*order, pattern, *costs) / costs->multiplication;
  plan->order = std::move(*order);
  const bool is_made = fits(*plan, options.memory_limit) && (is_general        ? list_places(*plan)
                                                             : plan->is_paired ? list_paired_places(*plan)
                                                                               : find_structure(*plan));
  return is_made ? plan : nullptr;
}

// Where an entry of the diagonal is 0, pivots of two variables are needed.
template <Scalar S>
bool has_zero_on_diagonal(const ThinPlan& plan, std::span<const S> values) {
  const SparsePattern pattern = plan.pattern();
  for (Index col = 0; col < pattern.num_columns(); ++col) {
    if (values[diagonal_source(pattern, col)] == S(0)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool ThinPlan::serves(const PatternView& pattern) const {
  return pattern.symmetry == given_symmetry && std::ranges::equal(pattern.column_offsets, column_offsets) &&
         std::ranges::equal(pattern.row_indices, row_indices);
}

Count ThinPlan::bytes(double factor_entries) const {
  constexpr double kBytesOfEntry = sizeof(std::complex<double>) + sizeof(Index);
  constexpr double kBytesOfVariable = 160;
  return static_cast<Count>(kBytesOfEntry * (factor_entries + static_cast<double>(row_indices.size())) +
                            kBytesOfVariable * static_cast<double>(order.column_order.size()));
}

Count ThinPlan::most_bytes(Count limit) const {
  constexpr Count kAlwaysThere = Count{4} << 20;
  const bool is_small = bytes(order.entries) <= kAlwaysThere;
  return limit > 0 || is_small ? limit : find_memory_limit(1).bytes;
}

// The options, observers among them, are those of each analysis.
const AnalysisParts& ThinAnalysis::for_fronts() const {
  std::call_once(made_, [&] {
    const std::lock_guard lock(fronts_->making);
    const bool is_first = !fronts_->parts;
    if (is_first) {
      fronts_->parts = fronts_->analyse(options_);
    }
    AnalysisParts parts = *fronts_->parts;
    parts.options = options_;
    parts.method = options_.method.value_or(parts.method);
    for_fronts_ = std::make_unique<const AnalysisParts>(std::move(parts));
    if (is_first) {  // what it has prepared is for its options
      fronts_->parts->prepared.reset();
      fronts_->parts->options = {};
    }
  });
  return *for_fronts_;
}

std::shared_ptr<const ThinAnalysis> ThinAnalysis::with_options(SolverOptions options) const {
  return follows(options, plan_->symmetry) && fits(*plan_, options.factorization.memory_limit)
             ? std::shared_ptr<const ThinAnalysis>(new ThinAnalysis(plan_, std::move(options), place_, fronts_))
             : nullptr;
}

AnalysisFigures analysis_figures(const ThinPlan& plan) {
  const BlockOrder& order = plan.order;
  AnalysisFigures figures;
  figures.method = plan.method;
  figures.order = figures.structural_rank = static_cast<Index>(order.column_order.size());
  figures.num_blocks = static_cast<Index>(order.blocks.size()) - 1;
  const double off_diagonal = order.entries - figures.order;
  const double divisions = plan.is_for_lu() ? off_diagonal / 2 : off_diagonal;
  figures.estimate.elimination_flops = figures.estimate.front_flops = divisions + 2 * order.multiplications;
  figures.estimate.exact_factor_entries = figures.estimate.factor_entries = static_cast<Count>(order.entries);
  return figures;
}

MemoryEstimate estimate_memory(const ThinPlan& plan, Count scalar_bytes) {
  constexpr auto kIndexBytes = static_cast<Count>(sizeof(Index));
  const auto num_variables = static_cast<Count>(plan.order.row_order.size());
  if (!plan.is_for_lu()) {  // as SparseLdlt::memory_bytes()
    return {.factor_bytes = static_cast<Count>(plan.structure.rows.size()) * (scalar_bytes + 2 * kIndexBytes) +
                            num_variables * (4 * scalar_bytes + kIndexBytes) + 2 * (num_variables + 1) * kIndexBytes};
  }
  const auto num_entries = static_cast<Count>(plan.order.entries) + static_cast<Count>(plan.sources.size());
  return {.factor_bytes = num_entries * (scalar_bytes + kIndexBytes) + num_variables * (3 * scalar_bytes + 4 * kIndexBytes)};
}

template <Scalar S>
std::shared_ptr<const ThinAnalysis> analyze_thin(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place) {
  SystemMatrix<S> treated = matrix;  // both triangles, if it was general: its method depends on the diagonal alone
  treated.stored.pattern.symmetry = treated_symmetry(matrix.stored, options);
  const Symmetry symmetry = treated.stored.pattern.symmetry;
  if (matrix.order() == 0 || !follows(options, symmetry)) {
    return nullptr;
  }
  const Method method = choose_method(treated, options);
  const auto pairs = [&] {
    const bool may_be_paired = symmetry == Symmetry::symmetric && method != Method::cholesky;
    return may_be_paired ? weak_pairs(matrix.stored) : std::vector<Index>();
  };
  const std::shared_ptr<ThinPlan> plan = plan_of(matrix.stored.pattern, symmetry, options.factorization, pairs);
  if (!plan || (!plan->is_for_lu() && has_zero_on_diagonal(*plan, matrix.stored.values))) {
    return nullptr;
  }
  plan->method = method;
  const auto values = std::make_shared<const std::vector<S>>(matrix.stored.values.begin(), matrix.stored.values.end());
  const std::shared_ptr<const ThinPlan> made = plan;
  const auto analyse = [made, values, place, is_transposed = matrix.transposed](const SolverOptions& its_options) {
    return place.parts().of<S>().analyze(SystemMatrix<S>({made->given(), *values}, is_transposed), its_options);
  };
  return std::make_shared<const ThinAnalysis>(made, options, place, analyse);
}

#define FROND_INSTANTIATE(S) \
  template std::shared_ptr<const ThinAnalysis> analyze_thin(const SystemMatrix<S>&, const SolverOptions&, const Place&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
