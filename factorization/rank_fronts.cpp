// SPDX-License-Identifier: BSD-3-Clause
// The life of fronts, elimination apart.
#include "factorization/rank_fronts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "matrices/error.hpp"

namespace frond {

template <Scalar S>
RankFronts<S>::RankFronts(const FrontContext<S>& context)
    : context_(context),
      fronts_(static_cast<std::size_t>(context.symbolic.tree().num_nodes())),
      delayed_begin_(fronts_.size(), 0),
      outputs_(fronts_.size()) {}

template <Scalar S>
auto RankFronts<S>::find_part(FrontPart part) const -> const Part* {
  const std::lock_guard lock(mutex_);
  const auto found = parts_.find(part);
  return found == parts_.end() ? nullptr : &found->second;
}

template <Scalar S>
void RankFronts<S>::prepare(NodeId node, std::byte* cb, FrontShape shape) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const TaskId task = context_.graph.task_of_front(node);
  const Part* part = task == kNoTask ? nullptr : find_part({task, PartRole::master});
  NumericFront<S>& parent = front(node);
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
    delayed_begin_[static_cast<std::size_t>(child)] = parent.num_delayed_in;
    parent.num_delayed_in += static_cast<Index>(delayed_of(child).first.size());
  }
  parent.factor = context_.storage.template place<S>(tree, node, parent.num_delayed_in, context_.method, context_.meter, shape);
  parent.cb_layout = contribution_layout(shape == FrontShape::whole ? tree.cb_order(node) : 0, context_.method);
  parent.cb = reinterpret_cast<S*>(cb);
  for (const NodeId child : tree.children(node)) {
    const auto [rows, columns] = delayed_of(child);
    const Index begin = delayed_begin_[static_cast<std::size_t>(child)];
    std::copy(rows.begin(), rows.end(), parent.factor.row_variables + begin);
    std::copy(columns.begin(), columns.end(), parent.factor.col_variables + begin);
  }
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
      add_streamed(part->children.at(child), child, begin, end, FrontTarget<S>(context_.method, parent));
    } else {
      extend_add(context_.method,
                 ChildFront<S>{&front(child), tree.relative_indices(child), delayed_begin_[static_cast<std::size_t>(child)]}, begin,
                 end, parent);
    }
  }
}

template <Scalar S>
void RankFronts<S>::add_streamed(const StreamedChild& child, NodeId node, Index begin, Index end,
                                 const FrontTarget<S>& parent) const {
  for (const Incoming& incoming : child.incoming) {
    const RowStream& stream = incoming.stream;
    const ChildRows<S> rows{stream.has_delayed_rows,
                            stream.row_begin,
                            stream.row_end,
                            static_cast<Index>(child.delayed.rows.size()),
                            child.delayed_begin,
                            context_.symbolic.tree().relative_indices(node),
                            reinterpret_cast<const S*>(incoming.memory.data)};
    add_child_rows(context_.method, rows, begin, end, parent);
  }
}

template <Scalar S>
std::byte* RankFronts<S>::take_output(NodeId node) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const Count bytes = contribution_entries(tree, node, context_.method) * static_cast<Count>(sizeof(S));
  ContributionArena::Piece& piece = outputs_[static_cast<std::size_t>(node)];
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
  context_.arena.give_back(std::exchange(outputs_[static_cast<std::size_t>(node)], {}));
  front(node).cb = nullptr;
}

