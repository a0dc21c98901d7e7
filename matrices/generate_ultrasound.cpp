// SPDX-License-Identifier: BSD-3-Clause
// Generates waves in a moving, absorbing medium on triquadratic hexahedra: the patterns of ULTRASOUND3 and ULTRASOUND80.
#include <cstddef>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

/// Integrals over the line of the 1D quadratic shape functions of a column's node j and of one of its neighbours i.
struct Coupling {
  Index node = 0;          ///< i
  double mass = 0.0;       ///< integral of phi_i phi_j
  double stiffness = 0.0;  ///< integral of phi_i' phi_j'
  double transport = 0.0;  ///< integral of phi_i phi_j'
};

/// couplings[j] = the neighbours of node j on a line of `num_elements` elements, sorted; element e has the nodes 2e, 2e+1, 2e+2.
/// The shared node of two elements has five, an inner node of an element three.
std::vector<std::vector<Coupling>> line_couplings(Index num_elements) {
  constexpr double kMass[3][3] = {{4, 2, -1}, {2, 16, 2}, {-1, 2, 4}};         // times h/30
  constexpr double kStiffness[3][3] = {{7, -8, 1}, {-8, 16, -8}, {1, -8, 7}};  // times 1/(3h)
  constexpr double kTransport[3][3] = {{-3, 4, -1}, {-4, 0, 4}, {1, -4, 3}};   // times 1/6
  const double h = 1.0 / num_elements;
  std::vector<std::vector<Coupling>> couplings(2 * static_cast<std::size_t>(num_elements) + 1);
  for (Index e = 0; e < num_elements; ++e) {
    for (Index j = 0; j < 3; ++j) {
      std::vector<Coupling>& column = couplings[2 * static_cast<std::size_t>(e) + static_cast<std::size_t>(j)];
      for (Index i = 0; i < 3; ++i) {
        if (column.empty() || column.back().node < 2 * e + i) {
          column.push_back({.node = 2 * e + i});
        }
        // Only the diagonal entry of the node shared with the previous element already exists, and it is the last one.
        Coupling& coupling = column.back();
        coupling.mass += kMass[i][j] * h / 30.0;
        coupling.stiffness += kStiffness[i][j] / (3.0 * h);
        coupling.transport += kTransport[i][j] / 6.0;
      }
    }
  }
  return couplings;
}

/// One implicit time step of the damped wave equation in a medium that flows along (1, 1/2, 1/4):
/// reaction * u - div(grad u) + flow . grad u.
double entry(const Coupling& x, const Coupling& y, const Coupling& z) {
  constexpr double kReaction = 50.0;
  constexpr double kFlow = 20.0;
  const double mass = x.mass * y.mass * z.mass;
  const double stiffness = x.stiffness * y.mass * z.mass + x.mass * y.stiffness * z.mass + x.mass * y.mass * z.stiffness;
  const double transport = x.transport * y.mass * z.mass + x.mass * (0.5 * y.transport * z.mass + 0.25 * y.mass * z.transport);
  return kReaction * mass + stiffness + kFlow * transport;
}

}  // namespace

SparseMatrix<double> make_ultrasound(Index n) {
  const std::vector<std::vector<Coupling>> couplings = line_couplings(n);
  const Grid grid{2 * n + 1};
  Triplets<double> triplets;
  triplets.num_rows = grid.n * grid.n * grid.n;
  triplets.num_cols = triplets.num_rows;
  for (Index z = 0; z < grid.n; ++z) {
    for (Index y = 0; y < grid.n; ++y) {
      for (Index x = 0; x < grid.n; ++x) {
        for (const Coupling& cz : couplings[z]) {
          for (const Coupling& cy : couplings[y]) {
            for (const Coupling& cx : couplings[x]) {
              triplets.add(grid.point(cx.node, cy.node, cz.node), grid.point(x, y, z), entry(cx, cy, cz));
            }
          }
        }
      }
    }
  }
  return compress(std::move(triplets));
}

}  // namespace frond
