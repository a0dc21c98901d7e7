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

/// Returns the number of zeros that had better be left out: all, or none where these make variables alike that are not alike
/// without them, as the unknowns of a node of a mesh are whose couplings vanish in part. Groups of such variables are ordered as
/// one, which takes a fraction of the time, and are eliminated together; half as many groups are taken for that.
template <Scalar S>
[[nodiscard]] Count count_needless_zeros(const MatrixView<S>& matrix);

/// Returns a note that `num_zeros` explicit zeros were left out.
[[nodiscard]] std::string left_out_note(Count num_zeros);

/// Returns the same matrix without its zeros; the entries keep their order.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> without_zeros(const MatrixView<S>& matrix);

}  // namespace frond
