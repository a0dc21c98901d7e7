// SPDX-License-Identifier: BSD-3-Clause
// Computes Liu's order of siblings.
#include "analysis/tree/child_order.hpp"

#include <algorithm>

#include "analysis/tree/front_cost.hpp"

namespace frond {

Forest liu_order(const FrontTree& fronts, bool symmetric) {
  Forest forest = make_forest(fronts.parent);
  std::vector<Count> kept(fronts.num_fronts());  // by a finished subtree: its contribution block
  std::vector<Count> peak(fronts.num_fronts());
  for (Index front = 0; front < fronts.num_fronts(); ++front) {
    const auto children = forest.children.of(front);
    std::sort(children.begin(), children.end(), [&](Index a, Index b) {
      const Count freed_by_a = peak[a] - kept[a];
      const Count freed_by_b = peak[b] - kept[b];
      return freed_by_a != freed_by_b ? freed_by_a > freed_by_b : a < b;
    });
    kept[front] = cb_entries(fronts.cb_order[front], symmetric);
    Count waiting = 0;
    for (const Index child : children) {
      peak[front] = std::max(peak[front], waiting + peak[child]);
      waiting += kept[child];
    }
    peak[front] = std::max(peak[front], waiting + kept[front]);
  }
  return forest;
}

}  // namespace frond
