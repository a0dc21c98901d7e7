// SPDX-License-Identifier: BSD-3-Clause
// Whether factors of A11 and of a Schur complement tell the rank of all of A.
#pragma once

#include <span>
#include <string>

#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// Pivots of a Schur complement S = A22 - A21 A11^-1 A12 cannot be told from rounding errors by their size: those of S are as large
/// as A21 A11^-1 and A11^-1 A12 let the errors of A11's factors become, however small S is, and pivots of A11 are not tested
/// against A21. The condition number of the equilibrated A = D_r^-1 (...) D_c^-1 says it, held against the errors that its factors
/// have: the rank is in doubt from
///
///   cond >= 0.1 / max(null threshold, backward error of an unrefined solve in the equilibrated system)
///
/// on, as estimates are lower bounds, within a factor of 3 as a rule. `solve` is that with the factors of both blocks; the scaling
/// is that of `matrix`, empty for none. Takes some ten solves.
template <Scalar S>
[[nodiscard]] bool is_whole_rank_in_doubt(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                          std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve,
                                          double null_threshold);

/// What there is to say where the rank stays in doubt: null pivots of A11 or of S prove nothing of A.
void leave_in_doubt(FactorizationReport& report);

inline constexpr const char* kNoSchurComplementNote =
    "the block of the variables outside the Schur complement is singular, so that there is no Schur complement";

/// `has_complement`: false where A11 is singular.
[[nodiscard]] std::string whole_once_more_note(bool has_complement);

inline constexpr const char* kNoMemoryForWholeNote =
    "the rank is in doubt: memory did not suffice to factorize the whole matrix without a Schur complement, which would settle it";

}  // namespace frond
