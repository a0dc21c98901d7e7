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
SparseMatrix<double> make_nodal_equations(Index n, std::uint64_t seed);
SparseMatrix<double> make_power_flow(Index num_buses, bool is_meshed, std::uint64_t seed);

/// The columns of a linear program: shipments between two rows with losses, activities of a period and the next, or any rows.
enum class BasisKind { network, staircase, sparse };

SparseMatrix<double> make_basis(Index n, BasisKind kind, std::uint64_t seed);
SparseMatrix<double> make_triangle(Index n, Index row_entries, std::uint64_t seed);
SparseMatrix<double> make_chain(Index n, bool has_both_sides, std::uint64_t seed);
SparseMatrix<double> make_arrow(Index n, std::uint64_t seed);
SparseMatrix<double> make_random(Index n, std::uint64_t seed);

}  // namespace frond
