// SPDX-License-Identifier: BSD-3-Clause
// Determines the symmetry of a matrix from its values, and notes about its pattern.
#pragma once

#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "frond/options.hpp"

namespace frond {

/// Represents a general matrix by the triangle of this symmetry, whose arrays live as long as the result; any other matrix is
/// returned unchanged. Throws UsageError if the values do not have the symmetry.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> with_symmetry(const SystemMatrix<S>& matrix, Symmetry symmetry);

/// The same with the symmetry that the values have, if `options` request that. The matrix has been checked.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> with_found_symmetry(const SystemMatrix<S>& matrix, const SolverOptions& options);

/// The symmetry of the stored matrix, or what that finds in a general one. O(1) for most matrices that have none.
template <Scalar S>
[[nodiscard]] Symmetry treated_symmetry(const MatrixView<S>& matrix, const SolverOptions& options);

/// Notes for the user about the matrix to be factorized: stored zeros, and a symmetry that rounding has spoilt.
template <Scalar S>
[[nodiscard]] std::vector<std::string> notes_of_values(const MatrixView<S>& matrix, const SolverOptions& options);

/// The second of these notes; empty if it does not apply.
template <Scalar S>
[[nodiscard]] std::string near_symmetry_note(const MatrixView<S>& matrix);

}  // namespace frond
