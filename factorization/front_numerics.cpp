// SPDX-License-Identifier: BSD-3-Clause
// Runs the life of a front, by one worker or as jobs.
#include "factorization/front_numerics.hpp"

#include <algorithm>
#include <utility>

#include "factorization/distributed/watched_work.hpp"
#include "factorization/front_run.hpp"
#include "factorization/fronts/elimination.hpp"
#include "factorization/fronts/front_elimination.hpp"
#include "factorization/fronts/pivot_determinant.hpp"
#include "factorization/fronts/pivot_report.hpp"
#include "factorization/fronts/subnormals.hpp"
#include "factorization/kernels/pivot_growth.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/scheduling/run_in_chunks.hpp"
#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

Index num_subtrees(const TaskGraph& graph) {
  Index count = 0;
  for (TaskId task = 0; task < graph.num_tasks(); ++task) {
    count += graph.task(task).is_subtree ? 1 : 0;
  }
  return count;
}

}  // namespace

template <Scalar S>
FrontNumerics<S>::FrontNumerics(const NumericsContext<S>& context)
    : context_(context),
      fronts_(context.fronts),
      workspaces_(context.fronts.graph.max_workspace_bytes(), num_subtrees(context.fronts.graph), context.is_memory_scarce,
                  context.fronts.meter, context.regions),
      determinants_(static_cast<std::size_t>(context.fronts.symbolic.tree().num_nodes())) {}

template <Scalar S>
FactorizationReport FrontNumerics<S>::report() const {
  FactorizationReport report = report_;
  for (const Determinant& determinant : determinants_) {
    report.determinant *= determinant;
  }
  report.largest_entry = static_cast<double>(front_context().tolerances.largest);
  return report;
}

template <Scalar S>
void FrontNumerics<S>::run(Engine& engine) {
  set_events(engine);
  restore_stored_fronts();
  context_.pool.run([this, &engine] {
    const std::lock_guard lock(mutex_);
    engine.start();
  });
  if (!engine.finished()) {
    throw InternalError("the schedule stopped before its end");
  }
  report_.num_workers_seen = context_.pool.num_workers_seen();
}

template <Scalar S>
void FrontNumerics<S>::start(TaskId task) {
  const Task& what = graph().task(task);
  if (what.is_subtree) {
    submit({task, PartRole::master}, false, [this, task] { run_subtree(task); });
  } else if (what.type != NodeType::sequential) {
    begin_master(task);
  } else if (is_split_into_jobs(what) && (context_.pool.num_workers() > 1 || graph().tasks_move())) {
    // A single worker polls for messages between two jobs, and other ranks may wait for work.
    submit({task, PartRole::master}, false, [this, task] { std::make_shared<FrontRun>(*this, task)->assemble(); });
  } else {
    submit({task, PartRole::master}, false, [this, task] { run_front(task); });
  }
}

template <Scalar S>
LoggedWork FrontNumerics<S>::logged(FrontPart part) const {
  const Task& task = graph().task(part.task);
  return {task.node_end - 1, work_role(task, part.role)};
}

// Queues a job. Parts of fronts that are shared go before other tasks, since other ranks wait for them.
template <Scalar S>
void FrontNumerics<S>::submit(FrontPart part, bool urgent, std::function<void()> body, std::function<void()> otherwise) {
  const bool is_shared = graph().task(part.task).type != NodeType::sequential;
  const Index priority = 2 * (is_shared ? 0 : part.task) + (urgent ? 0 : 1);
  context_.pool.submit(priority,
                       [this, part, body = std::move(body), otherwise = std::move(otherwise)] { run_job(part, body, otherwise); });
}

