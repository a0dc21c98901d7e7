// SPDX-License-Identifier: BSD-3-Clause
// A matrix, its mapping to ranks and its scaled factors on one process: what distributed solves are compared with.
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

/// A matrix of a symmetry that the method takes: Hermitian for Cholesky and LDLH if complex, symmetric for LDLT, general for LU.
[[nodiscard]] Symmetry symmetry_for(Method method, bool is_complex);

/// A mapping that leaves no subtree together: every node has a master of its own draw.
[[nodiscard]] Mapping scattered_mapping(const AssemblyTree& tree, Rank num_ranks, std::mt19937& random);

template <Scalar S>
struct RankProblem {
  /// Small problems are spread over the ranks, too. The scalings are random powers of 2.
  RankProblem(Method method, SparseMatrix<S> matrix, Rank num_ranks, OrderingKind ordering = OrderingKind::automatic);

  /// X := op(A)^-1 X on one process.
  void solve(Operation operation, DenseView<S> x) const;

  /// [rank] = what it knows. The arguments must outlive the result.
  [[nodiscard]] std::vector<RankSystem<S>> systems(const Mapping& masters, const CutFactors<S>& cut) const;

  SparseMatrix<S> a;
  std::shared_ptr<const Symbolic> symbolic;
  Mapping mapping;
  std::optional<Factors<S>> factors;
};

}  // namespace frond::testing
