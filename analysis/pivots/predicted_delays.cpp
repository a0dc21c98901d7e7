// SPDX-License-Identifier: BSD-3-Clause
// Goes from the leaves to the roots, with lists of the variables that wait.
#include "analysis/pivots/predicted_delays.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "analysis/tree/front_cost.hpp"

namespace frond {
namespace {

// [variable] = the front in which it is fully summed first.
std::vector<Index> fronts_of_variables(const OrderedGraph& ordered, const SupernodeTree& supernodes, const FrontTree& fronts) {
  const Groups& groups = ordered.compressed.groups;
  std::vector<Index> front_of(groups.members.size());
  for (Index supernode = 0; supernode < supernodes.num_supernodes(); ++supernode) {
    for (Index vertex = supernodes.vertex_offsets[supernode]; vertex < supernodes.vertex_offsets[supernode + 1]; ++vertex) {
      for (const Index variable : groups.of(ordered.elimination.perm[vertex])) front_of[variable] = fronts.front_of[supernode];
    }
  }
  return front_of;
}

/// A variable that waits for a partner.
struct Waiting {
  Index variable;
  std::vector<Index> neighbors;  // sorted by the front in which they are fully summed
  std::size_t num_tried = 0;
};

class PartnerSearch {
 public:
  PartnerSearch(const Graph& graph, const std::vector<Index>& front_of)
      : graph_(graph), front_of_(front_of), has_partner_(front_of.size(), false) {}

  [[nodiscard]] Waiting begin(Index variable) const {
    const auto neighbors = graph_.neighbors_of(variable);
    Waiting waiting{variable, {neighbors.begin(), neighbors.end()}};
    std::sort(waiting.neighbors.begin(), waiting.neighbors.end(),
              [this](Index a, Index b) { return std::pair(front_of_[a], a) < std::pair(front_of_[b], b); });
    return waiting;
  }

  // Fronts above have higher numbers, and the neighbours of a variable that has reached `front` are below it, in it, or on the path
  // from there to the root. A partner is kept for good, so none is examined twice.
  void find_partner(Waiting& waiting, Index front) {
    for (; !has_partner_[waiting.variable] && waiting.num_tried < waiting.neighbors.size(); ++waiting.num_tried) {
      const Index neighbor = waiting.neighbors[waiting.num_tried];
      if (front_of_[neighbor] > front) break;
      if (!has_partner_[neighbor]) {
        has_partner_[neighbor] = true;
        has_partner_[waiting.variable] = true;
      }
    }
  }

  [[nodiscard]] bool has_partner(const Waiting& waiting) const { return has_partner_[waiting.variable]; }

 private:
  const Graph& graph_;
  const std::vector<Index>& front_of_;
  std::vector<bool> has_partner_;  // [variable]
};

}  // namespace

std::vector<Index> predict_delays(const Graph& graph, const OrderedGraph& ordered, const SupernodeTree& supernodes,
                                  const FrontTree& fronts, const std::vector<bool>& is_weak) {
  const std::vector<Index> front_of = fronts_of_variables(ordered, supernodes, fronts);
  PartnerSearch search(graph, front_of);
  std::vector<std::vector<Waiting>> waiting(fronts.num_fronts());
  for (Index variable = 0; variable < graph.num_vertices(); ++variable) {
    if (is_weak[variable]) waiting[front_of[variable]].push_back(search.begin(variable));
  }
  std::vector<Index> delays(fronts.num_fronts(), 0);
  for (Index front = 0; front < fronts.num_fronts(); ++front) {
    std::vector<Waiting> here = std::move(waiting[front]);
    for (Waiting& one : here) search.find_partner(one, front);
    // Also removes those that were taken as partners after they had found none.
    here.erase(std::remove_if(here.begin(), here.end(), [&](const Waiting& one) { return search.has_partner(one); }), here.end());
    delays[front] = static_cast<Index>(here.size());
    if (fronts.parent[front] != kNoParent) {
      std::vector<Waiting>& above = waiting[fronts.parent[front]];
      std::move(here.begin(), here.end(), std::back_inserter(above));
    }
  }
  return delays;
}

double flops_with_delays(const FrontTree& fronts, const std::vector<Index>& delays, Method method) {
  std::vector<Index> received(delays.size(), 0);
  double flops = 0;
  for (Index front = 0; front < fronts.num_fronts(); ++front) {
    const Index num_fully_summed = fronts.num_fully_summed[front] + received[front];
    flops += elimination_cost(num_fully_summed + fronts.cb_order[front], num_fully_summed - delays[front], method).flops;
    if (fronts.parent[front] != kNoParent) {
      received[fronts.parent[front]] += delays[front];
    }
  }
  return flops;
}

}  // namespace frond