// Does nothing, or runs `otherwise`, once something has failed, including a stop that is requested before the body.
template <Scalar S>
void FrontNumerics<S>::run_job(FrontPart part, const std::function<void()>& body, const std::function<void()>& otherwise) {
  if (stopped_) {
    if (otherwise) {
      otherwise();
    }
    return;
  }
  const SubnormalsFlushed flushed(context_.flushes_subnormals);
  const WorkLog::Scope logged_work(context_.log, logged(part));
  bool has_begun = false;
  try {
    stop_if(context_.observer);
    has_begun = true;
    body();
  } catch (...) {
    stopped_ = true;
    {
      const std::lock_guard lock(mutex_);
      events_->stop();
    }
    if (otherwise && !has_begun) {
      otherwise();
    }
    throw;
  }
}

template <Scalar S>
void FrontNumerics<S>::run_subtree(TaskId task) {
  const Task& what = graph().task(task);
  const auto cb_bytes = [&](NodeId node) {
    return ContributionArena::rounded(contribution_entries(tree(), node, method()) * static_cast<Count>(sizeof(S)));
  };
  const double begin = steady_seconds();
  Workspace workspace = workspaces_.take(what.workspace_bytes);
  FactorizationReport report;
  for (NodeId node = what.node_begin; node < what.node_end; ++node) {
    stop_if(context_.observer);
    const NodeId parent = tree().parent(node);
    const bool stays = parent != kNoParent && parent < what.node_end;
    fronts_.prepare(
        node,
        stays ? workspace.push(cb_bytes(node), ContributionArena::end_for_depth(tree().depth(node))) : fronts_.take_output(node),
        FrontShape::whole);
    fronts_.assemble_children(node, 0, front(node).factor.order);
    fronts_.give_back_children(node);
    for (const NodeId child : tree().children(node)) {
      workspace.pop(cb_bytes(child), ContributionArena::end_for_depth(tree().depth(child)));
    }
    eliminate_front(node, report);
  }
  workspaces_.give_back(std::move(workspace));
  timed(task, begin);
  finished(task, report);
}

template <Scalar S>
void FrontNumerics<S>::run_front(TaskId task) {
  const NodeId node = graph().task(task).node_begin;
  const double begin = steady_seconds();
  FactorizationReport report;
  expect_stored_children(task);
  fronts_.prepare(node, fronts_.take_output(node), FrontShape::whole);
  fronts_.assemble_children(node, 0, front(node).factor.order);
  fronts_.give_back_children(node);
  assembled(task);
  eliminate_front(node, report);
  timed(task, begin);
  finished(task, report);
}

template <Scalar S>
void FrontNumerics<S>::eliminate_front(NodeId node, FactorizationReport& report) {
  PivotCounts counts;
  if (node != tree().schur_node()) {
    counts = eliminate_whole_front(method(), front(node), front_context().tolerances, delays_nothing(node), context_.observer);
  }
  note_eliminated(node, counts, report);
}

// True for a root, for the last fronts before a Schur complement, or with static pivoting.
template <Scalar S>
bool FrontNumerics<S>::delays_nothing(NodeId node) const {
  return front_context().tolerances.is_static() || tree().must_eliminate_all(node);
}

// Returns the largest entry of pivot rows relative to that of the matrix.
template <Scalar S>
double FrontNumerics<S>::growth(RealOf<S> largest_entry) const {
  const RealOf<S> largest = front_context().tolerances.largest;
  return largest > 0 ? static_cast<double>(largest_entry / largest) : 0;
}

// The variables of a Schur complement are not delayed.
template <Scalar S>
Index FrontNumerics<S>::num_delayed_pivots(NodeId node) const {
  return node == tree().schur_node() ? 0 : fronts_.front(node).factor.num_delayed();
}

template <Scalar S>
LevelCounts& FrontNumerics<S>::level_of(NodeId node, FactorizationReport& report) const {
  return level_at_depth(report, tree().depth(node));
}

