// SPDX-License-Identifier: BSD-3-Clause
// Computes null vectors from unit vectors of null pivots, or by inverse iteration.
#include "solver/numerics/answers/null_space.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <new>
#include <random>
#include <utility>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/answers/orthonormalize.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {
namespace {

constexpr int kMaxCorrections = 4;
constexpr double kGoodEnough = 4;  // eps

template <Scalar S>
class NullSpaceSearch {
 public:
  NullSpaceSearch(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve)
      : problem_(problem),
        is_conjugated_(problem.operation == Operation::transposed),  // null(A^T) = conj(null(A^H))
        operation_(is_conjugated_ ? Operation::adjoint : problem.operation),
        solve_(solve),
        meter_(problem.matrix, operation_),
        order_(problem.matrix.pattern.num_cols) {}

  [[nodiscard]] NullSpace<S> run() {
    start();
    for (int step = 0;; ++step) {
      orthonormalize_columns();
      if (!measure() || step == kMaxCorrections || best_.worst_backward_error() <= kGoodEnough * eps()) {
        break;
      }
      if (problem_.is_singular_by_condition) {
        iterate();
      } else {
        correct();
      }
    }
    if (is_conjugated_) {
      conjugate_entries(view_of(best_.basis));
    }
    return std::move(best_);
  }

 private:
  static double eps() { return static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()); }

  void start() {
    if (problem_.is_singular_by_condition) {
      z_ = DenseMatrix<S>(order_, 1);
      std::mt19937_64 generator(1);
      std::generate(z_.values.begin(), z_.values.end(),
                    [&generator] { return S(static_cast<RealOf<S>>(static_cast<double>(generator() >> 11) * 0x1p-52 - 1)); });
      return;
    }
    z_ = DenseMatrix<S>(order_, static_cast<Index>(problem_.null_pivots.size()));
    for (Index j = 0; j < z_.num_cols; ++j) {
      z_(problem_.null_pivots[j], j) = S(1);
    }
    solve_({operation_, view_of(z_), SweepPart::second});
  }

  // Inverse iteration with op(A)^H op(A), whose smallest eigenvalue is nearly zero.
  void iterate() {
    solve_({operation_ == Operation::plain ? Operation::adjoint : Operation::plain, view_of(z_)});
    orthonormalize_columns();
    solve_({operation_, view_of(z_)});
  }

  // Subtracts G op(A) z from z, for G the solve with the factors: the result is in the null space of the matrix that the factors
  // represent.
  void correct() {
    solve_({operation_, view_of(residuals_)});
    std::transform(z_.values.begin(), z_.values.end(), residuals_.values.begin(), z_.values.begin(), std::plus<>());
  }

  void orthonormalize_columns() {
    const BlasThreadsGuard guard;
    orthonormalize<S>(view_of(z_));
  }

  // Computes the residuals of z; keeps z, and returns true, if it halves the previous error.
  bool measure() {
    residuals_ = DenseMatrix<S>(z_.num_rows, z_.num_cols);
    std::vector<double> errors(static_cast<std::size_t>(z_.num_cols));
    const std::vector<S> zeros(static_cast<std::size_t>(order_));
    on_threads(problem_.num_threads, [&] {
      tbb::parallel_for(Index{0}, z_.num_cols, [&](Index j) {
        errors[j] = meter_.measure(zeros, std::as_const(z_).column(j), residuals_.column(j)).normwise_backward_error;
      });
    });
    const double worst = errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
    const bool is_better = best_.basis.num_cols == 0 || worst <= best_.worst_backward_error() / 2;
    if (is_better) {
      best_.basis = z_;
      best_.backward_errors = std::move(errors);
    }
    return is_better;
  }

  const NullSpaceProblem<S>& problem_;
  bool is_conjugated_;
  Operation operation_;  // plain or adjoint
  const SolveInPlace<S>& solve_;
  BackwardErrorMeter<S> meter_;
  Index order_;
  DenseMatrix<S> z_;
  DenseMatrix<S> residuals_;  // -op(A) Z
  NullSpace<S> best_;
};

}  // namespace

template <Scalar S>
double NullSpace<S>::worst_backward_error() const {
  return backward_errors.empty() ? 0 : *std::max_element(backward_errors.begin(), backward_errors.end());
}

template <Scalar S>
NullSpace<S> find_null_space(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve) {
  const Index order = problem.matrix.pattern.num_cols;
  if (problem.null_pivots.empty()) {
    NullSpace<S> none;
    none.basis = DenseMatrix<S>(order, 0);
    return none;
  }
  try {
    NullSpace<S> result = NullSpaceSearch<S>(problem, solve).run();
    if (problem.is_singular_by_condition) {
      result.note =
          "no pivot vanished, but the condition number shows that the matrix is singular: the null vector is that of its smallest "
          "singular value, by inverse iteration; there may be others";
    }
    return result;
  } catch (const std::bad_alloc&) {
    const Count bytes = 3 * static_cast<Count>(problem.null_pivots.size()) * order * static_cast<Count>(sizeof(S));
    throw MemoryError(fmt::format("no memory for a basis of the null space: {} vectors of {} entries, with their residuals, take "
                                  "about {} bytes; free some memory, or raise the limit of the process",
                                  problem.null_pivots.size(), order, bytes),
                      bytes, 0);
  }
}

template <Scalar S>
NullSpace<S> unknown_null_space(Index order) {
  NullSpace<S> none;
  none.basis = DenseMatrix<S>(order, 0);
  none.is_known = false;
  none.note = "there are no factors, so that no basis of the null space can be found";
  return none;
}

bool may_hide_null_space(const FactorizationReport& report) {
  return report.status == FactorizationStatus::success && report.num_perturbed_pivots > 0;
}

template <Scalar S>
NullSpace<S> hidden_null_space(Index order) {
  NullSpace<S> none = unknown_null_space<S>(order);
  none.note = "static pivoting has perturbed pivots, which may have hidden a null space; threshold pivoting would find it";
  return none;
}

#define FROND_INSTANTIATE(S)                                                                 \
  template struct NullSpace<S>;                                                              \
  template NullSpace<S> hidden_null_space(Index);                                            \
  template NullSpace<S> find_null_space(const NullSpaceProblem<S>&, const SolveInPlace<S>&); \
  template NullSpace<S> unknown_null_space(Index);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
