// SPDX-License-Identifier: BSD-3-Clause
// The life of fronts, except elimination.
#include "factorization/distributed/rank_fronts.hpp"

#include <algorithm>
#include <cstring>

#include "factorization/distributed/moved_fronts.hpp"
#include "factorization/distributed/rank_root.hpp"
#include "factorization/distributed/stored_fronts.hpp"
#include "frond/error.hpp"

namespace frond {
template <Scalar S>
RankFronts<S>::RankFronts(const FrontContext<S>& context)
    : context_(context),
      fronts_(static_cast<std::size_t>(context.symbolic.tree().num_nodes())),
      delayed_begin_(fronts_.size(), 0),
      outputs_(fronts_.size()),
      passing_(fronts_.size()) {}

template <Scalar S>
auto RankFronts<S>::find_part(FrontPart part) const -> const Part* {
  const std::lock_guard lock(mutex_);
  const auto found = parts_.find(part);
  return found == parts_.end() ? nullptr : &found->second;
}

// Takes memory for a front that its master executes or holds, and for the list of its pivots.
template <Scalar S>
void RankFronts<S>::place(NodeId node, FrontShape shape) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const TaskId task = context_.graph.task_of_front(node);
  const bool is_on_grid = task != kNoTask && context_.graph.task(task).type == NodeType::grid_distributed;
  const Part* part = task == kNoTask ? nullptr : find_part({task, is_on_grid ? PartRole::grid : PartRole::master});
  NumericFront<S>& parent = front(node);
  parent.num_delayed_in = 0;
  const auto delayed_of = [&](NodeId child) {
    const FrontFactor<S>& from = front(child).factor;
    const auto num_delayed = static_cast<std::size_t>(from.num_delayed());
    std::pair<std::span<const Index>, std::span<const Index>> variables{{from.row_variables + from.num_eliminated, num_delayed},
                                                                        {from.col_variables + from.num_eliminated, num_delayed}};
    if (part != nullptr && part->children.contains(child)) {
      const DelayedVariables& delayed = part->children.at(child).delayed;
      variables = {delayed.rows, is_symmetric(context_.method) ? delayed.rows : delayed.columns};
    }
    return variables;
  };
  for (const NodeId child : tree.children(node)) {
    delayed_begin_[child] = parent.num_delayed_in;
    parent.num_delayed_in += static_cast<Index>(delayed_of(child).first.size());
  }
  context_.work.check_front(node, parent.num_delayed_in, context_.meter.peak());
  parent.factor = take_front(node, parent.num_delayed_in, shape);
  const bool holds_contribution_rows = parent.factor.order > parent.factor.num_fully_summed;
  parent.factor.num_schur_rows = holds_contribution_rows ? tree.num_schur_rows(node) : 0;
  for (const NodeId child : tree.children(node)) {
    const auto [rows, columns] = delayed_of(child);
    const Index begin = delayed_begin_[child];
    std::copy(rows.begin(), rows.end(), parent.factor.row_variables + begin);
    std::copy(columns.begin(), columns.end(), parent.factor.col_variables + begin);
  }
}

// Fronts that are kept whole lie in the storage, others next to their contribution block, at whose end they are given back first.
template <Scalar S>
FrontFactor<S> RankFronts<S>::take_front(NodeId node, Index num_delayed_in, FrontShape shape) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const FrontShape kept = kept_shape(tree, node, shape, context_.method, context_.kept);
  if (kept == shape) {
    return context_.storage.template place<S>(tree, node, num_delayed_in, context_.method, context_.meter, shape);
  }
  const Count bytes = passing_bytes(tree.front_order(node) + num_delayed_in, tree.num_fully_summed(node) + num_delayed_in,
                                    context_.method, sizeof(S), shape, kept);
  ContributionArena::Piece& passing = passing_[node];
  passing = context_.arena.take(bytes, ContributionArena::end_for_depth(tree.depth(node)));
  std::fill_n(passing.data, passing.bytes, std::byte{0});
  return lay_out_front<S>(passing.data, tree, node, num_delayed_in, context_.method, shape);
}

