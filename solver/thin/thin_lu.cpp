// SPDX-License-Identifier: BSD-3-Clause
// Scales rows, and solves with L, U and permutations.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/graph/permutation.hpp"
#include "factorization/thin/lane_lu.hpp"
#include "factorization/thin/sparse_lu.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/sweeps/made_once.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/thin/thin_factors.hpp"

namespace frond {
namespace {

// The factors may have this many times the predicted entries: pivots off the diagonal fill in more.
constexpr double kMostFill = 8;
constexpr double kFreeEntries = 1e4;
constexpr double kMostIndices = std::numeric_limits<Index>::max() / 2.0;

// As many as memory allows, if that is limited, but not many more than predicted. Arrays that grow take twice their size meanwhile.
double most_entries(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double most = std::min(kMostFill * plan.order.entries + kFreeEntries, kMostIndices);
  const auto limit = static_cast<double>(plan.most_bytes(analysis.options().factorization.memory_limit));
  const double bytes_of_one = 2 * static_cast<double>(plan.bytes(1) - plan.bytes(0));
  return limit > 0 ? std::clamp((limit - static_cast<double>(plan.bytes(0))) / bytes_of_one, 0.0, most) : most;
}

// [column] = the row of its diagonal entry of A, which is the other one of a pair: variables that make no pivot together may each
// have their own.
std::vector<Index> rows_of_diagonal(const BlockOrder& order) {
  const std::vector<Index> place_of_row = invert(order.row_order);
  std::vector<Index> rows(place_of_row.size());
  std::ranges::transform(order.column_order, rows.begin(), [&](Index variable) { return place_of_row[variable]; });
  return rows;
}

template <Scalar S>
SparseLuOptions<S> options_of(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double entries = plan.order.entries;
  const double most = most_entries(analysis);
  const double off_diagonal = entries - static_cast<double>(plan.order.column_order.size());
  return {.threshold = threshold_of<S>(analysis),
          .other_rows = plan.is_paired ? rows_of_diagonal(plan.order) : std::vector<Index>(),
          .expected_entries = static_cast<std::size_t>(std::min(off_diagonal, most) / 2 * 1.2),
          .num_couplings = plan.num_couplings,
          .most_entries = static_cast<std::size_t>(most),
          .most_multiplications = analysis.options().factorization.thin == Use::automatic ? plan.most_multiplications
                                                                                          : std::numeric_limits<double>::infinity(),
          .observer = analysis.options().observer.get()};
}

// Pairs of pivots of a symmetric matrix are those of L D L^T.
template <Scalar S>
Method method_of(const ThinAnalysis& analysis) {
  return analysis.plan().is_paired ? indefinite_method<S>(analysis.plan().symmetry) : Method::lu;
}

// The entry of this row in a column; 0 if there is none.
template <Scalar S>
S entry_at(const SparseColumns<S>& columns, Index column, Index row) {
  const auto begin = columns.rows.begin() + columns.offsets[column];
  const auto end = columns.rows.begin() + columns.offsets[column + 1];
  const auto place = std::find(begin, end, row);
  return place == end ? S(0) : columns.values[place - columns.rows.begin()];
}

// The scales of rows and their places, in the order of pivots.
template <Scalar S>
struct PivotRows {
  std::vector<RealOf<S>> scales;
  std::vector<Index> rows;  // of A as it is stored

  // sweep := b in the order in which B x = b, or B^T x = b, is solved: [k * stride], for numbers of one system or of several.
  template <class Value>
  void gather(bool is_transposed, std::span<const Index> columns, const Value* b, Value* sweep, std::size_t stride = 1) const {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      sweep[k * stride] = is_transposed ? b[columns[k]] : b[rows[k]] * scale<Value>(k);
    }
  }
  // x := what was found there.
  template <class Value>
  void scatter(bool is_transposed, std::span<const Index> columns, const Value* sweep, Value* x, std::size_t stride = 1) const {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Value& value = sweep[k * stride];
      x[is_transposed ? rows[k] : columns[k]] = is_transposed ? value * scale<Value>(k) : value;
    }
  }

