// SPDX-License-Identifier: BSD-3-Clause
// Which of its fronts a rank visits next in the sweeps of a solve.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"

namespace frond {

/// Forward, a front's turn comes when all its children have contributed; backward, when its parent is solved. Of several, the first
/// in postorder is next, or backward the last, so that few contributions wait at a time. They may come before the solve begins.
class SweepTurns {
 public:
  struct Turn {
    NodeId node;
    bool is_forward;
  };

  /// `nodes` are those of the rank, increasing.
  SweepTurns(const AssemblyTree& tree, std::vector<NodeId> nodes)
      : tree_(tree), nodes_(std::move(nodes)), children_left_(static_cast<std::size_t>(tree.num_nodes())) {
    end();
  }

  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }

  void begin() { has_begun_ = true; }
  void begin_at_leaves() {
    begin();
    for (const NodeId node : nodes_) {
      if (tree_.children(node).empty()) {
        forward_.push(node);
      }
    }
  }
  void take_contribution(NodeId child) {
    const NodeId parent = tree_.parent(child);
    if (--children_left_.at(static_cast<std::size_t>(parent)) == 0) {
      forward_.push(parent);
    }
  }
  void take_solution(NodeId node) { backward_.push(node); }  ///< of its parent
  void leave() { --num_left_; }                              ///< a front that will not be visited again

  [[nodiscard]] std::optional<Turn> next() {
    const auto take = [](auto& queue, bool is_forward) {
      const Turn turn{queue.top(), is_forward};
      queue.pop();
      return std::optional(turn);
    };
    return has_begun_ && !forward_.empty()    ? take(forward_, true)
           : has_begun_ && !backward_.empty() ? take(backward_, false)
                                              : std::nullopt;
  }
  [[nodiscard]] bool is_over() const { return has_begun_ && num_left_ == 0; }
  /// Prepares for the contributions of the next solve.
  void end() {
    has_begun_ = false;
    num_left_ = nodes_.size();
    for (const NodeId node : nodes_) {
      children_left_[node] = static_cast<Index>(tree_.children(node).size());
    }
  }

 private:
  const AssemblyTree& tree_;
  std::vector<NodeId> nodes_;
  std::vector<Index> children_left_;  // of an own node: children that have not contributed
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> forward_;
  std::priority_queue<NodeId> backward_;
  std::size_t num_left_ = 0;
  bool has_begun_ = false;
};

}  // namespace frond
