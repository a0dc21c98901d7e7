// SPDX-License-Identifier: BSD-3-Clause
// Which files of an archive are what, as collections of matrices name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// A name without what says that the file is compressed: "A.mtx" of "A.mtx.xz".
[[nodiscard]] std::string_view without_packing(std::string_view name);

/// Whether a file may hold a sparse matrix by its name, compressed or not, be it an archive.
[[nodiscard]] bool has_matrix_name(std::string_view path);

struct SystemMembers {
  std::string matrix;
  std::string right_sides;  ///< empty: there are none
};

/// The matrix of an archive: the only file that may be one by its name, or the one that has the name of the archive or of its
/// folder, or the only one to which no other belongs, as A_b.mtx belongs to A.mtx. A_b.mtx has the right-hand sides. Throws an
/// InputError with the names when it is none of them. `file` is the name of the archive.
[[nodiscard]] SystemMembers find_system(const std::vector<std::string>& names, const std::string& file);

}  // namespace frond
