// SPDX-License-Identifier: BSD-3-Clause
// Tests residuals against left null vectors.
#include "solver/numerics/answers/consistency.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/numerics/accuracy/equation_errors.hpp"
#include "solver/numerics/accuracy/shared_product.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {
namespace {

// A null vector y with |y^H b| over |y|^T (|A| |x| + |b|) above this shows that there is no solution: rounding errors of b and of y
// are far smaller.
constexpr double kInconsistent = 1e-10;

template <Scalar S>
Consistency consistency_of(double error, bool is_refuted) {
  if (error <= kAccuracyTarget<S>) {
    return Consistency::consistent;
  }
  return is_refuted ? Consistency::inconsistent : Consistency::in_doubt;
}

// Left null vectors y of op(A), y^H op(A) = 0, as columns.
template <Scalar S>
struct LeftNullVectors {
  DenseMatrix<S> vectors;
  std::vector<char> are_proved;  // [column]: |y^H op(A)| is at most the accuracy target times |y|^T |op(A)|, entry by entry
};

template <Scalar S>
class LeftNullSpace {
 public:
  LeftNullSpace(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve)
      : problem_(problem),
        solve_(solve),
        operation_(problem.operation == Operation::plain ? Operation::adjoint : Operation::plain),
        product_(problem.matrix, operation_) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(problem_.null_pivots.size()); }

  // The vectors of the null pivots [begin, end); if some are not proved, all are corrected by solving for their residuals.
  [[nodiscard]] LeftNullVectors<S> vectors(Index begin, Index end) const {
    const Index order = problem_.matrix.pattern.num_cols;
    LeftNullVectors<S> found{DenseMatrix<S>(order, end - begin), std::vector<char>(static_cast<std::size_t>(end - begin))};
    for (Index k = begin; k < end; ++k) {
      found.vectors(problem_.null_pivots[k], k - begin) = S(1);
    }
    solve_({operation_, view_of(found.vectors), SweepPart::second});
    DenseMatrix<S> residuals(order, end - begin);
    measure(found, residuals);
    if (std::count(found.are_proved.begin(), found.are_proved.end(), 0) > 0) {
      solve_({operation_, view_of(residuals)});
      std::transform(found.vectors.values.begin(), found.vectors.values.end(), residuals.values.begin(),
                     found.vectors.values.begin(), std::minus<>());
      measure(found, residuals);
    }
    if (problem_.operation == Operation::transposed) {  // op(A)^H = conj(A) has the conjugates of A's null vectors
      conjugate_entries(view_of(found.vectors));
    }
    return found;
  }

 private:
  // residuals := products with the vectors.
  void measure(LeftNullVectors<S>& found, DenseMatrix<S>& residuals) const {
    on_threads(problem_.num_threads, [&] {
      tbb::parallel_for(Index{0}, residuals.num_cols, [&](Index k) {
        std::vector<S> low(residuals.column(k).size());
        std::vector<RealOf<S>> sizes(low.size());
        product_.multiply(std::as_const(found.vectors).column(k), {residuals.column(k), low}, sizes);
        double largest = 0;
        for (std::size_t i = 0; i < low.size(); ++i) {
          residuals.column(k)[i] += low[i];
          largest = std::max(largest, error_ratio(std::abs(residuals.column(k)[i]), sizes[i]));
        }
        found.are_proved[k] = largest <= kAccuracyTarget<S> ? 1 : 0;
      });
    });
  }

  const NullSpaceProblem<S>& problem_;
  const SolveInPlace<S>& solve_;
  Operation operation_;  // op(A)^H is A^H, conj(A) or A; the latter two are solved as A
  SharedProduct<S> product_;
};

