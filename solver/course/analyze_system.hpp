// SPDX-License-Identifier: BSD-3-Clause
// The first decisions about a system: its method, and its analysis.
#pragma once

#include <memory>

#include "analysis/symbolic.hpp"
#include "solver/problem/options.hpp"
#include "solver/problem/system_matrix.hpp"

namespace frond {

/// The method that `options` and the matrix ask for: see SolverOptions::method. Throws UsageError when a method is asked for that
/// cannot apply to the symmetry of A.
template <Scalar S>
[[nodiscard]] Method choose_method(const SystemMatrix<S>& matrix, const SolverOptions& options = {});

/// Orders and analyses the pattern of A for all matrices of that pattern, symmetry and (if given) method. Throws UsageError.
template <Scalar S>
[[nodiscard]] std::shared_ptr<const Symbolic> analyze(const SystemMatrix<S>& matrix, const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] std::shared_ptr<const Symbolic> analyze(const SparseMatrix<S>& matrix, const SolverOptions& options = {}) {
  return analyze(SystemMatrix<S>(matrix), options);
}

}  // namespace frond
