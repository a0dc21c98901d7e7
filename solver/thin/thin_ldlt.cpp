// SPDX-License-Identifier: BSD-3-Clause
// Scales rows and columns alike, and solves with L, D and a permutation.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/graph/permutation.hpp"
#include "factorization/thin/lane_ldlt.hpp"
#include "factorization/thin/sparse_ldlt.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/sweeps/made_once.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/thin/thin_factors.hpp"

namespace frond {
namespace {

// Whether pivots must be positive; nothing: where the diagonal is. The course, too, begins with Cholesky there; where that fails,
// it explains why.
template <Scalar S>
std::optional<bool> demand_of(const ThinAnalysis& analysis) {
  const std::optional<Method>& asked = analysis.options().method;
  const bool have_signs = !kIsComplex<S> || analysis.plan().symmetry == Symmetry::hermitian;
  return asked || !have_signs ? std::optional(asked == Method::cholesky) : std::nullopt;
}

template <Scalar S>
Method ldlt_method(const ThinAnalysis& analysis, bool is_definite) {
  return is_definite ? Method::cholesky : indefinite_method<S>(analysis.plan().symmetry);
}

template <Scalar S>
class LanesOfLdlt final : public LaneFactors<S> {
 public:
  using R = RealOf<S>;

  // All must outlive this object.
  LanesOfLdlt(const ThinAnalysis& analysis, std::span<const R> scales)
      : analysis_(analysis),
        scales_(scales),
        is_hermitian_(kIsComplex<S> && analysis.plan().symmetry == Symmetry::hermitian),
        factors_(analysis.plan().structure, is_hermitian_) {}

  void refactorize(const LaneNumbers<S>* values) override {
    const SparsePattern pattern = analysis_.plan().pattern();
    least_diagonal_ = LaneReals<R>::all(std::numeric_limits<R>::infinity());
    for (Index col = 0; col < pattern.num_columns(); ++col) {
      least_diagonal_ = smaller(least_diagonal_, real_part(values[diagonal_source(pattern, col)]));
    }
    factors_.factorize(pattern, values, scales_);
  }

  [[nodiscard]] std::optional<typename LaneFactors<S>::Pivots> pivots(int lane) const override {
    const bool is_definite = demand_of<S>(analysis_).value_or(lane_of(least_diagonal_, lane) > 0);
    const R threshold = is_definite ? 0 : kept_threshold_of<S>(analysis_);
    if (!factors_.extremes().are_usable(lane, threshold) || (is_definite && !factors_.is_positive(lane))) {
      return std::nullopt;
    }
    return {{ldlt_method<S>(analysis_, is_definite), factors_.extremes().of(lane)}};
  }

  void solve(bool is_transposed, const LaneNumbers<S>* b, LaneNumbers<S>* x, LaneNumbers<S>* sweep) const override {
    const bool is_conjugate = is_transposed && is_hermitian_;
    const std::vector<Index>& variables = analysis_.plan().order.column_order;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const LaneNumbers<S> value = b[variables[k]] * LaneReals<R>::all(scales_[k]);
      sweep[k] = is_conjugate ? conjugate(value) : value;
    }
    factors_.solve(sweep);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const LaneNumbers<S> value = sweep[k] * LaneReals<R>::all(scales_[k]);
      x[variables[k]] = is_conjugate ? conjugate(value) : value;
    }
  }

 private:
  const ThinAnalysis& analysis_;
  std::span<const R> scales_;
  bool is_hermitian_;
  LaneReals<R> least_diagonal_;
  LaneLdlt<S> factors_;
};

// Pivots are taken from the diagonal in the order of the analysis. Where that asks for pivots of two variables, fronts take over.
template <Scalar S>
class ThinLdlt final : public ThinFactors<S> {
 public:
  using R = RealOf<S>;

  explicit ThinLdlt(std::shared_ptr<const ThinAnalysis> analysis)
      : analysis_(std::move(analysis)), is_hermitian_(kIsComplex<S> && plan().symmetry == Symmetry::hermitian) {}

  [[nodiscard]] bool factorize(const S* values) override {
    find_scales(values);
    if (!factors_) {
      factors_.emplace(plan().structure);
    }
    return run(values, threshold_of<S>(*analysis_));
  }

  [[nodiscard]] bool refactorize(const S* values) override { return run(values, kept_threshold_of<S>(*analysis_)); }

  void solve(bool is_transposed, int num_columns, const S* b, S* x, S* sweep) const override {
    const bool is_conjugate = is_transposed && is_hermitian_;
    const std::vector<Index>& variables = plan().order.column_order;
    const std::size_t order = variables.size();
    for (int column = 0; column < num_columns; ++column, b += order) {
      for (std::size_t k = 0; k < order; ++k) {
        const S value = b[variables[k]] * scales_[k];
        sweep[k * num_columns + column] = is_conjugate ? conjugate(value) : value;
      }
    }
    with_sides(num_columns, sweep, [&](auto* sides) { factors_->solve(sides); });
    for (int column = 0; column < num_columns; ++column, x += order) {
      for (std::size_t k = 0; k < order; ++k) {
        const S value = sweep[k * num_columns + column] * scales_[k];
        x[variables[k]] = is_conjugate ? conjugate(value) : value;
      }
    }
  }

