// SPDX-License-Identifier: BSD-3-Clause
// Imitates the life of fronts in front_numerics.cpp and rank_fronts.cpp, in bytes and seconds.
#include "factorization/ghosts/ghost_fronts.hpp"

#include <algorithm>
#include <utility>

#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/root_assembly.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/root/root_work.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Sizes do not depend on the scalar.
using AnyScalar = double;

GhostStep message_to(Rank master, PartMessageKind kind) {
  GhostStep made;
  made.step.messages.push_back({{master}, PartRole::master, encode_part(kind)});
  made.step.finished = kind == PartMessageKind::done;
  return made;
}

}  // namespace

GhostFronts::GhostFronts(GhostContext context, Count memory_limit) : context_(std::move(context)), memory_(memory_limit) {}

// What stays with the factors.
Count GhostFronts::factor_bytes(NodeId node, FrontShape shape) const {
  return front_bytes(context_.tree.front_order(node), context_.tree.num_fully_summed(node), context_.method, context_.scalar_bytes,
                     shape);
}

// Gives back the streams to a part, which are assembled. Returns the number of entries.
double GhostFronts::take_streams(Part& part) {
  give_back_active(std::exchange(part.stream_bytes, 0));
  return std::exchange(part.stream_entries, 0);
}

// Gives back the contribution block that a sequential front leaves to its parent.
void GhostFronts::give_back_output(NodeId node) {
  if (context_.store != nullptr) {
    context_.store->let_go(node, PartRole::master);
  }
  give_back_active(output_bytes(node));
}

// Stores the fronts of a task that one rank does, and what they leave.
void GhostFronts::store_whole(const Task& task) const {
  if (context_.store == nullptr) {
    return;
  }
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    context_.store->take_factor(node, PartRole::master, factor_bytes(node, FrontShape::whole), 0);
  }
  for (const NodeId top : task_tops(context_.tree, task)) {
    if (context_.tree.parent(top) != kNoParent) {
      context_.store->take_block(top, PartRole::master, output_bytes(top));
    }
  }
}

// Stores a part of a row-distributed front.
void GhostFronts::store_part(FrontPart id) const {
  if (context_.store == nullptr || task_of(id).type != NodeType::row_distributed) {
    return;
  }
  const NodeId node = task_of(id).node_begin;
  const Part& part = parts_.at(id);
  if (id.role == PartRole::slave) {
    context_.store->take_factor(node, id.role, part.factor_bytes, 0);
    context_.store->take_block(node, id.role, part.cb_bytes);
  } else {
    context_.store->take_factor(node, id.role, factor_bytes(node, FrontShape::summed_rows),
                                static_cast<Rank>(part.plan.shares.size()));
  }
}

void GhostFronts::give_back_children(NodeId node) {
  const auto part = parts_.find({context_.graph.task_of_front(node), PartRole::master});
  for (const NodeId child : context_.tree.children(node)) {
    if (part == parts_.end() || !part->second.streamed.contains(child)) {
      give_back_output(child);
    }
  }
  if (part != parts_.end()) {
    take_streams(part->second);
  }
}

// Returns the seconds for memory that was used for the first time since the last call: pages that the system clears.
double GhostFronts::fresh_seconds() {
  const Count before = std::exchange(fresh_bytes_paid_, memory_.peak());
  return static_cast<double>(memory_.peak() - before) * context_.costs.seconds_per_fresh_byte;
}

// Returns the number of entries of the matrix that belong to the front.
double GhostFronts::original_entries(NodeId node) const {
  if (context_.entries == nullptr) {
    return 0;
  }
  const Index begin = context_.tree.variable_begin(node);
  const Index end = begin + context_.tree.num_fully_summed(node);
  return static_cast<double>(context_.entries->entries_begin(end) - context_.entries->entries_begin(begin));
}

double GhostFronts::assembly_seconds(double entries, double original_entries, NodeId node) const {
  return context_.costs.assembly(entries, context_.tree.front_order(node)) +
         original_entries * context_.costs.seconds_per_original_entry;
}

double GhostFronts::elimination_seconds(double flops, NodeId node) const {
  return context_.costs.seconds_per_front +
         context_.costs.elimination(flops, context_.tree.front_order(node), context_.tree.num_fully_summed(node));
}

// Returns the seconds of a step of a part of a front.
double GhostFronts::part_seconds(double flops, FrontPart part) const {
  const NodeId node = task_of(part).node_begin;
  const Index order = context_.tree.front_order(node);
  const Index num_pivots = context_.tree.num_fully_summed(node);
  double seconds = 0;
  if (part.role == PartRole::grid) {
    seconds = context_.costs.elimination(flops, order, num_pivots);
  } else if (part.role == PartRole::master) {
    seconds = context_.costs.master(flops, order, num_pivots);
  } else {
    const RowShare& share = share_of(parts_.at(part).plan.shares, context_.rank);
    seconds = context_.costs.slave(flops, order, share.row_end - share.row_begin);
  }
  return context_.costs.seconds_per_front + seconds;
}

