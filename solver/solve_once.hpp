// SPDX-License-Identifier: BSD-3-Clause
// Factorizing and solving in one go, for right-hand sides that are known beforehand.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "analysis/symbolic.hpp"
#include "factorization/kernels/dense_view.hpp"
#include "solver/course/once_course.hpp"
#include "solver/problem/options.hpp"
#include "solver/problem/report.hpp"
#include "solver/problem/system_matrix.hpp"

namespace frond {

/// Solves A X = B. Where LU factorizes a matrix that is stored by columns, the right-hand sides are eliminated together with it,
/// and of the factors only what the backward sweep reads is kept: about half. Then there is no refinement: backward errors are
/// computed from A all the same, and if one is above the target of refinement (1e-14, componentwise, in double precision), or the
/// matrix may be singular, it is factorized again, all factors are kept, and X is refined as by Factorization; a note says so. All
/// other matrices are factorized and solved like that at once, with a note: the symmetric methods, whose L serves both sweeps,
/// matrices stored by rows, those taken apart into diagonal blocks, mixed precision, error bounds, and Schur complements.
///
/// `symbolic`, `matrix`, `b` and `x` as for Factorization; so are exceptions. options.factorization.kept does not count.
template <Scalar S>
[[nodiscard]] OnceReport solve_once(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix,
                                    DenseView<const S> b, DenseView<S> x, SolverOptions options = {});

/// The same for one right-hand side.
template <Scalar S>
[[nodiscard]] OnceReport solve_once(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix,
                                    std::span<const S> b, std::span<S> x, SolverOptions options = {}) {
  const auto rows = [](std::size_t size) { return static_cast<Index>(size); };
  return solve_once<S>(symbolic, matrix, DenseView<const S>{b.data(), rows(b.size()), 1, std::max(rows(b.size()), Index{1})},
                       DenseView<S>{x.data(), rows(x.size()), 1, std::max(rows(x.size()), Index{1})}, std::move(options));
}

}  // namespace frond
