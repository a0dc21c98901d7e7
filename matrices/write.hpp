// SPDX-License-Identifier: BSD-3-Clause
// Writing matrices as Matrix Market files.
#pragma once

#include <string>

#include "matrices/any_matrix.hpp"

namespace frond {

/// Writes a coordinate file of the matrix's own symmetry, with the shortest numbers that read back exactly. Throws an OutputError
/// when the file cannot be created or the disk is full; what was written until then stays.
void write_matrix(const std::string& path, const AnyMatrix& matrix);

/// Writes an array file; numbers and errors as above.
void write_dense(const std::string& path, const AnyDense& matrix);

}  // namespace frond
