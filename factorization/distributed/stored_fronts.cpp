// SPDX-License-Identifier: BSD-3-Clause
// RankFronts: fronts that were finished before, out of the store.
#include <complex>
#include <mutex>
#include <utility>

#include "factorization/distributed/rank_fronts.hpp"

namespace frond {

template <Scalar S>
PivotCounts RankFronts<S>::restore(NodeId node) {
  place(node, FrontShape::whole);
  return context_.store->read_factor(node, front(node).factor);
}

template <Scalar S>
void RankFronts<S>::read_stored_children(NodeId node) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const TaskId task = context_.graph.task_of_front(node);
  Part expected;
  Index num_delayed_in = 0;
  for (const NodeId child : tree.children(node)) {
    const FrontFactor<S>& factor = front(child).factor;
    if (context_.is_stored(child)) {
      RowStream stream{child, {kNoTask, PartRole::master}, {task, PartRole::master}};
      stream.row_end = tree.cb_order(child);
      stream.num_delayed = factor.num_delayed();
      stream.delayed_begin = num_delayed_in;
      stream.has_delayed_rows = stream.num_delayed > 0;
      StreamedChild& streamed = expected.children[child];
      streamed.delayed = delayed_variables(factor, context_.method);
      const Count bytes = stream_bytes(stream);
      streamed.incoming.push_back({stream, context_.arena.take(bytes, ContributionArena::end_for_depth(tree.depth(child)))});
      context_.store->read_rows(stream, {streamed.incoming.back().memory.data, static_cast<std::size_t>(bytes)});
    }
    num_delayed_in += factor.num_delayed();
  }
  if (!expected.children.empty()) {
    const std::lock_guard lock(mutex_);
    parts_[{task, PartRole::master}] = std::move(expected);
  }
}

template PivotCounts RankFronts<float>::restore(NodeId);
template void RankFronts<float>::read_stored_children(NodeId);
template PivotCounts RankFronts<double>::restore(NodeId);
template void RankFronts<double>::read_stored_children(NodeId);
template PivotCounts RankFronts<std::complex<float>>::restore(NodeId);
template void RankFronts<std::complex<float>>::read_stored_children(NodeId);
template PivotCounts RankFronts<std::complex<double>>::restore(NodeId);
template void RankFronts<std::complex<double>>::read_stored_children(NodeId);

}  // namespace frond
