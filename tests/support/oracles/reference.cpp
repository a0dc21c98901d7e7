// SPDX-License-Identifier: BSD-3-Clause
// Eliminates symbolically on a dense table, and checks trees and maps against it.
#include "tests/support/oracles/reference.hpp"

#include <algorithm>
#include <numeric>

namespace frond::test {
namespace {

std::string at(const std::string& cause, Index a, Index b) { return cause + ": " + std::to_string(a) + ", " + std::to_string(b); }

/// Returns all rows of a front in their order.
std::vector<Index> front_rows(const AssemblyTree& tree, NodeId node) {
  std::vector<Index> rows(tree.num_fully_summed(node));
  std::iota(rows.begin(), rows.end(), tree.variable_begin(node));
  rows.insert(rows.end(), tree.cb_rows(node).begin(), tree.cb_rows(node).end());
  return rows;
}

std::string check_front(const AssemblyTree& tree, NodeId node, const NaiveFactor& factor, bool exact) {
  const std::vector<Index> rows = front_rows(tree, node);
  if (!std::is_sorted(rows.begin(), rows.end())) return at("rows do not increase in node", node, 0);
  for (Index k = 0; k < tree.num_fully_summed(node); ++k) {
    const Index column = tree.variable_begin(node) + k;
    for (Index row = column; row < factor.order(); ++row) {
      const bool in_front = std::binary_search(rows.begin(), rows.end(), row);
      if (factor.has(row, column) && !in_front) return at("an entry of L is in no front", row, column);
      if (exact && !factor.has(row, column) && in_front) return at("a front has an entry that L has not", row, column);
    }
  }
  const NodeId parent = tree.parent(node);
  if ((parent == kNoParent) != tree.cb_rows(node).empty()) return at("a root has rows, or another node has none", node, parent);
  if (parent == kNoParent) return tree.relative_indices(node).empty() ? "" : at("a root has relative indices", node, parent);
  const std::vector<Index> parent_rows = front_rows(tree, parent);
  const auto relative = tree.relative_indices(node);
  if (relative.size() != tree.cb_rows(node).size()) return at("wrong number of relative indices", node, parent);
  for (std::size_t j = 0; j < relative.size(); ++j) {
    if (parent_rows.at(relative[j]) != tree.cb_rows(node)[j]) return at("wrong relative index", node, static_cast<Index>(j));
  }
  if (relative[0] >= tree.num_fully_summed(parent)) return at("the parent eliminates no row of its child", node, parent);
  return "";
}

}  // namespace

NaiveFactor::NaiveFactor(const PatternView& pattern, const std::vector<Index>& perm)
    : lower_(pattern.num_cols, std::vector<bool>(pattern.num_cols, false)) {
  const std::vector<Index> inverse = invert(perm);
  for (Index column = 0; column < order(); ++column) {
    lower_[column][column] = true;
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      const auto [low, high] = std::minmax(inverse[column], inverse[pattern.row_indices[e]]);
      lower_[high][low] = true;
    }
  }
  for (Index pivot = 0; pivot < order(); ++pivot) {
    for (Index row = pivot + 1; row < order(); ++row) {
      if (!lower_[row][pivot]) continue;
      for (Index column = pivot + 1; column <= row; ++column) {
        if (lower_[column][pivot]) lower_[row][column] = true;
      }
    }
  }
}

std::vector<Index> NaiveFactor::parent() const {
  std::vector<Index> parent(order(), kNoParent);
  for (Index column = 0; column < order(); ++column) {
    for (Index row = order() - 1; row > column; --row) {
      if (has(row, column)) parent[column] = row;
    }
  }
  return parent;
}

std::vector<Index> NaiveFactor::counts() const {
  std::vector<Index> counts(order(), 0);
  for (Index column = 0; column < order(); ++column) {
    for (Index row = column; row < order(); ++row) counts[column] += has(row, column) ? 1 : 0;
  }
  return counts;
}

std::string check_structure(const AssemblyTree& tree, const NaiveFactor& factor, bool exact) {
  if (tree.num_variables() != factor.order()) return at("wrong number of variables", tree.num_variables(), factor.order());
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    std::string broken = check_front(tree, node, factor, exact);
    if (!broken.empty()) return broken;
    NodeId lowest = node;
    for (const NodeId child : tree.children(node)) {
      if (tree.parent(child) != node) return at("a child has another parent", child, node);
      lowest = std::min(lowest, tree.subtree_begin(child));
    }
    if (lowest != tree.subtree_begin(node)) return at("wrong subtree_begin", node, lowest);
    const Index depth = tree.parent(node) == kNoParent ? 0 : tree.depth(tree.parent(node)) + 1;
    if (tree.depth(node) != depth) return at("wrong depth", node, depth);
  }
  return "";
}

std::string check_entries(const EntryMap& entries, const AssemblyTree& tree, const PatternView& pattern,
                          const std::vector<Index>& inverse_perm) {
  std::vector<Entry> position_of_source(pattern.row_indices.size(), Entry{-1, -1});
  if (entries.num_entries() != pattern.num_entries()) return "the number of entries is wrong";
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const std::vector<Index> rows = front_rows(tree, node);
    for (Index k = 0; k < tree.num_fully_summed(node); ++k) {
      const Index variable = tree.variable_begin(node) + k;
      for (Count e = entries.entries_begin(variable); e < entries.entries_begin(variable + 1); ++e) {
        const Index position = entries.position(e);
        const Index other = rows.at(position >= 0 ? position : ~position);
        if (position_of_source.at(entries.source(e)) != Entry{-1, -1}) return "a source appears twice";
        position_of_source[entries.source(e)] = position >= 0 ? Entry{other, variable} : Entry{variable, other};
      }
    }
  }
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      const Entry expected{inverse_perm[pattern.row_indices[e]], inverse_perm[column]};
      if (position_of_source[e] != expected) return at("an entry of A is in the wrong place", pattern.row_indices[e], column);
    }
  }
  return "";
}

std::string check_permutation(const Permutation& permutation) {
  if (permutation.perm.size() != permutation.inverse_perm.size()) return "lengths differ";
  const Index order = static_cast<Index>(permutation.perm.size());
  for (Index k = 0; k < order; ++k) {
    const Index old = permutation.perm[k];
    if (old < 0 || old >= order || permutation.inverse_perm[old] != k) return at("not inverse at", k, old);
  }
  return "";
}

}  // namespace frond::test
