// SPDX-License-Identifier: BSD-3-Clause
// Finds the matrix and the right-hand sides in an archive by the names that matrix collections use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// Returns the name without its compression suffix: "A.mtx" for "A.mtx.xz".
[[nodiscard]] std::string_view without_packing(std::string_view name);

/// True if a file may hold a sparse matrix by its name: plain, compressed, or an archive.
[[nodiscard]] bool has_matrix_name(std::string_view path);

struct SystemMembers {
  std::string matrix;
  std::string right_sides;  ///< empty if there are none
};

/// Finds the matrix of an archive: the only file that may be one by its name, or the one with the name of the archive or of its
/// folder, or the only one that does not belong to another, as A_b.mtx belongs to A.mtx. A_b.mtx holds the right-hand sides.
/// Otherwise throws an InputError that lists the names. `file` is the name of the archive.
[[nodiscard]] SystemMembers find_system(const std::vector<std::string>& names, const std::string& file);

}  // namespace frond