  [[nodiscard]] std::unique_ptr<LaneFactors<S>> in_lanes() const override {
    return std::make_unique<LanesOfLdlt<S>>(*analysis_, scales_);
  }

  [[nodiscard]] SelectiveSolve<S> selective_solve(bool is_transposed) const override {
    const std::vector<Index>& pivots = pivots_of_variables_.of([this] { return invert(plan().order.column_order); });
    const ColumnsView<S> lower = factors_->structure().with(factors_->lower().data());
    const PivotLinks<S> away{.offsets = lower.offsets, .targets = lower.rows, .values = lower.values};
    PivotLinks<S> back = away;
    back.division = Division::before;
    back.is_conjugated = is_hermitian_;
    return {
        .factors = {.away = away, .back = back, .inverse_pivots = factors_->inverse_pivots().data(), .blocks = plan().order.blocks},
        .pivots_of_rows = pivots,
        .row_scales = scales_,
        .pivots_of_unknowns = pivots,
        .unknown_scales = scales_,
        .is_conjugated = is_transposed && is_hermitian_};
  }

  [[nodiscard]] Method method() const override { return ldlt_method<S>(*analysis_, is_definite_); }
  [[nodiscard]] const PivotExtremes<S>& extremes() const override { return factors_->extremes(); }

  [[nodiscard]] double smallest_pivot(std::span<const R> scales) const override {
    double smallest = kInfinity;
    for (std::size_t k = 0; k < scales_.size(); ++k) {
      const R ratio = scales[plan().order.column_order[k]] / scales_[k];
      smallest = std::min(smallest, static_cast<double>(std::abs(factors_->pivots()[k]) * ratio * ratio));
    }
    return smallest;
  }

  void count(FactorizationReport& report) const override {
    const Index smallest = factors_->extremes().smallest;
    const bool have_signs = !kIsComplex<S> || is_hermitian_;
    report.smallest_pivot_variable = plan().order.column_order[smallest];
    report.factor_entries = static_cast<Count>(factors_->structure().rows.size() + scales_.size());
    report.factor_bytes = static_cast<Count>(factors_->memory_bytes());
    report.flops = static_cast<double>(factors_->structure().rows.size()) + 2 * factors_->structure().multiplications;
    for (std::size_t k = 0; k < scales_.size(); ++k) {
      const S pivot = factors_->pivots()[k];
      report.determinant *= Determinant(std::complex<double>(pivot));
      report.determinant.exponent -= 2 * std::ilogb(scales_[k]);  // a power of 2
      ++(!have_signs ? report.inertia.zero : std::real(pivot) > 0 ? report.inertia.positive : report.inertia.negative);
    }
    if (have_signs) {
      report.smallest_pivot_sign = std::real(factors_->pivots()[smallest]) > 0 ? 1 : -1;
    } else {
      report.inertia = {};
    }
  }

 private:
  [[nodiscard]] const ThinPlan& plan() const { return analysis_->plan(); }

  [[nodiscard]] bool run(const S* values, R threshold) {
    is_definite_ = demand_of<S>(*analysis_).value_or(has_positive_diagonal(values));
    return factors_->factorize(plan().pattern(), {values, scales_},
                               {.is_hermitian = is_hermitian_,
                                .must_be_definite = is_definite_,
                                .threshold = threshold,
                                .observer = analysis_->options().observer.get()});
  }

  [[nodiscard]] bool has_positive_diagonal(const S* values) const {
    const SparsePattern pattern = plan().pattern();
    for (Index col = 0; col < pattern.num_columns(); ++col) {
      if (!(std::real(values[diagonal_source(pattern, col)]) > 0)) {
        return false;
      }
    }
    return true;
  }

  // Makes the largest magnitude of each row about 1 if rows are scaled one after the other.
  void find_scales(const S* values) {
    const SparsePattern pattern = plan().pattern();
    scales_.assign(static_cast<std::size_t>(pattern.num_columns()), R(0));
    for (Index col = 0; col < pattern.num_columns(); ++col) {
      R& own = scales_[col];
      for (Index entry = pattern.offsets[col]; entry < pattern.offsets[col + 1]; ++entry) {
        const Index source = pattern.sources[entry];
        const R size = magnitude_bound(values[source >= 0 ? source : -1 - source]);
        own = std::max(own, size);
        R& other = scales_[pattern.rows[entry]];
        other = std::max(other, size);
      }
    }
    for (R& scale : scales_) {
      scale = inverse_power_of_two(std::sqrt(scale));
    }
  }

  std::shared_ptr<const ThinAnalysis> analysis_;
  bool is_hermitian_;
  bool is_definite_ = false;
  std::vector<R> scales_;  // [place]
  std::optional<SparseLdlt<S>> factors_;
  MadeOnce<std::vector<Index>> pivots_of_variables_;
};

}  // namespace

template <Scalar S>
std::unique_ptr<ThinFactors<S>> make_thin_ldlt(std::shared_ptr<const ThinAnalysis> analysis) {
  return std::make_unique<ThinLdlt<S>>(std::move(analysis));
}

#define FROND_INSTANTIATE(S) template std::unique_ptr<ThinFactors<S>> make_thin_ldlt(std::shared_ptr<const ThinAnalysis>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