 private:
  template <class Value>
  [[nodiscard]] auto scale(std::size_t k) const {
    if constexpr (std::is_same_v<Value, S>) {
      return scales[k];
    } else {
      return LaneReals<RealOf<S>>::all(scales[k]);
    }
  }
};

template <Scalar S>
class LanesOfLu final : public LaneFactors<S> {
 public:
  // All must outlive this object.
  LanesOfLu(const ThinAnalysis& analysis, const SparseLu<S>& leader, const PivotRows<S>& pivot_rows)
      : analysis_(analysis), pivot_rows_(pivot_rows), factors_(leader) {}

  void refactorize(const LaneNumbers<S>* values) override { factors_.refactorize(values, pivot_rows_.scales); }

  [[nodiscard]] std::optional<typename LaneFactors<S>::Pivots> pivots(int lane) const override {
    if (!factors_.extremes().are_usable(lane, kept_threshold_of<S>(analysis_))) {
      return std::nullopt;
    }
    return {{method_of<S>(analysis_), factors_.extremes().of(lane)}};
  }

  void solve(bool is_transposed, const LaneNumbers<S>* b, LaneNumbers<S>* x, LaneNumbers<S>* sweep) const override {
    const std::vector<Index>& columns = analysis_.plan().order.column_order;
    pivot_rows_.gather(is_transposed, columns, b, sweep);
    factors_.solve(is_transposed, sweep);
    pivot_rows_.scatter(is_transposed, columns, sweep, x);
  }

 private:
  const ThinAnalysis& analysis_;
  const PivotRows<S>& pivot_rows_;
  LaneLu<S> factors_;
};

template <Scalar S>
class ThinLu final : public ThinFactors<S> {
 public:
  using R = RealOf<S>;

  explicit ThinLu(std::shared_ptr<const ThinAnalysis> analysis) : analysis_(std::move(analysis)) {}

  [[nodiscard]] bool factorize(const S* values) override {
    const std::vector<R> scales = found_scales(values);
    const ThinPlan& plan = analysis_->plan();
    std::optional<SparseLu<S>> factors =
        SparseLu<S>::factorize(plan.pattern(), plan.order.blocks, {values, scales}, options_of<S>(*analysis_));
    if (!factors) {
      return false;  // later values may be factorized along the pivots of before, which have their own scales
    }
    factors_ = std::move(*factors);
    links_.forget();
    pivot_rows_.scales.resize(scales.size());
    pivot_rows_.rows.resize(scales.size());
    for (std::size_t k = 0; k < scales.size(); ++k) {
      const Index place = factors_.row_order()[k];
      pivot_rows_.scales[k] = scales[place];
      pivot_rows_.rows[k] = plan.order.row_order[place];
    }
    return true;
  }

  [[nodiscard]] bool refactorize(const S* values) override {
    return factors_.refactorize({values, pivot_rows_.scales}, kept_threshold_of<S>(*analysis_));
  }

  void solve(bool is_transposed, int num_columns, const S* b, S* x, S* sweep) const override {
    const std::vector<Index>& columns = analysis_->plan().order.column_order;
    const std::size_t order = columns.size();
    for (int column = 0; column < num_columns; ++column, b += order) {
      pivot_rows_.gather(is_transposed, columns, b, sweep + column, num_columns);
    }
    with_sides(num_columns, sweep, [&](auto* sides) {
      if (is_transposed) {
        factors_.solve_transposed(sides);
      } else {
        factors_.solve(sides);
      }
    });
    for (int column = 0; column < num_columns; ++column, x += order) {
      pivot_rows_.scatter(is_transposed, columns, sweep + column, x, num_columns);
    }
  }

