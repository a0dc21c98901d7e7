// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement in the working precision (Skeel 1980), column by column, corrections solved together.
#include "solver/refine.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "matrices/dense_matrix.hpp"
#include "solver/solve.hpp"

namespace frond {
namespace {

template <Scalar S>
constexpr double kComponentwiseTarget = 10 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

template <Scalar S>
std::span<const S> column_of(DenseView<const S> matrix, Index col) {
  return {matrix.column(col), static_cast<std::size_t>(matrix.rows)};
}

// At most 1 when there is nothing to refine.
template <Scalar S>
double badness(const ColumnReport& report) {
  return std::max(report.componentwise_backward_error / kComponentwiseTarget<S>,
                  report.normwise_backward_error / kAccuracyTarget<S>);
}

template <Scalar S>
class Refinement {
 public:
  Refinement(const RefinedSolve<S>& solve, DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports)
      : solve_(solve), b_(b), x_(x), reports_(reports), residuals_(x.rows, x.cols) {}

  void run() {
    solve_first();
    std::vector<Index> active = unsatisfied();
    for (int step = 0; step < solve_.max_steps && !active.empty(); ++step) {
      correct(active);
    }
  }

 private:
  void solve_first() {
    for (Index j = 0; j < b_.cols; ++j) {
      std::copy_n(b_.column(j), b_.rows, x_.column(j));
    }
    solve_with_factors<S>(solve_.factors, solve_.plan, solve_.operation, x_, solve_.num_threads);
    for_columns(b_.cols, [this](Index j) {
      const std::span<const S> b = column_of<S>(b_, j);
      if (std::all_of(b.begin(), b.end(), [](S value) { return value == S(0); })) {
        std::fill_n(x_.column(j), x_.rows, S(0));
      }
      reports_[static_cast<std::size_t>(j)] = solve_.meter.measure(b, column_of<S>(x_, j), residuals_.column(j));
    });
  }

  [[nodiscard]] std::vector<Index> unsatisfied() const {
    std::vector<Index> columns;
    for (Index j = 0; j < b_.cols; ++j) {
      const double error = badness<S>(reports_[static_cast<std::size_t>(j)]);
      if (error > 1 && std::isfinite(error)) {
        columns.push_back(j);
      }
    }
    return columns;
  }

  // One correction of the active columns; those that are good enough or did not gain much leave.
  void correct(std::vector<Index>& active) {
    DenseMatrix<S> corrected(x_.rows, static_cast<Index>(active.size()));
    const DenseView<S> view{corrected.values.data(), corrected.num_rows, corrected.num_cols,
                            std::max(corrected.num_rows, Index{1})};
    for (std::size_t k = 0; k < active.size(); ++k) {
      std::copy_n(residuals_.column(active[k]).begin(), x_.rows, view.column(static_cast<Index>(k)));
    }
    solve_with_factors<S>(solve_.factors, solve_.plan, solve_.operation, view, solve_.num_threads);
    std::vector<char> stays(active.size());
    for_columns(view.cols, [&](Index k) {
      const auto position = static_cast<std::size_t>(k);
      stays[position] = accept(active[position], corrected.column(k)) ? 1 : 0;
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      if (stays[k] != 0) {
        active[kept++] = active[k];
      }
    }
    active.resize(kept);
  }

  // Adds a correction to column j if that makes it better. True when another one may be worth it.
  bool accept(Index j, std::span<S> candidate) {
    std::transform(candidate.begin(), candidate.end(), x_.column(j), candidate.begin(), std::plus<>());
    std::vector<S> residual(candidate.size());
    ColumnReport report = solve_.meter.measure(column_of<S>(b_, j), candidate, residual);
    ColumnReport& best = reports_[static_cast<std::size_t>(j)];
    const double error = badness<S>(report);
    const double previous_error = badness<S>(best);
    if (!(error < previous_error)) {
      return false;
    }
    report.refinement_steps = best.refinement_steps + 1;
    best = report;
    std::copy(candidate.begin(), candidate.end(), x_.column(j));
    std::copy(residual.begin(), residual.end(), residuals_.column(j).begin());
    return error > 1 && error <= previous_error / 2;
  }

  template <class Visit>
  void for_columns(Index num_columns, const Visit& visit) const {
    tbb::task_arena arena(solve_.num_threads > 0 ? solve_.num_threads : tbb::info::default_concurrency());
    arena.execute([&] { tbb::parallel_for(Index{0}, num_columns, visit); });
  }

  const RefinedSolve<S>& solve_;
  DenseView<const S> b_;
  DenseView<S> x_;
  std::span<ColumnReport> reports_;
  DenseMatrix<S> residuals_;
};

}  // namespace

template <Scalar S>
void RefinedSolve<S>::run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const {
  Refinement<S>(*this, b, x, reports).run();
}

template struct RefinedSolve<float>;
template struct RefinedSolve<double>;
template struct RefinedSolve<std::complex<float>>;
template struct RefinedSolve<std::complex<double>>;

}  // namespace frond