template <Scalar S>
void RankFronts<S>::prepare(NodeId node, std::byte* cb, FrontShape shape) {
  place(node, shape);
  NumericFront<S>& parent = front(node);
  const Index cb_order = shape == FrontShape::whole ? context_.symbolic.tree().cb_order(node) : 0;
  parent.cb_layout = contribution_layout(cb_order, context_.method);
  parent.cb = reinterpret_cast<S*>(cb);
  assemble_entries(context_.symbolic, context_.method, context_.matrix, node, FrontTarget<S>(context_.method, parent));
}

template <Scalar S>
void RankFronts<S>::assemble_children(NodeId node, Index begin, Index end) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const TaskId task = context_.graph.task_of_front(node);
  const Part* part = task == kNoTask ? nullptr : find_part({task, PartRole::master});
  NumericFront<S>& parent = front(node);
  clear_contribution(begin, end, parent);
  for (const NodeId child : tree.children(node)) {
    if (part != nullptr && part->children.contains(child)) {
      add_streamed(part->children.at(child), begin, end, FrontTarget<S>(context_.method, parent));
    } else {
      extend_add(context_.method, ChildFront<S>{&front(child), tree.relative_indices(child), delayed_begin_[child]}, begin, end,
                 parent);
    }
  }
}

template <Scalar S>
void RankFronts<S>::add_streamed(const StreamedChild& child, Index begin, Index end, const FrontTarget<S>& parent) const {
  for (const Incoming& incoming : child.incoming) {
    add_child_rows(context_.method, child_rows(incoming.stream, incoming.memory.data), begin, end, parent);
  }
}

template <Scalar S>
ChildRows<S> RankFronts<S>::child_rows(const RowStream& stream, const std::byte* entries) const {
  return {stream.has_delayed_rows,
          stream.row_begin,
          stream.row_end,
          stream.num_delayed,
          stream.delayed_begin,
          context_.symbolic.tree().relative_indices(stream.child),
          reinterpret_cast<const S*>(entries)};
}

template <Scalar S>
std::byte* RankFronts<S>::take_output(NodeId node) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const Count bytes = contribution_entries(tree, node, context_.method) * static_cast<Count>(sizeof(S));
  ContributionArena::Piece& piece = outputs_[node];
  piece = context_.arena.take(bytes, ContributionArena::end_for_depth(tree.depth(node)));
  return piece.data;
}

template <Scalar S>
void RankFronts<S>::give_back_children(NodeId node) {
  const TaskId task = context_.graph.task_of_front(node);
  Part* part = task == kNoTask ? nullptr : find_part({task, PartRole::master});
  for (const NodeId child : context_.symbolic.tree().children(node)) {
    if (part != nullptr && part->children.contains(child)) {
      give_back(part->children.at(child));
    } else {
      give_back(child);
    }
  }
}

template <Scalar S>
void RankFronts<S>::give_back(StreamedChild& child) {
  for (Incoming& incoming : child.incoming) {
    context_.arena.give_back(std::exchange(incoming.memory, {}));
  }
}

template <Scalar S>
void RankFronts<S>::give_back(NodeId node) {
  if (context_.store != nullptr) {
    context_.store->let_go(node, PartRole::master);
  }
  give_back_passing(node);
  context_.arena.give_back(std::exchange(outputs_[node], {}));
  front(node).cb = nullptr;
}

template <Scalar S>
void RankFronts<S>::give_back_passing(NodeId node) {
  ContributionArena::Piece& passing = passing_[node];
  if (passing.data == nullptr) {
    return;
  }
  front(node).factor = context_.kept == KeptFactors::none ? FrontFactor<S>{} : kept_part(node);
  context_.arena.give_back(std::exchange(passing, {}));
}

// Copies M of an eliminated front, and the lists of its pivots, to the storage.
template <Scalar S>
FrontFactor<S> RankFronts<S>::kept_part(NodeId node) const {
  const FrontFactor<S>& whole = front(node).factor;
  FrontFactor<S> kept = context_.storage.template place<S>(context_.symbolic.tree(), node, front(node).num_delayed_in,
                                                           context_.method, context_.meter, FrontShape::unit_lower);
  kept.num_eliminated = whole.num_eliminated;
  kept.num_schur_rows = whole.num_schur_rows;
  for (Index col = 0; col < whole.num_eliminated; ++col) {
    const Index first = kept.layout.block_begin(col / kept.layout.width);
    const S* from = whole.lower + whole.layout.column_offset(col);
    std::copy(from + first, from + whole.order, kept.lower + kept.layout.column_offset(col) + first);
  }
  std::copy_n(whole.row_variables, whole.num_fully_summed, kept.row_variables);
  std::copy_n(whole.col_variables, whole.num_fully_summed, kept.col_variables);
  std::copy_n(whole.pivots, whole.num_fully_summed, kept.pivots);
  return kept;
}

