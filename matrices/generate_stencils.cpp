// SPDX-License-Identifier: BSD-3-Clause
// Generates model problems from finite-difference stencils on regular grids.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

struct Offset {
  Index dx, dy, dz;
};

constexpr std::array<Offset, 6> kAxisNeighbours = {{{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

template <class S>
Triplets<S> empty_square(Index order, Symmetry symmetry) {
  Triplets<S> triplets;
  triplets.num_rows = order;
  triplets.num_cols = order;
  triplets.symmetry = symmetry;
  return triplets;
}

/// Calls visit(x, y, z) for the points of the grid in the order of their numbers.
template <class Visit>
void for_each_point(const Grid& grid, Index num_layers, const Visit& visit) {
  for (Index z = 0; z < num_layers; ++z) {
    for (Index y = 0; y < grid.n; ++y) {
      for (Index x = 0; x < grid.n; ++x) {
        visit(x, y, z);
      }
    }
  }
}

/// Adds -1 for the neighbours that come after the point: along the axes, or all that surround it.
void add_later_neighbours(const Grid& grid, Index num_layers, bool with_diagonal_neighbours, Index x, Index y, Index z,
                          Triplets<double>& triplets) {
  const Index point = grid.point(x, y, z);
  for (Index dz = 0; dz <= 1 && z + dz < num_layers; ++dz) {
    for (Index dy = -1; dy <= 1; ++dy) {
      for (Index dx = -1; dx <= 1; ++dx) {
        const bool is_axis = std::abs(dx) + std::abs(dy) + std::abs(dz) == 1;
        if (!grid.inside(x + dx) || !grid.inside(y + dy) || (!with_diagonal_neighbours && !is_axis)) {
          continue;
        }
        const Index neighbour = grid.point(x + dx, y + dy, z + dz);
        if (neighbour > point) {
          triplets.add(neighbour, point, -1.0);
        }
      }
    }
  }
}

SparseMatrix<double> make_laplacian(Index n, Index num_layers, double diagonal, bool with_diagonal_neighbours) {
  const Grid grid{n};
  Triplets<double> triplets = empty_square<double>(n * n * num_layers, Symmetry::symmetric);
  for_each_point(grid, num_layers, [&](Index x, Index y, Index z) {
    triplets.add(grid.point(x, y, z), grid.point(x, y, z), diagonal);
    add_later_neighbours(grid, num_layers, with_diagonal_neighbours, x, y, z, triplets);
  });
  return compress(std::move(triplets));
}

}  // namespace

SparseMatrix<double> make_laplacian2d(Index n, bool with_diagonal_neighbours) {
  return make_laplacian(n, 1, with_diagonal_neighbours ? 8.0 : 4.0, with_diagonal_neighbours);
}

SparseMatrix<double> make_laplacian3d(Index n, bool with_diagonal_neighbours) {
  return make_laplacian(n, n, with_diagonal_neighbours ? 26.0 : 6.0, with_diagonal_neighbours);
}

SparseMatrix<double> make_convection3d(Index n) {
  const Grid grid{n};
  const double h = 1.0 / (n + 1);
  Triplets<double> triplets = empty_square<double>(n * n * n, Symmetry::general);
  for_each_point(grid, n, [&](Index x, Index y, Index z) {
    const std::array<double, 3> wind = {-40.0 * ((y + 1) * h - 0.5), 40.0 * ((x + 1) * h - 0.5), 20.0};
    const Index row = grid.point(x, y, z);
    triplets.add(row, row, 6.0 + h * (std::abs(wind[0]) + std::abs(wind[1]) + std::abs(wind[2])));
    for (const auto& [dx, dy, dz] : kAxisNeighbours) {
      if (grid.contains(x + dx, y + dy, z + dz)) {
        const double towards = wind[0] * dx + wind[1] * dy + wind[2] * dz;  // negative when the wind blows from this neighbour
        triplets.add(row, grid.point(x + dx, y + dy, z + dz), -1.0 + h * std::min(towards, 0.0));
      }
    }
  });
  return compress(std::move(triplets));
}

SparseMatrix<double> make_kkt3d(Index n) {
  const Grid grid{n};
  const Index num_points = n * n * n;
  Triplets<double> triplets = empty_square<double>(4 * num_points, Symmetry::symmetric);
  const SparseMatrix<double> laplacian = make_laplacian3d(n, false);
  for (Index axis = 0; axis < 3; ++axis) {
    const Index shift = axis * num_points;
    for (Index j = 0; j < num_points; ++j) {
      const auto begin = static_cast<std::size_t>(laplacian.column_offsets[j]);
      const auto end = static_cast<std::size_t>(laplacian.column_offsets[static_cast<std::size_t>(j) + 1]);
      for (std::size_t k = begin; k < end; ++k) {
        triplets.add(shift + laplacian.row_indices[k], shift + j, laplacian.values[k]);
      }
    }
    for_each_point(grid, n, [&](Index x, Index y, Index z) {
      const Index row = 3 * num_points + grid.point(x, y, z);
      const Offset before = {x - (axis == 0), y - (axis == 1), z - (axis == 2)};
      triplets.add(row, shift + grid.point(x, y, z), 1.0);
      if (grid.contains(before.dx, before.dy, before.dz)) {
        triplets.add(row, shift + grid.point(before.dx, before.dy, before.dz), -1.0);
      }
    });
  }
  return compress(std::move(triplets));
}

SparseMatrix<std::complex<double>> make_helmholtz3d(Index n) {
  constexpr double kSquaredWaveNumber = 0.39478;  // k^2 h^2: ten points per wave length
  const Grid grid{n};
  const Index layer = std::max(2, n / 8);
  Triplets<std::complex<double>> triplets = empty_square<std::complex<double>>(n * n * n, Symmetry::symmetric);
  for_each_point(grid, n, [&](Index x, Index y, Index z) {
    const Index edge = std::min({x, y, z, n - 1 - x, n - 1 - y, n - 1 - z});
    const double s = edge < layer ? static_cast<double>(layer - edge) / layer : 0.0;
    const Index point = grid.point(x, y, z);
    triplets.add(point, point, {6.0 - kSquaredWaveNumber, kSquaredWaveNumber * (0.02 + 2.0 * s * s)});
    for (const auto& [dx, dy, dz] : kAxisNeighbours) {
      if (dx + dy + dz > 0 && grid.contains(x + dx, y + dy, z + dz)) {
        triplets.add(grid.point(x + dx, y + dy, z + dz), point, -1.0);
      }
    }
  });
  return compress(std::move(triplets));
}

}  // namespace frond