Count GhostFronts::restore(const FinishedNodes& finished, const Mapping& mapping) {
  Count num_bytes = 0;
  for (NodeId node = 0; node < context_.tree.num_nodes(); ++node) {
    if (finished[node] == Finished::no || mapping.master(node) != context_.rank) {
      continue;
    }
    form(node, FrontShape::whole);
    num_bytes += factor_bytes(node, FrontShape::whole);
    num_bytes += context_.graph.task_of_front(node) == kNoTask ? 0 : output_bytes(node);
  }
  return num_bytes;
}

void GhostFronts::expect_stored_children(TaskId task) {
  if (const auto plan = plan_of_stored_children(context_.graph, task, [this](TaskId child) { return announce(child); })) {
    (void)expect(*plan, {task, PartRole::master});
  }
}

void GhostFronts::start(TaskId task) {
  const Task& what = context_.graph.task(task);
  const FrontPart part{task, PartRole::master};
  const Index priority = 2 * task + 1;
  if (what.is_subtree) {
    context_.workers.submit(priority, part, subtree_job(task));
  } else if (what.type == NodeType::sequential) {
    context_.workers.submit(priority, part, front_job(task));
  } else if (what.type == NodeType::row_distributed) {
    context_.workers.submit(0, part, master_job(task));
  } else {
    root_master_ = make_root_master_work(context_.graph.root_grid().ranks);
    submit_step(part, [this] { return GhostStep{root_master_->begin()}; });
  }
}

GhostJob GhostFronts::subtree_job(TaskId task) {
  return [this, task, has_begun = false, begin = 0.0]() mutable -> std::optional<double> {
    const Task& what = context_.graph.task(task);
    if (std::exchange(has_begun, true)) {
      give_back_active(what.workspace_bytes);
      events_->on_timed(task, context_.workers.now() - begin);
      eliminated(task);
      return std::nullopt;
    }
    begin = context_.workers.now();
    take_active(what.workspace_bytes);
    double seconds = 0;
    for (NodeId node = what.node_begin; node < what.node_end; ++node) {
      form(node, FrontShape::whole);
      const FrontCost cost = front_cost(context_.tree, node, context_.method);
      seconds += assembly_seconds(cost.entries, original_entries(node), node) + elimination_seconds(cost.flops, node);
    }
    for (const NodeId top : task_tops(context_.tree, what)) {
      take_active(output_bytes(top));
    }
    return seconds + fresh_seconds();
  };
}

// Takes this many seconds altogether, in pieces between which a rank with one worker polls for messages.
GhostJob GhostFronts::elimination_job(TaskId task, double seconds, Index num_pieces) {
  return [this, task, seconds, num_pieces, has_begun = false]() mutable -> std::optional<double> {
    if (!std::exchange(has_begun, true)) {
      return seconds / num_pieces;
    }
    if (num_pieces > 1) {
      context_.workers.submit(2 * task + 1, {task, PartRole::master},
                              elimination_job(task, seconds - seconds / num_pieces, num_pieces - 1));
      return std::nullopt;
    }
    eliminated(task);
    return std::nullopt;
  };
}

// Splits the elimination where other ranks may wait for an answer between two jobs.
Index GhostFronts::num_pieces(const Task& task) const {
  const bool is_split = context_.graph.tasks_move() && is_split_into_jobs(task);
  return is_split ? 1 + context_.tree.num_fully_summed(task.node_begin) / kPanelWidth : 1;
}

void GhostFronts::eliminated(TaskId task) {
  const Task& what = context_.graph.task(task);
  flops_ += what.cost.flops;
  store_whole(what);
  events_->on_finished(task);
}

GhostJob GhostFronts::front_job(TaskId task) {
  return [this, task, phase = 0, begin = 0.0]() mutable -> std::optional<double> {
    const Task& what = context_.graph.task(task);
    const NodeId node = what.node_begin;
    switch (phase++) {
      case 0:
        begin = context_.workers.now();
        expect_stored_children(task);
        form(node, FrontShape::whole);
        take_active(output_bytes(node));
        return fresh_seconds() + assembly_seconds(what.cost.entries, original_entries(node), node);
      case 1:
        give_back_children(node);
        events_->on_assembled(task);
        if (num_pieces(what) > 1) {
          context_.workers.submit(2 * task + 1, {task, PartRole::master},
                                  elimination_job(task, elimination_seconds(what.cost.flops, node), num_pieces(what)));
          return std::nullopt;
        }
        return elimination_seconds(what.cost.flops, node);
      default:
        events_->on_timed(task, context_.workers.now() - begin);
        eliminated(task);
        return std::nullopt;
    }
  };
}

