// SPDX-License-Identifier: BSD-3-Clause
// Decides whether factors of A11 and of a Schur complement determine the rank of all of A.
#pragma once

#include <span>
#include <string>

#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// Pivots of a Schur complement S = A22 - A21 A11^-1 A12 cannot be distinguished from rounding errors by their size: rounding
/// errors of S are as large as A21 A11^-1 and A11^-1 A12 let the errors of A11's factors become, however small S is, and pivots of
/// A11 are not tested against A21. So the condition number of the equilibrated A = D_r^-1 (...) D_c^-1 is compared with the errors
/// of its factors: the rank is in doubt from
///
///   cond >= 0.1 / max(null threshold, backward error of an unrefined solve in the equilibrated system)
///
/// on, as estimates are lower bounds, usually within a factor of 3. `solve` uses the factors of both blocks; the scaling is that of
/// `matrix`, empty for none. Takes about ten solves.
template <Scalar S>
[[nodiscard]] bool is_whole_rank_in_doubt(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                          std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve,
                                          double null_threshold);

/// Adjusts the report if the rank stays in doubt: null pivots of A11 or of S prove nothing about A.
void leave_in_doubt(FactorizationReport& report);

inline constexpr const char* kNoSchurComplementNote =
    "the block of the variables outside the Schur complement is singular, so that there is no Schur complement";

/// `has_complement`: false if A11 is singular.
[[nodiscard]] std::string whole_once_more_note(bool has_complement);

inline constexpr const char* kNoMemoryForWholeNote =
    "the rank is in doubt: memory did not suffice to factorize the whole matrix without a Schur complement, which would settle it";

}  // namespace frond
