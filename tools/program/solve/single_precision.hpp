// SPDX-License-Identifier: BSD-3-Clause
// Converts double precision files for a solve in single precision, and its results for files.
#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond {

/// The double precision scalar in which files are read and written.
template <Scalar S>
using WideOf = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;

/// Returns the entries in the precision of S. Adds a sentence to `notes` if some entries lose digits because they are too small.
/// Throws InputError, naming `file` and the entry, if one is too large.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> rounded(SparseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes);
template <Scalar S>
[[nodiscard]] DenseMatrix<S> rounded(DenseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes);

template <Scalar S>
[[nodiscard]] SparseMatrix<WideOf<S>> widened(SparseMatrix<S> matrix);
template <Scalar S>
[[nodiscard]] DenseMatrix<WideOf<S>> widened(DenseMatrix<S> matrix);

}  // namespace frond
