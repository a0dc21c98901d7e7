// SPDX-License-Identifier: BSD-3-Clause
// Reads matrices from text, for the tests of the readers.
#pragma once

#include <complex>
#include <string>
#include <variant>

#include "frond/files.hpp"

namespace frond {

inline SparseMatrix<double> read_real(const std::string& text) {
  return std::get<SparseMatrix<double>>(read_matrix_from_memory(text, "f"));
}

inline SparseMatrix<std::complex<double>> read_complex(const std::string& text) {
  return std::get<SparseMatrix<std::complex<double>>>(read_matrix_from_memory(text, "f"));
}

}  // namespace frond
