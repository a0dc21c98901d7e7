// SPDX-License-Identifier: BSD-3-Clause
// Tests the promises of every mapping, on trees of all kinds, and the model problems with all types of nodes.
#include "analysis/mapping/mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/mapping/mapping_estimate.hpp"
#include "analysis/mapping/split_fronts.hpp"
#include "analysis/symbolic.hpp"
#include "frond/error.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

/// Returns the first promise of Mapping that is broken, or "".
std::string check_mapping(const AssemblyTree& tree, const Mapping& mapping, Method method) {
  if (mapping.num_nodes() != tree.num_nodes()) return "not the nodes of the tree";
  std::vector<int> times_mapped(tree.num_nodes(), 0);
  for (const Subtree& subtree : mapping.subtrees()) {
    if (subtree.node_begin != tree.subtree_begin(subtree.node_end - 1)) return "a subtree that is none";
    if (subtree.rank < 0 || subtree.rank >= mapping.num_ranks()) return "a rank that is none";
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) {
      ++times_mapped[node];
      if (!mapping.is_in_subtree(node) || &mapping.subtree_of(node) != &subtree) return "a node does not know its subtree";
      if (mapping.master(node) != subtree.rank || mapping.type(node) != NodeType::sequential) return "a subtree of several ranks";
      if (mapping.candidates(node).size() != 1 || mapping.candidates(node)[0] != subtree.rank) return "candidates in a subtree";
    }
  }
  Index num_grids = 0;
  for (const UpperNode& upper : mapping.upper_nodes()) {
    const NodeId node = upper.node;
    const NodeId parent = tree.parent(node);
    ++times_mapped[node];
    if (mapping.is_in_subtree(node) || mapping.type(node) != upper.type || mapping.master(node) != upper.master) {
      return "an upper node that does not know what it is";
    }
    if (parent != kNoParent && mapping.is_in_subtree(parent)) return "an upper node below a subtree";
    const auto candidates = mapping.candidates(node);
    if (!std::is_sorted(candidates.begin(), candidates.end())) return "candidates do not increase";
    if (!std::binary_search(candidates.begin(), candidates.end(), upper.master)) return "a master that is no candidate";
    if (candidates.front() < 0 || candidates.back() >= mapping.num_ranks()) return "a candidate that is no rank";
    if (parent != kNoParent && mapping.type(parent) != NodeType::grid_distributed) {
      const auto above = mapping.candidates(parent);
      if (!std::includes(above.begin(), above.end(), candidates.begin(), candidates.end())) return "candidates beyond the parent's";
    }
    if (upper.type == NodeType::row_distributed && (candidates.size() < 2 || tree.cb_order(node) == 0)) return "no slaves";
    if (upper.type == NodeType::grid_distributed) {
      ++num_grids;
      if (parent != kNoParent || method == Method::ldlt || mapping.root_grid().node != node) return "a grid where none belongs";
      if (static_cast<Rank>(candidates.size()) != mapping.root_grid().shape.size() || candidates.size() < 2) return "a wrong grid";
      if (std::adjacent_find(candidates.begin(), candidates.end()) != candidates.end()) return "a rank twice in the grid";
    }
  }
  if (num_grids > 1 || (num_grids == 1) != (mapping.root_grid().node != kNoNode)) return "more than one grid, or none known";
  if (std::any_of(times_mapped.begin(), times_mapped.end(), [](int times) { return times != 1; })) return "not mapped once";
  Index num_typed = 0;
  for (const NodeType type : {NodeType::sequential, NodeType::row_distributed, NodeType::grid_distributed}) {
    num_typed += mapping.num_nodes_of(type);
  }
  return num_typed == tree.num_nodes() ? "" : "wrong numbers of types";
}

TEST(Mapping, KeepsItsPromisesOnAllKindsOfTrees) {
  Index num_of_type[3] = {};
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {1, 2, 3, 4, 16, 300}) {
      for (const Method method : kRealMethods) {
        SCOPED_TRACE(::testing::Message() << tree.num_nodes() << " nodes, " << num_ranks << " ranks, method "
                                          << static_cast<int>(method));
        const MappingOptions options = small_fronts(num_ranks);
        const AssemblyTree split = split_large_fronts(tree, method, options);
        const Mapping mapping = map_tree(split, method, options);
        EXPECT_EQ(mapping.num_ranks(), num_ranks);
        EXPECT_EQ(check_mapping(split, mapping, method), "");
        EXPECT_EQ(check_mapping(tree, map_tree(tree, method, options), method), "");
        for (int type = 0; type < 3; ++type) num_of_type[type] += mapping.num_nodes_of(static_cast<NodeType>(type));
        EXPECT_TRUE(num_ranks > 1 || mapping.upper_nodes().empty());
      }
    }
  }
  EXPECT_GT(num_of_type[1], 1000);
  EXPECT_GT(num_of_type[2], 50);
}

