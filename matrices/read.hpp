// SPDX-License-Identifier: BSD-3-Clause
// Reading matrices and right-hand sides from files; the format is found by looking at the content.
#pragma once

#include <string>
#include <string_view>

#include "matrices/any_matrix.hpp"

namespace frond {

/// Reads a sparse matrix from a Matrix Market, Harwell-Boeing or Rutherford-Boeing file, plain or compressed by gzip. Integer
/// matrices become real, patterns have values 1, duplicates are summed, explicit zeros stay. Throws an InputError with file, line,
/// cause and remedy, or a MemoryError.
[[nodiscard]] AnyMatrix read_matrix(const std::string& path);

/// The same for a file that is in memory already, plain or compressed; `name` stands for the file in error texts.
[[nodiscard]] AnyMatrix read_matrix_from_memory(std::string_view content, const std::string& name);

/// Reads a dense matrix (right-hand sides, one per column) from a Matrix Market file: array, or coordinate with zeros elsewhere.
/// Throws like read_matrix().
[[nodiscard]] AnyDense read_dense(const std::string& path);

[[nodiscard]] AnyDense read_dense_from_memory(std::string_view content, const std::string& name);

}  // namespace frond