// Handles up to kSolveBlock right-hand sides.
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
        found_(columns.size()) {
    on_threads(problem.num_threads,
               [&] { tbb::parallel_for(Index{0}, residuals_.num_cols, [&](Index j) { measure_equations(product, j); }); });
  }

  void run(const LeftNullSpace<S>& null_space) {
    const auto is_open = [this](const SolvedColumn<S>& column) {
      return !(column.report->componentwise_backward_error <= kAccuracyTarget<S>);
    };
    if (std::any_of(columns_.begin(), columns_.end(), is_open)) {
      test_null_vectors(null_space);
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      ColumnReport& report = *columns_[j].report;
      const double of_vectors = is_open(columns_[j]) ? found_[j].of_vectors : kInfinity;
      report.consistency_error =
          std::max(std::min(report.componentwise_backward_error, of_vectors), report.normwise_backward_error);
      report.consistency = consistency_of<S>(report.consistency_error, found_[j].is_refuted);
    }
  }

 private:
  // b - A x and the sizes |A| |x| + |b|.
  void measure_equations(const SharedProduct<S>& product, Index j) {
    const SolvedColumn<S>& column = columns_[j];
    const std::span<S> residual = residuals_.column(j);
    const std::span<R> sizes = sizes_.column(j);
    std::vector<S> low(residual.size());
    product.multiply(column.x, {residual, low}, sizes);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      residual[i] = wide_difference(column.b[i], residual[i], low[i]);
      sizes[i] += std::abs(column.b[i]);
    }
  }

  void test_null_vectors(const LeftNullSpace<S>& null_space) {
    for (Index begin = 0; begin < null_space.size(); begin += kSolveBlock) {
      const LeftNullVectors<S> left = null_space.vectors(begin, std::min(null_space.size(), begin + kSolveBlock));
      on_threads(problem_.num_threads, [&] {
        tbb::parallel_for(Index{0}, residuals_.num_cols, [&](Index j) {
          for (Index k = 0; k < left.vectors.num_cols; ++k) {
            test(left.vectors.column(k), left.are_proved[k] != 0, j);
          }
        });
      });
    }
  }

  // Tests column j with y.
  void test(std::span<const S> y, bool is_proved, Index j) {
    Found& found = found_[j];
    const double of_residual = is_proved ? quotient_of(y, residuals_.column(j), sizes_.column(j)) : kInfinity;
    found.of_vectors = std::max(found.of_vectors, of_residual);
    found.is_refuted = found.is_refuted || (of_residual > kInconsistent && is_proved &&
                                            quotient_of(y, columns_[j].b, sizes_.column(j)) > kInconsistent);
  }

  // |y^H v| / |y|^T sizes. In wide arithmetic, because units may be far apart.
  [[nodiscard]] static double quotient_of(std::span<const S> y, std::span<const S> v, std::span<const R> sizes) {
    long double real = 0;
    long double imaginary = 0;
    long double whole = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == S(0)) {
        continue;
      }
      const long double y_real = std::real(y[i]);
      const long double y_imaginary = std::imag(y[i]);
      const long double v_real = std::real(v[i]);
      const long double v_imaginary = std::imag(v[i]);
      real += y_real * v_real + y_imaginary * v_imaginary;
      imaginary += y_real * v_imaginary - y_imaginary * v_real;
      whole += std::hypot(y_real, y_imaginary) * sizes[i];
    }
    return error_ratio(std::hypot(real, imaginary), whole);
  }

  struct Found {
    double of_vectors = 0;  // the largest |y^H (b - A x)| / |y|^T (|A| |x| + |b|)
    bool is_refuted = false;
  };

  const NullSpaceProblem<S>& problem_;
  Index order_;
  std::span<const SolvedColumn<S>> columns_;
  DenseMatrix<S> residuals_;
  DenseMatrix<R> sizes_;
  std::vector<Found> found_;  // [column]
};

}  // namespace

template <Scalar S>
void measure_consistency(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve,
                         std::span<const SolvedColumn<S>> columns) {
  if (!solve || problem.null_pivots.empty() || problem.is_singular_by_condition) {
    for (const SolvedColumn<S>& column : columns) {
      column.report->consistency_error = column.report->componentwise_backward_error;
      column.report->consistency = consistency_of<S>(column.report->consistency_error, false);
    }
    return;
  }
  try {
    const SharedProduct<S> product(problem.matrix, problem.operation);
    const LeftNullSpace<S> null_space(problem, solve);
    for (std::size_t begin = 0; begin < columns.size(); begin += kSolveBlock) {
      ConsistencyOfBlock<S>(problem, product, columns.subspan(begin, std::min<std::size_t>(kSolveBlock, columns.size() - begin)))
          .run(null_space);
    }
  } catch (const std::bad_alloc&) {
    throw MemoryError(
        fmt::format("no memory to find out whether {} right-hand sides of a singular system are consistent: solve fewer at "
                    "a time, or raise the limit of the process",
                    columns.size()),
        0, 0);
  }
}

#define FROND_INSTANTIATE(S) \
  template void measure_consistency(const NullSpaceProblem<S>&, const SolveInPlace<S>&, std::span<const SolvedColumn<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
