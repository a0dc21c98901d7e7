// SPDX-License-Identifier: BSD-3-Clause
// Matrices in files.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <frond/dense.hpp>
#include <frond/matrix.hpp>

namespace frond {

using AnyMatrix = std::variant<SparseMatrix<double>, SparseMatrix<std::complex<double>>>;  ///< numbers of a file are doubles
using AnyDense = std::variant<DenseMatrix<double>, DenseMatrix<std::complex<double>>>;     ///< likewise

/// Throws an InputError that names `file` and both dimensions when the matrix cannot be factorized because it is not square.
FROND_API void require_square(const AnyMatrix& matrix, const std::string& file);

/// What a file holds, or an archive.
struct MatrixFile {
  AnyMatrix matrix;                     ///< the sparse one
  std::vector<std::string> notes;       ///< what was read although it is not as it should be, a sentence each
  std::optional<AnyDense> right_sides;  ///< that an archive has beside the matrix, A_b.mtx beside A.mtx, or a file behind it
  std::string right_sides_name;         ///< for messages: where they are
};

/// Reads a sparse matrix from a Matrix Market, Harwell-Boeing or Rutherford-Boeing file, or from what scipy.sparse.save_npz writes:
/// plain, compressed by gzip, xz, bzip2 or zstd, or in a tar or zip archive that holds one matrix. "-" stands for standard input.
/// Integer matrices become real, patterns have values 1, duplicates are summed, explicit zeros stay. Up to `num_threads` threads, 0
/// for all cores. Throws an InputError with file, line, cause and remedy, or a MemoryError.
[[nodiscard]] FROND_API MatrixFile read_matrix_file(const std::string& path, int num_threads = 0);

/// The matrix alone.
[[nodiscard]] FROND_API AnyMatrix read_matrix(const std::string& path, int num_threads = 0);

/// The same for a file that is in memory already; `name` stands for the file in error texts.
[[nodiscard]] FROND_API AnyMatrix read_matrix_from_memory(std::string_view content, const std::string& name);

/// Reads a dense matrix (right-hand sides, one per column) from a Matrix Market file, array or coordinate with zeros elsewhere, or
/// from an array of NumPy's (.npy), packed likewise, or those behind the matrix in a Harwell-Boeing file. Throws like
/// read_matrix_file().
[[nodiscard]] FROND_API AnyDense read_dense(const std::string& path, int num_threads = 0);

[[nodiscard]] FROND_API AnyDense read_dense_from_memory(std::string_view content, const std::string& name);  ///< see above

/// Writes a coordinate file of the matrix's own symmetry, with the shortest numbers that read back exactly. Throws an OutputError
/// when the file cannot be created or the disk is full; what was written until then stays.
FROND_API void write_matrix(const std::string& path, const AnyMatrix& matrix);

/// Writes an array file; numbers and errors as above.
FROND_API void write_dense(const std::string& path, const AnyDense& matrix);

}  // namespace frond
