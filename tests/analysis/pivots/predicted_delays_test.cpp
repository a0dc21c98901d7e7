// SPDX-License-Identifier: BSD-3-Clause
// Tests predicted delays against the least that the pattern allows: for each subtree, its number of variables minus the structural
// rank of the matrix that couples them.
#include "analysis/pivots/predicted_delays.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analysis/pivots/structural_rank.hpp"
#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {
namespace {

struct Fronts {
  Graph graph;
  OrderedGraph ordered;
  SupernodeTree supernodes;
  FrontTree fronts;
};

Fronts fronts_of(const PatternView& pattern, OrderingKind kind) {
  Fronts result;
  result.graph = adjacency_graph(pattern);
  result.ordered = order_graph(result.graph, {.kind = kind});
  result.supernodes = fundamental_supernodes(result.ordered.elimination);
  result.fronts = amalgamate(result.supernodes, pattern.symmetry, {});
  return result;
}

std::vector<Index> delays_of(const Fronts& of, const std::vector<bool>& is_weak) {
  return predict_delays(of.graph, of.ordered, of.supernodes, of.fronts, is_weak);
}

// [front] = the variables of its subtree.
std::vector<std::vector<Index>> subtree_variables(const Fronts& of) {
  std::vector<std::vector<Index>> variables(static_cast<std::size_t>(of.fronts.num_fronts()));
  for (Index supernode = 0; supernode < of.supernodes.num_supernodes(); ++supernode) {
    for (Index vertex = of.supernodes.vertex_offsets[supernode]; vertex < of.supernodes.vertex_offsets[supernode + 1]; ++vertex) {
      const auto members = of.ordered.compressed.groups.of(of.ordered.elimination.perm[vertex]);
      std::vector<Index>& own = variables[of.fronts.front_of[supernode]];
      own.insert(own.end(), members.begin(), members.end());
    }
  }
  for (Index front = 0; front < of.fronts.num_fronts(); ++front) {
    if (of.fronts.parent[front] != kNoParent) {
      std::vector<Index>& above = variables[of.fronts.parent[front]];
      above.insert(above.end(), variables[front].begin(), variables[front].end());
    }
  }
  return variables;
}

Index least_delays(const Graph& graph, const std::vector<Index>& variables, const std::vector<bool>& is_weak) {
  std::vector<Index> place(graph.num_vertices(), -1);
  for (std::size_t k = 0; k < variables.size(); ++k) place[variables[k]] = static_cast<Index>(k);
  std::vector<Count> offsets(1, 0);
  std::vector<Index> rows;
  for (const Index variable : variables) {
    if (!is_weak[variable]) rows.push_back(place[variable]);
    for (const Index neighbor : graph.neighbors_of(variable)) {
      if (place[neighbor] >= 0) rows.push_back(place[neighbor]);
    }
    offsets.push_back(static_cast<Count>(rows.size()));
  }
  const auto order = static_cast<Index>(variables.size());
  return order - structural_rank({order, order, Symmetry::general, offsets, rows}).rank;
}

TEST(PredictedDelays, AreNotBelowTheLeastThatThePatternAllowsAndNotFarAbove) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Count predicted_in_all = 0;
  Count least_in_all = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Pattern pattern = trial % 2 == 0 ? grid_pattern(5 + static_cast<Index>(random() % 8), 6, 1 + trial % 3)
                                           : random_pattern(60, Symmetry::symmetric, 0.05, random());
    const Fronts of = fronts_of(pattern.view(), trial % 3 == 0 ? OrderingKind::dissection : OrderingKind::amd);
    std::vector<bool> is_weak(static_cast<std::size_t>(pattern.order));
    for (std::size_t k = 0; k < is_weak.size(); ++k) is_weak[k] = random() % 4 != 0;
    const std::vector<Index> delays = delays_of(of, is_weak);
    const std::vector<std::vector<Index>> variables = subtree_variables(of);
    for (Index front = 0; front < of.fronts.num_fronts(); ++front) {
      const Index least = least_delays(of.graph, variables[front], is_weak);
      EXPECT_GE(delays[front], least) << "front " << front << ", trial " << trial;
      predicted_in_all += delays[front];
      least_in_all += least;
    }
  }
  EXPECT_GT(least_in_all, 0);
  EXPECT_LE(predicted_in_all, 4 * least_in_all);
}

TEST(PredictedDelays, AreNoneOnAStrongDiagonal) {
  const Pattern pattern = grid_pattern(9, 9, 2);
  const Fronts of = fronts_of(pattern.view(), OrderingKind::amd);
  const std::vector<Index> delays = delays_of(of, std::vector<bool>(static_cast<std::size_t>(pattern.order), false));
  for (const Index delay : delays) EXPECT_EQ(delay, 0);
  double flops = 0;
  for (Index front = 0; front < of.fronts.num_fronts(); ++front) {
    const Index p = of.fronts.num_fully_summed[front];
    flops += elimination_cost(p + of.fronts.cb_order[front], p, Method::ldlt).flops;
  }
  EXPECT_EQ(flops_with_delays(of.fronts, delays, Method::ldlt), flops);
}

// The first front delays its only variable to the second, which then has four.
TEST(PredictedDelays, MakeTheFrontAboveLarger) {
  FrontTree fronts;
  fronts.parent = {1, kNoParent};
  fronts.num_fully_summed = {1, 3};
  fronts.cb_order = {3, 0};
  EXPECT_EQ(flops_with_delays(fronts, {1, 0}, Method::ldlt), elimination_cost(4, 4, Method::ldlt).flops);
}

}  // namespace
}  // namespace frond::test
