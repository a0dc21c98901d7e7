// SPDX-License-Identifier: BSD-3-Clause
// Passes the matrices of the tests to the C interface, and owns its solvers.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "frond.h"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond::testing {

template <Scalar S>
inline constexpr frond_scalar kScalarOf = std::is_same_v<S, float>                 ? FROND_FLOAT
                                          : std::is_same_v<S, double>              ? FROND_DOUBLE
                                          : std::is_same_v<S, std::complex<float>> ? FROND_COMPLEX_FLOAT
                                                                                   : FROND_COMPLEX_DOUBLE;

[[nodiscard]] inline frond_symmetry symmetry_of(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return FROND_SYMMETRIC;
    case Symmetry::skew_symmetric:
      return FROND_SKEW_SYMMETRIC;
    case Symmetry::hermitian:
      return FROND_HERMITIAN;
    default:
      return FROND_GENERAL;
  }
}

struct DestroySolver {
  void operator()(frond_solver* solver) const { frond_destroy(solver); }
};

/// Owns a solver, and stands for it in calls.
struct OwnedSolver : std::unique_ptr<frond_solver, DestroySolver> {
  using unique_ptr::unique_ptr;
  operator frond_solver*() const { return get(); }  // NOLINT(google-explicit-constructor)
};

/// Whether a call with this solver has succeeded; its message if it has not.
[[nodiscard]] inline ::testing::AssertionResult succeeds(const frond_solver* solver, frond_status status) {
  return status == FROND_SUCCESS ? ::testing::AssertionSuccess()
                                 : ::testing::AssertionFailure() << frond_status_name(status) << ": " << frond_message(solver);
}

/// Expects a usage error whose message contains `part`.
inline void expect_refused(const frond_solver* solver, frond_status status, const std::string& part) {
  EXPECT_EQ(status, FROND_USAGE_ERROR);
  EXPECT_NE(std::string(frond_message(solver)).find(part), std::string::npos)
      << "'" << frond_message(solver) << "' without " << part;
}

/// Returns a solver with one thread.
[[nodiscard]] inline OwnedSolver make_solver(frond_scalar scalar) {
  frond_solver* solver = nullptr;
  frond_create(scalar, &solver);
  OwnedSolver owned(solver);
  frond_set(solver, "threads", "1");
  return owned;
}

/// Holds compressed arrays with indices of any type and base.
template <class I>
struct CompressedArrays {
  std::vector<I> offsets;
  std::vector<I> indices;

  CompressedArrays(const PatternView& pattern, I base) {
    for (const Count offset : pattern.column_offsets) {
      offsets.push_back(static_cast<I>(offset) + base);
    }
    for (const Index row : pattern.row_indices) {
      indices.push_back(static_cast<I>(row) + base);
    }
  }
};

template <Scalar S>
frond_status set_columns(frond_solver* solver, const SparseMatrix<S>& matrix) {
  const CompressedArrays<std::int32_t> arrays(matrix.pattern(), 0);
  return frond_set_columns(solver, matrix.num_cols, symmetry_of(matrix.symmetry), arrays.offsets.data(), arrays.indices.data(),
                           matrix.values.data());
}

template <Scalar S>
[[nodiscard]] DenseMatrix<S> solution(frond_solver* solver, const DenseMatrix<S>& b, int operation = FROND_PLAIN,
                                      frond_status* status = nullptr) {
  DenseMatrix<S> x(b.num_rows, b.num_cols);
  const frond_status came_to = frond_solve(solver, operation, b.num_cols, b.values.data(), b.num_rows, x.values.data(), x.num_rows);
  if (status != nullptr) {
    *status = came_to;
  }
  return x;
}

}  // namespace frond::testing