template <Scalar S>
void FrontNumerics<S>::note_eliminated(NodeId node, const PivotCounts& counts, FactorizationReport& report) {
  const FrontFactor<S>& factor = fronts_.front(node).factor;
  FrontSize size{fronts_.front(node).num_delayed_in, factor.num_fully_summed, factor.order};
  FrontShape shape = FrontShape::whole;
  std::vector<RowShare> shares;
  if (const TaskId task = graph().task_of_front(node); task != kNoTask && graph().task(task).type == NodeType::row_distributed) {
    const FrontPlan& plan = fronts_.plan({task, PartRole::master});
    size = front_size(tree(), graph(), plan);
    shape = FrontShape::summed_rows;
    shares = plan.shares;
  }
  count_eliminated(node, size, shape, counts, report);
  if (context_.watcher != nullptr) {
    context_.watcher->on_eliminated(node, factor);
  }
  if (front_context().store != nullptr) {
    front_context().store->take_factor(node, fronts_.front(node), size, shares, counts);
  }
  fronts_.give_back_eliminated(node);
}

template <Scalar S>
void FrontNumerics<S>::count_eliminated(NodeId node, const FrontSize& size, FrontShape shape, const PivotCounts& counts,
                                        FactorizationReport& report) {
  const FrontFactor<S>& factor = fronts_.front(node).factor;
  Determinant& determinant = determinants_[node];
  determinant = determinant_of_pivots(factor, method(), counts.exchanges);
  divide_by_scales(factor, front_context().matrix, determinant);
  FactorizationReport part = report_of_pivots(factor, method(), counts, front_context().symbolic.row_perm());
  part.num_delayed_pivots = num_delayed_pivots(node);
  part.pivot_growth = method() == Method::cholesky ? 1 : growth(largest_pivot_entry(factor, method()));
  FrontCost cost = elimination_cost(size.order, factor.num_eliminated, method());
  front_context().work.add_front(node, cost.flops, {fronts_.front(node).num_delayed_in, num_delayed_pivots(node)},
                                 front_context().meter.peak());
  if (shape == FrontShape::summed_rows) {
    const FrontCost slaves = slave_cost(size.order, factor.num_eliminated, size.num_fully_summed - factor.num_eliminated,
                                        size.order - factor.num_eliminated, method());
    cost = {cost.flops - slaves.flops, cost.entries - slaves.entries};
  }
  part.flops = cost.flops;
  part.factor_entries = static_cast<Count>(cost.entries);
  const FrontShape kept = kept_shape(tree(), node, shape, method(), front_context().kept);
  part.factor_bytes = front_bytes(size.order, size.num_fully_summed, method(), sizeof(S), kept);
  part.max_front_order = size.order;
  report += part;
  LevelCounts& level = level_of(node, report);
  ++level.num_fronts;
  level.num_delayed_pivots += part.num_delayed_pivots;
  level.num_two_by_two += part.num_two_by_two;
  level.num_null_pivots += static_cast<Count>(part.null_pivots.size());
  level.num_perturbed_pivots += part.num_perturbed_pivots;
  level.flops += cost.flops;
  level.max_front_order = std::max<Count>(level.max_front_order, size.order);
}

template <Scalar S>
void FrontNumerics<S>::assembled(TaskId task) {
  const std::lock_guard lock(mutex_);
  events_->on_assembled(task);
}

// Reports the time of a task whose only job ends now. Times are not needed where tasks do not move.
template <Scalar S>
void FrontNumerics<S>::timed(TaskId task, double begin) {
  if (!graph().tasks_move()) {
    return;
  }
  const double seconds = steady_seconds() - begin;
  const std::lock_guard lock(mutex_);
  events_->on_timed(task, seconds);
}

template <Scalar S>
void FrontNumerics<S>::finished(TaskId task, const FactorizationReport& part) {
  if (front_context().store != nullptr) {
    for (const NodeId top : task_tops(tree(), graph().task(task))) {
      front_context().store->take_block(top, front(top), false);
    }
  }
  const std::lock_guard lock(mutex_);
  take(part);
  events_->on_finished(task);
}

// Called with the lock held.
template <Scalar S>
void FrontNumerics<S>::take(const FactorizationReport& part) {
  report_ += part;
  if (context_.observer != nullptr && context_.flops > 0 && part.flops > 0) {
    const SubnormalsKept kept;  // progress() is the caller's code
    context_.observer->progress(std::min(1.0, report_.flops / context_.flops));
  }
}

