// SPDX-License-Identifier: BSD-3-Clause
// The tasks of the engine on real fronts: assemble, eliminate, contribute.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/assemble.hpp"
#include "factorization/contribution_arena.hpp"
#include "factorization/contribution_image.hpp"
#include "factorization/contributions.hpp"
#include "factorization/engine.hpp"
#include "factorization/factor_storage.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/report.hpp"
#include "factorization/task_pool.hpp"
#include "factorization/workspace.hpp"

namespace frond {

/// What a numerical factorization works on and with; everything outlives the FrontNumerics.
template <Scalar S>
struct FrontContext {
  const Symbolic& symbolic;
  const TaskGraph& graph;
  Method method;
  ScaledValues<S> matrix;
  PivotTolerances<RealOf<S>> tolerances;
  FactorStorage& storage;
  ContributionArena& arena;  ///< for contribution blocks that leave a task
  MemoryMeter& meter;
  RegionPool& regions;
  bool is_memory_scarce;  ///< give back what is not in use rather than keep it for the next subtree
  TaskPool& pool;
  std::function<void(double)> progress;  ///< may be empty
};

/// Runs tasks as jobs of the pool: a leaf subtree is one job, a large front many. Events are told one at a time.
template <Scalar S>
class FrontNumerics final : public Numerics, public Contributions {
 public:
  explicit FrontNumerics(const FrontContext<S>& context);

  /// Who is to hear of the tasks; set before the first one starts.
  void set_events(TaskEvents& events) { events_ = &events; }

  /// Runs an engine that has all tasks to its end. Rethrows the first exception of a task (NotPositiveDefinite, MemoryError, ...).
  void run(Engine& engine);

  void start(TaskId task) override;

  [[nodiscard]] Announcement announce(TaskId task) const override;
  [[nodiscard]] Count num_bytes(TaskId task) const override;
  void read(TaskId task, Count offset, std::span<std::byte> bytes) const override;
  void release(TaskId task) override;
  Count expect(TaskId task, const Announcement& announcement) override;
  void write(TaskId task, Count offset, std::span<const std::byte> bytes) override;

  [[nodiscard]] std::vector<FrontFactor<S>> take_factors();
  [[nodiscard]] const FactorizationReport& report() const { return report_; }

 private:
  class FrontRun;

  void submit(TaskId task, bool urgent, std::function<void()> body);
  void run_subtree(TaskId task);
  void run_front(TaskId task);

  void prepare(NodeId node, std::byte* cb);
  void assemble_children(NodeId node, Index begin, Index end);
  void eliminate_front(NodeId node, FactorizationReport& report);
  void note_eliminated(NodeId node, const PivotCounts& counts, FactorizationReport& report) const;
  [[nodiscard]] std::byte* take_output(NodeId node);
  void give_back_children(NodeId node);
  void give_back(NodeId node);
  template <class Copy>
  void for_each_top(TaskId task, Count offset, Count num_bytes, Copy copy) const;
  [[nodiscard]] NumericFront<S>& front(NodeId node) { return fronts_[static_cast<std::size_t>(node)]; }

  void assembled(TaskId task);
  void finished(TaskId task, const FactorizationReport& part);

  FrontContext<S> context_;
  TaskEvents* events_ = nullptr;
  std::vector<NumericFront<S>> fronts_;
  std::vector<Index> delayed_begin_;               // [node] = position of its first delayed pivot in its parent's front
  std::vector<ContributionArena::Piece> outputs_;  // [node] = memory of a contribution block that leaves its task
  std::map<NodeId, DelayedVariables> guests_;      // children of other ranks whose parent has not assembled them
  WorkspacePool workspaces_;
  std::mutex guests_mutex_;
  std::mutex mutex_;  // guards events and the report; Contributions are called while it is held
  FactorizationReport report_;
  std::atomic<bool> stopped_{false};
};

}  // namespace frond
