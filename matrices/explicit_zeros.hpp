// SPDX-License-Identifier: BSD-3-Clause
// Counts and removes the stored entries of a matrix that are zero.
#pragma once

#include <string>

#include "frond/matrix.hpp"

namespace frond {

/// Returns the number of zeros off the diagonal. Zeros on the diagonal do not change any front.
template <Scalar S>
[[nodiscard]] Count count_zeros_off_diagonal(const MatrixView<S>& matrix);

/// Returns the number of zeros.
template <Scalar S>
[[nodiscard]] Count count_zeros(const MatrixView<S>& matrix);

/// Returns a note that `num_zeros` explicit zeros were left out.
[[nodiscard]] std::string left_out_note(Count num_zeros);

/// Returns the same matrix without its zeros; the entries keep their order.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> without_zeros(const MatrixView<S>& matrix);

}  // namespace frond
