// SPDX-License-Identifier: BSD-3-Clause
// The matrix that a command reads, and what its file says besides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/files.hpp"
#include "tools/program/arguments/system_arguments.hpp"

namespace frond {

struct MatrixInput {
  AnyMatrix matrix;                     ///< square
  bool has_detected_symmetry = false;   ///< the file says that it is general, but its values are mirrored
  std::vector<std::string> notes;       ///< for the summary
  std::optional<AnyDense> right_sides;  ///< of the same archive
  std::string right_sides_name;
  double seconds = 0;
};

/// Reads `path`, leaves explicit zeros out and treats a general matrix as what its values say, unless the arguments want it as
/// stored. Throws as read_matrix_file() does, and for matrices that are not square.
[[nodiscard]] MatrixInput read_matrix_input(const SystemArguments& arguments, const std::string& path);

/// Of two matrices that are to have one analysis: a symmetry that only one of them was found to have is given up.
void give_up_lone_symmetry(MatrixInput& one, MatrixInput& other);

/// The matrix, if it has this scalar.
template <Scalar S>
[[nodiscard]] SparseMatrix<S>* matrix_of(std::optional<MatrixInput>& input) {
  return input ? std::get_if<SparseMatrix<S>>(&input->matrix) : nullptr;
}

/// Of a square matrix.
[[nodiscard]] Index order_of(const AnyMatrix& matrix);

}  // namespace frond
