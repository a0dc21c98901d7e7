// SPDX-License-Identifier: BSD-3-Clause
// Compares a factorization's report with the known properties of the matrix.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "solver/numerics/problem/report.hpp"
#include "tests/support/matrices/known_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"

namespace frond::testing {

/// Expects rank and inertia exactly, the determinant to 10 n eps times the condition number: det(A + E) / det A = 1 + trace(A^-1 E)
/// + ...
template <Scalar S>
void expect_as_known(const KnownSystem<S>& known, const SystemReport& system) {
  const FactorizationReport& report = system.factorization;
  const Index order = known.matrix.num_cols;
  std::string notes;
  for (const std::string& note : system.notes) {
    notes += note + "; ";
  }
  EXPECT_EQ(order - static_cast<Index>(report.null_pivots.size()), known.rank) << notes;
  EXPECT_EQ(report.status, known.rank == order ? FactorizationStatus::success : FactorizationStatus::singular) << notes;
  if (known.has_inertia) {
    EXPECT_EQ(report.inertia.positive, known.inertia.positive) << notes;
    EXPECT_EQ(report.inertia.negative, known.inertia.negative) << notes;
    EXPECT_EQ(report.inertia.zero, known.inertia.zero) << notes;
  }
  if (known.rank < order) {
    EXPECT_EQ(report.determinant, Determinant(0));
  } else if (known.determinant) {
    const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    EXPECT_LE(test::relative_difference(report.determinant, *known.determinant), 10 * order * known.condition * eps) << notes;
  }
}

}  // namespace frond::testing
