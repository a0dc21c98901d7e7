// SPDX-License-Identifier: BSD-3-Clause
// Provides a matrix, its mapping to ranks and its scaled factors on one process, as the reference for distributed solves.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/factors.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/distributed/ranks/rank_system.hpp"
#include "tests/support/ranks/cut_factors.hpp"

namespace frond::testing {

/// Returns a symmetry that the method accepts: Hermitian for Cholesky and LDLH if complex, symmetric for LDLT, general for LU.
[[nodiscard]] Symmetry symmetry_for(Method method, bool is_complex);

/// Returns a mapping that keeps no subtree together: every node has a random master.
[[nodiscard]] Mapping scattered_mapping(const AssemblyTree& tree, Rank num_ranks, std::mt19937& random);

template <Scalar S>
struct RankProblem {
  /// Spreads small problems over the ranks as well. The scalings are random powers of 2.
  RankProblem(Method method, SparseMatrix<S> matrix, Rank num_ranks, OrderingKind ordering = OrderingKind::automatic);

  /// X := op(A)^-1 X on one process.
  void solve(Operation operation, DenseView<S> x) const;

  /// [rank] = its part of the system. The arguments must outlive the result.
  [[nodiscard]] std::vector<RankSystem<S>> systems(const Mapping& masters, const CutFactors<S>& cut) const;

  SparseMatrix<S> a;
  std::shared_ptr<const Symbolic> symbolic;
  Mapping mapping;
  std::optional<Factors<S>> factors;
};

}  // namespace frond::testing
