// SPDX-License-Identifier: BSD-3-Clause
// Cuts factors into shares: copies rows of L, and refers to rows of N^T.
#include "tests/support/ranks/cut_factors.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "factorization/memory/factor_storage.hpp"

namespace frond::testing {
namespace {

// Gives consecutive rows to different ranks; no share is empty.
std::vector<RowShare> draw_shares(Index num_rows, Rank num_ranks, std::mt19937& random) {
  std::vector<Rank> ranks(static_cast<std::size_t>(num_ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), random);
  const Index num_shares = 1 + static_cast<Index>(random() % static_cast<unsigned>(std::min(num_rows, num_ranks)));
  std::vector<Index> cuts(static_cast<std::size_t>(num_rows - 1));
  std::iota(cuts.begin(), cuts.end(), 1);
  std::shuffle(cuts.begin(), cuts.end(), random);
  cuts.resize(static_cast<std::size_t>(num_shares - 1));
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(num_rows);
  std::vector<RowShare> shares;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    shares.push_back({ranks[i], i == 0 ? 0 : cuts[i - 1], cuts[i]});
  }
  return shares;
}

template <Scalar S>
class Cutter {
 public:
  Cutter(Method method, CutFactors<S>& cut) : method_(method), cut_(cut) {}

  void share(NodeId node, Rank master, const FrontFactor<S>& front, const std::vector<RowShare>& shares) {
    RankFactors<S>& part = cut_.ranks[master];
    part.shares[node] = shares;
    for (const RowShare& share : shares) {
      cut_.ranks[share.rank].rows[node] = {share.row_begin, front.num_eliminated, rows_of(front, share.row_begin, share.row_end)};
      ++(share.rank == master ? cut_.num_masters_shares : cut_.num_others_shares);
    }
    FrontFactor<S>& own = part.fronts[node];
    own = front;
    if (method_ == Method::lu) {
      own.upper = nullptr;
    } else {
      const Index p = front.num_fully_summed;
      own.order = p;
      own.layout = front_layout(p, p, method_);
      own.lower = memory(own.layout.size());
      for (Index j = 0; j < front.num_eliminated; ++j) {
        std::copy_n(front.lower + front.layout.column_offset(j) + j, p - j, own.lower + own.layout.column_offset(j) + j);
      }
    }
    ++cut_.num_shared;
  }

 private:
  S* memory(Count size) {
    cut_.memory.emplace_back(static_cast<std::size_t>(size), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
    return cut_.memory.back().data();
  }

  DenseView<S> rows_of(const FrontFactor<S>& front, Index begin, Index end) {
    const Index p = front.num_fully_summed;
    if (method_ == Method::lu) {
      return DenseView<S>{front.upper, front.cb_order(), p, front.cb_order()}.block(begin, 0, end - begin, p);
    }
    const DenseView<S> rows{memory(static_cast<Count>(end - begin) * p), end - begin, p, end - begin};
    for (Index j = 0; j < front.num_eliminated; ++j) {
      std::copy_n(front.lower + front.layout.column_offset(j) + p + begin, end - begin, rows.column(j));
    }
    return rows;
  }

  Method method_;
  CutFactors<S>& cut_;
};

}  // namespace

template <Scalar S>
CutFactors<S> cut_factors(const Factors<S>& factors, const Mapping& mapping, double share_probability, std::mt19937& random) {
  const AssemblyTree& tree = factors.symbolic().tree();
  CutFactors<S> cut;
  cut.ranks.resize(static_cast<std::size_t>(mapping.num_ranks()));
  for (RankFactors<S>& part : cut.ranks) {
    part.fronts.resize(static_cast<std::size_t>(tree.num_nodes()));
  }
  Cutter<S> cutter(factors.method(), cut);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontFactor<S>& front = factors.front(node);
    const Rank master = mapping.master(node);
    if (front.cb_order() > 0 && std::bernoulli_distribution(share_probability)(random)) {
      cutter.share(node, master, front, draw_shares(front.cb_order(), mapping.num_ranks(), random));
    } else {
      cut.ranks[master].fronts[node] = front;
    }
    if (tree.parent(node) != kNoParent && mapping.master(tree.parent(node)) != master) {
      cut.num_travelling_delays += front.num_delayed();
    }
  }
  return cut;
}

template CutFactors<float> cut_factors(const Factors<float>&, const Mapping&, double, std::mt19937&);
template CutFactors<double> cut_factors(const Factors<double>&, const Mapping&, double, std::mt19937&);
template CutFactors<std::complex<float>> cut_factors(const Factors<std::complex<float>>&, const Mapping&, double, std::mt19937&);
template CutFactors<std::complex<double>> cut_factors(const Factors<std::complex<double>>&, const Mapping&, double, std::mt19937&);

}  // namespace frond::testing
