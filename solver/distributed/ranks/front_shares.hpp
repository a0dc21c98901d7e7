// SPDX-License-Identifier: BSD-3-Clause
// The part of slaves of row-distributed fronts in the triangular solves.
#pragma once

#include <unordered_map>
#include <vector>

#include "frond/dense.hpp"
#include "solver/distributed/ranks/rank_system.hpp"
#include "solver/distributed/ranks/solve_message.hpp"

namespace frond {

enum class SweepDirection { forward, backward };

/// The rows of a front that its master has, or is waiting for. Arrays hold rows of `num_rhs` numbers, one after the other.
template <Scalar S>
struct SharedRows {
  SweepDirection direction;
  Index num_rhs;
  std::vector<S> rows;  // of all positions of the front
};

/// Masters request from the slaves of their fronts the products with the slaves' rows of the factor, and add these up in the order
/// of the shares. Slaves keep nothing between messages.
template <Scalar S>
class FrontShares {
 public:
  using Rows = std::vector<S>;

  /// Both must outlive this object.
  FrontShares(const RankSystem<S>& system, Outbox& outbox) : system_(system), outbox_(outbox) {}

  /// Whether other ranks have rows of the factor, and it has any columns.
  [[nodiscard]] bool has_slaves(NodeId node) const {
    return front(node).num_eliminated > 0 && system_.factors.shares.contains(node);
  }

  /// Master: sends requests to the slaves, of which it may be one.
  void ask(NodeId node, SharedRows<S> shared);
  /// Master: takes the reply of a slave.
  void take_product(NodeId node, Rank from, Rows product);
  /// Master, after either: whether all slaves have replied.
  [[nodiscard]] bool is_complete(NodeId node) const { return waiting_.at(node).num_missing == 0; }
  /// Master: returns the rows passed to ask(), with all products added.
  [[nodiscard]] SharedRows<S> finish(NodeId node);

  /// Slave: replies to a master that has sent `rows`.
  void answer(NodeId node, SweepDirection direction, Rank master, const Rows& rows) {
    outbox_.send(master, encoded(SolveMessage::product, node, product(node, direction, rows)));
  }

 private:
  struct Waiting {
    SharedRows<S> shared;
    std::vector<Rows> products;  // of the shares
    Index num_missing = 0;
  };

  [[nodiscard]] const FrontFactor<S>& front(NodeId node) const { return system_.factors.fronts[node]; }
  [[nodiscard]] Rows product(NodeId node, SweepDirection direction, const Rows& rows) const;

  RankSystem<S> system_;
  Outbox& outbox_;
  std::unordered_map<NodeId, Waiting> waiting_;
};

}  // namespace frond