template <Scalar S>
void RankFronts<S>::assemble_slave(TaskId task) {
  Part& part = *find_part({task, PartRole::slave});
  const FrontTarget<S> target(context_.method, part.rows);
  const NodeId node = context_.graph.task(task).node_begin;
  std::fill_n(part.rows.cb, part.rows.cb_entries(context_.method), S(0));
  assemble_entries(context_.symbolic, context_.method, context_.matrix, node, target);
  for (auto& [child, streamed] : part.children) {
    add_streamed(streamed, child, 0, part.rows.size.order, target);
    give_back(streamed);
  }
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
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(task))) {
    const FrontFactor<S>& from = front(node).factor;
    DelayedVariables& delayed = announcement.tops.emplace_back();
    delayed.rows.assign(from.row_variables + from.num_eliminated, from.row_variables + from.num_fully_summed);
    if (context_.method == Method::lu) {
      delayed.columns.assign(from.col_variables + from.num_eliminated, from.col_variables + from.num_fully_summed);
    }
  }
  const std::lock_guard lock(mutex_);
  if (const auto part = parts_.find({task, PartRole::master}); part != parts_.end()) {
    announcement.shares = part->second.plan.shares;
  }
  return announcement;
}

template <Scalar S>
std::vector<RowStream> RankFronts<S>::streams_to(const FrontPlan& plan, FrontPart part, Rank rank) const {
  std::vector<RowStream> streams;
  for (const ChildOutput& child : plan.children) {
    if (!context_.graph.is_direct(child.task)) {
      for (const RowStream& stream : row_streams(context_.symbolic.tree(), context_.graph, child, plan.shares)) {
        if (stream.target == part && stream.to == rank) {
          streams.push_back(stream);
        }
      }
    }
  }
  return streams;
}

template <Scalar S>
Count RankFronts<S>::stream_bytes(const RowStream& stream, Index num_delayed) const {
  const Index cb_order = context_.symbolic.tree().cb_order(stream.child);
  return stream_entries(stream, num_delayed, cb_order, context_.method) * static_cast<Count>(sizeof(S));
}

template <Scalar S>
SlaveRows<S> RankFronts<S>::empty_rows(const FrontPlan& plan, Rank rank) const {
  const auto share = std::find_if(plan.shares.begin(), plan.shares.end(), [rank](const RowShare& one) { return one.rank == rank; });
  SlaveRows<S> rows;
  rows.size = front_size(context_.symbolic.tree(), context_.graph, plan);
  rows.row_begin = share->row_begin;
  rows.num_rows = share->row_end - share->row_begin;
  return rows;
}

template <Scalar S>
Count RankFronts<S>::bytes_to_expect(const FrontPlan& plan, FrontPart part, Rank rank) const {
  Count bytes = 0;
  const std::vector<RowStream> streams = streams_to(plan, part, rank);
  for (const ChildOutput& child : plan.children) {
    const std::vector<NodeId> tops = task_tops(context_.symbolic.tree(), context_.graph.task(child.task));
    for (std::size_t top = 0; top < tops.size(); ++top) {
      for (const RowStream& stream : streams) {
        if (stream.child == tops[top]) {
          bytes += stream_bytes(stream, static_cast<Index>(child.announcement.tops[top].rows.size()));
        }
      }
    }
  }
  if (part.role == PartRole::slave) {
    const SlaveRows<S> rows = empty_rows(plan, rank);
    bytes += (rows.summed_entries() + rows.cb_entries(context_.method)) * static_cast<Count>(sizeof(S));
  }
  return bytes;
}

