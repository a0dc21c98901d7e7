// SPDX-License-Identifier: BSD-3-Clause
// Sums along the tree, held against the budget.
#include "factorization/work_meter.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace frond {
namespace {

std::string in_words(double flops) {
  std::ostringstream text;
  text << flops << " flops";
  return text.str();
}

std::string in_words(Count bytes) { return std::to_string(bytes) + " bytes"; }

// What would pass which budget.
std::string excess(const BudgetError::Figures& figures) {
  return figures.needed_flops > figures.budget_flops
             ? in_words(figures.needed_flops) + ", but its budget is " + in_words(figures.budget_flops)
             : in_words(figures.needed_bytes) + " at this point, but its budget is " + in_words(figures.budget_bytes);
}

}  // namespace

WorkMeter::WorkMeter(const WorkBudget& budget, const AssemblyTree& tree)
    : budget_(budget), tree_(tree), flops_to_(has_budget() ? static_cast<std::size_t>(tree.num_nodes()) : 0, 0) {
  if (!(budget.flops >= 0) || budget.bytes < 0) {
    throw UsageError("the budget of the factorization is " + in_words(budget.flops) + " and " + in_words(budget.bytes) +
                     ": neither may be negative; leave them as they are for none");
  }
}

// Children are added up in their order, so that the sum has the same bits whichever was eliminated first.
double WorkMeter::flops_below(NodeId node) const {
  double flops = 0;
  for (const NodeId child : tree_.children(node)) {
    flops += flops_to_[static_cast<std::size_t>(child)];
  }
  return flops;
}

void WorkMeter::check_front(NodeId node, double flops, Count peak_bytes) const {
  if (has_budget()) {
    check_flops(flops_below(node) + flops, peak_bytes);
  }
}

void WorkMeter::check_shared_front(double flops, Count peak_bytes) const { check_flops(flops, peak_bytes); }

void WorkMeter::check_bytes(Count bytes) const {
  if (budget_.bytes > 0 && bytes > budget_.bytes) {
    stop(flops_done_, bytes);
  }
}

void WorkMeter::add_front(NodeId node, double flops, Index num_delayed, Count peak_bytes) {
  if (has_budget()) {
    flops_to_[static_cast<std::size_t>(node)] = flops_below(node) + flops;
    num_delayed_ += num_delayed;
    check_flops(flops_done_.fetch_add(flops) + flops, peak_bytes);
  }
}

void WorkMeter::check_flops(double needed_flops, Count peak_bytes) const {
  if (needed_flops > budget_.flops) {
    stop(std::max(needed_flops, flops_done_.load()), peak_bytes);
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
