// SPDX-License-Identifier: BSD-3-Clause
// Generates Stokes problems of enclosed flow, whose null vectors are pressures that are known exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "frond/types.hpp"

namespace frond::testing {

enum class StokesPair {
  staggered,  ///< velocities on edges, pressures in cells: a constant pressure is the one null vector
  unstable    ///< velocities at nodes, pressures in cells: one constant per chessboard colour, two null vectors
};

struct StokesKind {
  std::uint64_t seed = 1;
  std::vector<StokesPair> domains = {StokesPair::unstable};  ///< not connected with each other
  Index num_cells = 10;                                      ///< of a domain in each direction
  double orders = 4;                                         ///< of magnitude that the viscosities span
  int most_scaled = 0;  ///< then S (...) S with S of random powers of 2 between 2^-most_scaled and 2^most_scaled
};

/// Adds the domains one by one: velocities in x and y, then pressures.
class StokesSystem {
 public:
  explicit StokesSystem(const StokesKind& kind) : kind_(kind), random_(kind.seed) {
    for (const StokesPair pair : kind.domains) {
      pair == StokesPair::staggered ? add_staggered() : add_unstable();
    }
  }

  [[nodiscard]] SparseMatrix<double> matrix() {
    std::vector<int> exponents(static_cast<std::size_t>(order_));
    std::uniform_int_distribution<int> draw(-kind_.most_scaled, kind_.most_scaled);
    for (int& exponent : exponents) {
      exponent = draw(random_);
    }
    entries_.num_rows = order_;
    entries_.num_cols = order_;
    for (std::size_t k = 0; k < entries_.values.size(); ++k) {
      const auto row = static_cast<std::size_t>(entries_.rows[k]);
      const auto col = static_cast<std::size_t>(entries_.cols[k]);
      entries_.values[k] = std::ldexp(entries_.values[k], exponents[row] + exponents[col]);
    }
    return compress(std::move(entries_));
  }

 private:
  Index take(Index count) {
    order_ += count;
    return order_ - count;
  }

  // [cell] = its viscosity; there is one more cell than unknowns in each direction.
  std::vector<double> draw_viscosities() {
    const Index side = kind_.num_cells + 1;
    std::vector<double> viscosities(static_cast<std::size_t>(side * side));
    std::uniform_real_distribution<double> logarithm(-kind_.orders / 2, kind_.orders / 2);
    for (double& viscosity : viscosities) {
      viscosity = std::pow(10.0, logarithm(random_));
    }
    return viscosities;
  }

  // The values around the width * height unknowns are zero. An edge of the grid has the viscosity of a cell that it touches.
  void add_viscous_term(Index first, Index width, Index height, const std::vector<double>& viscosities) {
    const Index side = kind_.num_cells + 1;
    const auto viscosity = [&](Index x, Index y) { return viscosities[y * side + x]; };
    for (Index y = 0; y < height; ++y) {
      for (Index x = 0; x < width; ++x) {
        const Index here = first + y * width + x;
        entries_.add(here, here, 2 * viscosity(x, y) + viscosity(x + 1, y) + viscosity(x, y + 1));
        if (x + 1 < width) {
          entries_.add(here + 1, here, -viscosity(x + 1, y));
        }
        if (y + 1 < height) {
          entries_.add(here + width, here, -viscosity(x, y + 1));
        }
      }
    }
  }

  void add_staggered() {
    const Index n = kind_.num_cells;
    const Index u = take((n - 1) * n);
    const Index v = take(n * (n - 1));
    const Index p = take(n * n);
    const std::vector<double> viscosities = draw_viscosities();
    add_viscous_term(u, n - 1, n, viscosities);
    add_viscous_term(v, n, n - 1, viscosities);
    for (Index y = 0; y < n; ++y) {
      for (Index x = 0; x + 1 < n; ++x) {
        entries_.add(p + y * n + x, u + y * (n - 1) + x, 1);
        entries_.add(p + y * n + x + 1, u + y * (n - 1) + x, -1);
        entries_.add(p + x * n + y, v + x * n + y, 1);
        entries_.add(p + (x + 1) * n + y, v + x * n + y, -1);
      }
    }
  }

  void add_unstable() {
    const Index n = kind_.num_cells;
    const Index m = n - 1;
    const Index u = take(m * m);
    const Index v = take(m * m);
    const Index p = take(n * n);
    const std::vector<double> viscosities = draw_viscosities();
    add_viscous_term(u, m, m, viscosities);
    add_viscous_term(v, m, m, viscosities);
    for (Index node = 0; node < m * m; ++node) {
      for (Index corner = 0; corner < 4; ++corner) {
        const Index cell = p + (node / m + corner / 2) * n + node % m + corner % 2;
        entries_.add(cell, u + node, corner % 2 == 0 ? 0.5 : -0.5);
        entries_.add(cell, v + node, corner / 2 == 0 ? 0.5 : -0.5);
      }
    }
  }

  const StokesKind& kind_;
  std::mt19937_64 random_;
  Index order_ = 0;
  Triplets<double> entries_{.symmetry = Symmetry::symmetric};
};

/// Returns the lower triangle of [K B^T; B 0]: K is a 5-point operator with random viscosities, B has entries 1, -1, or 1/2, -1/2.
[[nodiscard]] inline SparseMatrix<double> stokes_matrix(const StokesKind& kind) { return StokesSystem(kind).matrix(); }

[[nodiscard]] inline Index num_null_vectors(const StokesKind& kind) {
  Index count = 0;
  for (const StokesPair pair : kind.domains) {
    count += pair == StokesPair::staggered ? 1 : 2;
  }
  return count;
}

}  // namespace frond::testing
