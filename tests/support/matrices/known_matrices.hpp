// SPDX-License-Identifier: BSD-3-Clause
// Generates matrices whose rank, inertia and determinant follow from their construction, not from an elimination.
//
// All entries are small integers, hence exact in every scalar.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/factorization_report.hpp"
#include "frond/types.hpp"

namespace frond::testing {

using ExactMatrix = Eigen::SparseMatrix<std::int64_t>;

/// An integer matrix and its known properties; `matrix` holds both triangles.
struct KnownMatrix {
  std::string name;
  Symmetry symmetry = Symmetry::general;  ///< general, symmetric or skew-symmetric
  ExactMatrix matrix;
  Index rank = 0;
  Inertia inertia = {};                      ///< if symmetric
  std::optional<Determinant> determinant{};  ///< if nonsingular and known
  double condition = 1;                      ///< if the determinant is known: ||A|| ||A^-1|| in some norm

  [[nodiscard]] Index order() const { return static_cast<Index>(matrix.rows()); }
};

/// A = L D L^T (general: L D U, skew-symmetric: L K L^T). The unit triangular factors have entries -2 .. 2 that couple the
/// variables of the nodes of a binary tree with those of their ancestors; the tree has `levels` levels and `node_size` variables
/// per node, an even number. D has 1x1 and 2x2 blocks, about one in `zero_period` of them singular (0: none).
[[nodiscard]] KnownMatrix tree_product(Symmetry symmetry, Index levels, Index node_size, Index zero_period, std::uint64_t seed);

/// [A, A X; Y A, Y A X], where X and Y have two entries +-1 per column and row, A has order n and X has `num_copies` columns. Rank
/// and inertia are those of A. Y = X^T for a symmetric A.
[[nodiscard]] KnownMatrix bordered_by_copies(const KnownMatrix& a, Index num_copies, std::uint64_t seed);

/// shift I - C, where C is the adjacency matrix of the nx x ny grid, with eigenvalues 2 cos(pi i/(nx+1)) + 2 cos(pi j/(ny+1)). For
/// shift 0 the nullity is gcd(nx + 1, ny + 1) - 1.
[[nodiscard]] KnownMatrix shifted_grid(Index nx, Index ny, std::int64_t shift);

/// `num_components` Laplacians of random connected graphs with integer weights: nullity num_components.
[[nodiscard]] KnownMatrix graph_laplacian(Index num_vertices, Index num_components, std::uint64_t seed);

/// D_out - A of a random directed graph with a cycle through all vertices: general, rank n - 1.
[[nodiscard]] KnownMatrix directed_laplacian(Index num_vertices, std::uint64_t seed);

/// [H B^T; B -C]: H is positive definite with one variable per edge of a random graph, B is the graph's incidence matrix without
/// the first vertex of `num_grounded` of its `num_components` components; the other components make B rank deficient. C = 0 unless
/// `is_regularized`.
[[nodiscard]] KnownMatrix saddle_point(Index num_vertices, Index num_components, Index num_grounded, bool is_regularized,
                                       std::uint64_t seed);

/// [diag(d), b; b^T, alpha] with a Schur complement of sign `corner`, -1, 0 or 1.
[[nodiscard]] KnownMatrix arrowhead(Index order, int corner, std::uint64_t seed);

/// [I; X] [I, Y] of the given rank with small dense X and Y, general.
[[nodiscard]] KnownMatrix low_rank(Index order, Index rank, std::uint64_t seed);

enum class Block { ones, ones_minus_identity, hadamard, exchange, zero };
/// A dense symmetric block: all ones; J - I; Sylvester's Hadamard matrix (size a power of 2); the reversed identity; zero.
[[nodiscard]] KnownMatrix dense_block(Block kind, Index size);

/// I minus the cyclic shift: rank n - 1, general.
[[nodiscard]] KnownMatrix cyclic_difference(Index order);

[[nodiscard]] KnownMatrix direct_sum(const KnownMatrix& a, const KnownMatrix& b);

/// Returns some matrices of each kind; for single precision (`digits` of the mantissa: 24) only those conditioned well enough that
/// rounding cannot hide a rank.
[[nodiscard]] std::vector<KnownMatrix> known_symmetric_matrices(int digits);
[[nodiscard]] std::vector<KnownMatrix> known_general_matrices(int digits);  ///< including skew-symmetric ones

}  // namespace frond::testing
