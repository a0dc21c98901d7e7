// SPDX-License-Identifier: BSD-3-Clause
// Maps small matrices to several ranks and factorizes them there.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>

#include "factorization/factorize.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/ranks/gathered_factors.hpp"
#include "tests/support/ranks/single_front.hpp"
#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::test {

enum class Types {
  sequential,       // every front on one rank
  row_distributed,  // as many fronts as possible in rows, down to single rows
  grid              // the same, and the largest root on a grid, in small blocks
};

/// Spreads small problems as well. A larger tolerance makes the subtrees larger and less even, so that more of them may move.
[[nodiscard]] inline MappingOptions spread_over(Rank num_ranks, Types types, double tolerance = 0.01, Index block_size = 3) {
  MappingOptions options;
  options.num_ranks = num_ranks;
  options.upper_node_seconds = 0;
  options.layer_tolerance = tolerance;
  options.grid_order_per_side = types == Types::grid ? 1 : std::numeric_limits<Index>::max();
  options.grid_block_size = block_size;
  if (types != Types::sequential) {
    options.min_slave_rows = 1;
    options.min_front_flops = 0;
  }
  return options;
}

template <Scalar S>
struct RankProblem {
  RankProblem(Method problem_method, SparseMatrix<S> matrix, Types types, Rank num_ranks, double tolerance = 0.01)
      : method(problem_method), a(std::move(matrix)) {
    AnalysisOptions options;
    options.ordering.expected_factorizations = 1000;  // even small grids are dissected, and have trees for several ranks
    options.method = method;
    options.mapping = spread_over(num_ranks, types, tolerance);
    symbolic = analyze(a.pattern(), options);
    mapping = map_tree(symbolic->tree(), method, options.mapping);
  }
  RankProblem(Method problem_method, Index grid, Values values, Types types, Rank num_ranks)
      : RankProblem(problem_method, grid_matrix<S>(symmetry_of(problem_method), grid, grid, grid, values, 1), types, num_ranks) {}

  [[nodiscard]] VirtualRunResult<S> run(const VirtualRun& run) const {
    VirtualRunResult<S> result = factorize_on_virtual_ranks<S>(symbolic, method, a, mapping, run);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints.front();
    return result;
  }
  [[nodiscard]] Factors<S> gather(const VirtualRunResult<S>& result) const {
    return gathered_factors(symbolic, method, result.mapping, result.factors);
  }
  [[nodiscard]] FactorizationResult<S> run_on_one_rank() const {
    FactorizationOptions options;
    options.num_threads = 1;
    return factorize<S>(symbolic, method, a.values, {}, {}, options);
  }

  Method method;
  SparseMatrix<S> a;
  std::shared_ptr<const Symbolic> symbolic;
  Mapping mapping;
};

}  // namespace frond::test
