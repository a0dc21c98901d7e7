// SPDX-License-Identifier: BSD-3-Clause
// Runs the forward step of a front: its children's contributions, its master's part, its slaves' parts, its own contribution.
#include "solver/distributed/ranks/rank_forward_elimination.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "matrices/parallel.hpp"
#include "solver/numerics/sweeps/front_solve.hpp"

namespace frond {

// The threads that share large products. Hidden here, so that users of Frond need not know TBB.
template <Scalar S>
struct RankForwardElimination<S>::Threads {
  explicit Threads(int num_threads) : arena(threads_with_core(num_threads)) {}
  tbb::task_arena arena;
};

template <Scalar S>
RankForwardElimination<S>::RankForwardElimination(const Symbolic& symbolic, const Mapping& mapping, Rank rank, Index num_rhs,
                                                  int num_threads)
    : tree_(symbolic.tree()),
      mapping_(mapping),
      rank_(rank),
      num_rhs_(num_rhs),
      threads_(std::make_unique<Threads>(num_threads)),
      sides_(tree_, nodes_of_master(mapping, rank)),
      shared_(at(tree_.num_nodes())),
      eliminated_{num_rhs, std::vector<Rows>(at(tree_.num_nodes())), std::vector<std::vector<Index>>(at(tree_.num_nodes()))} {
  sides_.clear(num_rhs);
}

template <Scalar S>
RankForwardElimination<S>::~RankForwardElimination() = default;

template <Scalar S>
DenseView<S> RankForwardElimination<S>::view_of(Rows& rows) const {
  return {rows.data(), num_rhs_, static_cast<Index>(static_cast<Count>(rows.size()) / std::max(num_rhs_, Index{1})), num_rhs_};
}

template <Scalar S>
auto RankForwardElimination<S>::assemble(NodeId node, const FrontFactor<S>& front) -> Rows {
  FrontPlaces places;
  return sides_.assemble(node, {front.row_variables, static_cast<std::size_t>(front.num_fully_summed)}, places);
}

template <Scalar S>
std::vector<S> RankForwardElimination<S>::on_rows_eliminated(NodeId node, const FrontFactor<S>& front) {
  Rows& rows = shared_[at(node)];
  rows = assemble(node, front);
  threads_->arena.execute([&] { forward_solve<S>(front, Method::lu, SolveSide::plain, view_of(rows)); });
  return {rows.begin(), rows.begin() + front.num_eliminated * num_rhs_};
}

template <Scalar S>
std::vector<S> RankForwardElimination<S>::product_of_rows(const RowFactor<S>& rows, std::span<const S> eliminated) const {
  expect_rows(eliminated.size(), rows.num_eliminated, num_rhs_);
  Rows product(static_cast<std::size_t>(static_cast<Count>(rows.rows.rows) * num_rhs_));
  const DenseView<const S> x{eliminated.data(), num_rhs_, rows.num_eliminated, num_rhs_};
  threads_->arena.execute([&] { subtract_forward<S>(rows, x, view_of(product)); });
  return product;
}

template <Scalar S>
void RankForwardElimination<S>::add_product(NodeId node, const RowShare& share, std::span<const S> product) {
  expect_rows(product.size(), share.row_end - share.row_begin, num_rhs_);
  const DenseView<S> f = view_of(shared_[at(node)]);
  S* to = f.column(f.cols - tree_.cb_order(node) + share.row_begin);
  std::transform(product.begin(), product.end(), to, to, std::plus<>());
}

template <Scalar S>
void RankForwardElimination<S>::on_eliminated(NodeId node, const FrontFactor<S>& front) {
  Rows rows;
  if (mapping_.type(node) == NodeType::row_distributed) {
    rows = std::exchange(shared_[at(node)], {});
  } else {
    rows = assemble(node, front);
    threads_->arena.execute([&] { forward_solve<S>(front, Method::lu, SolveSide::plain, view_of(rows)); });
  }
  diagonal_solve<S>(front, Method::lu, view_of(rows));
  const auto behind = rows.begin() + front.num_eliminated * num_rhs_;
  eliminated_.rows[at(node)].assign(rows.begin(), behind);
  const Index e = front.num_eliminated;
  const Index p = front.num_fully_summed;
  sides_.from(node) = {{front.row_variables + e, front.row_variables + p}, {behind, rows.end()}};
  eliminated_.delayed_unknowns[at(node)].assign(front.col_variables + e, front.col_variables + p);
}

template <Scalar S>
void RankForwardElimination<S>::write_contribution(NodeId node, ByteWriter& writer) {
  const SideContribution<S> contribution = std::exchange(sides_.from(node), {});
  writer.list(contribution.delayed);
  writer.list(eliminated_.delayed_unknowns[at(node)]);
  writer.list(contribution.rows);
}

template <Scalar S>
void RankForwardElimination<S>::take_contribution(NodeId node, ByteReader& reader) {
  sides_.from(node).delayed = reader.list<Index>();
  eliminated_.delayed_unknowns[at(node)] = reader.list<Index>();
  sides_.from(node).rows = reader.list<S>();
}

template <Scalar S>
EliminatedSides<S> RankForwardElimination<S>::finish(const RankFactors<S>& factors) {
  const NodeId root = mapping_.root_grid().node;
  if (factors.root && mapping_.master(root) == rank_) {
    eliminated_.rows[at(root)] = assemble(root, factors.fronts[at(root)]);
  }
  return std::move(eliminated_);
}

FROND_INSTANTIATE_CLASS(RankForwardElimination)

}  // namespace frond
