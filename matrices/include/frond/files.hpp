// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes matrices in files.
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <variant>

#include <frond/dense.hpp>
#include <frond/matrix.hpp>

namespace frond {

using AnyMatrix = std::variant<SparseMatrix<double>, SparseMatrix<std::complex<double>>>;  ///< numbers in files are doubles
using AnyDense = std::variant<DenseMatrix<double>, DenseMatrix<std::complex<double>>>;     ///< likewise

/// Throws an InputError that names `file` and both dimensions if the matrix is not square and so cannot be factorized.
FROND_API void require_square(const AnyMatrix& matrix, const std::string& file);

/// Reads a sparse matrix from a Matrix Market, Harwell-Boeing or Rutherford-Boeing file, or a file written by
/// scipy.sparse.save_npz: plain, compressed by gzip, xz, bzip2 or zstd, or in a tar or zip archive that holds one matrix. "-"
/// stands for standard input. Integer matrices become real, patterns have values 1, duplicates are summed, explicit zeros stay.
/// Uses up to `num_threads` threads, 0 for all cores. Throws an InputError with file, line, cause and remedy, or a MemoryError.
[[nodiscard]] FROND_API AnyMatrix read_matrix(const std::string& path, int num_threads = 0);

/// Does the same for content that is already in memory; `name` stands for the file in error texts.
[[nodiscard]] FROND_API AnyMatrix read_matrix_from_memory(std::string_view content, const std::string& name);

/// Reads a dense matrix (right-hand sides, one per column) from a Matrix Market file (array, or coordinate with zeros elsewhere),
/// from a NumPy array (.npy), packed likewise, or from the right-hand sides stored after the matrix in a Harwell-Boeing file.
/// Throws like read_matrix().
[[nodiscard]] FROND_API AnyDense read_dense(const std::string& path, int num_threads = 0);

[[nodiscard]] FROND_API AnyDense read_dense_from_memory(std::string_view content, const std::string& name);  ///< see above

/// Writes a coordinate file with the matrix's own symmetry and the shortest numbers that read back exactly. Throws an OutputError
/// if the file cannot be created or the disk is full; what was written before stays.
FROND_API void write_matrix(const std::string& path, const AnyMatrix& matrix);

/// Writes an array file; numbers and errors as in write_matrix().
FROND_API void write_dense(const std::string& path, const AnyDense& matrix);

}  // namespace frond
