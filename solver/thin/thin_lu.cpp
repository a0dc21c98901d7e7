// SPDX-License-Identifier: BSD-3-Clause
// Scales rows, and solves with L, U and permutations.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/graph/permutation.hpp"
#include "factorization/thin/sparse_lu.hpp"
#include "solver/thin/thin_factors.hpp"

namespace frond {
namespace {

// The factors may have this many times the predicted entries: pivots off the diagonal fill in more.
constexpr double kMostFill = 8;
constexpr double kFreeEntries = 1e4;
constexpr double kMostIndices = std::numeric_limits<Index>::max() / 2;

// As many as memory allows, if that is limited, but not many more than predicted. Arrays that grow take twice their size meanwhile.
double most_entries(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double most = std::min(kMostFill * plan.order.entries + kFreeEntries, kMostIndices);
  const auto limit = static_cast<double>(plan.most_bytes(analysis.options().factorization.memory_limit));
  const double bytes_of_one = 2 * static_cast<double>(plan.bytes(1) - plan.bytes(0));
  return limit > 0 ? std::clamp((limit - static_cast<double>(plan.bytes(0))) / bytes_of_one, 0.0, most) : most;
}

template <Scalar S>
SparseLuOptions<S> options_of(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double entries = plan.order.entries;
  const double most = most_entries(analysis);
  const double off_diagonal = entries - static_cast<double>(plan.order.column_order.size());
  return {.threshold = threshold_of<S>(analysis),
          .expected_entries = static_cast<std::size_t>(std::min(off_diagonal, most) / 2 * 1.2),
          .num_couplings = plan.num_couplings,
          .most_entries = static_cast<std::size_t>(most),
          .most_multiplications = analysis.options().factorization.thin == Use::automatic ? plan.most_multiplications
                                                                                          : std::numeric_limits<double>::infinity(),
          .observer = analysis.options().observer.get()};
}

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
    pivot_scales_.resize(scales.size());
    pivot_rows_.resize(scales.size());
    for (std::size_t k = 0; k < pivot_rows_.size(); ++k) {
      const Index place = factors_.row_order()[k];
      pivot_scales_[k] = scales[place];
      pivot_rows_[k] = plan.order.row_order[place];
    }
    return true;
  }

  [[nodiscard]] bool refactorize(const S* values) override {
    return factors_.refactorize({values, pivot_scales_}, threshold_of<S>(*analysis_) * static_cast<R>(kKeptThreshold));
  }

  void solve(bool is_transposed, int num_columns, const S* b, S* x, S* sweep) const override {
    with_lanes(num_columns, [&](auto lanes) { solve_lanes<lanes>(is_transposed, b, x, sweep); });
  }

  [[nodiscard]] Method method() const override { return Method::lu; }
  [[nodiscard]] const PivotExtremes<S>& extremes() const override { return factors_.extremes(); }

  void count(FactorizationReport& report) const override {
    const SparseColumns<S>& lower = factors_.lower();
    const SparseColumns<S>& upper = factors_.upper();
    report.smallest_pivot_variable = pivot_rows_[factors_.extremes().smallest];
    report.factor_entries = static_cast<Count>(lower.rows.size() + upper.rows.size()) + factors_.order();
    report.factor_bytes = static_cast<Count>(factors_.memory_bytes());
    const auto height = [&lower](Index pivot) { return static_cast<double>(lower.offsets[pivot + 1] - lower.offsets[pivot]); };
    for (Index column = 0; column < factors_.order(); ++column) {
      report.flops += height(column);
      report.determinant *= Determinant(std::complex<double>(factors_.pivots()[column]));
      report.determinant.exponent -= std::ilogb(pivot_scales_[column]);  // a power of 2
    }
    for (const Index pivot : upper.rows) {
      report.flops += 2 * height(pivot);
    }
    if (is_odd(pivot_rows_) != is_odd(analysis_->plan().order.column_order)) {
      report.determinant.negate();
    }
  }

 private:
  template <int Lanes>
  void solve_lanes(bool is_transposed, const S* b, S* x, S* sweep) const {
    const std::vector<Index>& columns = analysis_->plan().order.column_order;
    const std::size_t order = columns.size();
    for (int lane = 0; lane < Lanes; ++lane, b += order) {
      for (std::size_t k = 0; k < order; ++k) {
        sweep[k * Lanes + lane] = is_transposed ? b[columns[k]] : b[pivot_rows_[k]] * pivot_scales_[k];
      }
    }
    if (is_transposed) {
      factors_.template solve_transposed<Lanes>(sweep);
    } else {
      factors_.template solve<Lanes>(sweep);
    }
    for (int lane = 0; lane < Lanes; ++lane, x += order) {
      for (std::size_t k = 0; k < order; ++k) {
        const S value = sweep[k * Lanes + lane];
        x[is_transposed ? pivot_rows_[k] : columns[k]] = is_transposed ? value * pivot_scales_[k] : value;
      }
    }
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
  std::vector<R> pivot_scales_;    // [pivot] = scale of its row
  std::vector<Index> pivot_rows_;  // [pivot] = row of A as it is stored
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
