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
#include "factorization/memory/memory_meter.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// Which part of a front its master holds.
enum class FrontShape {
  none,         ///< nothing
  variables,    ///< the lists of its pivots, no entry
  whole,        ///< all of it
  summed_rows,  ///< the fully summed rows: for the symmetric methods a front of order p, for LU all but `upper`
  unit_lower    ///< of LU M alone, in block columns: all that is kept for a backward sweep
};

/// Which part of the node a rank holds as a master.
[[nodiscard]] FrontShape shape_on(const Mapping& mapping, NodeId node, Rank rank);

// A front of which not all is kept lies above its own contribution block, at the same end of the region of the contribution blocks,
// and is given back when the block is made and the pivots are counted: so both ends of that region are stacks still. A front that
// delays pivots goes together with its block, when the parent has read both. M of LU is copied to its place here first.

/// Which part of what a rank holds of a front as its master stays when the front has been eliminated.
[[nodiscard]] FrontShape kept_shape(const AssemblyTree& tree, NodeId node, FrontShape held, Method method, KeptFactors kept);

/// Whether the rows of a slave stay. Those of LU are of N^T, which the forward sweep reads.
[[nodiscard]] constexpr bool keeps_slave_rows(Method method, KeptFactors kept) {
  return kept == KeptFactors::all || (kept == KeptFactors::backward && method != Method::lu);
}

/// One region with a place for every front, in postorder; a front that received delayed pivots is larger than its place and gets
/// one that other such fronts have left, or one in further regions. All memory is zero when handed out. Thread-safe.
class FactorStorage {
 public:
  /// `shape_of` tells what of each node will be placed here. The region comes from `pool` and goes back to it. Throws MemoryError.
  FactorStorage(
      const AssemblyTree& tree, Method method, Count scalar_bytes, std::shared_ptr<RegionPool> pool,
      const std::function<FrontShape(NodeId)>& shape_of = [](NodeId) { return FrontShape::whole; });
  ~FactorStorage();
  FactorStorage(const FactorStorage&) = delete;
  FactorStorage& operator=(const FactorStorage&) = delete;

  /// Memory for the front of `node` with `num_delayed_in` columns more than the tree says, counted by `meter`. The variables of the
  /// fully summed positions behind the delayed ones are filled in, LDLT's pivots and D are not.
  template <Scalar S>
  [[nodiscard]] FrontFactor<S> place(const AssemblyTree& tree, NodeId node, Index num_delayed_in, Method method, MemoryMeter& meter,
                                     FrontShape shape = FrontShape::whole);

  /// Memory for what is not planned and may be given back: rows of a slave, the part of a root. Counted by `meter`.
  [[nodiscard]] std::byte* place_unplanned(Count bytes, MemoryMeter& meter);
  void give_back_unplanned(std::byte* memory, MemoryMeter& meter);

  /// What place() gave is not needed any more: its pages go back to the system as far as they hold nothing else, its place is not
  /// used again.
  void forget(const std::byte* memory, Count bytes, MemoryMeter& meter);

  /// For what solves work in: one after the other they do so in the same memory, as far as that is little.
  [[nodiscard]] RegionPool& workspaces() const { return *workspaces_; }
  [[nodiscard]] Count planned_bytes() const { return offsets_.back(); }

 private:
  struct Place {
    std::byte* memory = nullptr;
    bool is_zero = false;  // nobody has written there yet
  };

  struct Loan {
    Region region;  // as large as `bytes`, or larger
    Count bytes = 0;
  };

  [[nodiscard]] Place take_place(NodeId node, Count bytes);
  [[nodiscard]] Place take_left(Count bytes);

  std::vector<Count> offsets_;  // of node k: [offsets_[k], offsets_[k+1]) in region_
  std::vector<char> has_left_;  // [node] = its place is there for others
  std::shared_ptr<RegionPool> pool_;
  std::unique_ptr<RegionPool> workspaces_;
  Region region_;
  std::mutex mutex_;
  std::vector<Region> larger_;        // with fronts that did not fit in their places
  std::multimap<Count, Place> left_;  // by their bytes: places of these fronts, and what is left of larger_
  std::vector<Loan> loans_;           // what is not planned
};

/// Bytes of a front's place in the storage, for factors and the lists of its pivots.
[[nodiscard]] Count front_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes,
                                FrontShape shape = FrontShape::whole);

/// Bytes for a front until it is eliminated, if it is not kept as it is held.
[[nodiscard]] Count passing_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes, FrontShape held,
                                  FrontShape kept);

/// A front in `memory`, which is zero and has its front_bytes(). The variables of the fully summed positions behind the delayed
/// ones are filled in.
template <Scalar S>
[[nodiscard]] FrontFactor<S> lay_out_front(std::byte* memory, const AssemblyTree& tree, NodeId node, Index num_delayed_in,
                                           Method method, FrontShape shape);

/// How the fully summed columns of a front are laid out.
[[nodiscard]] PanelLayout front_layout(Index order, Index num_fully_summed, Method method);

}  // namespace frond
