// SPDX-License-Identifier: BSD-3-Clause
// Generates convection-diffusion with a grad-div term on a staggered (MAC) grid: the pattern of CONV3D64, 15 entries per row.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

using Position = std::array<Index, 3>;
constexpr std::size_t kRowLength = 15;

/// The faces of n^3 cells, one unknown each: the faces normal to x first, then those normal to y and to z; x fastest in each.
struct StaggeredGrid {
  Index n;

  [[nodiscard]] Index extent(std::size_t component, std::size_t axis) const { return component == axis ? n + 1 : n; }
  [[nodiscard]] Index faces_per_component() const { return n * n * (n + 1); }
  [[nodiscard]] bool contains(std::size_t component, const Position& p) const {
    return std::all_of(kAxes.begin(), kAxes.end(),
                       [&](std::size_t axis) { return p[axis] >= 0 && p[axis] < extent(component, axis); });
  }
  [[nodiscard]] Index unknown(std::size_t component, const Position& p) const {
    return static_cast<Index>(component) * faces_per_component() + (p[2] * extent(component, 1) + p[1]) * extent(component, 0) +
           p[0];
  }

  static constexpr std::array<std::size_t, 3> kAxes = {0, 1, 2};
};

/// A wanted entry of a row, whose column may not exist.
struct Wish {
  std::size_t component = 0;
  Position position{};
  double value = 0.0;
};

/// Squared distance of two faces of the same component, in cells.
Index squared_distance(const Position& a, const Position& b) {
  Index sum = 0;
  for (const std::size_t axis : StaggeredGrid::kAxes) {
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  }
  return sum;
}

/// The columns of one row so far.
struct Row {
  std::array<Index, kRowLength> cols{};
  std::array<double, kRowLength> values{};
  std::size_t length = 0;

  [[nodiscard]] bool has(Index col) const { return std::find(cols.begin(), cols.begin() + length, col) != cols.begin() + length; }
  void add(Index col, double value) {
    cols[length] = col;
    values[length] = value;
    ++length;
  }
};

/// Returns the unknown of the component nearest to a position outside the grid that is not yet in the row; the lowest number
/// among equals. A row has at most seven columns of a component, so no candidate farther than three faces along an axis is
/// needed.
Index nearest_free_unknown(const StaggeredGrid& grid, const Wish& wish, const Row& row) {
  constexpr Index kReach = 3;
  Index best = -1;
  Index best_distance = 0;
  for (Index z = wish.position[2] - kReach; z <= wish.position[2] + kReach; ++z) {
    for (Index y = wish.position[1] - kReach; y <= wish.position[1] + kReach; ++y) {
      for (Index x = wish.position[0] - kReach; x <= wish.position[0] + kReach; ++x) {
        const Position candidate = {x, y, z};
        if (!grid.contains(wish.component, candidate)) {
          continue;
        }
        const Index unknown = grid.unknown(wish.component, candidate);
        const Index distance = squared_distance(candidate, wish.position);
        if ((best < 0 || distance < best_distance) && !row.has(unknown)) {
          best = unknown;
          best_distance = distance;
        }
      }
    }
  }
  return best;
}

Position shifted(Position position, std::size_t axis, Index steps) {
  position[axis] += steps;
  return position;
}

/// Returns the 15 entries of the equation of one face: -div(grad u) + wind . grad u (upwind) - gamma grad(div u).
std::array<Wish, kRowLength> face_equation(std::size_t component, const Position& face) {
  constexpr double kGradDiv = 1.0;                           // gamma: the augmentation parameter
  constexpr std::array<double, 3> kWind = {0.8, -0.4, 0.2};  // cell Reynolds numbers
  std::array<Wish, kRowLength> wishes;
  std::size_t count = 0;
  double diagonal = 6.0 + 2.0 * kGradDiv;
  for (const std::size_t axis : StaggeredGrid::kAxes) {
    diagonal += std::abs(kWind[axis]);
    const double diffusion = -1.0 - (axis == component ? kGradDiv : 0.0);
    wishes[count++] = {component, shifted(face, axis, -1), diffusion - std::max(kWind[axis], 0.0)};
    wishes[count++] = {component, shifted(face, axis, 1), diffusion + std::min(kWind[axis], 0.0)};
  }
  wishes[count++] = {component, face, diagonal};
  for (const std::size_t other : StaggeredGrid::kAxes) {
    for (const Index side : {0, 1}) {  // the cells before and after the face, and the two faces of each
      for (const Index end : {0, 1}) {
        if (other != component) {
          const Position neighbour = shifted(shifted(face, component, side - 1), other, end);
          wishes[count++] = {other, neighbour, side == end ? -kGradDiv : kGradDiv};
        }
      }
    }
  }
  return wishes;
}

/// Builds the row of one face: wanted entries where the column exists, explicit zeros nearby for the others.
Row make_row(const StaggeredGrid& grid, std::size_t component, const Position& face) {
  const std::array<Wish, kRowLength> wishes = face_equation(component, face);
  Row row;
  for (const Wish& wish : wishes) {
    if (grid.contains(wish.component, wish.position)) {
      row.add(grid.unknown(wish.component, wish.position), wish.value);
    }
  }
  for (const Wish& wish : wishes) {
    if (!grid.contains(wish.component, wish.position)) {
      row.add(nearest_free_unknown(grid, wish, row), 0.0);
    }
  }
  return row;
}

}  // namespace

SparseMatrix<double> make_conv3d64(Index n) {
  const StaggeredGrid grid{n};
  Triplets<double> triplets;
  triplets.num_rows = 3 * grid.faces_per_component();
  triplets.num_cols = triplets.num_rows;
  for (const std::size_t component : StaggeredGrid::kAxes) {
    for (Index z = 0; z < grid.extent(component, 2); ++z) {
      for (Index y = 0; y < grid.extent(component, 1); ++y) {
        for (Index x = 0; x < grid.extent(component, 0); ++x) {
          const Row row = make_row(grid, component, {x, y, z});
          for (std::size_t k = 0; k < kRowLength; ++k) {
            triplets.add(grid.unknown(component, {x, y, z}), row.cols[k], row.values[k]);
          }
        }
      }
    }
  }
  return compress(std::move(triplets));
}

}  // namespace frond
