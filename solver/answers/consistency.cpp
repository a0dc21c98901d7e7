// SPDX-License-Identifier: BSD-3-Clause
// Residuals against left null vectors.
#include "solver/answers/consistency.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <new>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/accuracy/shared_product.hpp"
#include "solver/accuracy/wide_sum.hpp"
#include "solver/problem/report.hpp"
#include "solver/sweeps/solve.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 0 / 0 = 0; infinite when one of them is no finite number.
double quotient(long double part, long double whole) {
  if (part == 0 && std::isfinite(whole)) {
    return 0;
  }
  const auto ratio = static_cast<double>(part / whole);
  return std::isfinite(ratio) && std::isfinite(whole) ? ratio : kInfinity;
}

// Up to kSolveBlock right-hand sides.
template <Scalar S>
class ConsistencyOfBlock {
 public:
  using R = RealOf<S>;

  ConsistencyOfBlock(const NullSpaceProblem<S>& problem, const SharedProduct<S>& product, std::span<const SolvedColumn<S>> columns)
      : problem_(problem),
        order_(problem.matrix.pattern.num_cols),
        columns_(columns),
        residuals_(order_, static_cast<Index>(columns.size())),
        sizes_(order_, static_cast<Index>(columns.size())),
        errors_(columns.size()) {
    on_threads(problem.num_threads,
               [&] { tbb::parallel_for(Index{0}, residuals_.num_cols, [&](Index j) { measure_equations(product, j); }); });
  }

  void run(const SolvePart<S>& solve) {
    const double target = kAccuracyTarget<S>;
    if (std::any_of(errors_.begin(), errors_.end(), [target](double error) { return !(error <= target); })) {
      test_null_vectors(solve);
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      ColumnReport& report = *columns_[j].report;
      report.consistency_error =
          std::max(errors_[j], std::min(report.normwise_backward_error, report.componentwise_backward_error));
    }
  }

 private:
  // b - A x, the sizes |A| |x| + |b|, and the largest quotient of column j.
  void measure_equations(const SharedProduct<S>& product, Index j) {
    const SolvedColumn<S>& column = columns_[static_cast<std::size_t>(j)];
    const std::span<S> residual = residuals_.column(j);
    const std::span<R> sizes = sizes_.column(j);
    std::vector<S> low(residual.size());
    product.multiply(column.x, {residual, low}, sizes);
    double largest = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      residual[i] = wide_difference(column.b[i], residual[i], low[i]);
      sizes[i] += std::abs(column.b[i]);
      largest = std::max(largest, quotient(std::abs(residual[i]), sizes[i]));
    }
    errors_[static_cast<std::size_t>(j)] = largest;
  }

  void test_null_vectors(const SolvePart<S>& solve) {
    std::vector<double> of_vectors(columns_.size(), 0);
    const auto num_vectors = static_cast<Index>(problem_.null_pivots.size());
    for (Index begin = 0; begin < num_vectors; begin += kSolveBlock) {
      const DenseMatrix<S> vectors = left_null_vectors(solve, begin, std::min(num_vectors, begin + kSolveBlock));
      on_threads(problem_.num_threads, [&] {
        tbb::parallel_for(Index{0}, residuals_.num_cols, [&](Index j) {
          double& largest = of_vectors[static_cast<std::size_t>(j)];
          for (Index k = 0; k < vectors.num_cols; ++k) {
            largest = std::max(largest, test(vectors.column(k), j));
          }
        });
      });
    }
    for (std::size_t j = 0; j < errors_.size(); ++j) {
      errors_[j] = std::min(errors_[j], of_vectors[j]);
    }
  }

  // y with y^H op(A) = 0, for op(A)^H = A^H, conj(A) or A.
  [[nodiscard]] DenseMatrix<S> left_null_vectors(const SolvePart<S>& solve, Index begin, Index end) const {
    DenseMatrix<S> vectors(order_, end - begin);
    for (Index k = begin; k < end; ++k) {
      vectors(problem_.null_pivots[static_cast<std::size_t>(k)], k - begin) = S(1);
    }
    solve(SweepPart::second, problem_.operation == Operation::plain ? Operation::adjoint : Operation::plain, view_of(vectors));
    if (problem_.operation == Operation::transposed) {
      conjugate_entries(view_of(vectors));
    }
    return vectors;
  }

  // |y^H r| / |y|^T s for the residual and the sizes of column j. Wide, because units may be far apart.
  [[nodiscard]] double test(std::span<const S> y, Index j) const {
    const std::span<const S> residual = residuals_.column(j);
    const std::span<const R> sizes = sizes_.column(j);
    long double real = 0;
    long double imaginary = 0;
    long double whole = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == S(0)) {
        continue;
      }
      const long double y_real = std::real(y[i]);
      const long double y_imaginary = std::imag(y[i]);
      const long double r_real = std::real(residual[i]);
      const long double r_imaginary = std::imag(residual[i]);
      real += y_real * r_real + y_imaginary * r_imaginary;
      imaginary += y_real * r_imaginary - y_imaginary * r_real;
      whole += std::hypot(y_real, y_imaginary) * sizes[i];
    }
    return quotient(std::hypot(real, imaginary), whole);
  }

  const NullSpaceProblem<S>& problem_;
  Index order_;
  std::span<const SolvedColumn<S>> columns_;
  DenseMatrix<S> residuals_;
  DenseMatrix<R> sizes_;
  std::vector<double> errors_;  // [column]
};

}  // namespace

template <Scalar S>
void measure_consistency(const NullSpaceProblem<S>& problem, const SolvePart<S>& solve, std::span<const SolvedColumn<S>> columns) {
  if (!solve || problem.null_pivots.empty() || problem.is_singular_by_condition) {
    for (const SolvedColumn<S>& column : columns) {
      column.report->consistency_error = column.report->componentwise_backward_error;
    }
    return;
  }
  try {
    const SharedProduct<S> product(problem.matrix, problem.operation);
    for (std::size_t begin = 0; begin < columns.size(); begin += kSolveBlock) {
      ConsistencyOfBlock<S>(problem, product, columns.subspan(begin, std::min<std::size_t>(kSolveBlock, columns.size() - begin)))
          .run(solve);
    }
  } catch (const std::bad_alloc&) {
    throw MemoryError(
        fmt::format("no memory to find out whether {} right-hand sides of a singular system are consistent: solve fewer at "
                    "a time, or raise the limit of the process",
                    columns.size()),
        0, 0);
  }
}

template void measure_consistency(const NullSpaceProblem<float>&, const SolvePart<float>&, std::span<const SolvedColumn<float>>);
template void measure_consistency(const NullSpaceProblem<double>&, const SolvePart<double>&, std::span<const SolvedColumn<double>>);
template void measure_consistency(const NullSpaceProblem<std::complex<float>>&, const SolvePart<std::complex<float>>&,
                                  std::span<const SolvedColumn<std::complex<float>>>);
template void measure_consistency(const NullSpaceProblem<std::complex<double>>&, const SolvePart<std::complex<double>>&,
                                  std::span<const SolvedColumn<std::complex<double>>>);

}  // namespace frond