  [[nodiscard]] std::unique_ptr<LaneFactors<S>> in_lanes() const override {
    return std::make_unique<LanesOfLu<S>>(*analysis_, factors_, pivot_rows_);
  }

  [[nodiscard]] SelectiveSolve<S> selective_solve(bool is_transposed) const override {
    const Links& links = links_.of([this] { return made_links(); });
    const PivotLinks<S> lower = by_columns(factors_.lower());
    PivotLinks<S> upper = by_rows(links.upper, factors_.upper());
    upper.division = is_transposed ? Division::before : Division::after;
    const std::span<const R> scales = pivot_rows_.scales;
    return {
        .factors = {.away = is_transposed ? upper : lower,
                    .back = is_transposed ? lower : upper,
                    .couplings = is_transposed ? by_columns(factors_.couplings()) : by_rows(links.couplings, factors_.couplings()),
                    .inverse_pivots = factors_.inverse_pivots().data(),
                    .blocks = analysis_->plan().order.blocks,
                    .block_of = links.block_of,
                    .depend_on_later_blocks = !is_transposed},
        .pivots_of_rows = is_transposed ? links.pivots_of_columns : links.pivots_of_rows,
        .row_scales = is_transposed ? std::span<const R>() : scales,
        .pivots_of_unknowns = is_transposed ? links.pivots_of_rows : links.pivots_of_columns,
        .unknown_scales = is_transposed ? scales : std::span<const R>()};
  }

  [[nodiscard]] Method method() const override { return method_of<S>(*analysis_); }
  [[nodiscard]] const PivotExtremes<S>& extremes() const override { return factors_.extremes(); }

  [[nodiscard]] double smallest_pivot(std::span<const R> scales) const override {
    double smallest = kInfinity;
    for (Index k = 0; k < factors_.order(); ++k) {
      const R scale = scales[pivot_rows_.rows[k]] / pivot_rows_.scales[k] * scales[analysis_->plan().order.column_order[k]];
      smallest = std::min(smallest, static_cast<double>(std::abs(factors_.pivots()[k]) * scale));
    }
    return smallest;
  }

  void count(FactorizationReport& report) const override {
    const SparseColumns<S>& lower = factors_.lower();
    const SparseColumns<S>& upper = factors_.upper();
    report.smallest_pivot_variable = pivot_rows_.rows[factors_.extremes().smallest];
    report.factor_entries = static_cast<Count>(lower.rows.size() + upper.rows.size()) + factors_.order();
    report.factor_bytes = static_cast<Count>(factors_.memory_bytes());
    const auto height = [&lower](Index pivot) { return static_cast<double>(lower.offsets[pivot + 1] - lower.offsets[pivot]); };
    for (Index column = 0; column < factors_.order(); ++column) {
      report.flops += height(column);
      report.determinant *= Determinant(std::complex<double>(factors_.pivots()[column]));
      report.determinant.exponent -= std::ilogb(pivot_rows_.scales[column]);  // a power of 2
    }
    for (const Index pivot : upper.rows) {
      report.flops += 2 * height(pivot);
    }
    if (analysis_->plan().is_paired && !kIsComplex<S>) {
      count_signs(report);
    }
    if (is_odd(pivot_rows_.rows) != is_odd(analysis_->plan().order.column_order)) {
      report.determinant.negate();
    }
  }

