// SPDX-License-Identifier: BSD-3-Clause
// Generates isotropic linear elasticity on trilinear hexahedra, clamped at the face z = 0.
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

constexpr std::size_t kNodes = 8;              // of an element: node a sits at (a & 1, a >> 1 & 1, a >> 2)
constexpr std::size_t kUnknowns = 3 * kNodes;  // 3 * node + direction
using ElementMatrix = std::array<std::array<double, kUnknowns>, kUnknowns>;
using Gradients = std::array<std::array<double, 3>, kNodes>;

/// Returns the coordinate (0 or 1) of an element's node along an axis.
std::size_t corner(std::size_t node, std::size_t axis) { return node >> axis & 1U; }

/// Gradients of the eight trilinear shape functions of the unit cube at a point.
Gradients shape_gradients(const std::array<double, 3>& point) {
  Gradients gradients;
  for (std::size_t node = 0; node < kNodes; ++node) {
    for (std::size_t d = 0; d < 3; ++d) {
      double product = corner(node, d) == 1 ? 1.0 : -1.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axis != d) {
          product *= corner(node, axis) == 1 ? point[axis] : 1.0 - point[axis];
        }
      }
      gradients[node][d] = product;
    }
  }
  return gradients;
}

/// Adds weight * (lambda div(u) div(v) + mu (grad u + grad u^T) : grad v) for all pairs of shape functions.
void add_strain_energy(const Gradients& g, double lambda, double mu, double weight, ElementMatrix& stiffness) {
  for (std::size_t a = 0; a < kNodes; ++a) {
    for (std::size_t b = 0; b < kNodes; ++b) {
      const double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const double shear = g[a][j] * g[b][i] + (i == j ? dot : 0.0);
          stiffness[3 * a + i][3 * b + j] += weight * (lambda * g[a][i] * g[b][j] + mu * shear);
        }
      }
    }
  }
}

/// Stiffness of the unit cube with E = 1, nu = 0.3 by 2 x 2 x 2 Gauss points, which integrate it exactly.
ElementMatrix element_stiffness() {
  constexpr double kYoung = 1.0;
  constexpr double kPoisson = 0.3;
  constexpr double kLambda = kYoung * kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson));
  constexpr double kMu = kYoung / (2.0 * (1.0 + kPoisson));
  const std::array<double, 2> gauss = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  ElementMatrix stiffness{};
  for (std::size_t g = 0; g < kNodes; ++g) {
    const Gradients gradients = shape_gradients({gauss[corner(g, 0)], gauss[corner(g, 1)], gauss[corner(g, 2)]});
    add_strain_energy(gradients, kLambda, kMu, 1.0 / kNodes, stiffness);
  }
  return stiffness;
}

using Block = std::array<std::array<double, 3>, 3>;

/// The 3 x 3 coupling of the node (x, y, z) with its neighbour at distance (dx, dy, dz), summed over the elements that hold both.
Block coupling(const Grid& grid, const ElementMatrix& stiffness, const std::array<Index, 3>& node,
               const std::array<Index, 3>& step) {
  Block block{};
  for (std::size_t a = 0; a < kNodes; ++a) {  // the element in which the node is corner a
    std::size_t b = 0;                        // and its neighbour corner b
    bool exists = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto from = static_cast<Index>(corner(a, axis));
      const Index to = from + step[axis];
      const Index cell = node[axis] - from;
      exists = exists && to >= 0 && to <= 1 && cell >= 0 && cell < grid.n - 1;
      b |= static_cast<std::size_t>(to == 1 ? 1 : 0) << axis;
    }
    for (std::size_t i = 0; exists && i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        block[i][j] += stiffness[3 * b + i][3 * a + j];
      }
    }
  }
  return block;
}

/// Adds the entries of the node's three columns in the rows of one neighbour, the lower triangle only.
void add_block(const Block& block, Index row_node, Index col_node, Triplets<double>& triplets) {
  for (Index j = 0; j < 3; ++j) {
    for (Index i = row_node == col_node ? j : 0; i < 3; ++i) {
      triplets.add(3 * row_node + i, 3 * col_node + j, block[i][j]);
    }
  }
}

}  // namespace

SparseMatrix<double> make_elasticity3d(Index n) {
  const Grid grid{n};
  const ElementMatrix stiffness = element_stiffness();
  Triplets<double> triplets;
  triplets.num_rows = 3 * n * n * (n - 1);
  triplets.num_cols = triplets.num_rows;
  triplets.symmetry = Symmetry::symmetric;
  const Index clamped = n * n;  // the nodes of z = 0 have no unknowns
  for (Index z = 1; z < n; ++z) {
    for (Index y = 0; y < n; ++y) {
      for (Index x = 0; x < n; ++x) {
        const Index col_node = grid.point(x, y, z) - clamped;
        for (Index neighbour = 13; neighbour < 27; ++neighbour) {  // 13 is the node itself, 14 .. 26 come after it
          const std::array<Index, 3> step = {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
          if (grid.contains(x + step[0], y + step[1], z + step[2])) {
            const Index row_node = grid.point(x + step[0], y + step[1], z + step[2]) - clamped;
            add_block(coupling(grid, stiffness, {x, y, z}, step), row_node, col_node, triplets);
          }
        }
      }
    }
  }
  return compress(std::move(triplets));
}

}  // namespace frond
