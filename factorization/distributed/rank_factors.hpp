// SPDX-License-Identifier: BSD-3-Clause
// One rank's part of factors that are distributed over several.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "factorization/distributed/root_layout.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/dense.hpp"

namespace frond {

class FactorStorage;

/// Contribution rows [row_begin, row_end) of a row-distributed front, counted from the first one, and the rank that holds them.
struct RowShare {
  Rank rank = 0;
  Index row_begin = 0;
  Index row_end = 0;

  friend bool operator==(const RowShare&, const RowShare&) = default;
};

/// The rows of the factors of a row-distributed front that one slave holds. Columns [0, num_eliminated) of `rows` are, for the
/// symmetric methods, rows of L; for LU, rows of N^T. Its other columns mean nothing.
template <Scalar S>
struct RowFactor {
  Index row_begin = 0;  ///< the first contribution row of `rows`
  Index num_eliminated = 0;
  DenseView<S> rows;  ///< |J| x p
};

template <Scalar S>
class RootSolver;

/// A rank's part of the root's factors on a grid, and the solver that uses it.
template <Scalar S>
struct RootFactor {
  RootPart<S> part;
  std::shared_ptr<RootSolver<S>> solver;
};

/// What a rank holds of the factors.
///
/// fronts[node] is empty where another rank is the master. The master of a row-distributed front holds no contribution rows: for
/// the symmetric methods its FrontFactor has order p; for LU it has the order of the front, but `upper` is null. The shares of such
/// a front cover its contribution rows in order. The master may be among its own slaves. For the root on a grid, the FrontFactor of
/// its master, the first rank of the grid, has the lists of variables before pivoting, and null for all else.
template <Scalar S>
struct RankFactors {
  std::vector<FrontFactor<S>> fronts;
  std::map<NodeId, std::vector<RowShare>> shares;  ///< of the row-distributed fronts whose master this rank is
  std::map<NodeId, RowFactor<S>> rows;             ///< of the row-distributed fronts whose slave this rank is
  std::optional<RootFactor<S>> root;               ///< of the root on a grid that this rank is part of
  std::shared_ptr<FactorStorage> storage;          ///< the memory behind all of them
};

}  // namespace frond
