// SPDX-License-Identifier: BSD-3-Clause
// The generators behind generate(): one function per family; sizes are checked by generate().
#pragma once

#include <complex>
#include <cstdint>

#include "frond/matrix.hpp"

namespace frond {

/// Points of an N x N x N grid, numbered x fastest, then y, then z.
struct Grid {
  Index n;

  [[nodiscard]] Index point(Index x, Index y, Index z) const { return x + n * (y + n * z); }
  [[nodiscard]] bool contains(Index x, Index y, Index z) const { return inside(x) && inside(y) && inside(z); }
  [[nodiscard]] bool inside(Index x) const { return x >= 0 && x < n; }
};

SparseMatrix<double> make_laplacian2d(Index n, bool with_diagonal_neighbours);
SparseMatrix<double> make_laplacian3d(Index n, bool with_diagonal_neighbours);
SparseMatrix<double> make_elasticity3d(Index n);
SparseMatrix<double> make_convection3d(Index n);
SparseMatrix<double> make_kkt3d(Index n);
SparseMatrix<std::complex<double>> make_helmholtz3d(Index n);
SparseMatrix<double> make_circuit(Index n, std::uint64_t seed);
SparseMatrix<double> make_ultrasound(Index n);
SparseMatrix<double> make_conv3d64(Index n);

}  // namespace frond
