// SPDX-License-Identifier: BSD-3-Clause
// Distributes the fronts of leaving ranks over those that stay.
#include "factorization/recovery/recovery_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/tree/front_cost.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

class Dealer {
 public:
  Dealer(const RestingState& state, std::span<const Rank> leaving)
      : state_(state),
        leaving_(leaving.begin(), leaving.end()),
        work_(static_cast<std::size_t>(state.mapping.num_ranks()), 0),
        free_bytes_(state.free_bytes),
        mapping_(state.mapping.parts()) {
    std::erase_if(mapping_.members, [this](Rank rank) { return leaves(rank); });
    if (mapping_.members.empty()) {
      throw UsageError("Nobody would be left to factorize: at least one process has to stay.");
    }
    sum_up_work();
  }

  RecoveryPlan plan() {
    shrink_grid();
    for (std::size_t k = mapping_.upper_nodes.size(); k-- > 0;) {  // parents first
      choose_candidates(mapping_.upper_nodes[k]);
    }
    deal_subtrees();
    for (UpperNode& node : mapping_.upper_nodes) {
      deal(node);
    }
    for (const auto& [node, shares] : state_.shares) {
      plan_.shares[node] = joined_shares(node, shares);
    }
    plan_.leaving = leaving_;
    plan_.finished = state_.finished;
    plan_.mapping = Mapping(std::move(mapping_));
    for (NodeId node = 0; node < state_.tree.num_nodes(); ++node) {
      if (const Rank from = state_.mapping.master(node); is_finished(node) && from != plan_.mapping.master(node)) {
        plan_.moves.push_back({node, PartRole::master, from, plan_.mapping.master(node)});
      }
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool leaves(Rank rank) const { return std::binary_search(leaving_.begin(), leaving_.end(), rank); }
  [[nodiscard]] bool is_finished(NodeId node) const { return state_.finished[node] != Finished::no; }
  double& work_of(Rank rank) { return work_[rank]; }

  // Sums the flops that each rank has left as a master; slaves are chosen at run time.
  void sum_up_work() {
    for (NodeId node = 0; node < state_.tree.num_nodes(); ++node) {
      work_of(state_.mapping.master(node)) += master_flops(node);
    }
  }

  [[nodiscard]] double master_flops(NodeId node) const {
    if (is_finished(node) || state_.mapping.type(node) == NodeType::grid_distributed) {
      return 0;
    }
    return state_.mapping.type(node) == NodeType::sequential
               ? front_cost(state_.tree, node, state_.method).flops
               : master_cost(state_.tree.front_order(node), state_.tree.num_fully_summed(node), state_.method).flops;
  }

  // Counts a master's part of a finished front, with its block if that waits there.
  [[nodiscard]] Count master_bytes(NodeId node) const {
    if (!is_finished(node)) {
      return 0;
    }
    const AssemblyTree& tree = state_.tree;
    const Rank master = state_.mapping.master(node);
    const Count factor = front_bytes(tree.front_order(node), tree.num_fully_summed(node), state_.method, state_.scalar_bytes,
                                     shape_on(state_.mapping, node, master));
    const NodeId parent = tree.parent(node);
    const bool has_block = state_.finished[node] == Finished::held && parent != kNoParent && !is_finished(parent) &&
                           state_.mapping.type(node) == NodeType::sequential;
    return factor + (has_block ? contribution_entries(tree, node, state_.method) * state_.scalar_bytes : 0);
  }

  [[nodiscard]] std::vector<Rank> members_in(RankRange range) const {
    return {std::lower_bound(mapping_.members.begin(), mapping_.members.end(), range.begin),
            std::lower_bound(mapping_.members.begin(), mapping_.members.end(), range.end)};
  }

  [[nodiscard]] UpperNode& upper_node(NodeId node) {
    return *std::lower_bound(mapping_.upper_nodes.begin(), mapping_.upper_nodes.end(), node,
                             [](const UpperNode& one, NodeId wanted) { return one.node < wanted; });
  }

  // Returns the candidates of the front above a node, or all members.
  [[nodiscard]] std::vector<Rank> candidates_above(NodeId node) {
    const NodeId parent = state_.tree.parent(node);
    if (parent == kNoParent || upper_node(parent).type == NodeType::grid_distributed) {
      return mapping_.members;
    }
    return members_in(upper_node(parent).candidates);
  }

  // A grid that loses ranks becomes a smaller one, as long as it has two.
  void shrink_grid() {
    RootGrid& grid = mapping_.grid;
    if (grid.node == kNoNode || std::none_of(grid.ranks.begin(), grid.ranks.end(), [this](Rank rank) { return leaves(rank); })) {
      return;
    }
    if (is_finished(grid.node)) {
      throw UsageError("The root is factorized, on a grid of processes that none of them can leave any more.");
    }
    std::erase_if(grid.ranks, [this](Rank rank) { return leaves(rank); });
    UpperNode& root = upper_node(grid.node);
    if (grid.ranks.size() < 2) {
      root.type = NodeType::sequential;
      grid = {};
      return;
    }
    const auto num_ranks = static_cast<Rank>(grid.ranks.size());
    grid.shape.num_rows = static_cast<Rank>(std::sqrt(static_cast<double>(num_ranks)));
    grid.shape.num_cols = num_ranks / grid.shape.num_rows;
    grid.ranks.resize(static_cast<std::size_t>(grid.shape.size()));
    root.master = grid.ranks.front();
  }

  void choose_candidates(UpperNode& node) {
    if (node.type == NodeType::grid_distributed) {
      return;
    }
    std::vector<Rank> left = members_in(node.candidates);
    if (left.empty()) {
      const std::vector<Rank> above = candidates_above(node.node);
      const auto next = std::lower_bound(above.begin(), above.end(), node.candidates.begin);
      const Rank rank = next == above.end() ? above.back() : *next;
      node.candidates = {rank, rank + 1};
      left = {rank};
    }
    if (node.type == NodeType::row_distributed && left.size() < 2 && !is_finished(node.node)) {
      node.type = NodeType::sequential;
    }
  }

  void deal_subtrees() {
    std::vector<std::pair<double, std::size_t>> order;  // flops left, decreasing
    for (std::size_t k = 0; k < mapping_.subtrees.size(); ++k) {
      if (leaves(mapping_.subtrees[k].rank)) {
        double flops = 0;
        for (NodeId node = mapping_.subtrees[k].node_begin; node < mapping_.subtrees[k].node_end; ++node) {
          flops += master_flops(node);
        }
        order.emplace_back(-flops, k);
      }
    }
    std::sort(order.begin(), order.end());
    for (const auto& [minus_flops, k] : order) {
      Subtree& subtree = mapping_.subtrees[k];
      Count bytes = 0;
      for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) {
        bytes += master_bytes(node);
      }
      subtree.rank = chosen(candidates_above(subtree.node_end - 1), -minus_flops, bytes);
    }
  }

  void deal(UpperNode& node) {
    if (!leaves(node.master)) {
      return;
    }
    node.master = chosen(members_in(node.candidates), master_flops(node.node), master_bytes(node.node));
  }

  // Returns the rank with the least work of those that have the memory, among the candidates, or else among all.
  Rank chosen(const std::vector<Rank>& candidates, double flops, Count bytes) {
    for (const std::vector<Rank>& ranks : {candidates, mapping_.members}) {
      const Rank* best = nullptr;
      for (const Rank& rank : ranks) {
        if (free_bytes_[rank] >= bytes && (best == nullptr || work_of(rank) < work_of(*best))) {
          best = &rank;
        }
      }
      if (best != nullptr) {
        work_of(*best) += flops;
        take(*best, bytes);
        return *best;
      }
    }
    throw_no_memory(bytes);
  }

  void take(Rank rank, Count bytes) {
    Count& free_bytes = free_bytes_[rank];
    if (free_bytes < bytes) {
      throw_no_memory(bytes);
    }
    free_bytes -= bytes;
    plan_.moved_bytes += bytes;
  }

  [[noreturn]] void throw_no_memory(Count bytes) const {
    Count most = 0;
    for (const Rank rank : mapping_.members) {
      most = std::max(most, free_bytes_[rank]);
    }
    throw MemoryError(fmt::format("The processes that stay have no memory for what would come to them: after {} bytes that have a "
                                  "place, {} bytes of one front or leaf subtree have none, as nobody has more than {} bytes free.",
                                  plan_.moved_bytes, bytes, most),
                      bytes, most);
  }

  // Returns the shares of a front without leaving ranks; a rank that takes over rows holds these and its own twice for a moment.
  std::vector<RowShare> joined_shares(NodeId node, const std::vector<RowShare>& shares) {
    std::vector<RowShare> joined;
    std::vector<RowShare> homeless;
    const auto settle = [&](const RowShare& home) {
      for (const RowShare& share : homeless) {
        plan_.moves.push_back({node, PartRole::slave, share.rank, home.rank});
        take(home.rank, rows_bytes(node, share) + rows_bytes(node, home));
      }
      homeless.clear();
    };
    for (const RowShare& share : shares) {
      if (leaves(share.rank)) {
        homeless.push_back(share);
        if (!joined.empty()) {
          joined.back().row_end = share.row_end;
          settle(joined.back());
        }
        continue;
      }
      joined.push_back({share.rank, joined.empty() ? shares.front().row_begin : joined.back().row_end, share.row_end});
      settle(joined.back());
    }
    if (joined.empty()) {
      joined.push_back({upper_node(node).master, shares.front().row_begin, shares.back().row_end});
      settle(joined.back());
    }
    return joined;
  }

  [[nodiscard]] Count rows_bytes(NodeId node, const RowShare& share) const {
    return static_cast<Count>(share.row_end - share.row_begin) * state_.tree.front_order(node) * state_.scalar_bytes;
  }

  const RestingState& state_;
  std::vector<Rank> leaving_;
  std::vector<double> work_;  // [rank] = flops left
  std::vector<Count> free_bytes_;
  MappingParts mapping_;  // of the ranks that stay
  RecoveryPlan plan_;
};

// Plan and mapping are const if the fields are written.
template <class Fields, class Plan, class Parts>
void visit(Fields& fields, Plan& plan, Parts& mapping) {
  fields(plan.number, plan.leaving, mapping.num_ranks, mapping.members, mapping.num_nodes, mapping.subtrees, mapping.upper_nodes,
         mapping.grid.node, mapping.grid.shape, mapping.grid.block_size, mapping.grid.ranks, plan.finished, plan.shares, plan.moves,
         plan.moved_bytes, plan.folder);
}

// Throws InternalError unless this maps the same tree to the same ranks, and all numbers are in range.
void check_mapping(const MappingParts& sent, const Mapping& before) {
  if (sent.num_ranks != before.num_ranks() || sent.num_nodes != before.num_nodes()) {
    throw InternalError("a message between ranks maps another tree; do all processes run the same Frond?");
  }
  const auto is_rank = [&](Rank rank) { return rank >= 0 && rank < sent.num_ranks; };
  const auto is_subtree = [&](const Subtree& part) {
    return part.node_begin >= 0 && part.node_begin < part.node_end && part.node_end <= sent.num_nodes && is_rank(part.rank);
  };
  const auto is_upper = [&](const UpperNode& node) {
    return node.type <= NodeType::grid_distributed && is_rank(node.master) && node.candidates.begin <= node.candidates.end;
  };
  if (!std::ranges::all_of(sent.members, is_rank) || !std::ranges::is_sorted(sent.members) ||
      !std::ranges::all_of(sent.subtrees, is_subtree) || !std::ranges::all_of(sent.upper_nodes, is_upper) ||
      !std::ranges::all_of(sent.grid.ranks, is_rank)) {
    throw InternalError("a message between ranks maps fronts to what there is not; do all processes run the same Frond?");
  }
}

}  // namespace

RecoveryPlan plan_recovery(const RestingState& state, std::span<const Rank> leaving) { return Dealer(state, leaving).plan(); }

Mapping mapping_without(const AssemblyTree& tree, Method method, const Mapping& mapping, std::span<const Rank> leaving) {
  if (leaving.empty()) {
    return mapping;
  }
  RestingState begin{tree, method, 1, mapping, {}, {}, {}};
  begin.finished.resize(static_cast<std::size_t>(tree.num_nodes()), Finished::no);
  begin.free_bytes.resize(static_cast<std::size_t>(mapping.num_ranks()), 0);  // nothing moves
  return plan_recovery(begin, leaving).mapping;
}

std::vector<std::byte> encode(const RecoveryPlan& plan) {
  FieldWriter fields;
  visit(fields, plan, plan.mapping.parts());
  return fields.take();
}

RecoveryPlan read_recovery_plan(ByteReader& reader, const Mapping& before) {
  RecoveryPlan plan;
  MappingParts sent;
  FieldReader fields(reader);
  visit(fields, plan, sent);
  check_mapping(sent, before);
  plan.mapping = Mapping(std::move(sent));
  return plan;
}

}  // namespace frond
