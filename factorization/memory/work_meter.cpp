// SPDX-License-Identifier: BSD-3-Clause
// Sums flops along the tree and compares them with the budget.
#include "factorization/memory/work_meter.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "analysis/tree/front_cost.hpp"

namespace frond {
namespace {

std::string in_words(double flops) {
  std::ostringstream text;
  text << flops << " flops";
  return text.str();
}

std::string in_words(Count bytes) { return std::to_string(bytes) + " bytes"; }

// Says what would exceed which budget.
std::string excess(const BudgetError::Figures& figures) {
  return figures.needed_flops > figures.budget_flops
             ? in_words(figures.needed_flops) + ", but its budget is " + in_words(figures.budget_flops)
             : in_words(figures.needed_bytes) + " at this point, but its budget is " + in_words(figures.budget_bytes);
}

}  // namespace

WorkMeter::WorkMeter(const WorkBudget& budget, const AssemblyTree& tree, Method method)
    : budget_(budget), tree_(tree), method_(method) {
  if (!(budget.flops >= 0) || budget.bytes < 0) {
    throw UsageError("the budget of the factorization is " + in_words(budget.flops) + " and " + in_words(budget.bytes) +
                     ": neither may be negative; leave them as they are for none");
  }
  if (has_budget()) {
    added_flops_to_.assign(static_cast<std::size_t>(tree.num_nodes()), 0);
    num_delayed_in_ = std::vector<std::atomic<Index>>(added_flops_to_.size());
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      predicted_flops_ += flops_of(node, 0);
    }
  }
}

// Children are added up in their order, so that the sum has the same bits whichever was eliminated first.
double WorkMeter::flops_added_below(NodeId node) const {
  double added = 0;
  if (added_flops_ > 0) {
    for (const NodeId child : tree_.children(node)) {
      added += added_flops_to_[child];
    }
  }
  return added;
}

// Returns the flops of the node if it delays nothing.
double WorkMeter::flops_of(NodeId node, Index num_delayed_in) const {
  return elimination_cost(tree_.front_order(node) + num_delayed_in, tree_.num_pivots(node) + num_delayed_in, method_).flops;
}

void WorkMeter::check_front(NodeId node, Index num_delayed_in, Count peak_bytes) const {
  if (has_budget() && num_delayed_in > 0) {
    const double added = flops_of(node, num_delayed_in) - flops_of(node, 0);
    check_flops(predicted_flops_ + flops_added_below(node) + added, peak_bytes);
  }
}

void WorkMeter::check_shared_front(NodeId node, Index num_delayed_in, Count peak_bytes) const {
  if (has_budget() && num_delayed_in > 0) {
    check_flops(predicted_flops_ + flops_of(node, num_delayed_in) - flops_of(node, 0), peak_bytes);
  }
}

void WorkMeter::check_bytes(Count bytes) const {
  if (budget_.bytes > 0 && bytes > budget_.bytes) {
    stop(flops_done_, bytes);
  }
}

void WorkMeter::add_front(NodeId node, double flops, DelayedPivots delayed, Count peak_bytes) {
  if (!has_budget()) {
    return;
  }
  const double added = delayed.in > 0 ? std::max(flops - flops_of(node, 0), 0.0) : 0;
  added_flops_to_[node] = flops_added_below(node) + added;
  num_delayed_ += delayed.out;
  flops_done_ += flops;
  check_flops(predicted_flops_ + added_flops_.fetch_add(added) + added, peak_bytes);
  if (const NodeId parent = tree_.parent(node); parent != kNoParent && delayed.out > 0) {
    const Index num_delayed_in = num_delayed_in_[parent].fetch_add(delayed.out) + delayed.out;
    check_flops(predicted_flops_ + flops_of(parent, num_delayed_in) - flops_of(parent, 0), peak_bytes);
  }
}

void WorkMeter::check_flops(double needed_flops, Count peak_bytes) const {
  if (needed_flops > budget_.flops) {
    stop(needed_flops, peak_bytes);
  }
}

void WorkMeter::stop(double needed_flops, Count needed_bytes) const {
  const BudgetError::Figures figures{flops_done_, needed_flops, budget_.flops, needed_bytes, budget_.bytes, num_delayed_};
  throw BudgetError("the factorization comes to " + excess(figures) + "; " + in_words(figures.flops_done) + " are done, and " +
                        std::to_string(figures.num_delayed_pivots) +
                        " pivots were delayed: raise the budget, lower the pivot threshold so that fewer pivots are delayed, or "
                        "try another ordering",
                    figures);
}

}  // namespace frond