template <Scalar S>
void RankFronts<S>::give_back_eliminated(NodeId node) {
  if (front(node).factor.num_delayed() == 0) {
    give_back_passing(node);
  }
}

template <Scalar S>
void RankFronts<S>::give_back_eliminated_rows(TaskId task) {
  Part& part = *find_part({task, PartRole::slave});
  if (part.rows.num_eliminated == part.rows.size.num_fully_summed) {
    give_back_slave_rows(part);
  }
}

template <Scalar S>
S* RankFronts<S>::take_slave_rows(Part& part) const {
  const Count bytes = part.rows.summed_entries() * static_cast<Count>(sizeof(S));
  if (keeps_slave_rows()) {
    return reinterpret_cast<S*>(context_.storage.place_unplanned(bytes, context_.meter));
  }
  part.passing = context_.arena.take(bytes, ContributionArena::End::low);
  std::fill_n(part.passing.data, part.passing.bytes, std::byte{0});
  return reinterpret_cast<S*>(part.passing.data);
}

template <Scalar S>
void RankFronts<S>::give_back_slave_rows(Part& part) const {
  if (part.passing.data != nullptr) {
    context_.arena.give_back(std::exchange(part.passing, {}));
    part.rows.summed = nullptr;
  }
}

template <Scalar S>
void RankFronts<S>::assemble_slave(TaskId task, const RunChunks& run_chunks) {
  Part& part = *find_part({task, PartRole::slave});
  const FrontTarget<S> target(context_.method, part.rows);
  for (auto& [child, streamed] : part.children) {
    if (!streamed.incoming.empty()) {
      run_chunks(part.rows.size.order,
                 [&, &child_streams = streamed](Index begin, Index end) { add_streamed(child_streams, begin, end, target); });
      give_back(streamed);
    }
  }
  assemble_entries(context_.symbolic, context_.method, context_.matrix, context_.graph.task(task).node_begin, target);
}

template <Scalar S>
SlaveRows<S>& RankFronts<S>::slave_rows(TaskId task) {
  return find_part({task, PartRole::slave})->rows;
}

template <Scalar S>
const FrontPlan& RankFronts<S>::plan(FrontPart part) const {
  return find_part(part)->plan;
}

template <Scalar S>
Announcement RankFronts<S>::announce(TaskId task) const {
  Announcement announcement;
  if (const Task& what = context_.graph.task(task); what.is_stored) {
    announcement.tops.push_back(context_.store->delayed(what.node_begin));
    return announcement;
  }
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(task))) {
    announcement.tops.push_back(delayed_variables(front(node).factor, context_.method));
  }
  const std::lock_guard lock(mutex_);
  if (const auto part = parts_.find({task, PartRole::master}); part != parts_.end()) {
    announcement.shares = part->second.plan.shares;
  }
  return announcement;
}

template <Scalar S>
std::vector<SizedStream> RankFronts<S>::streams_to(const FrontPlan& plan, FrontPart part) const {
  return streams_to_part(context_.symbolic.tree(), context_.graph, plan, part, context_.rank,
                         [this](const RowStream& stream) { return stream_bytes(stream); });
}

template <Scalar S>
Count RankFronts<S>::stream_bytes(const RowStream& stream) const {
  const Count entries = stream.target.role == PartRole::grid
                            ? root_piece(stream).num_entries()
                            : stream_entries(stream, context_.symbolic.tree().cb_order(stream.child), context_.method);
  return entries * static_cast<Count>(sizeof(S));
}

template <Scalar S>
SlaveRows<S> RankFronts<S>::empty_rows(const FrontSize& size, const std::vector<RowShare>& shares) const {
  const RowShare& share = share_of(shares, context_.rank);
  SlaveRows<S> rows;
  rows.size = size;
  rows.row_begin = share.row_begin;
  rows.num_rows = share.row_end - share.row_begin;
  return rows;
}

