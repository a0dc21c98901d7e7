// SPDX-License-Identifier: BSD-3-Clause
// Decides whether pivots give the signs of the eigenvalues, and the determinant.
#pragma once

#include "frond/report.hpp"
#include "frond/types.hpp"
#include "solver/numerics/problem/rank_proof.hpp"

namespace frond {

/// By Sylvester's law of inertia they do if A = A^H and the method preserves that; LDLT of a complex matrix is for A = A^T. If the
/// rank is not known from the pivots, they may have hidden null pivots.
[[nodiscard]] inline bool has_inertia(const SystemReport& report, bool is_complex) {
  const bool keeps_signs = report.method != Method::lu && !(is_complex && report.method == Method::ldlt);
  const Inertia& inertia = report.factorization.inertia;
  const bool shows_rank = !is_proved_singular(report.rank) || report.factorization.num_perturbed_pivots > 0 ||
                          inertia.positive + inertia.negative == report.rank.highest;
  return keeps_signs && shows_rank && report.factorization.status != FactorizationStatus::not_positive_definite;
}

/// A zero determinant is known only if the rank is.
[[nodiscard]] inline bool has_determinant(const SystemReport& report) {
  const FactorizationReport& factorization = report.factorization;
  return factorization.status != FactorizationStatus::not_positive_definite &&
         (report.rank.is_certain() || factorization.determinant.mantissa != 0.0);
}

}  // namespace frond
