// SPDX-License-Identifier: BSD-3-Clause
// Generates Stokes problems of enclosed flow, whose null vectors are pressures that are known exactly.
#pragma once

#include <cstdint>
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

/// Returns the lower triangle of [K B^T; B 0]: K is a 5-point operator with random viscosities, B has entries 1, -1, or 1/2, -1/2.
[[nodiscard]] SparseMatrix<double> stokes_matrix(const StokesKind& kind);

[[nodiscard]] Index num_null_vectors(const StokesKind& kind);

}  // namespace frond::testing
