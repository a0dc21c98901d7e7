// SPDX-License-Identifier: BSD-3-Clause
// Factorizes the complement as a single front.
#include "solver/numerics/schur/schur_factor.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "factorization/fronts/elimination.hpp"
#include "factorization/fronts/front_elimination.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/magnitude.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "factorization/scheduling/task_pool.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
#include "solver/numerics/sweeps/front_solve.hpp"

namespace frond {

template <Scalar S>
SchurFactor<S>::SchurFactor(const DenseMatrix<S>& complement, SchurFactorOptions<S> options) : options_(std::move(options)) {
  factorize(complement, options_.method);
  if (status_ == FactorizationStatus::not_positive_definite && options_.fallback) {
    factorize(complement, *options_.fallback);
  }
}

template <Scalar S>
void SchurFactor<S>::factorize(const DenseMatrix<S>& complement, Method method) {
  method_ = method;
  const RealOf<S> largest = load(complement);
  PivotTolerances<RealOf<S>> tolerances = options_.tolerances;
  tolerances.null = std::max(tolerances.null, options_.relative_null * largest);
  try {
    const PivotCounts counts = eliminate(tolerances);
    null_rows_ = counts.null_variables;
    std::sort(null_rows_.begin(), null_rows_.end());
    status_ = null_rows_.empty() ? FactorizationStatus::success : FactorizationStatus::singular;
  } catch (const NotPositiveDefinite& failure) {
    null_rows_ = {failure.variable};
    status_ = FactorizationStatus::not_positive_definite;
  }
}

// Copies the scaled complement into the layout of a front: its lower triangle, or its transpose for LU. Returns its largest entry.
template <Scalar S>
RealOf<S> SchurFactor<S>::load(const DenseMatrix<S>& complement) {
  const Index order = complement.num_rows;
  front_ = {};
  front_.order = order;
  front_.num_fully_summed = order;
  front_.layout = front_layout(order, order, method_);
  lower_.assign(static_cast<std::size_t>(front_.layout.size()), S(0));
  d_.assign(2 * static_cast<std::size_t>(order), S(0));
  pivots_.assign(static_cast<std::size_t>(order), PivotKind::one_by_one);
  row_variables_.resize(static_cast<std::size_t>(order));
  std::iota(row_variables_.begin(), row_variables_.end(), 0);
  col_variables_ = row_variables_;
  front_.lower = lower_.data();
  front_.d = d_.data();
  front_.pivots = pivots_.data();
  front_.row_variables = row_variables_.data();
  front_.col_variables = method_ == Method::lu ? col_variables_.data() : row_variables_.data();
  const bool is_scaled = !options_.row_scaling.empty();
  RealOf<S> largest = 0;
  for (Index col = 0; col < order; ++col) {
    S* to = front_.lower + front_.layout.column_offset(col);
    for (Index row = is_symmetric(method_) ? col : 0; row < order; ++row) {
      const auto a_row = static_cast<std::size_t>(method_ == Method::lu ? col : row);
      const auto a_col = static_cast<std::size_t>(method_ == Method::lu ? row : col);
      const RealOf<S> scale = is_scaled ? options_.row_scaling[a_row] * options_.col_scaling[a_col] : RealOf<S>(1);
      to[row] = scale * complement(static_cast<Index>(a_row), static_cast<Index>(a_col));
      largest = std::max(largest, magnitude_bound(to[row]));
    }
  }
  return largest;
}

template <Scalar S>
PivotCounts SchurFactor<S>::eliminate(PivotTolerances<RealOf<S>> tolerances) {
  const auto kernel = make_kernel(method_, front_, tolerances);
  const BlasThreadsGuard guard(options_.num_threads);
  const std::unique_ptr<TaskPool> pool = guard.num_threads() > 1 ? make_tbb_pool(guard.num_threads()) : make_inline_pool();
  pool->run([&] {
    eliminate_by_jobs<S>(
        *kernel, front_.num_fully_summed, true,
        [&](bool urgent, std::function<void()> job) { pool->submit(urgent ? 0 : 1, std::move(job)); },
        [&](Index num_eliminated) { front_.num_eliminated = num_eliminated; });
  });
  return kernel->counts();
}

// As SolveRoute does for a sparse matrix.
template <Scalar S>
void SchurFactor<S>::solve(Operation operation, DenseView<S> x) const {
  const SolveSide side = method_ == Method::lu && operation != Operation::plain ? SolveSide::transposed : SolveSide::plain;
  const bool is_hermitian = method_ == Method::cholesky || method_ == Method::ldlh;
  const bool conjugates = kIsComplex<S> && operation == (is_hermitian ? Operation::transposed : Operation::adjoint);
  const Index* equations = side == SolveSide::plain ? front_.row_variables : front_.col_variables;
  const Index* unknowns = side == SolveSide::plain ? front_.col_variables : front_.row_variables;
  const std::vector<RealOf<S>>& equation_scaling = side == SolveSide::plain ? options_.row_scaling : options_.col_scaling;
  const std::vector<RealOf<S>>& unknown_scaling = side == SolveSide::plain ? options_.col_scaling : options_.row_scaling;
  const auto scaled = [](const std::vector<RealOf<S>>& scaling, Index row, bool conjugated, S value) {
    const S result = scaling.empty() ? value : scaling[row] * value;
    return conjugated ? conjugate(result) : result;
  };
  DenseMatrix<S> rows(x.cols, x.rows);  // in the layout of front_solve.hpp
  const DenseView<S> f{rows.values.data(), x.cols, x.rows, std::max(x.cols, Index{1})};
  for (Index k = 0; k < x.rows; ++k) {
    for (Index j = 0; j < x.cols; ++j) {
      f(j, k) = scaled(equation_scaling, equations[k], conjugates, x(equations[k], j));
    }
  }
  forward_solve<S>(front_, method_, side, f);
  diagonal_solve<S>(front_, method_, f);
  const auto turn = [&] {
    if (kIsComplex<S> && is_hermitian) {
      std::transform(rows.values.begin(), rows.values.end(), rows.values.begin(), [](S value) { return conjugate(value); });
    }
  };
  turn();  // L^H x = y is solved as L^T conj(x) = conj(y)
  backward_solve<S>(front_, method_, side, f);
  turn();
  for (Index k = 0; k < x.rows; ++k) {
    for (Index j = 0; j < x.cols; ++j) {
      x(unknowns[k], j) = scaled(unknown_scaling, unknowns[k], conjugates, f(j, k));
    }
  }
}

template <Scalar S>
void SchurFactor<S>::solve_rows(std::span<const Index> variables, Operation operation, DenseView<S> x) const {
  const auto order = static_cast<Index>(variables.size());
  DenseMatrix<S> rows(order, x.cols);
  const DenseView<S> view{rows.values.data(), order, x.cols, std::max(order, Index{1})};
  copy_rows<S>(x, {variables, view});
  solve(operation, view);
  for (Index j = 0; j < x.cols; ++j) {
    for (Index k = 0; k < order; ++k) {
      x(variables[k], j) = view(k, j);
    }
  }
}

FactorizationReport with_schur_factor(FactorizationReport interior, FactorizationStatus status, std::span<const Index> null_rows,
                                      std::span<const Index> variables) {
  interior.status = std::max(interior.status, status);
  for (const Index row : null_rows) {
    interior.null_pivots.push_back(variables[row]);
  }
  std::sort(interior.null_pivots.begin(), interior.null_pivots.end());
  return interior;
}

FROND_INSTANTIATE_CLASS(SchurFactor)

}  // namespace frond