GhostJob GhostFronts::master_job(TaskId task) {
  return [this, task, phase = 0, begun = GhostStep()]() mutable -> std::optional<double> {
    const NodeId node = context_.graph.task(task).node_begin;
    const FrontPart id{task, PartRole::master};
    Part& part = parts_.at(id);
    switch (phase++) {
      case 0:
        form(node, FrontShape::summed_rows);
        return fresh_seconds() + assembly_seconds(part.stream_entries, original_entries(node), node);
      case 1:
        give_back_children(node);
        events_->on_assembled(task);
        part.work = make_ghost_master(ghost_front(part));
        begun = made(part, part.work->begin());
        return seconds_of(id, begun);
      default:
        tell(id, begun);
        return std::nullopt;
    }
  };
}

double GhostFronts::seconds_of(FrontPart part, const GhostStep& made) {
  const NodeId node = task_of(part).node_begin;
  return fresh_seconds() + assembly_seconds(made.entries, made.original_entries, node) + part_seconds(made.flops, part);
}

void GhostFronts::tell(FrontPart part, const GhostStep& made) {
  flops_ += made.flops;
  if (made.step.finished) {
    store_part(part);
  }
  events_->on_step(part, made.step);
}

// The parts of a distributed front go before other tasks, since other ranks wait for them.
void GhostFronts::submit_step(FrontPart part, std::function<GhostStep()> make) {
  context_.workers.submit(
      0, part, [this, part, make = std::move(make), made = std::optional<GhostStep>()]() mutable -> std::optional<double> {
        if (made) {
          tell(part, *made);
          return std::nullopt;
        }
        made = make();
        return seconds_of(part, *made);
      });
}

GhostFront GhostFronts::ghost_front(Part& part) const {
  return {front_size(context_.tree, context_.graph, part.plan),
          context_.method,
          context_.scalar_bytes,
          context_.real_bytes,
          part.plan.master,
          part.plan.shares,
          part.flops};
}

GhostFronts::PartSize GhostFronts::size_of(const FrontPlan& plan, FrontPart part) const {
  const FrontSize size = front_size(context_.tree, context_.graph, plan);
  if (part.role == PartRole::slave) {
    const RowShare& share = share_of(plan.shares, context_.rank);
    const SlaveRows<AnyScalar> rows{size, share.row_begin, share.row_end - share.row_begin};
    return {rows.summed_entries() * context_.scalar_bytes,
            ContributionArena::rounded(rows.cb_entries(context_.method) * context_.scalar_bytes)};
  }
  if (part.role == PartRole::grid) {
    const RootGrid& grid = context_.graph.root_grid();
    const RootLayout layout(size.order, grid);
    const Count bytes = layout.num_entries(position_on(grid, layout, context_.rank)) * context_.scalar_bytes;
    return {bytes, context_.method == Method::lu ? ContributionArena::rounded(bytes) : 0};
  }
  return {};
}

Count GhostFronts::stream_bytes(const RowStream& stream) const {
  Count entries = stream_entries(stream, context_.tree.cb_order(stream.child), context_.method);
  if (stream.target.role == PartRole::grid) {
    const RootGrid& grid = context_.graph.root_grid();
    const RootLayout layout(context_.tree.front_order(grid.node) + stream.num_delayed_in, grid);
    const ChildRows<AnyScalar> rows{stream.has_delayed_rows,
                                    stream.row_begin,
                                    stream.row_end,
                                    stream.num_delayed,
                                    stream.delayed_begin,
                                    context_.tree.relative_indices(stream.child),
                                    nullptr};
    entries = RootPiece<AnyScalar>(layout, context_.method, rows, stream.num_delayed_in, position_on(grid, layout, stream.to))
                  .num_entries();
  }
  return entries * context_.scalar_bytes;
}

std::vector<SizedStream> GhostFronts::streams_to(const FrontPlan& plan, FrontPart part) const {
  return streams_to_part(context_.tree, context_.graph, plan, part, context_.rank,
                         [this](const RowStream& stream) { return stream_bytes(stream); });
}

Announcement GhostFronts::announce(TaskId task) const {
  Announcement announcement;
  announcement.tops.resize(task_tops(context_.tree, context_.graph.task(task)).size());
  if (const auto part = parts_.find({task, PartRole::master}); part != parts_.end()) {
    announcement.shares = part->second.plan.shares;
  }
  return announcement;
}