TEST(Mapping, UsesAllTypesOfNodesOnProblemsIn3D) {
  const std::pair<ModelProblem, Index> problems[] = {
      {ModelProblem::laplacian3d7, 40}, {ModelProblem::elasticity3d, 20}, {ModelProblem::convection3d, 40}};
  for (const auto& [problem, size] : problems) {
    const SparseMatrix<double> matrix = std::get<SparseMatrix<double>>(generate(problem, size, 1));
    const auto symbolic = analyze(matrix.pattern());
    for (const Rank num_ranks : {4, 16, 128}) {
      for (const Method method : kRealMethods) {
        if ((method == Method::lu) != (problem == ModelProblem::convection3d)) continue;
        SCOPED_TRACE(::testing::Message() << model_problem_info(problem).name << ", " << num_ranks << " ranks");
        const MappingOptions options{.num_ranks = num_ranks};
        const AssemblyTree tree = split_large_fronts(symbolic->tree(), method, options);
        const Mapping mapping = map_tree(tree, method, options);
        EXPECT_EQ(check_mapping(tree, mapping, method), "");
        EXPECT_GT(mapping.num_nodes_of(NodeType::sequential), 0);
        EXPECT_GT(mapping.num_nodes_of(NodeType::row_distributed), 0);
        EXPECT_EQ(mapping.num_nodes_of(NodeType::grid_distributed), method == Method::ldlt ? 0 : 1);
        EXPECT_LT(estimate_mapping(tree, mapping, method, sizeof(double)).factor_bytes.imbalance(), 4);
      }
    }
  }
}

TEST(Mapping, ChoosesMastersByTheMemoryOfFactors) {
  // two leaves on two ranks, the second with more factor entries; a root too small for slaves: its master is the rank of the first
  const AssemblyTree tree = full_tree({2, 2, kNoParent}, {60, 61, 10});
  MappingOptions options = small_fronts(2);
  options.min_front_flops = 1e9;
  options.grid_order_per_side = 1000;
  const Mapping mapping = map_tree(tree, Method::lu, options);
  ASSERT_EQ(mapping.subtrees().size(), 2);
  EXPECT_NE(mapping.subtrees()[0].rank, mapping.subtrees()[1].rank);
  EXPECT_EQ(mapping.type(2), NodeType::sequential);
  EXPECT_EQ(mapping.master(2), mapping.subtrees()[0].rank);
}

TEST(Mapping, PutsTheGridOnTheRanksNamed) {
  const AssemblyTree tree = star(8, 40);
  MappingOptions options = small_fronts(8);
  options.grid_ranks = {7, 2, 5, 0, 3};
  const Mapping mapping = map_tree(tree, Method::cholesky, options);
  ASSERT_EQ(mapping.type(8), NodeType::grid_distributed);
  EXPECT_EQ(mapping.root_grid().ranks, (std::vector<Rank>{0, 2, 5, 7}));  // 2 x 2, the first four of the list
  EXPECT_EQ(mapping.root_grid().shape.num_rows, 2);
  EXPECT_EQ(mapping.root_grid().block_size, options.grid_block_size);
  EXPECT_EQ(mapping.master(8), 0);
}

TEST(Mapping, RepeatsItself) {
  const AssemblyTree tree = sample_of_trees()[8];
  const Mapping a = map_tree(tree, Method::lu, small_fronts(7));
  const Mapping b = map_tree(tree, Method::lu, small_fronts(7));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    EXPECT_EQ(a.master(node), b.master(node));
    EXPECT_EQ(a.type(node), b.type(node));
  }
}

TEST(Mapping, SpreadsAChainOfLargeFrontsAndKeepsOneOfSmallFronts) {
  const AssemblyTree small = chain(200000);
  const Mapping whole = map_tree(small, Method::lu, MappingOptions{.num_ranks = 4096});
  EXPECT_EQ(whole.subtrees().size(), 1);
  EXPECT_TRUE(whole.upper_nodes().empty());
  std::vector<NodeId> parent(20);
  for (NodeId node = 0; node < 20; ++node) parent[node] = node + 1 < 20 ? node + 1 : kNoParent;
  const AssemblyTree large = full_tree(parent, std::vector<Index>(20, 100));
  const Mapping mapping = map_tree(large, Method::lu, MappingOptions{.num_ranks = 4});
  std::set<Rank> masters;
  for (const UpperNode& upper : mapping.upper_nodes()) masters.insert(upper.master);
  EXPECT_EQ(masters.size(), 4);
}

TEST(Mapping, RefusesWhatIsNoNumberOfRanks) {
  EXPECT_THROW((void)map_tree(star(2, 2), Method::lu, MappingOptions{.num_ranks = 0}), UsageError);
  EXPECT_THROW((void)map_tree(star(2, 2), Method::lu, {.num_ranks = 2, .grid_ranks = {2}}), UsageError);
  EXPECT_THROW(Mapping(2, 2, {{0, 1, 0}}, {}, {}), InternalError);
}

TEST(Mapping, IsFastOnHugeTrees) {
  const AssemblyTree stars = star(1000000, 1);
  const Mapping mapping = map_tree(stars, Method::lu, {.num_ranks = 4096});
  EXPECT_EQ(check_mapping(stars, mapping, Method::lu), "");
  const auto num_nodes = static_cast<std::size_t>(stars.num_nodes());
  const std::size_t places = num_nodes * sizeof(Index);  // of the nodes
  EXPECT_LT(places + mapping.subtrees().size_bytes() + mapping.upper_nodes().size_bytes() + mapping.members().size_bytes(),
            40 * num_nodes);
}

}  // namespace
}  // namespace frond::test