template <Scalar S>
template <class Step>
void FrontNumerics<S>::submit_step(FrontPart part, Step step) {
  submit(part, true, [this, part, step = std::move(step)] { end_step(part, step()); });
}

// Returns the function for loops inside a step of a part.
template <Scalar S>
RunChunks FrontNumerics<S>::chunks(FrontPart part) {
  return [this, part](Index size, const ChunkBody& body) {
    run_in_chunks(context_.pool, 0, size, [&](Index begin, Index end) {
      const SubnormalsFlushed flushed(context_.flushes_subnormals);  // on each helping thread
      const WorkLog::Scope logged_work(context_.log, logged(part));
      body(begin, end);
    });
  };
}

template <Scalar S>
PartWork& FrontNumerics<S>::work_of(FrontPart part) {
  const std::lock_guard lock(works_mutex_);
  return *works_.at(part);
}

template <Scalar S>
PartStep FrontNumerics<S>::begin_work(FrontPart part, std::unique_ptr<PartWork> work) {
  PartWork& begun = *work;
  {
    const std::lock_guard lock(works_mutex_);
    works_[part] = std::move(work);
  }
  return begun.begin();
}

template <Scalar S>
FactorizationReport FrontNumerics<S>::slave_report(NodeId node, const SlaveRows<S>& rows) const {
  const Index e = rows.num_eliminated;
  const Index first = rows.size.num_fully_summed - e + rows.row_begin;
  const FrontCost cost = slave_cost(rows.size.order, e, first, first + rows.num_rows, method());
  FactorizationReport report;
  report.flops = cost.flops;
  level_of(node, report).flops = cost.flops;
  report.factor_entries = static_cast<Count>(cost.entries);
  report.factor_bytes = fronts_.keeps_slave_rows() ? rows.summed_entries() * static_cast<Count>(sizeof(S)) : 0;
  return report;
}

template <Scalar S>
void FrontNumerics<S>::begin_master(TaskId task) {
  submit_step({task, PartRole::master}, [this, task] {
    const NodeId node = graph().task(task).node_begin;
    const FrontPart part{task, PartRole::master};
    if (graph().task(task).type == NodeType::grid_distributed) {
      return begin_work(part, make_root_master_work(graph().root_grid().ranks));
    }
    fronts_.prepare(node, nullptr, FrontShape::summed_rows);
    chunks(part)(front(node).factor.num_fully_summed, [&](Index begin, Index end) { fronts_.assemble_children(node, begin, end); });
    fronts_.give_back_children(node);
    assembled(task);
    return begin_work(part, master_work(part));
  });
}

// Makes the work of an assembled part.
template <Scalar S>
std::unique_ptr<PartWork> FrontNumerics<S>::master_work(FrontPart part) {
  const NodeId node = graph().task(part.task).node_begin;
  const std::vector<RowShare>& shares = fronts_.plan(part).shares;
  std::unique_ptr<PartWork> work = make_master_work(method(), front(node).factor, shares, front_context().tolerances, chunks(part),
                                                    tree().must_eliminate_all(node));
  if (context_.rank_watcher != nullptr) {
    work = std::make_unique<WatchedMaster<S>>(std::move(work), node, front(node).factor, shares, *context_.rank_watcher);
  }
  return work;
}

template <Scalar S>
std::unique_ptr<PartWork> FrontNumerics<S>::slave_work(FrontPart part) {
  SlaveRows<S>& rows = fronts_.slave_rows(part.task);
  const Rank master = graph().task(part.task).rank;
  std::unique_ptr<PartWork> work =
      make_slave_work(method(), rows, master, fronts_.plan(part).shares, front_context().tolerances, chunks(part));
  if (context_.rank_watcher != nullptr) {
    work = std::make_unique<WatchedSlave<S>>(std::move(work), rows, master, *context_.rank_watcher);
  }
  return work;
}