template <Scalar S>
Count RankFronts<S>::bytes_to_expect(const FrontPlan& plan, FrontPart part) const {
  Count entries = 0;
  if (part.role == PartRole::slave) {
    const SlaveRows<S> rows = empty_rows(front_size(context_.symbolic.tree(), context_.graph, plan), plan.shares);
    entries = rows.summed_entries() + rows.cb_entries(context_.method);
  } else if (part.role == PartRole::grid) {
    const RootPart<S> root = empty_root(plan);
    entries = root.layout.num_entries(root.position) * (has_root_copy() ? 2 : 1);
  }
  const std::vector<SizedStream> streams = streams_to(plan, part);
  return entries * static_cast<Count>(sizeof(S)) + waiting_bytes(streams, children_added_on_arrival(part, streams));
}

template <Scalar S>
std::vector<SizedStream> RankFronts<S>::expect(const FrontPlan& plan, FrontPart part) {
  const AssemblyTree& tree = context_.symbolic.tree();
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(S));
  const Task& task = context_.graph.task(plan.task);
  const FrontSize size = front_size(tree, context_.graph, plan);
  if (plan.master == context_.rank) {
    context_.work.check_front(task.node_begin, size.num_delayed_in, context_.meter.peak());
  } else {
    context_.work.check_shared_front(task.node_begin, size.num_delayed_in, context_.meter.peak());
  }
  Part expected;
  expected.plan = plan;
  for (const ChildOutput& child : plan.children) {
    const std::vector<NodeId> tops = task_tops(tree, context_.graph.task(child.task));
    for (std::size_t top = 0; top < tops.size() && !is_in_place(context_.graph, plan.master, child); ++top) {
      expected.children[tops[top]].delayed = child.announcement.tops[top];
    }
  }
  std::vector<SizedStream> streams = streams_to(plan, part);
  for (const NodeId child : children_added_on_arrival(part, streams)) {
    expected.children.at(child).is_added_on_arrival = true;
  }
  for (const auto& [stream, bytes] : streams) {
    if (StreamedChild& child = expected.children.at(stream.child); !child.is_added_on_arrival) {
      const ContributionArena::End end = ContributionArena::end_for_depth(tree.depth(stream.child));
      child.incoming.push_back({stream, context_.arena.take(bytes, end)});
    }
  }
  if (part.role == PartRole::slave) {
    expected.rows = empty_rows(size, plan.shares);
    expected.cb = context_.arena.take(expected.rows.cb_entries(context_.method) * kScalarBytes, ContributionArena::End::low);
    expected.rows.cb = reinterpret_cast<S*>(expected.cb.data);
    std::fill_n(expected.rows.cb, expected.rows.cb_entries(context_.method), S(0));
    expected.rows.summed = take_slave_rows(expected);
  } else if (part.role == PartRole::grid) {
    RootPart<S>& root = expected.root.emplace(empty_root(plan));
    const Count bytes = root.layout.num_entries(root.position) * kScalarBytes;
    root.entries = reinterpret_cast<S*>(context_.storage.place_unplanned(bytes, context_.meter));
  }
  {
    const std::lock_guard lock(mutex_);
    parts_[part] = std::move(expected);
  }
  read_stored(part, streams);
  return streams;
}

template <Scalar S>
void RankFronts<S>::cancel(FrontPart part) {
  Part& canceled = *find_part(part);
  for (auto& [node, child] : canceled.children) {
    give_back(child);
  }
  context_.arena.give_back(canceled.cb);
  if (keeps_slave_rows()) {
    context_.storage.give_back_unplanned(reinterpret_cast<std::byte*>(canceled.rows.summed), context_.meter);
  }
  give_back_slave_rows(canceled);
  const std::lock_guard lock(mutex_);
  parts_.erase(part);
}

template <Scalar S>
void RankFronts<S>::write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) {
  const Part& part = *find_part(stream.target);
  const StreamedChild& child = part.children.at(stream.child);
  if (child.is_added_on_arrival) {
    add_arrived(part, stream, offset, bytes);
    return;
  }
  for (const Incoming& incoming : child.incoming) {
    if (incoming.stream.source == stream.source && incoming.stream.from == stream.from) {
      std::memcpy(incoming.memory.data + offset, bytes.data(), bytes.size());
    }
  }
}

