// SPDX-License-Identifier: BSD-3-Clause
// Passes right-hand sides up the tree, from master to master.
#pragma once

#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "frond/dense.hpp"
#include "solver/distributed/ranks/front_places.hpp"

namespace frond {

/// The contribution of a front to its parent in the forward sweep.
template <Scalar S>
struct SideContribution {
  std::vector<Index> delayed;  ///< equations (or pivots)
  std::vector<S> rows;         ///< first the delayed ones, then the node's cb_rows, num_rhs numbers each; empty: zeros
};

/// Returns the nodes that the rank masters, increasing.
[[nodiscard]] std::vector<NodeId> nodes_of_master(const Mapping& mapping, Rank rank);

/// The right-hand sides of the fronts that a rank masters: those of their own variables, and the contributions of their children,
/// received but not assembled. Threads may assemble different fronts at a time.
template <Scalar S>
class FrontSides {
 public:
  using Rows = std::vector<S>;

  /// `tree` must outlive this object; `nodes` are those of the rank.
  FrontSides(const AssemblyTree& tree, const std::vector<NodeId>& nodes);

  /// All own variables get zeros.
  void clear(Index num_rhs) { set(Rows(static_cast<std::size_t>(num_rows_ * num_rhs)), num_rhs); }
  /// Sets the rows of all own variables, in the layout of rows_of_masters(). Throws InternalError if there are fewer or more.
  void set(Rows rows, Index num_rhs);
  /// Sets the columns from `first` on alone, `width` numbers a row; there must be as many rows.
  void load(Index first, Index width, std::span<const S> rows);

  [[nodiscard]] const S* own(NodeId node) const { return own_.data() + offsets_[node] * num_rhs_; }
  [[nodiscard]] SideContribution<S>& from(NodeId child) { return contributions_[child]; }

  /// Returns the rows of a front that has `fully_summed` in its first places: those delayed into it, and the sums of those of its
  /// own variables and of the contributions, in the order of the children, which become empty. `places` become those of the front.
  /// Throws InternalError if a contribution has another size than the child's.
  [[nodiscard]] Rows assemble(NodeId node, std::span<const Index> fully_summed, FrontPlaces& places);

 private:
  const AssemblyTree& tree_;
  Index num_rhs_ = 0;
  Count num_rows_ = 0;
  std::vector<Count> offsets_;  // [own node] = its first row in own_
  Rows own_;
  std::vector<SideContribution<S>> contributions_;  // [child]
};

/// [rank] = rows of num_rhs numbers for the variables of the nodes that the rank masters, node by node. load(variable, to) writes
/// the row of a variable, by its new number, to its place.
template <Scalar S, class Load>
[[nodiscard]] std::vector<std::vector<S>> rows_of_masters(const AssemblyTree& tree, const Mapping& mapping, Index num_rhs,
                                                          const Load& load) {
  std::vector<std::vector<S>> parts(static_cast<std::size_t>(mapping.num_ranks()));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    std::vector<S>& rows = parts[mapping.master(node)];
    const Index begin = tree.variable_begin(node);
    for (Index variable = begin; variable < begin + tree.num_fully_summed(node); ++variable) {
      rows.resize(rows.size() + static_cast<std::size_t>(num_rhs));
      load(variable, rows.data() + rows.size() - num_rhs);
    }
  }
  return parts;
}

/// Throws InternalError unless a message has `num_rows` rows of `num_rhs` numbers.
void expect_rows(std::size_t num_numbers, Count num_rows, Index num_rhs);

}  // namespace frond
