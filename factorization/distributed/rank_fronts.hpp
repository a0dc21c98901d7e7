// SPDX-License-Identifier: BSD-3-Clause
// The fronts of one rank: their memory, their assembly, and the rows that they send and receive.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/distributed/assemble_rows.hpp"
#include "factorization/distributed/front_parts.hpp"
#include "factorization/distributed/front_store.hpp"
#include "factorization/distributed/movable_fronts.hpp"
#include "factorization/distributed/root_assembly.hpp"
#include "factorization/distributed/row_image.hpp"
#include "factorization/fronts/assemble_entries.hpp"
#include "factorization/kernels/chunks.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/memory/contribution_arena.hpp"
#include "factorization/memory/factor_storage.hpp"

namespace frond {

/// The data and memory of a rank's fronts; all of it outlives them.
template <Scalar S>
struct FrontContext {
  const Symbolic& symbolic;
  const TaskGraph& graph;
  Method method;
  ScaledValues<S> matrix;
  PivotTolerances<RealOf<S>> tolerances;
  FactorStorage& storage;
  ContributionArena& arena;  ///< for contribution blocks on their way from child to parent
  MemoryMeter& meter;
  WorkMeter& work;
  KeptFactors kept = KeptFactors::all;
  FrontStore<S>* store = nullptr;  ///< may be null
  Rank rank = 0;

  [[nodiscard]] bool is_stored(NodeId node) const { return store != nullptr && store->has(node); }
};

/// True if the grid holds a Schur complement, which is not factorized.
template <Scalar S>
[[nodiscard]] bool has_schur_complement_on_grid(const FrontContext<S>& context) {
  return holds_schur_complement(context.graph.root_grid(), context.symbolic.tree());
}

/// A master's part is prepared, assembled, eliminated by the owner of the kernels, and its children given back; a slave's part is
/// created by expect() and assembled by assemble_slave(), a part of the root on a grid by assemble_root(). Calls for different
/// fronts may run at the same time. Functions for the root on a grid are in rank_root.hpp, those that read the store in
/// stored_fronts.hpp, and those for a new plan in moved_fronts.hpp.
template <Scalar S>
class RankFronts final : public FrontParts, public MovableFronts {
 public:
  explicit RankFronts(const FrontContext<S>& context);

  [[nodiscard]] NumericFront<S>& front(NodeId node) { return fronts_[node]; }
  [[nodiscard]] const NumericFront<S>& front(NodeId node) const { return fronts_[node]; }

  /// Reads a master's part of a stored front, or a slave's, from the store.
  PivotCounts restore(NodeId node, const StoredLayout& layout);
  const SlaveRows<S>& restore_rows(NodeId node, const StoredLayout& layout);

  /// Forms a master's part: its memory, the list of its pivots, the entries of A. `cb` comes from take_output() or a workspace.
  void prepare(NodeId node, std::byte* cb, FrontShape shape);

  /// Extend-add of all children into the positions [begin, end), which are those of extend_add().
  void assemble_children(NodeId node, Index begin, Index end);
  [[nodiscard]] std::byte* take_output(NodeId node);  ///< memory for a contribution block that leaves its task
  void give_back_children(NodeId node);               ///< whose rows assemble_children() has read

  /// Gives back the parts of eliminated fronts that are not kept, unless the parent has delayed pivots to read from them; then they
  /// are given back together with the contribution block.
  void give_back_eliminated(NodeId node);
  void give_back_eliminated_rows(TaskId task);
  [[nodiscard]] bool keeps_slave_rows() const { return frond::keeps_slave_rows(context_.method, context_.kept); }

  /// Forms a slave's part: adds the waiting rows of children, whose memory is given back, and the entries of A.
  void assemble_slave(TaskId task, const RunChunks& run_chunks);
  [[nodiscard]] SlaveRows<S>& slave_rows(TaskId task);

  /// Forms a part of the root on a grid likewise; a copy is kept of a root that LU factorizes. The first rank lists the root's
  /// variables.
  void assemble_root(TaskId task);
  [[nodiscard]] RootPart<S> root_part(TaskId task) const;
  [[nodiscard]] RootPart<S> root_copy(TaskId task) const;
  [[nodiscard]] Index root_variable(TaskId task, Index position) const;  ///< new number; for LU of a row of A
  void drop_root_copy(TaskId task);
  void drop_root(TaskId task);         ///< and the copy
  void place_whole_root(TaskId task);  ///< on one rank, as a front without entries; the others are dropped
  [[nodiscard]] S* whole_root(TaskId task) { return front(context_.graph.task(task).node_begin).factor.lower; }

  [[nodiscard]] const FrontPlan& plan(FrontPart part) const;  ///< of a part that was passed to expect()

  [[nodiscard]] Announcement announce(TaskId task) const override;
  [[nodiscard]] Count bytes_to_expect(const FrontPlan& plan, FrontPart part) const override;
  [[nodiscard]] Count free_bytes() const override { return context_.meter.free_bytes(); }
  std::vector<SizedStream> expect(const FrontPlan& plan, FrontPart part) override;
  void cancel(FrontPart part) override;
  [[nodiscard]] std::vector<RowShare> shares_of(FrontPart part) const override;
  [[nodiscard]] Count stream_bytes(const RowStream& stream) const override;
  void read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const override;
  void write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) override;
  void release(FrontPart part) override;

