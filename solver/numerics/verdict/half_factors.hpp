// SPDX-License-Identifier: BSD-3-Clause
// Decides whether keeping the half of LU's factors that the backward sweep reads is enough, in one process or several.
#pragma once

#include <string>

#include "analysis/symbolic.hpp"
#include "frond/factorization_report.hpp"
#include "frond/options.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// The reason why no factors can be discarded; empty if some can. `is_by_rows`: the matrix is stored by rows.
[[nodiscard]] std::string reason_to_keep_all(const Symbolic& symbolic, Method method, bool is_by_rows,
                                             const SolverOptions& options);

/// Why the pivots make an accurate X unlikely: the matrix may be singular, or is not the one that was factorized. Empty if they do
/// not.
template <Scalar S>
[[nodiscard]] std::string doubt_about_pivots(const FactorizationReport& report);

/// Why X, which cannot be refined, is not accurate enough; empty if it is.
template <Scalar S>
[[nodiscard]] std::string doubt_about_solution(const SolveReport& report);

/// Notes that all factors were kept from the start, or in a second factorization.
[[nodiscard]] std::string kept_all_note(const std::string& reason);
[[nodiscard]] std::string factorized_again_note(const std::string& reason);

}  // namespace frond