template <Scalar S>
std::vector<SizedStream> RankFronts<S>::expect(const FrontPlan& plan, FrontPart part, Rank rank) {
  const AssemblyTree& tree = context_.symbolic.tree();
  std::vector<SizedStream> sized;
  Part expected;
  expected.plan = plan;
  const std::vector<RowStream> streams = streams_to(plan, part, rank);
  Index delayed_begin = 0;
  for (const ChildOutput& child : plan.children) {
    const std::vector<NodeId> tops = task_tops(tree, context_.graph.task(child.task));
    for (std::size_t top = 0; top < tops.size(); ++top) {
      const DelayedVariables& delayed = child.announcement.tops[top];
      const auto num_delayed = static_cast<Index>(delayed.rows.size());
      if (!context_.graph.is_direct(child.task)) {
        StreamedChild& streamed = expected.children[tops[top]];
        streamed.delayed = delayed;
        streamed.delayed_begin = delayed_begin;
        for (const RowStream& stream : streams) {
          if (stream.child == tops[top]) {
            const Count bytes = stream_bytes(stream, num_delayed);
            const ContributionArena::End end = ContributionArena::end_for_depth(tree.depth(tops[top]));
            streamed.incoming.push_back({stream, context_.arena.take(bytes, end)});
            sized.push_back({stream, bytes});
          }
        }
      }
      delayed_begin += num_delayed;
    }
  }
  if (part.role == PartRole::slave) {
    constexpr auto kScalarBytes = static_cast<Count>(sizeof(S));
    expected.rows = empty_rows(plan, rank);
    expected.cb = context_.arena.take(expected.rows.cb_entries(context_.method) * kScalarBytes, ContributionArena::End::low);
    expected.rows.cb = reinterpret_cast<S*>(expected.cb.data);
    expected.rows.summed =
        reinterpret_cast<S*>(context_.storage.place_unplanned(expected.rows.summed_entries() * kScalarBytes, context_.meter));
  }
  const std::lock_guard lock(mutex_);
  parts_[part] = std::move(expected);
  return sized;
}

template <Scalar S>
void RankFronts<S>::cancel(FrontPart part) {
  Part& canceled = *find_part(part);
  for (auto& [node, child] : canceled.children) {
    give_back(child);
  }
  context_.arena.give_back(canceled.cb);
  context_.storage.give_back_unplanned(reinterpret_cast<std::byte*>(canceled.rows.summed), context_.meter);
  const std::lock_guard lock(mutex_);
  parts_.erase(part);
}

template <Scalar S>
void RankFronts<S>::write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) {
  for (const Incoming& incoming : find_part(stream.target)->children.at(stream.child).incoming) {
    if (incoming.stream.source == stream.source && incoming.stream.from == stream.from) {
      std::memcpy(incoming.memory.data + offset, bytes.data(), bytes.size());
    }
  }
}

template <Scalar S>
RowImage<S> RankFronts<S>::image_of(const RowStream& stream) const {
  return stream.source.role == PartRole::master ? RowImage<S>(context_.method, front(stream.child), stream)
                                                : RowImage<S>(context_.method, find_part(stream.source)->rows, stream);
}

template <Scalar S>
std::vector<SizedStream> RankFronts<S>::streams_from(FrontPart part, Rank rank, const std::vector<RowShare>& parent_shares) const {
  ChildOutput output{part.task, {}};
  if (part.role == PartRole::master) {
    output.announcement = announce(part.task);
  } else {
    output.announcement = {{{}}, plan(part).shares};
  }
  std::vector<SizedStream> sized;
  for (const RowStream& stream : row_streams(context_.symbolic.tree(), context_.graph, output, parent_shares)) {
    if (stream.source == part && stream.from == rank) {
      sized.push_back({stream, image_of(stream).num_bytes()});
    }
  }
  return sized;
}

template <Scalar S>
void RankFronts<S>::read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const {
  image_of(stream).read(offset, bytes);
}

template <Scalar S>
void RankFronts<S>::release(FrontPart part) {
  if (part.role == PartRole::slave) {
    context_.arena.give_back(std::exchange(find_part(part)->cb, {}));
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
RankFactors<S> RankFronts<S>::take_factors(std::shared_ptr<FactorStorage> storage) const {
  RankFactors<S> factors;
  factors.fronts = take_fronts();
  factors.storage = std::move(storage);
  const std::lock_guard lock(mutex_);
  for (const auto& [id, part] : parts_) {
    const NodeId node = context_.graph.task(id.task).node_begin;
    if (id.role == PartRole::slave) {
      factors.rows[node] = {part.rows.row_begin, part.rows.num_eliminated, part.rows.summed_view()};
    } else if (!part.plan.shares.empty()) {
      factors.shares[node] = part.plan.shares;
    }
  }
  return factors;
}

template class RankFronts<float>;
template class RankFronts<double>;
template class RankFronts<std::complex<float>>;
template class RankFronts<std::complex<double>>;

}  // namespace frond