  /// Prepares for a graph that replaces the present one by a plan; no work is under way.
  void renumber(const TaskGraph& next, const std::map<NodeId, std::vector<RowShare>>& new_shares);
  [[nodiscard]] std::map<FrontPart, Count> held_rows() const override;
  [[nodiscard]] Count held_rows_of(FrontPart part) const override;
  [[nodiscard]] std::map<NodeId, std::vector<RowShare>> shared_fronts() const override;
  [[nodiscard]] std::vector<std::byte> describe_part(NodeId node, PartRole role) const override;
  [[nodiscard]] Count part_bytes(NodeId node, PartRole role) const override;
  void read_part(NodeId node, PartRole role, Count offset, std::span<std::byte> bytes) const override;
  void drop_part(NodeId node, PartRole role) override;
  void take_part(const MovedPart& part, std::span<const std::byte> described) override;
  void write_part(const MovedPart& part, Count offset, std::span<const std::byte> bytes) override;
  void join_rows(NodeId node) override;

  [[nodiscard]] std::vector<FrontFactor<S>> take_fronts() const;
  [[nodiscard]] RankFactors<S> take_factors(const std::shared_ptr<FactorStorage>& storage,
                                            const std::shared_ptr<RootSolver<S>>& solver) const;

 private:
  struct Incoming {
    RowStream stream;
    ContributionArena::Piece memory;
  };
  /// A child whose rows come in streams.
  struct StreamedChild {
    DelayedVariables delayed;
    bool is_added_on_arrival = false;
    std::vector<Incoming> incoming;  // of children that are not added on arrival
  };
  /// What is decided at run time about a part of a front.
  struct Part {
    FrontPlan plan;
    std::map<NodeId, StreamedChild> children;
    SlaveRows<S> rows;                   // of a slave
    std::optional<RootPart<S>> root;     // of a rank of the grid, unless it has been dropped
    ContributionArena::Piece cb{};       // of a slave; of a rank of the grid: the copy of its part
    ContributionArena::Piece passing{};  // of a slave: its fully summed columns, if they are not kept
  };

  [[nodiscard]] const Part* find_part(FrontPart part) const;
  [[nodiscard]] Part* find_part(FrontPart part) { return const_cast<Part*>(std::as_const(*this).find_part(part)); }
  [[nodiscard]] RowImage<S> image_of(const RowStream& stream) const;
  [[nodiscard]] ChildRows<S> child_rows(const RowStream& stream, const std::byte* entries) const;
  [[nodiscard]] RootPiece<S> root_piece(const RowStream& stream) const;
  [[nodiscard]] SlaveRows<S> empty_rows(const FrontSize& size, const std::vector<RowShare>& shares) const;
  [[nodiscard]] RootPart<S> empty_root(const FrontPlan& plan) const;
  // A root that LU rejects is factorized again from this copy.
  [[nodiscard]] bool has_root_copy() const { return context_.method == Method::lu && !has_schur_complement_on_grid(context_); }
  void read_stored(FrontPart part, const std::vector<SizedStream>& streams);
  void read_stored(Part& part, const SizedStream& sized);
  [[nodiscard]] std::vector<SizedStream> streams_to(const FrontPlan& plan, FrontPart part) const;
  void place(NodeId node, FrontShape shape);
  [[nodiscard]] FrontFactor<S> take_front(NodeId node, Index num_delayed_in, FrontShape shape);
  [[nodiscard]] S* take_slave_rows(Part& part) const;
  void give_back_slave_rows(Part& part) const;
  void add_streamed(const StreamedChild& child, Index begin, Index end, const FrontTarget<S>& parent) const;
  void add_arrived(const Part& part, const RowStream& stream, Count offset, std::span<const std::byte> bytes);
  void give_back(StreamedChild& child);
  void give_back(NodeId node);
  void give_back_passing(NodeId node);
  [[nodiscard]] FrontFactor<S> kept_part(NodeId node) const;
  [[nodiscard]] Part* finished_part(NodeId node, PartRole role);
  [[nodiscard]] const SlaveRows<S>& finished_rows(NodeId node) const;
  [[nodiscard]] bool waits(NodeId node, PartRole role) const;  // true if its block waits for the parent
  [[nodiscard]] std::vector<std::span<std::byte>> memory_of(const SlaveRows<S>& rows, bool with_block) const;
  [[nodiscard]] std::vector<std::span<std::byte>> memory_of(NodeId node, PartRole role) const;
  void place_rows(Part& part, bool with_block) const;
  void settle_store() const;  // called before memory is given back that the store may read

  FrontContext<S> context_;
  std::vector<NumericFront<S>> fronts_;
  std::vector<Index> delayed_begin_;               // [node] = position of its first delayed pivot in its parent's front
  std::vector<ContributionArena::Piece> outputs_;  // [node] = memory of a contribution block that leaves its task
  std::vector<ContributionArena::Piece> passing_;  // [node] = memory of the entries of a master's part that are not kept
  mutable std::mutex mutex_;                       // guards the map, not its contents
  std::map<FrontPart, Part> parts_;
  // These parts belong to fronts that were stored, or that no task knows any more.
  std::map<NodeId, std::vector<RowShare>> finished_shares_;  // of row-distributed fronts whose master this rank is
  std::map<NodeId, SlaveRows<S>> finished_rows_;
  std::optional<RootPart<S>> finished_root_;
  std::map<std::pair<NodeId, Rank>, Part> coming_rows_;  // slaves' parts on their way here
};

}  // namespace frond