// Adds a piece of a stream that has arrived.
template <Scalar S>
void RankFronts<S>::add_arrived(const Part& part, const RowStream& stream, Count offset, std::span<const std::byte> bytes) {
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(S));
  const Count begin = offset / kScalarBytes;
  const Count end = begin + static_cast<Count>(bytes.size()) / kScalarBytes;
  const S* entries = reinterpret_cast<const S*>(bytes.data());
  if (stream.target.role == PartRole::grid) {
    root_piece(stream).add(begin, end, entries, part.root->entries);
  } else {
    add_piece_of_rows(context_.method, child_rows(stream, nullptr), begin, end, entries,
                      FrontTarget<S>(context_.method, part.rows));
  }
}

template <Scalar S>
RowImage<S> RankFronts<S>::image_of(const RowStream& stream) const {
  return stream.source.role == PartRole::master ? RowImage<S>(context_.method, front(stream.child), stream)
                                                : RowImage<S>(context_.method, find_part(stream.source)->rows, stream);
}

template <Scalar S>
std::vector<RowShare> RankFronts<S>::shares_of(FrontPart part) const {
  const Part* own = find_part(part);
  return own == nullptr ? std::vector<RowShare>() : own->plan.shares;
}

template <Scalar S>
void RankFronts<S>::read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const {
  const RowImage<S> image = image_of(stream);
  if (stream.target.role != PartRole::grid) {
    image.read(offset, bytes);
    return;
  }
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(S));
  const Count begin = offset / kScalarBytes;
  const Count end = (offset + static_cast<Count>(bytes.size()) + kScalarBytes - 1) / kScalarBytes;
  std::vector<S> entries(static_cast<std::size_t>(end - begin));
  root_piece(stream).pack([&image](Count k) { return image.entry(k); }, begin, end, entries.data());
  std::memcpy(bytes.data(), reinterpret_cast<const std::byte*>(entries.data()) + (offset - begin * kScalarBytes), bytes.size());
}

template <Scalar S>
void RankFronts<S>::release(FrontPart part) {
  if (part.role == PartRole::slave) {
    Part& slave = *find_part(part);
    if (context_.store != nullptr) {
      context_.store->let_go(context_.graph.task(part.task).node_begin, PartRole::slave);
    }
    give_back_slave_rows(slave);
    context_.arena.give_back(std::exchange(slave.cb, {}));
    return;
  }
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(part.task))) {
    give_back(node);
  }
}

template <Scalar S>
std::vector<FrontFactor<S>> RankFronts<S>::take_fronts() const {
  std::vector<FrontFactor<S>> factors;
  factors.reserve(fronts_.size());
  for (const NumericFront<S>& numeric : fronts_) {
    factors.push_back(numeric.factor);
  }
  return factors;
}

template <Scalar S>
RankFactors<S> RankFronts<S>::take_factors(const std::shared_ptr<FactorStorage>& storage,
                                           const std::shared_ptr<RootSolver<S>>& solver) const {
  RankFactors<S> factors;
  factors.fronts = take_fronts();
  factors.storage = storage;
  factors.shares = finished_shares_;
  for (const auto& [node, rows] : finished_rows_) {
    factors.rows[node] = {rows.row_begin, rows.num_eliminated, rows.summed_view()};
  }
  if (finished_root_) {
    factors.root = RootFactor<S>{*finished_root_, solver};
  }
  const std::lock_guard lock(mutex_);
  for (const auto& [id, part] : parts_) {
    const NodeId node = context_.graph.task(id.task).node_begin;
    if (id.role == PartRole::slave && keeps_slave_rows()) {
      factors.rows[node] = {part.rows.row_begin, part.rows.num_eliminated, part.rows.summed_view()};
    } else if (id.role == PartRole::grid) {
      if (part.root) {
        factors.root = RootFactor<S>{*part.root, solver};
      }
    } else if (id.role == PartRole::master && !part.plan.shares.empty()) {
      factors.shares[node] = part.plan.shares;
    }
  }
  return factors;
}

FROND_INSTANTIATE_CLASS(RankFronts)

}  // namespace frond
