// SPDX-License-Identifier: BSD-3-Clause
// Reads all that a file holds in addition to its matrix.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/files.hpp"

namespace frond {

/// The content of a file or an archive.
struct MatrixFile {
  AnyMatrix matrix;                     ///< the sparse matrix
  std::vector<std::string> notes;       ///< deviations from the format that were tolerated, a sentence each
  std::optional<AnyDense> right_sides;  ///< from A_b.mtx next to A.mtx in an archive, or stored after the matrix
  std::string right_sides_name;         ///< where they are, for messages
};

/// Reads a file as read_matrix() does.
[[nodiscard]] MatrixFile read_matrix_file(const std::string& path, int num_threads = 0);

}  // namespace frond
