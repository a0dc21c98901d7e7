// SPDX-License-Identifier: BSD-3-Clause
// Analyzes, maps and factorizes in one process.
#include "tests/support/ranks/solve_problem.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "solver/numerics/sweeps/solve.hpp"

namespace frond::testing {
namespace {

template <class R>
std::vector<R> random_scaling(Index order, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<R> scaling(static_cast<std::size_t>(order));
  for (R& scale : scaling) {
    scale = std::ldexp(R(1), static_cast<int>(random() % 3) - 1);
  }
  return scaling;
}

}  // namespace

Symmetry symmetry_for(Method method, bool is_complex) {
  if (method == Method::lu) {
    return Symmetry::general;
  }
  return is_complex && method != Method::ldlt ? Symmetry::hermitian : Symmetry::symmetric;
}

Mapping scattered_mapping(const AssemblyTree& tree, Rank num_ranks, std::mt19937& random) {
  std::vector<UpperNode> nodes;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto master = static_cast<Rank>(random() % static_cast<unsigned>(num_ranks));
    nodes.push_back({node, NodeType::sequential, master, {0, num_ranks}});
  }
  return {num_ranks, tree.num_nodes(), {}, std::move(nodes), {}};
}

template <Scalar S>
RankProblem<S>::RankProblem(Method method, SparseMatrix<S> matrix, Rank num_ranks, OrderingKind ordering) : a(std::move(matrix)) {
  AnalysisOptions options;
  options.ordering.kind = ordering;
  options.ordering.expected_factorizations = 1000;  // even small grids are dissected, and have trees for several ranks
  options.method = method;
  options.mapping.num_ranks = num_ranks;
  options.mapping.upper_node_seconds = 0;
  options.mapping.layer_tolerance = 0.01;
  symbolic = analyze(a.pattern(), options);
  mapping = map_tree(symbolic->tree(), method, options.mapping);
  std::vector<RealOf<S>> rows = random_scaling<RealOf<S>>(a.num_rows, 1);
  std::vector<RealOf<S>> cols = method == Method::lu ? random_scaling<RealOf<S>>(a.num_cols, 2) : rows;
  FactorizationOptions numeric;
  numeric.num_threads = 1;
  factors = factorize<S>(symbolic, method, a.values, std::move(rows), std::move(cols), numeric).factors.value();
}

template <Scalar S>
void RankProblem<S>::solve(Operation operation, DenseView<S> x) const {
  const SolvePlan plan(symbolic->tree());
  for (Index begin = 0; begin < x.cols; begin += kSolveBlock) {
    solve_with_factors<S>(*factors, plan, {operation, x.columns(begin, std::min(x.cols, begin + kSolveBlock))}, 1);
  }
}

template <Scalar S>
std::vector<RankSystem<S>> RankProblem<S>::systems(const Mapping& masters, const CutFactors<S>& cut) const {
  std::vector<RankSystem<S>> systems;
  for (const RankFactors<S>& part : cut.ranks) {
    systems.push_back({*symbolic, masters, factors->method(), part, factors->row_scaling(), factors->col_scaling()});
  }
  return systems;
}

template struct RankProblem<float>;
template struct RankProblem<double>;
template struct RankProblem<std::complex<float>>;
template struct RankProblem<std::complex<double>>;

}  // namespace frond::testing