template <Scalar S>
std::vector<std::byte> FrontNumerics<S>::right_sides_of(TaskId task) {
  ByteWriter writer;
  if (context_.rank_watcher != nullptr) {
    for (const NodeId node : task_tops(tree(), graph().task(task))) {
      context_.rank_watcher->write_contribution(node, writer);
    }
  }
  return writer.take();
}

template <Scalar S>
void FrontNumerics<S>::take_right_sides(TaskId child, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  for (const NodeId node : task_tops(tree(), graph().task(child))) {
    context_.rank_watcher->take_contribution(node, reader);
  }
  reader.expect_end();
}

template <Scalar S>
void FrontNumerics<S>::begin(FrontPart part) {
  if (part.role == PartRole::slave) {
    begin_slave(part.task);
    return;
  }
  root_work_ = std::make_unique<RootWork<S>>(
      front_context(), fronts_, part.task, [this]() -> RootSolver<S>& { return root(); },
      [this](NodeId node, FactorizationReport& report) { eliminate_front(node, report); });
  submit_root_step(part, [this](const auto& end) { root_work_->begin(end); });
}

template <Scalar S>
RootSolver<S>& FrontNumerics<S>::root() {
  if (!root_) {
    root_ = make_root_();
  }
  return *root_;
}

// Calls step(end), which passes its outcome to end(step).
template <Scalar S>
template <class Step>
void FrontNumerics<S>::submit_root_step(FrontPart part, Step step, std::function<void()> otherwise) {
  submit(
      part, true,
      [this, part, step = std::move(step)] { step([this, part](PartStep came_out) { end_step(part, std::move(came_out)); }); },
      std::move(otherwise));
}

template <Scalar S>
void FrontNumerics<S>::begin_slave(TaskId task) {
  submit_step({task, PartRole::slave}, [this, task] {
    const FrontPart part{task, PartRole::slave};
    fronts_.assemble_slave(task, chunks(part));
    return begin_work(part, slave_work(part));
  });
}

template <Scalar S>
void FrontNumerics<S>::step(FrontPart part, Rank from, std::vector<std::byte> body) {
  if (part.role == PartRole::grid) {
    submit_root_step(
        part, [this](const auto& end) { root_work_->enter(end); }, [this] { abandon_root(); });
    return;
  }
  submit_step(part, [this, part, from, shared = std::make_shared<const std::vector<std::byte>>(std::move(body))] {
    return work_of(part).receive(from, *shared);
  });
}

template <Scalar S>
void FrontNumerics<S>::go_on(FrontPart part) {
  if (part.role == PartRole::grid) {
    submit_root_step(part, [this](const auto& end) { root_work_->go_on(end); });
    return;
  }
  submit_step(part, [this, part] { return work_of(part).go_on(); });
}

template <Scalar S>
void FrontNumerics<S>::end_step(FrontPart part, PartStep step) {
  FactorizationReport report;
  const Task& task = graph().task(part.task);
  if (step.finished && part.role == PartRole::grid) {
    report = root_work_->report();
  } else if (step.finished && part.role == PartRole::master && task.type == NodeType::row_distributed) {
    const PartOutcome outcome = work_of(part).outcome();
    note_eliminated(task.node_begin, outcome.counts, report);
    report.num_panels_undone = outcome.num_panels_undone;
    if (front_context().store != nullptr) {
      front_context().store->take_block(task.node_begin, front(task.node_begin), true);
    }
  } else if (step.finished && part.role == PartRole::slave) {
    const SlaveRows<S>& rows = fronts_.slave_rows(part.task);
    if (front_context().store != nullptr) {
      front_context().store->take_rows(task.node_begin, rows);
    }
    report = slave_report(task.node_begin, rows);
    report.pivot_growth = growth(static_cast<RealOf<S>>(work_of(part).outcome().largest_entry));
    fronts_.give_back_eliminated_rows(part.task);
  }
  if (step.finished) {
    const std::lock_guard lock(works_mutex_);
    works_.erase(part);
  }
  const std::lock_guard lock(mutex_);
  take(report);
  events_->on_step(part, std::move(step));
}

FROND_INSTANTIATE_CLASS(FrontNumerics)

}  // namespace frond
