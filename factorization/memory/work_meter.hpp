// SPDX-License-Identifier: BSD-3-Clause
// Counts the work of a factorization and stops it before its cost runs away.
#pragma once

#include <atomic>
#include <limits>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "factorization/memory/work_budget.hpp"
#include "frond/types.hpp"

namespace frond {

/// Counts the pivots that children leave to a front, and those that it leaves to its parent.
struct DelayedPivots {
  Index in = 0;
  Index out = 0;
};

/// One per factorization. Thread-safe. Whether flops exceed the budget depends on the matrix alone, not on the order in which
/// fronts are eliminated. Two sums are compared with it: what delays add to a front and all below it, the front counted as if it
/// delayed nothing, which is known before it costs anything, and of many children before all are done; and what they add to all
/// fronts together, which is seen at the end of a front, so that at most the fronts under way, each within the budget, come on top
/// of it. A front that eliminates less than predicted does not make up for others.
class WorkMeter {
 public:
  /// The tree outlives the meter. Throws UsageError for a budget that is negative or not a number.
  WorkMeter(const WorkBudget& budget, const AssemblyTree& tree, Method method);

  [[nodiscard]] bool has_budget() const { return budget_.bytes > 0 || budget_.flops < std::numeric_limits<double>::infinity(); }

  /// Called before the front of a node is formed, to which its children have delayed `num_delayed_in` pivots: throws BudgetError if
  /// the budget does not suffice for what that adds. `peak_bytes` is for the message.
  void check_front(NodeId node, Index num_delayed_in, Count peak_bytes) const;
  /// The same for a part of a front whose master is another rank: which fronts below were this rank's is a matter of chance.
  void check_shared_front(NodeId node, Index num_delayed_in, Count peak_bytes) const;
  /// Called before memory is taken: throws BudgetError if the budget has less than `bytes` in all.
  void check_bytes(Count bytes) const;

  /// Adds an eliminated front, whose master this rank is, with the pivots delayed to it and by it. Throws BudgetError if the total
  /// exceeds the budget.
  void add_front(NodeId node, double flops, DelayedPivots delayed, Count peak_bytes);

 private:
  [[nodiscard]] double flops_of(NodeId node, Index num_delayed_in) const;
  [[nodiscard]] double flops_added_below(NodeId node) const;
  void check_flops(double needed_flops, Count peak_bytes) const;
  [[noreturn]] void stop(double needed_flops, Count needed_bytes) const;

  WorkBudget budget_;
  const AssemblyTree& tree_;
  Method method_;
  double predicted_flops_ = 0;          // of all nodes
  std::vector<double> added_flops_to_;  // [node] = by the node and all below it, if this rank is its master; empty: there is no
                                        // budget
  std::vector<std::atomic<Index>> num_delayed_in_;  // [node] = by children that are done, if this rank is their master
  std::atomic<double> added_flops_{0};
  std::atomic<double> flops_done_{0};
  std::atomic<Count> num_delayed_{0};
};

}  // namespace frond
