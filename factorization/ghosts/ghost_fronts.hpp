// SPDX-License-Identifier: BSD-3-Clause
// The fronts of one rank without entries: they take the memory and time of real ones, and send as many bytes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/tree/entry_map.hpp"
#include "factorization/distributed/front_parts.hpp"
#include "factorization/distributed/held_parts.hpp"
#include "factorization/ghosts/ghost_parts.hpp"
#include "factorization/ghosts/ghost_store.hpp"
#include "factorization/memory/contribution_arena.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "factorization/recovery/recovery_plan.hpp"

namespace frond {

/// A worker's job in virtual time: called when a worker takes it up, and again after each number of seconds that it has returned;
/// it ends when it returns nothing.
using GhostJob = std::function<std::optional<double>()>;

/// The workers of one rank.
class GhostWorkers {
 public:
  virtual ~GhostWorkers() = default;
  /// Jobs of lower priority number go first, those of the same number in the order of submission. The job is about `part`; a
  /// subtree is a part of the master.
  virtual void submit(Index priority, FrontPart part, GhostJob job) = 0;
  [[nodiscard]] virtual double now() const { return 0; }  ///< seconds, for jobs that measure their time
};

/// Seconds taken by work on fronts.
struct GhostCosts {
  /// For that many flops of the elimination of `num_pivots` columns of a front of that order.
  std::function<double(double flops, Index order, Index num_pivots)> elimination;
  /// Likewise, for the master's part of a row-distributed front, and for a slave's with that many rows.
  std::function<double(double flops, Index order, Index num_pivots)> master;
  std::function<double(double flops, Index order, Index num_rows)> slave;
  /// For assembling that many entries from contribution blocks into a front of that order, or into a stream of rows to it.
  std::function<double(double entries, Index order)> assembly;
  double seconds_per_front = 0;           ///< or step of a part, whatever its size
  double seconds_per_original_entry = 0;  ///< of the matrix, that is added to its front
  double seconds_per_fresh_byte = 0;      ///< of memory that was never used before
};

struct GhostContext {
  const AssemblyTree& tree;
  const TaskGraph& graph;
  Method method;
  Count scalar_bytes;
  Count real_bytes;  ///< of a real number of the same precision
  Rank rank;
  GhostCosts costs;
  GhostWorkers& workers;
  const EntryMap* entries = nullptr;  ///< of the matrix; without them their assembly is free
  GhostStore* store = nullptr;        ///< may be null
};

/// Numerics and parts of fronts that are sizes only. No pivot is delayed. Moves by a plan are in moved_ghosts.cpp.
class GhostFronts final : public PartNumerics, public FrontParts, public MovableFronts {
 public:
  /// `memory_limit` in bytes; 0: no limit.
  GhostFronts(GhostContext context, Count memory_limit);

  /// Sets the receiver of task events; call it before the first task starts.
  void set_events(TaskEvents& events) { events_ = &events; }

  /// Takes memory for the factors of fronts that were finished before and whose master this rank is. Returns the bytes to be read:
  /// of these factors, and of blocks that parents will read.
  Count restore(const FinishedNodes& finished, const Mapping& mapping);

  void start(TaskId task) override;

  [[nodiscard]] bool are_ghosts() const override { return true; }
  [[nodiscard]] Announcement announce(TaskId task) const override;
  [[nodiscard]] Count bytes_to_expect(const FrontPlan& plan, FrontPart part) const override;
  [[nodiscard]] Count free_bytes() const override { return memory_.free_bytes(); }
  std::vector<SizedStream> expect(const FrontPlan& plan, FrontPart part) override;
  void cancel(FrontPart part) override;
  void write(const RowStream& /*stream*/, Count /*offset*/, std::span<const std::byte> /*bytes*/) override {}
  [[nodiscard]] std::vector<RowShare> shares_of(FrontPart part) const override;
  [[nodiscard]] Count stream_bytes(const RowStream& stream) const override;
  void read(const RowStream& /*stream*/, Count /*offset*/, std::span<std::byte> /*bytes*/) const override {}
  void release(FrontPart part) override;
  void begin(FrontPart part) override;
  void step(FrontPart part, Rank from, std::vector<std::byte> body) override;
  void go_on(FrontPart part) override;
  void abandon_root() override {}

  /// Prepares for a graph that replaces the present one by a plan; no work is under way.
  void renumber(const TaskGraph& next, const std::map<NodeId, std::vector<RowShare>>& new_shares);
  [[nodiscard]] std::map<FrontPart, Count> held_rows() const override;
  [[nodiscard]] Count held_rows_of(FrontPart part) const override;
  [[nodiscard]] std::map<NodeId, std::vector<RowShare>> shared_fronts() const override {
    return shared_fronts_in(parts_, context_.graph, finished_shares_);
  }
  [[nodiscard]] std::vector<std::byte> describe_part(NodeId node, PartRole role) const override;
  [[nodiscard]] Count part_bytes(NodeId node, PartRole role) const override;
  void read_part(NodeId /*node*/, PartRole /*role*/, Count /*offset*/, std::span<std::byte> /*bytes*/) const override {}
  void drop_part(NodeId node, PartRole role) override;
  void take_part(const MovedPart& part, std::span<const std::byte> described) override;
  void write_part(const MovedPart& /*part*/, Count /*offset*/, std::span<const std::byte> /*bytes*/) override {}
  void join_rows(NodeId node) override;

