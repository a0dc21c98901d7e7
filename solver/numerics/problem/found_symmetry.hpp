// SPDX-License-Identifier: BSD-3-Clause
// What the values of a matrix say of its symmetry and of its pattern.
#pragma once

#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "frond/options.hpp"

namespace frond {

/// A general matrix by the triangle of this symmetry, whose arrays live as long as what is returned; any other one as it is. Throws
/// UsageError where the values are not so.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> with_symmetry(const SystemMatrix<S>& matrix, Symmetry symmetry);

/// The same by the symmetry that the values have, if `options` ask for that. The matrix has been checked.
template <Scalar S>
[[nodiscard]] SystemMatrix<S> with_found_symmetry(const SystemMatrix<S>& matrix, const SolverOptions& options);

/// What a caller may want to know of a matrix as it is factorized: zeros that are held, and a symmetry that rounding has spoilt.
template <Scalar S>
[[nodiscard]] std::vector<std::string> notes_of_values(const MatrixView<S>& matrix, const SolverOptions& options);

/// The second of them; empty where there is nothing to say.
template <Scalar S>
[[nodiscard]] std::string near_symmetry_note(const MatrixView<S>& matrix);

}  // namespace frond
