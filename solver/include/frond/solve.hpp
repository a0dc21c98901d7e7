// SPDX-License-Identifier: BSD-3-Clause
// Solves systems in one call.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include <frond/analysis.hpp>
#include <frond/dense.hpp>
#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

template <Scalar S>
struct Solution {      ///< x, and how good it is
  std::vector<S> x;    ///< NaN if there is no solution
  SolveReport report;  ///< whether to trust it
};

/// Solves A x = b: analysis, factorization and solve in one. With several right-hand sides, or several matrices of one pattern,
/// Factorization takes less work.
///
///   const auto [x, report] = frond::solve(matrix, b);
///
/// b has as many entries as A has rows. Exceptions are those of analyze(), of Factorization and of its solve().
template <Scalar S>
[[nodiscard]] FROND_API Solution<S> solve(const SystemMatrix<S>& matrix, std::type_identity_t<std::span<const S>> b,
                                          const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] Solution<S> solve(const SparseMatrix<S>& matrix, std::type_identity_t<std::span<const S>> b,
                                const SolverOptions& options = {}) {
  return solve(SystemMatrix<S>(matrix), b, options);
}

/// Solves A X = B for right-hand sides that are known before A is factorized. If LU factorizes a matrix that is stored by columns,
/// the right-hand sides are eliminated together with it, and only the factors that the backward sweep reads are kept: about half.
/// There is no refinement then: backward errors are still computed from A, and if one is above the target of refinement (1e-14,
/// componentwise, in double precision), or the matrix may be singular, it is factorized again, all factors are kept, and X is
/// refined as by Factorization; a note says so. All other matrices are factorized and refined in that way from the start, with a
/// note: the symmetric methods, whose L serves both sweeps, matrices stored by rows, those taken apart into diagonal blocks, mixed
/// precision, error bounds, and Schur complements.
///
/// `analysis`, `matrix`, `b` and `x` as for Factorization; so are exceptions. The option factorization.kept is ignored.
template <Scalar S>
[[nodiscard]] FROND_API OnceReport solve_once(const Analysis& analysis, const SystemMatrix<S>& matrix, DenseView<const S> b,
                                              DenseView<S> x);

/// The same for rows, as Factorization::solve_rows() takes them.
template <Scalar S>
[[nodiscard]] FROND_API OnceReport solve_once_rows(const Analysis& analysis, const SystemMatrix<S>& matrix,
                                                   const DenseRows<const S>& b, const DenseRows<S>& x);

/// The same for one right-hand side.
template <Scalar S>
[[nodiscard]] OnceReport solve_once(const Analysis& analysis, const SystemMatrix<S>& matrix, std::span<const S> b, std::span<S> x) {
  return solve_once<S>(analysis, matrix, column_view(b), column_view(x));
}

}  // namespace frond
