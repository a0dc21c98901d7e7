// SPDX-License-Identifier: BSD-3-Clause
// Copies the shares of ranks into whole fronts.
#include "tests/support/ranks/gathered_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "factorization/memory/factor_storage.hpp"
#include "factorization/memory/region_pool.hpp"
#include "factorization/root/root_solver.hpp"
#include "frond/dense.hpp"

namespace frond::test {
namespace {

template <Scalar S>
class Gathering {
 public:
  Gathering(const AssemblyTree& tree, Method method, const std::vector<RankFactors<S>>& ranks, FactorStorage& storage)
      : tree_(tree), method_(method), ranks_(ranks), storage_(storage) {}

  [[nodiscard]] FrontFactor<S> whole_front(NodeId node, Rank master) {
    const RankFactors<S>& part = ranks_[master];
    const FrontFactor<S>& summed = part.fronts[node];
    if (part.root && tree_.parent(node) == kNoParent && summed.lower == nullptr) {
      return root_front(node, summed);
    }
    if (!part.shares.contains(node)) {
      return summed;
    }
    const Index num_delayed_in = summed.num_fully_summed - tree_.num_fully_summed(node);
    FrontFactor<S> whole = storage_.template place<S>(tree_, node, num_delayed_in, method_, meter_);
    whole.num_eliminated = summed.num_eliminated;
    const Index p = whole.num_fully_summed;
    std::copy_n(summed.row_variables, p, whole.row_variables);
    std::copy_n(summed.col_variables, p, whole.col_variables);
    if (method_ != Method::cholesky) {
      std::copy_n(summed.pivots, p, whole.pivots);
    }
    if (whole.d != nullptr) {
      std::copy_n(summed.d, 2 * p, whole.d);
    }
    for (Index j = 0; j < p; ++j) {
      const Index first = method_ == Method::cholesky ? j : 0;
      std::copy(summed.lower + summed.layout.column_offset(j) + first, summed.lower + summed.layout.column_offset(j) + summed.order,
                whole.lower + whole.layout.column_offset(j) + first);
    }
    Index row = 0;
    for (const RowShare& share : part.shares.at(node)) {
      EXPECT_EQ(share.row_begin, row) << "node " << node;
      row = share.row_end;
      copy_rows(node, share, whole);
    }
    EXPECT_EQ(row, whole.cb_order()) << "node " << node;
    return whole;
  }

 private:
  // The root on a grid.
  [[nodiscard]] FrontFactor<S> root_front(NodeId node, const FrontFactor<S>& lists) {
    FrontFactor<S> whole =
        storage_.template place<S>(tree_, node, lists.num_fully_summed - tree_.num_fully_summed(node), method_, meter_);
    const Index p = whole.num_fully_summed;
    EXPECT_EQ(lists.num_eliminated, p);
    whole.num_eliminated = p;
    DenseMatrix<S> entries(p, p);
    for (const RankFactors<S>& rank : ranks_) {
      if (rank.root) {
        copy_to_whole(rank.root->part, entries.values.data());
      }
    }
    for (Index j = 0; j < p; ++j) {
      const Index first = method_ == Method::cholesky ? j : 0;
      std::copy(&entries(first, j), &entries(0, j) + p, whole.lower + whole.layout.column_offset(j) + first);
    }
    std::copy_n(lists.row_variables, p, whole.row_variables);
    if (method_ == Method::lu) {
      std::fill_n(whole.pivots, p, PivotKind::one_by_one);
      const std::vector<Index> exchanged = rows_after_pivoting(entries);
      for (Index i = 0; i < p; ++i) {
        whole.col_variables[i] = lists.col_variables[exchanged[i]];
      }
    }
    return whole;
  }

  // Returns P in P B = M N, which only the solvers know: with B x = b, M N x is P b, and b shows where each row comes from.
  [[nodiscard]] std::vector<Index> rows_after_pivoting(const DenseMatrix<S>& factors) {
    const Index p = factors.num_rows;
    std::vector<S> x(static_cast<std::size_t>(p));
    for (Index i = 0; i < p; ++i) {
      x[i] = static_cast<RealOf<S>>(i);
    }
    for (const RankFactors<S>& rank : ranks_) {
      if (rank.root) {
        rank.root->solver->solve(RootFactors::both, Operation::transposed, {x.data(), p, 1, p}, [] {});
      }
    }
    std::vector<Index> rows;
    std::vector<S> n_x(x.size());
    for (Index i = 0; i < p; ++i) {
      for (Index j = i; j < p; ++j) {
        n_x[i] += factors(i, j) * x[j];
      }
    }
    for (Index i = 0; i < p; ++i) {
      S sum = n_x[i];
      for (Index j = 0; j < i; ++j) {
        sum += factors(i, j) * n_x[j];
      }
      rows.push_back(static_cast<Index>(std::lround(std::real(sum))));
    }
    std::vector<Index> sorted = rows;
    std::sort(sorted.begin(), sorted.end());
    for (Index i = 0; i < p; ++i) {
      EXPECT_EQ(sorted[i], i) << "the root's rows are no permutation";
    }
    return rows;
  }

  void copy_rows(NodeId node, const RowShare& share, FrontFactor<S>& whole) {
    const auto& held = ranks_[share.rank].rows;
    ASSERT_TRUE(held.contains(node)) << "rank " << share.rank << ", node " << node;
    const RowFactor<S>& rows = held.at(node);
    EXPECT_EQ(rows.row_begin, share.row_begin);
    EXPECT_EQ(rows.rows.rows, share.row_end - share.row_begin);
    EXPECT_EQ(rows.num_eliminated, whole.num_eliminated);
    for (Index j = 0; j < whole.num_fully_summed; ++j) {
      S* to = method_ == Method::lu ? whole.upper + static_cast<Count>(j) * whole.cb_order()
                                    : whole.lower + whole.layout.column_offset(j) + whole.num_fully_summed;
      std::copy_n(rows.rows.column(j), rows.rows.rows, to + share.row_begin);
    }
  }

  const AssemblyTree& tree_;
  Method method_;
  const std::vector<RankFactors<S>>& ranks_;
  FactorStorage& storage_;
  MemoryMeter meter_{0};
};

}  // namespace

template <Scalar S>
Factors<S> gathered_factors(const std::shared_ptr<const Symbolic>& symbolic, Method method, const Mapping& mapping,
                            const std::vector<RankFactors<S>>& ranks) {
  const AssemblyTree& tree = symbolic->tree();
  const auto storage = std::make_shared<FactorStorage>(tree, method, sizeof(S), std::make_shared<RegionPool>(0));
  Gathering<S> gathering(tree, method, ranks, *storage);
  std::vector<FrontFactor<S>> fronts;
  std::size_t num_rows = 0;
  std::size_t num_shares = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    fronts.push_back(gathering.whole_front(node, mapping.master(node)));
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const RankFactors<S>& part = ranks[rank];
      EXPECT_TRUE(mapping.master(node) == static_cast<Rank>(rank) || part.fronts[node].lower == nullptr)
          << "node " << node << " is held by rank " << rank;
      num_rows += part.rows.count(node);
      num_shares += part.shares.contains(node) ? part.shares.at(node).size() : 0;
    }
  }
  EXPECT_EQ(num_rows, num_shares);
  return Factors<S>(symbolic, method, std::move(fronts), storage, {}, {});
}

#define FROND_INSTANTIATE(S)                                                                           \
  template Factors<S> gathered_factors(const std::shared_ptr<const Symbolic>&, Method, const Mapping&, \
                                       const std::vector<RankFactors<S>>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::test
