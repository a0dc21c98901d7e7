// SPDX-License-Identifier: BSD-3-Clause
// Reads the matrix of a command, and what its file holds in addition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/files.hpp"
#include "tools/program/arguments/system_arguments.hpp"

namespace frond {

struct MatrixInput {
  AnyMatrix matrix;                     ///< square
  bool has_detected_symmetry = false;   ///< the file declares it general, but its values have a symmetry
  std::vector<std::string> notes;       ///< for the summary
  std::optional<AnyDense> right_sides;  ///< from the same archive
  std::string right_sides_name;
  double seconds = 0;
};

/// Reads `path`, drops explicit zeros, and detects the symmetry of a general matrix from its values, unless the arguments want it
/// as stored. Throws as read_matrix_file() does, and for matrices that are not square.
[[nodiscard]] MatrixInput read_matrix_input(const SystemArguments& arguments, const std::string& path);

/// Makes two matrices fit for one analysis: a symmetry that was detected in only one of them is given up.
void give_up_lone_symmetry(MatrixInput& one, MatrixInput& other);

/// Returns the matrix if it has this scalar type, otherwise null.
template <Scalar S>
[[nodiscard]] SparseMatrix<S>* matrix_of(std::optional<MatrixInput>& input) {
  return input ? std::get_if<SparseMatrix<S>>(&input->matrix) : nullptr;
}

/// Returns the order of a square matrix.
[[nodiscard]] Index order_of(const AnyMatrix& matrix);

}  // namespace frond
