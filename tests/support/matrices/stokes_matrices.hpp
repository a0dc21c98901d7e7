// SPDX-License-Identifier: BSD-3-Clause
// Stokes problems of enclosed flow, whose null vectors are pressures and known exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/matrix.hpp"
#include "frond/types.hpp"

namespace frond::testing {

enum class StokesPair {
  staggered,  ///< velocities on edges, pressures in cells: a constant pressure is the one null vector
  unstable    ///< velocities at nodes, pressures in cells: a constant on each colour of a chessboard, two null vectors
};

struct StokesKind {
  std::uint64_t seed = 1;
  std::vector<StokesPair> domains = {StokesPair::unstable};  ///< that do not touch
  Index num_cells = 10;                                      ///< of a domain in each direction
  double orders = 4;                                         ///< of magnitude, over which viscosities lie
  int most_scaled = 0;  ///< then S (...) S with S of random powers of 2 between 2^-most_scaled and 2^most_scaled
};

/// The lower triangle of [K B^T; B 0], K a 5-point operator with random viscosities, entries of B 1, -1, or 1/2, -1/2.
[[nodiscard]] SparseMatrix<double> stokes_matrix(const StokesKind& kind);

[[nodiscard]] Index num_null_vectors(const StokesKind& kind);

}  // namespace frond::testing
