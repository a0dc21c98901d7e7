// SPDX-License-Identifier: BSD-3-Clause
// What files hold in double precision, for a solve in single precision, and its answers for files.
#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond {

/// The scalar in double precision, as which files are read and written.
template <Scalar S>
using WideOf = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;

/// The entries in the precision of S. A sentence joins `notes` where some lose digits because they are too small for it. Throws
/// InputError, naming `file` and the entry, where one is too large.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> rounded(SparseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes);
template <Scalar S>
[[nodiscard]] DenseMatrix<S> rounded(DenseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes);

template <Scalar S>
[[nodiscard]] SparseMatrix<WideOf<S>> widened(SparseMatrix<S> matrix);
template <Scalar S>
[[nodiscard]] DenseMatrix<WideOf<S>> widened(DenseMatrix<S> matrix);

}  // namespace frond