 private:
  // The rows of a pair are exchanged: with [a b; b c] for what is left of the matrix there, its pivots are b and b - a c / b, and
  // L has a / b; rows are scaled by positive numbers. The signs of the eigenvalues are those of the blocks of D (Sylvester).
  void count_signs(FactorizationReport& report) const {
    const std::vector<Index>& columns = analysis_->plan().order.column_order;
    const std::span<const S> pivots = factors_.pivots();
    const Index smallest = factors_.extremes().smallest;
    for (Index k = 0; k < factors_.order(); ++k) {
      const bool is_pair = pivot_rows_.rows[k] != columns[k];
      const R first = std::real(pivots[k]);
      int sign = first > 0 ? 1 : -1;
      if (is_pair) {
        const R a = std::real(entry_at(factors_.lower(), k, k + 1)) * first / pivot_rows_.scales[k + 1];
        const R c = std::real(entry_at(factors_.upper(), k + 1, k)) / pivot_rows_.scales[k];
        const bool are_alike = (first > 0) != (std::real(pivots[k + 1]) > 0);
        sign = (are_alike ? a : -(a + c)) > 0 ? 1 : -1;  // of the one nearest to zero
        ++report.num_two_by_two;
        ++(are_alike && sign < 0 ? report.inertia.negative : report.inertia.positive);
        ++(are_alike && sign > 0 ? report.inertia.positive : report.inertia.negative);
      } else {
        ++(sign > 0 ? report.inertia.positive : report.inertia.negative);
      }
      if (k == smallest || (is_pair && k + 1 == smallest)) {
        report.smallest_pivot_sign = sign;
      }
      k += is_pair ? 1 : 0;
    }
  }

  // What finds pivots, and entries by rows.
  struct Links {
    std::vector<Index> pivots_of_rows;  // of A as it is stored
    std::vector<Index> pivots_of_columns;
    std::vector<Index> block_of;
    RowLinks upper;
    RowLinks couplings;
  };

  [[nodiscard]] Links made_links() const {
    const BlockOrder& order = analysis_->plan().order;
    std::vector<Index> block_of(order.column_order.size());
    for (std::size_t block = 0; block + 1 < order.blocks.size(); ++block) {
      std::fill(block_of.begin() + order.blocks[block], block_of.begin() + order.blocks[block + 1], static_cast<Index>(block));
    }
    return {invert(pivot_rows_.rows), invert(order.column_order), std::move(block_of),
            RowLinks(factors_.upper().offsets, factors_.upper().rows),
            RowLinks(factors_.couplings().offsets, factors_.couplings().rows)};
  }

  [[nodiscard]] static PivotLinks<S> by_columns(const SparseColumns<S>& columns) {
    return {.offsets = columns.offsets.data(), .targets = columns.rows.data(), .values = columns.values.data()};
  }
  [[nodiscard]] static PivotLinks<S> by_rows(const RowLinks& rows, const SparseColumns<S>& columns) {
    return {rows.offsets.data(), rows.columns.data(), rows.entries.data(), columns.values.data()};
  }

  // Makes the largest magnitude of each row within its diagonal block one of [1, 2). Pivots are compared with these alone.
  [[nodiscard]] std::vector<R> found_scales(const S* values) const {
    const SparsePattern pattern = analysis_->plan().pattern();
    std::vector<R> scales(static_cast<std::size_t>(pattern.num_columns()), R(0));
    const std::vector<Index>& blocks = analysis_->plan().order.blocks;
    for (std::size_t block = 0; block + 1 < blocks.size(); ++block) {
      for (Index entry = pattern.offsets[blocks[block]]; entry < pattern.offsets[blocks[block + 1]]; ++entry) {
        if (pattern.rows[entry] >= blocks[block]) {
          R& largest = scales[pattern.rows[entry]];
          largest = std::max(largest, magnitude_bound(values[pattern.sources[entry]]));
        }
      }
    }
    for (R& scale : scales) {
      scale = inverse_power_of_two(scale);
    }
    return scales;
  }

  std::shared_ptr<const ThinAnalysis> analysis_;
  SparseLu<S> factors_;
  PivotRows<S> pivot_rows_;
  MadeOnce<Links> links_;
};

}  // namespace

template <Scalar S>
std::unique_ptr<ThinFactors<S>> make_thin_lu(std::shared_ptr<const ThinAnalysis> analysis) {
  return std::make_unique<ThinLu<S>>(std::move(analysis));
}

#define FROND_INSTANTIATE(S) template std::unique_ptr<ThinFactors<S>> make_thin_lu(std::shared_ptr<const ThinAnalysis>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
