// SPDX-License-Identifier: BSD-3-Clause
// Builds the assembly tree from its arrays, and checks every promise of the header.
#include "analysis/tree/assembly_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

void require(bool holds, const char* promise) {
  if (!holds) throw InternalError(fmt::format("The arrays of an assembly tree contradict each other: {}.", promise));
}

}  // namespace

AssemblyTree::AssemblyTree(std::vector<NodeId> parent, std::vector<Index> variable_offsets, std::vector<Count> cb_offsets,
                           std::vector<Index> cb_rows, NodeId schur_node)
    : parent_(std::move(parent)),
      variable_offsets_(std::move(variable_offsets)),
      cb_offsets_(std::move(cb_offsets)),
      cb_rows_(std::move(cb_rows)),
      schur_node_(schur_node) {
  require(variable_offsets_.size() == parent_.size() + 1 && cb_offsets_.size() == parent_.size() + 1, "lengths differ");
  require(variable_offsets_.front() == 0 && cb_offsets_.front() == 0, "offsets do not start with 0");
  require(cb_offsets_.back() == static_cast<Count>(cb_rows_.size()), "offsets and rows do not match");
  for (NodeId node = 0; node < num_nodes(); ++node) {
    require(parent_[node] == kNoParent || (parent_[node] > node && parent_[node] < num_nodes()), "a parent is not above its child");
    require(variable_offsets_[node] < variable_offsets_[node + 1], "a node has no fully summed variable");
    require(cb_offsets_[node] <= cb_offsets_[node + 1] && cb_offsets_[node + 1] - cb_offsets_[node] <= num_variables(),
            "offsets decrease, or a node has too many rows");
    require((cb_order(node) == 0) == (parent_[node] == kNoParent), "a root has a contribution block, or another node has none");
  }
  require(schur_node_ >= kNoNode && schur_node_ < num_nodes() && (schur_node_ == kNoNode || parent_[schur_node_] == kNoParent),
          "the variables of a Schur complement are not those of a root");
  link_children();
  compute_relative_indices();
}

void AssemblyTree::link_children() {
  forest_ = make_forest(parent_);
  subtree_begin_.resize(parent_.size());
  for (NodeId node = 0; node < num_nodes(); ++node) {
    NodeId begin = node;
    const auto below = children(node);
    for (auto child = below.rbegin(); child != below.rend(); ++child) {
      require(*child == begin - 1, "the nodes are not in postorder");
      begin = subtree_begin_[*child];
    }
    subtree_begin_[node] = begin;
  }
  depth_.resize(parent_.size());
  for (NodeId node = num_nodes() - 1; node >= 0; --node) {
    depth_[node] = parent_[node] == kNoParent ? 0 : depth_[parent_[node]] + 1;
  }
}

void AssemblyTree::compute_relative_indices() {
  relative_indices_.resize(cb_rows_.size());
  std::vector<Index> place(num_variables(), 0);  // in cb_rows(node), valid for the rows of the node being visited
  for (NodeId node = 0; node < num_nodes(); ++node) {
    const auto rows = cb_rows(node);
    const Index end = variable_offsets_[node + 1];
    for (Index k = 0; k < cb_order(node); ++k) {
      require(rows[k] >= (k == 0 ? end : rows[k - 1] + 1) && rows[k] < num_variables(), "the rows of a node do not increase");
      place[rows[k]] = k;
    }
    for (const NodeId child : children(node)) {
      for (Count j = cb_offsets_[child]; j < cb_offsets_[child + 1]; ++j) {
        const Index row = cb_rows_[j];
        if (row < end) {
          require(row >= variable_begin(node), "a child has a row that its parent lacks");
          relative_indices_[j] = row - variable_begin(node);
        } else {
          require(row < num_variables() && place[row] < cb_order(node) && rows[place[row]] == row,
                  "a child has a row that its parent lacks");
          relative_indices_[j] = num_fully_summed(node) + place[row];
        }
      }
    }
  }
}

std::span<const Index> AssemblyTree::cb_rows(NodeId node) const {
  return {cb_rows_.data() + cb_offsets_[node], cb_rows_.data() + cb_offsets_[node + 1]};
}

Index AssemblyTree::num_schur_rows(NodeId node) const {
  if (schur_node_ == kNoNode || node >= schur_node_ || node < subtree_begin(schur_node_)) return 0;
  const auto rows = cb_rows(node);
  return static_cast<Index>(rows.end() - std::lower_bound(rows.begin(), rows.end(), variable_begin(schur_node_)));
}

std::span<const Index> AssemblyTree::relative_indices(NodeId node) const {
  if (parent_[node] == kNoParent) return {};
  return {relative_indices_.data() + cb_offsets_[node], relative_indices_.data() + cb_offsets_[node + 1]};
}

Count AssemblyTree::memory_bytes() const {
  const std::size_t num_indices = parent_.size() + forest_.children.offsets.size() + forest_.children.members.size() +
                                  forest_.roots.size() + subtree_begin_.size() + depth_.size() + variable_offsets_.size() +
                                  cb_rows_.size() + relative_indices_.size();
  return static_cast<Count>(num_indices * sizeof(Index) + cb_offsets_.size() * sizeof(Count));
}

}  // namespace frond
