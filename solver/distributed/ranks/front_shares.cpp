// SPDX-License-Identifier: BSD-3-Clause
// Sends requests, multiplies, and adds up the products.
#include "solver/distributed/ranks/front_shares.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "solver/distributed/ranks/front_sides.hpp"
#include "solver/numerics/sweeps/front_solve.hpp"

namespace frond {

template <Scalar S>
void FrontShares<S>::ask(NodeId node, SharedRows<S> shared) {
  const std::vector<RowShare>& shares = system_.factors.shares.at(node);
  const Index p = front(node).num_fully_summed;
  const bool is_forward = shared.direction == SweepDirection::forward;
  const auto rows_between = [&](Index begin, Index end) {
    const S* data = shared.rows.data();
    return std::span<const S>(data + static_cast<Count>(begin) * shared.num_rhs, data + static_cast<Count>(end) * shared.num_rhs);
  };
  std::vector<Rows> products(shares.size());
  Index num_missing = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::span<const S> rows =
        is_forward ? rows_between(0, front(node).num_eliminated) : rows_between(p + shares[i].row_begin, p + shares[i].row_end);
    if (shares[i].rank == outbox_.rank()) {
      products[i] = product(node, shared.direction, Rows(rows.begin(), rows.end()));
    } else {
      outbox_.send(shares[i].rank, encoded(is_forward ? SolveMessage::forward_rows : SolveMessage::backward_rows, node, rows));
      ++num_missing;
    }
  }
  waiting_.insert_or_assign(node, Waiting{std::move(shared), std::move(products), num_missing});
}

template <Scalar S>
void FrontShares<S>::take_product(NodeId node, Rank from, Rows product) {
  const std::vector<RowShare>& shares = system_.factors.shares.at(node);
  const auto share = std::find_if(shares.begin(), shares.end(), [from](const RowShare& s) { return s.rank == from; });
  Waiting& waiting = waiting_.at(node);
  const bool is_forward = waiting.shared.direction == SweepDirection::forward;
  expect_rows(product.size(), is_forward ? share->row_end - share->row_begin : front(node).num_eliminated, waiting.shared.num_rhs);
  waiting.products[share - shares.begin()] = std::move(product);
  --waiting.num_missing;
}

template <Scalar S>
SharedRows<S> FrontShares<S>::finish(NodeId node) {
  Waiting waiting = std::move(waiting_.extract(node).mapped());
  const std::vector<RowShare>& shares = system_.factors.shares.at(node);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Rows& product = waiting.products[i];
    const Index first =
        waiting.shared.direction == SweepDirection::forward ? front(node).num_fully_summed + shares[i].row_begin : 0;
    S* to = waiting.shared.rows.data() + static_cast<Count>(first) * waiting.shared.num_rhs;
    std::transform(product.begin(), product.end(), to, to, std::plus<>());
  }
  return std::move(waiting.shared);
}

template <Scalar S>
auto FrontShares<S>::product(NodeId node, SweepDirection direction, const Rows& rows) const -> Rows {
  const RowFactor<S>& slave = system_.factors.rows.at(node);
  const Index num_rows = slave.rows.rows;
  const Index e = slave.num_eliminated;
  const Index num_asked = direction == SweepDirection::forward ? e : num_rows;
  const Index num_answered = direction == SweepDirection::forward ? num_rows : e;
  const auto num_rhs = static_cast<Index>(rows.size() / static_cast<std::size_t>(num_asked));
  Rows product(static_cast<std::size_t>(num_rhs) * static_cast<std::size_t>(num_answered));
  const DenseView<const S> from{rows.data(), num_rhs, num_asked, num_rhs};
  const DenseView<S> to{product.data(), num_rhs, num_answered, num_rhs};
  if (direction == SweepDirection::forward) {
    subtract_forward<S>(slave, from, to);
  } else {
    subtract_backward<S>(slave, from, to);
  }
  return product;
}

FROND_INSTANTIATE_CLASS(FrontShares)

}  // namespace frond