  [[nodiscard]] double flops() const { return flops_; }  ///< done so far
  [[nodiscard]] Count active_bytes() const { return memory_.current_active(); }
  [[nodiscard]] Count peak_bytes() const { return memory_.peak(); }                ///< factors and active memory
  [[nodiscard]] Count peak_active_bytes() const { return memory_.peak_active(); }  ///< contribution blocks, workspaces, streams

 private:
  /// What is decided at run time about a part of a front.
  struct Part {
    FrontPlan plan;
    std::set<NodeId> streamed;  // children whose rows come in streams
    Count stream_bytes = 0;     // of those of these streams that wait until they are assembled
    double stream_entries = 0;  // of all of them
    Count factor_bytes = 0;     // of a slave, or a rank of the grid
    Count cb_bytes = 0;         // of a slave's contribution rows; of a rank of the grid: of the copy of its part
    std::unique_ptr<PartWork> work;
    double flops = 0;  // of its steps, since the last one that was reported
  };
  struct PartSize {
    Count factor_bytes = 0;
    Count cb_bytes = 0;
  };
  /// A part of a finished front.
  struct FinishedPart {
    PartSize size;
    std::vector<RowShare> shares;  // of the front
  };

  [[nodiscard]] const Task& task_of(FrontPart part) const { return context_.graph.task(part.task); }
  [[nodiscard]] PartSize size_of(const FrontPlan& plan, FrontPart part) const;
  [[nodiscard]] std::vector<SizedStream> streams_to(const FrontPlan& plan, FrontPart part) const;
  [[nodiscard]] GhostFront ghost_front(Part& part) const;

  void take_active(Count bytes) { memory_.charge_active(bytes); }
  void give_back_active(Count bytes) { memory_.release_active(bytes); }
  [[nodiscard]] Count output_bytes(NodeId node) const {
    return ContributionArena::rounded(contribution_entries(context_.tree, node, context_.method) * context_.scalar_bytes);
  }
  [[nodiscard]] Count factor_bytes(NodeId node, FrontShape shape) const;
  void form(NodeId node, FrontShape shape) { memory_.charge(factor_bytes(node, shape)); }
  void give_back_output(NodeId node);
  void give_back_children(NodeId node);
  void store_whole(const Task& task) const;
  void store_part(FrontPart part) const;
  [[nodiscard]] FinishedPart finished_part(NodeId node, PartRole role) const;
  void place(NodeId node, PartRole role, const FinishedPart& part);
  [[nodiscard]] double fresh_seconds();
  [[nodiscard]] double original_entries(NodeId node) const;
  [[nodiscard]] double assembly_seconds(double entries, double original_entries, NodeId node) const;
  [[nodiscard]] double elimination_seconds(double flops, NodeId node) const;
  [[nodiscard]] double part_seconds(double flops, FrontPart part) const;
  double take_streams(Part& part);

  void expect_stored_children(TaskId task);
  [[nodiscard]] GhostJob subtree_job(TaskId task);
  [[nodiscard]] GhostJob front_job(TaskId task);
  [[nodiscard]] GhostJob elimination_job(TaskId task, double seconds, Index num_pieces);
  [[nodiscard]] Index num_pieces(const Task& task) const;
  void eliminated(TaskId task);
  [[nodiscard]] GhostJob master_job(TaskId task);
  void submit_step(FrontPart part, std::function<GhostStep()> make);
  [[nodiscard]] static GhostStep made(Part& part, PartStep step) { return {std::move(step), std::exchange(part.flops, 0)}; }
  [[nodiscard]] GhostStep assemble_part(FrontPart part);
  [[nodiscard]] GhostStep factorize_root(FrontPart part);
  [[nodiscard]] double seconds_of(FrontPart part, const GhostStep& made);
  void tell(FrontPart part, const GhostStep& made);

  GhostContext context_;
  TaskEvents* events_ = nullptr;
  MemoryMeter memory_;
  Count fresh_bytes_paid_ = 0;
  double flops_ = 0;
  std::map<FrontPart, Part> parts_;
  // These parts belong to fronts that no task knows any more.
  std::map<NodeId, std::vector<RowShare>> finished_shares_;
  std::map<NodeId, Count> finished_rows_;                        // = bytes
  std::map<std::pair<NodeId, Rank>, FinishedPart> coming_rows_;  // on their way here
  std::unique_ptr<PartWork> root_master_;
};

}  // namespace frond
