// SPDX-License-Identifier: BSD-3-Clause
// The memory of the factors: each front is formed, eliminated and kept in one place.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "factorization/memory/fault_watch.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// The part of a front that its master holds.
enum class FrontShape {
  none,         ///< nothing
  variables,    ///< the lists of its pivots, no entry
  whole,        ///< all of it
  summed_rows,  ///< the fully summed rows: for the symmetric methods a front of order p, for LU all but `upper`
  unit_lower    ///< of LU only M, in block columns: all that is kept for a backward sweep
};

/// Returns the part of the node that a rank holds as a master.
[[nodiscard]] FrontShape shape_on(const Mapping& mapping, NodeId node, Rank rank);

/// Returns which part of a front that a rank holds as its master is kept once the front has been eliminated.
[[nodiscard]] FrontShape kept_shape(const AssemblyTree& tree, NodeId node, FrontShape held, Method method, KeptFactors kept);

/// True if the rows of a slave are kept. Those of LU are of N^T, which the forward sweep reads.
[[nodiscard]] constexpr bool keeps_slave_rows(Method method, KeptFactors kept) {
  return kept == KeptFactors::all || (kept == KeptFactors::backward && method != Method::lu);
}

/// One region with a place for every front, in postorder; a front that received delayed pivots is larger than its place and gets
/// one that other such fronts have left, or one in further regions. All memory is zero when handed out. Thread-safe.
class FactorStorage {
 public:
  /// shape_of(node) is the shape that will be placed here. The region comes from `pool` and goes back to it. Throws MemoryError.
  FactorStorage(
      const AssemblyTree& tree, Method method, Count scalar_bytes, std::shared_ptr<RegionPool> pool,
      const std::function<FrontShape(NodeId)>& shape_of = [](NodeId) { return FrontShape::whole; });
  ~FactorStorage();
  FactorStorage(const FactorStorage&) = delete;
  FactorStorage& operator=(const FactorStorage&) = delete;

  /// Memory for the front of `node` with `num_delayed_in` more columns than in the tree, counted by `meter`. The variables of the
  /// fully summed positions behind the delayed ones are filled in, LDLT's pivots and D are not.
  template <Scalar S>
  [[nodiscard]] FrontFactor<S> place(const AssemblyTree& tree, NodeId node, Index num_delayed_in, Method method, MemoryMeter& meter,
                                     FrontShape shape = FrontShape::whole);

  /// Takes memory for unplanned data that may be given back: rows of a slave, the part of a root. Counted by `meter`.
  [[nodiscard]] std::byte* place_unplanned(Count bytes, MemoryMeter& meter);
  void give_back_unplanned(std::byte* memory, MemoryMeter& meter);

  /// Memory from place() is not needed any more: its pages go back to the system unless they hold something else; its place is not
  /// used again.
  void forget(const std::byte* memory, Count bytes, MemoryMeter& meter);

  /// Workspaces of solves: successive solves reuse the same memory, if that is little.
  [[nodiscard]] RegionPool& workspaces() const { return *workspaces_; }
  [[nodiscard]] Count planned_bytes() const { return offsets_.back(); }

 private:
  struct Place {
    std::byte* memory = nullptr;
    bool is_zero = false;  // never written so far
  };

  struct Loan {
    Region region;  // as large as `bytes`, or larger
    Count bytes = 0;
  };

  [[nodiscard]] Place take_place(NodeId node, Count bytes);
  [[nodiscard]] Place take_left(Count bytes);

  std::vector<Count> offsets_;  // of node k: [offsets_[k], offsets_[k+1]) in region_
  std::vector<char> has_left_;  // [node] = true if its place may be used by others
  std::shared_ptr<RegionPool> pool_;
  std::unique_ptr<RegionPool> workspaces_;
  Region region_;
  FaultWatch faults_;  // of region_
  std::mutex mutex_;
  std::vector<Region> larger_;        // with fronts that did not fit in their places
  std::multimap<Count, Place> left_;  // [bytes]: places of these fronts, and the rest of larger_
  std::vector<Loan> loans_;           // unplanned memory
};

/// Returns the bytes of a front's place in the storage, for factors and the lists of its pivots.
[[nodiscard]] Count front_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes,
                                FrontShape shape = FrontShape::whole);

/// Returns the bytes for a front until it is eliminated, if it is not kept as it is held.
[[nodiscard]] Count passing_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes, FrontShape held,
                                  FrontShape kept);

/// Lays out a front in `memory`, which is zero and has its front_bytes(). The variables of the fully summed positions behind the
/// delayed ones are filled in.
template <Scalar S>
[[nodiscard]] FrontFactor<S> lay_out_front(std::byte* memory, const AssemblyTree& tree, NodeId node, Index num_delayed_in,
                                           Method method, FrontShape shape);

/// Returns the layout of the fully summed columns of a front.
[[nodiscard]] PanelLayout front_layout(Index order, Index num_fully_summed, Method method);

}  // namespace frond
