// SPDX-License-Identifier: BSD-3-Clause
// Runs the tasks of the engine on real fronts: assemble, eliminate, contribute.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/rank_fronts.hpp"
#include "factorization/memory/workspace.hpp"
#include "factorization/root/root_work.hpp"
#include "factorization/scheduling/engine.hpp"
#include "factorization/scheduling/task_pool.hpp"
#include "frond/factorization_report.hpp"
#include "frond/observer.hpp"

namespace frond {

/// The data and services of a numerical factorization, which outlive the FrontNumerics.
template <Scalar S>
struct NumericsContext {
  FrontContext<S> fronts;
  RegionPool& regions;
  bool is_memory_scarce;  ///< give back unused memory rather than keep it for the next subtree
  TaskPool& pool;
  double flops;                                 ///< of this rank, of which progress is a fraction; 0: none is reported
  FrontWatcher<S>* watcher = nullptr;           ///< may be null
  RankFrontWatcher<S>* rank_watcher = nullptr;  ///< the same one, if there are several ranks
  bool flushes_subnormals = false;
  Observer* observer = nullptr;  ///< may be null
  WorkLog* log = nullptr;        ///< may be null
};

/// Runs tasks as jobs of the pool: a leaf subtree is one job, a large front many. Events are reported one at a time. The jobs of a
/// front are in front_run.hpp, functions for fronts finished beforehand in stored_numerics.cpp.
template <Scalar S>
class FrontNumerics final : public PartNumerics {
 public:
  explicit FrontNumerics(const NumericsContext<S>& context);

  /// Reads this rank's parts of fronts that were finished beforehand, which count like those that are executed. Call it before
  /// anything starts.
  void restore_stored_fronts();

  /// Sets the receiver of task events; call it before the first task starts.
  void set_events(TaskEvents& events) { events_ = &events; }
  /// Sets the solver of the root on a grid, if this rank is part of one; also before the first task starts. Making it may be
  /// collective over the ranks of the grid: for that of a new plan, `make` makes it in the first of their calls, which are
  /// collective anyway.
  using MakeRoot = std::function<std::shared_ptr<RootSolver<S>>()>;
  void set_root(std::shared_ptr<RootSolver<S>> root, MakeRoot make = {}) {
    root_ = std::move(root);
    make_root_ = std::move(make);
  }

  /// Runs an engine that has all tasks to its end. Rethrows the first exception of a task (NotPositiveDefinite, MemoryError, ...).
  void run(Engine& engine);

  void start(TaskId task) override;

  [[nodiscard]] std::vector<std::byte> right_sides_of(TaskId task) override;
  void take_right_sides(TaskId child, std::span<const std::byte> bytes) override;
  void begin(FrontPart part) override;
  void step(FrontPart part, Rank from, std::vector<std::byte> body) override;
  void go_on(FrontPart part) override;
  void abandon_root() override { root().abandon(); }

  [[nodiscard]] RankFronts<S>& fronts() { return fronts_; }
  [[nodiscard]] RankFactors<S> take_factors(const std::shared_ptr<FactorStorage>& storage) const {
    return fronts_.take_factors(storage, root_);
  }
  /// Returns the report of all that was done so far. The determinants of fronts are multiplied in the order of nodes, whatever that
  /// of the tasks was.
  [[nodiscard]] FactorizationReport report() const;

 private:
  class FrontRun;

  void submit(FrontPart part, bool urgent, std::function<void()> body, std::function<void()> otherwise = {});
  void run_subtree(TaskId task);
  void run_front(TaskId task);
  void begin_master(TaskId task);
  void begin_slave(TaskId task);
  template <class Step>
  void submit_root_step(FrontPart part, Step step, std::function<void()> otherwise = {});

  void expect_stored_children(TaskId task);
  void eliminate_front(NodeId node, FactorizationReport& report);
  [[nodiscard]] bool delays_nothing(NodeId node) const;
  [[nodiscard]] double growth(RealOf<S> largest_entry) const;
  [[nodiscard]] Index num_delayed_pivots(NodeId node) const;
  [[nodiscard]] LevelCounts& level_of(NodeId node, FactorizationReport& report) const;
  void note_eliminated(NodeId node, const PivotCounts& counts, FactorizationReport& report);
  void count_eliminated(NodeId node, const FrontSize& size, FrontShape shape, const PivotCounts& counts,
                        FactorizationReport& report);
  [[nodiscard]] FactorizationReport slave_report(NodeId node, const SlaveRows<S>& rows) const;
  [[nodiscard]] RootSolver<S>& root();
  [[nodiscard]] NumericFront<S>& front(NodeId node) { return fronts_.front(node); }
  [[nodiscard]] const FrontContext<S>& front_context() const { return context_.fronts; }
  [[nodiscard]] const AssemblyTree& tree() const { return context_.fronts.symbolic.tree(); }
  [[nodiscard]] const TaskGraph& graph() const { return context_.fronts.graph; }
  [[nodiscard]] Method method() const { return context_.fronts.method; }

  void assembled(TaskId task);
  void timed(TaskId task, double begin);
  void finished(TaskId task, const FactorizationReport& part);
  void take(const FactorizationReport& part);
  void end_step(FrontPart part, PartStep step);
  template <class Step>
  void submit_step(FrontPart part, Step step);
  [[nodiscard]] PartWork& work_of(FrontPart part);
  void run_job(FrontPart part, const std::function<void()>& body, const std::function<void()>& otherwise);
  [[nodiscard]] LoggedWork logged(FrontPart part) const;
  [[nodiscard]] RunChunks chunks(FrontPart part);
  [[nodiscard]] PartStep begin_work(FrontPart part, std::unique_ptr<PartWork> work);
  [[nodiscard]] std::unique_ptr<PartWork> master_work(FrontPart part);
  [[nodiscard]] std::unique_ptr<PartWork> slave_work(FrontPart part);

  NumericsContext<S> context_;
  TaskEvents* events_ = nullptr;
  std::shared_ptr<RootSolver<S>> root_;
  MakeRoot make_root_;
  RankFronts<S> fronts_;
  WorkspacePool workspaces_;
  std::mutex works_mutex_;                                // guards the map, not its contents
  std::map<FrontPart, std::unique_ptr<PartWork>> works_;  // under way
  std::unique_ptr<RootWork<S>> root_work_;
  std::mutex mutex_;                       // guards events and the report
  FactorizationReport report_;             // except the determinants
  std::vector<Determinant> determinants_;  // [node]; of the nodes whose master this rank is, when they are eliminated
  std::atomic<bool> stopped_{false};
};

}  // namespace frond