Count GhostFronts::bytes_to_expect(const FrontPlan& plan, FrontPart part) const {
  const PartSize size = size_of(plan, part);
  Count bytes = size.factor_bytes + size.cb_bytes;
  const std::vector<SizedStream> streams = streams_to(plan, part);
  return bytes + waiting_bytes(streams, children_added_on_arrival(part, streams));
}

std::vector<SizedStream> GhostFronts::expect(const FrontPlan& plan, FrontPart part) {
  std::vector<SizedStream> streams = streams_to(plan, part);
  const PartSize size = size_of(plan, part);
  Part expected;
  expected.plan = plan;
  for (const ChildOutput& child : plan.children) {
    if (!is_in_place(context_.graph, plan.master, child)) {
      const std::vector<NodeId> tops = task_tops(context_.tree, context_.graph.task(child.task));
      expected.streamed.insert(tops.begin(), tops.end());
    }
  }
  const std::vector<NodeId> added = children_added_on_arrival(part, streams);
  for (const SizedStream& sized : streams) {
    const bool waits = !std::binary_search(added.begin(), added.end(), sized.stream.child);
    expected.stream_bytes += waits ? ContributionArena::rounded(sized.num_bytes) : 0;
    const std::size_t num_entries = sized.num_bytes / context_.scalar_bytes;
    expected.stream_entries += static_cast<double>(num_entries);
  }
  expected.factor_bytes = size.factor_bytes;
  expected.cb_bytes = part.role == PartRole::slave ? size.cb_bytes : 0;  // for a rank of the grid: when it is copied
  take_active(expected.stream_bytes + expected.cb_bytes);
  memory_.charge(size.factor_bytes);
  parts_[part] = std::move(expected);
  return streams;
}

void GhostFronts::cancel(FrontPart part) {
  const Part& canceled = parts_.at(part);
  give_back_active(canceled.stream_bytes + canceled.cb_bytes);
  memory_.release(canceled.factor_bytes);
  parts_.erase(part);
}

std::vector<RowShare> GhostFronts::shares_of(FrontPart part) const {
  const auto own = parts_.find(part);
  return own == parts_.end() ? std::vector<RowShare>() : own->second.plan.shares;
}

void GhostFronts::release(FrontPart part) {
  if (part.role == PartRole::slave) {
    if (context_.store != nullptr) {
      context_.store->let_go(task_of(part).node_begin, PartRole::slave);
    }
    give_back_active(std::exchange(parts_.at(part).cb_bytes, 0));
    return;
  }
  if (task_of(part).type != NodeType::sequential) {
    return;  // its master holds no contribution rows
  }
  for (const NodeId top : task_tops(context_.tree, task_of(part))) {
    give_back_output(top);
  }
}

void GhostFronts::begin(FrontPart part) {
  submit_step(part, [this, part] { return assemble_part(part); });
}

GhostStep GhostFronts::assemble_part(FrontPart id) {
  Part& part = parts_.at(id);
  GhostStep step;
  const double entries = take_streams(part);
  if (id.role == PartRole::grid) {
    step = message_to(task_of(id).rank, PartMessageKind::ready);
    part.cb_bytes = size_of(part.plan, id).cb_bytes;
    take_active(part.cb_bytes);
  } else {
    part.work = make_ghost_slave(ghost_front(part), context_.rank);
    step = made(part, part.work->begin());
  }
  step.original_entries = original_entries(task_of(id).node_begin);
  step.entries = entries;
  return step;
}

// Factorizes on all ranks of the grid together.
GhostStep GhostFronts::factorize_root(FrontPart id) {
  Part& part = parts_.at(id);
  GhostStep made = message_to(task_of(id).rank, PartMessageKind::done);
  const FrontSize size = front_size(context_.tree, context_.graph, part.plan);
  made.flops = elimination_cost(size.order, size.order, context_.method).flops /
               static_cast<double>(context_.graph.root_grid().ranks.size());
  give_back_active(std::exchange(part.cb_bytes, 0));
  return made;
}

void GhostFronts::step(FrontPart part, Rank from, std::vector<std::byte> body) {
  const auto shared = std::make_shared<const std::vector<std::byte>>(std::move(body));
  submit_step(part, [this, part, from, shared] {
    if (part.role == PartRole::grid) {
      return factorize_root(part);
    }
    if (task_of(part).type == NodeType::grid_distributed) {
      return GhostStep{root_master_->receive(from, *shared)};
    }
    Part& own = parts_.at(part);
    return made(own, own.work->receive(from, *shared));
  });
}

void GhostFronts::go_on(FrontPart part) {
  submit_step(part, [this, part] {
    Part& own = parts_.at(part);
    return made(own, own.work->go_on());
  });
}

}  // namespace frond
