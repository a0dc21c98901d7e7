// SPDX-License-Identifier: BSD-3-Clause
// Matrices whose scalar is known only at run time: what a file or a generator gives.
#pragma once

#include <complex>
#include <string>
#include <variant>

#include "matrices/dense_matrix.hpp"
#include "matrices/sparse_matrix.hpp"

namespace frond {

using AnyMatrix = std::variant<SparseMatrix<double>, SparseMatrix<std::complex<double>>>;
using AnyDense = std::variant<DenseMatrix<double>, DenseMatrix<std::complex<double>>>;

/// Throws an InputError that names `file` and both dimensions when the matrix cannot be factorized because it is not square.
void require_square(const AnyMatrix& matrix, const std::string& file);

}  // namespace frond
