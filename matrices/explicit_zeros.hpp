// SPDX-License-Identifier: BSD-3-Clause
// Entries of a matrix that are held although they are zero.
#pragma once

#include <string>

#include "frond/matrix.hpp"

namespace frond {

/// How many there are beside the diagonal, where they change no front.
template <Scalar S>
[[nodiscard]] Count count_zeros_off_diagonal(const MatrixView<S>& matrix);

/// How many there are.
template <Scalar S>
[[nodiscard]] Count count_zeros(const MatrixView<S>& matrix);

/// Says that so many were left out.
[[nodiscard]] std::string left_out_note(Count num_zeros);

/// The same matrix without them; entries stay in their order.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> without_zeros(const MatrixView<S>& matrix);

}  // namespace frond
