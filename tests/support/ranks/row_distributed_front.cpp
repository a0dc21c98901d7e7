// SPDX-License-Identifier: BSD-3-Clause
// Plays the parts of master and slaves.
#include "tests/support/ranks/row_distributed_front.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/cholesky_rows.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/ldlt_rows.hpp"
#include "factorization/kernels/lu.hpp"
#include "factorization/kernels/lu_rows.hpp"
#include "factorization/memory/factor_storage.hpp"

namespace frond::test {
namespace {

// Runs the last chunk first: their order is free.
void in_small_chunks(Index size, const ChunkBody& body) {
  constexpr Index kWidth = 5;
  for (Index end = size; end > 0; end = (end - 1) / kWidth * kWidth) {
    body((end - 1) / kWidth * kWidth, end);
  }
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

template <class S>
std::vector<S> copied(DenseView<const S> view) {
  std::vector<S> values;
  for (Index j = 0; j < view.cols; ++j) {
    values.insert(values.end(), view.column(j), view.column(j) + view.rows);
  }
  return values;
}

// Returns a copy of the matrix, as a message would carry it.
template <class S>
DenseView<const S> packed(DenseView<const S> shape, const std::vector<S>& values) {
  return {values.data(), shape.rows, shape.cols, std::max<Index>(shape.rows, 1)};
}

template <Scalar S>
struct SentLuPanel {
  explicit SentLuPanel(const LuPanel<S>& panel) : exchanged(copied(panel.exchanged)), m(copied(panel.m)), original(panel) {}
  [[nodiscard]] LuPanel<S> view() const { return {original.begin, exchanged, packed(original.m, m)}; }

  std::vector<Index> exchanged;
  std::vector<S> m;
  LuPanel<S> original;  // its memory is not read
};

template <Scalar S>
struct SentCholeskyPanel {
  explicit SentCholeskyPanel(const CholeskyPanel<S>& panel) : l(copied(panel.l)), original(panel) {}
  [[nodiscard]] CholeskyPanel<S> view() const { return {original.begin, packed(original.l, l)}; }

  std::vector<S> l;
  CholeskyPanel<S> original;
};

template <Scalar S>
struct SentLdltPanel {
  explicit SentLdltPanel(const LdltPanel<S>& panel)
      : exchanges(copied(panel.exchanges)), l(copied(panel.l)), d(copied(panel.d)), pivots(copied(panel.pivots)), original(panel) {}
  [[nodiscard]] LdltPanel<S> view() const { return {original.begin, exchanges, packed(original.l, l), d, pivots}; }

  std::vector<Exchange> exchanges;
  std::vector<S> l;
  std::vector<S> d;
  std::vector<PivotKind> pivots;
  LdltPanel<S> original;
};

template <class T>
void take_largest(std::vector<T>& largest, const std::vector<T>& values) {
  largest.resize(values.size());
  std::transform(values.begin(), values.end(), largest.begin(), largest.begin(), [](T a, T b) { return std::max(a, b); });
}

}  // namespace

std::vector<RowPartition> irregular_partitions(Index num_rows, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::vector<RowPartition> partitions;
  for (Index num_slaves = 1; num_slaves <= std::min<Index>(4, num_rows); ++num_slaves) {
    std::vector<Index> inner;
    for (Index row = 1; row < num_rows; ++row) {
      inner.push_back(row);
    }
    std::shuffle(inner.begin(), inner.end(), random);
    RowPartition partition(inner.begin(), inner.begin() + num_slaves - 1);
    partition.push_back(0);
    partition.push_back(num_rows);
    std::sort(partition.begin(), partition.end());
    partitions.push_back(partition);
  }
  return partitions;
}

std::vector<RowPartition> all_partitions(Index num_rows) {
  std::vector<RowPartition> partitions;
  for (unsigned cuts = 0; cuts < 1U << (num_rows - 1); ++cuts) {
    RowPartition partition{0};
    for (Index row = 1; row < num_rows; ++row) {
      if ((cuts >> (row - 1) & 1U) != 0) {
        partition.push_back(row);
      }
    }
    partition.push_back(num_rows);
    partitions.push_back(partition);
  }
  return partitions;
}

std::string to_string(const RowPartition& partition) {
  std::string text = "rows cut at";
  for (const Index row : partition) {
    text.append(" ").append(std::to_string(row));
  }
  return text;
}

template <Scalar S>
RowDistributedFront<S>::RowDistributedFront(Method method, const DenseMatrix<S>& matrix, Index num_fully_summed,
                                            const RowPartition& partition)
    : method_(method), gathered_(method, matrix, num_fully_summed), master_(gathered_.factor()) {
  const S unused = S(std::numeric_limits<RealOf<S>>::signaling_NaN());
  const Index p = num_fully_summed;
  if (is_symmetric(method)) {
    master_.order = p;
    master_.layout = front_layout(p, p, method);
  }
  master_lower_.assign(static_cast<std::size_t>(master_.layout.size()), unused);
  master_.lower = master_lower_.data();
  master_.upper = nullptr;
  for (std::size_t i = 0; i + 1 < partition.size(); ++i) {
    const Index rows = partition[i + 1] - partition[i];
    const Index cb_size = is_symmetric(method) ? partition[i + 1] : matrix.num_rows - p;
    slaves_.push_back({partition[i], rows, std::vector<S>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(p), unused),
                       std::vector<S>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cb_size), unused)});
  }
  scatter();
}

// Calls move(entry of the gathered front, entry of a part) for every entry that is used.
template <Scalar S>
template <class Move>
void RowDistributedFront<S>::move_entries(Move move) {
  FrontFactor<S>& whole = gathered_.factor();
  const Index p = whole.num_fully_summed;
  const bool symmetric = is_symmetric(method_);
  for (Index j = 0; j < p; ++j) {
    for (Index i = symmetric ? j : 0; i < master_.order; ++i) {
      move(whole.lower[whole.layout.column_offset(j) + i], master_.lower[master_.layout.column_offset(j) + i]);
    }
  }
  for (Slave& slave : slaves_) {
    const LuRowBlock<S> lu = lu_rows(slave);
    const SymmetricRowBlock<S> rows = symmetric_rows(slave);
    for (Index i = 0; i < slave.num_rows; ++i) {
      const Index row = slave.row_begin + i;
      for (Index j = 0; j < p; ++j) {
        S& entry = symmetric ? whole.lower[whole.layout.column_offset(j) + p + row]
                             : whole.upper[row + static_cast<Count>(j) * whole.cb_order()];
        move(entry, lu.upper(i, j));
      }
      for (Index j = 0; j < (symmetric ? row + 1 : whole.cb_order()); ++j) {
        const Count position =
            symmetric ? gathered_.cb_layout().column_offset(j) + row : gathered_.cb_layout().column_offset(row) + j;
        move(gathered_.contribution()[position], symmetric ? rows.cb(i, j) : lu.cb(j, i));
      }
    }
  }
}

template <Scalar S>
void RowDistributedFront<S>::scatter() {
  move_entries([](S& whole, S& part) { part = std::exchange(whole, S(std::numeric_limits<RealOf<S>>::signaling_NaN())); });
}

template <Scalar S>
void RowDistributedFront<S>::gather() {
  move_entries([](S& whole, S& part) { whole = part; });
}

template <Scalar S>
LuRowBlock<S> RowDistributedFront<S>::lu_rows(Slave& slave) const {
  const Index cb_order = gathered_.factor().cb_order();
  return {{slave.summed.data(), slave.num_rows, master_.num_fully_summed, slave.num_rows},
          {slave.cb.data(), cb_order, slave.num_rows, cb_order}};
}

template <Scalar S>
SymmetricRowBlock<S> RowDistributedFront<S>::symmetric_rows(Slave& slave) const {
  return {slave.row_begin,
          {slave.summed.data(), slave.num_rows, master_.num_fully_summed, slave.num_rows},
          {slave.cb.data(), slave.num_rows, slave.row_begin + slave.num_rows, slave.num_rows}};
}

template <Scalar S>
void RowDistributedFront<S>::eliminate(const PivotTolerances<RealOf<S>>& tolerances, Fault fault) {
  const BlasThreadsGuard guard;
  if (method_ == Method::lu) {
    eliminate_lu(tolerances, fault);
  } else if (method_ == Method::cholesky) {
    eliminate_cholesky(tolerances, fault);
  } else {
    eliminate_ldlt(tolerances, fault);
  }
  gathered_.factor().num_eliminated = master_.num_eliminated;
  gather();
}

// Eliminates the master's part; slaves cannot refuse these panels.
template <Scalar S>
template <class SentPanel, class Kernel>
std::vector<SentPanel> RowDistributedFront<S>::master_panels(Kernel& kernel) {
  PanelSequence<S> sequence(kernel, PivotSweep(master_.num_fully_summed, false), in_small_chunks);
  std::vector<SentPanel> panels;
  while (!sequence.done()) {
    const EliminatedPanel panel = sequence.eliminate_next();
    panels.emplace_back(kernel.panel(panel.begin, panel.begin + panel.num_pivots));
    sequence.commit(panel.num_pivots);
  }
  master_.num_eliminated = sequence.num_eliminated();
  counts_ = kernel.counts();
  protocol_.panels = static_cast<Count>(panels.size());
  return panels;
}

template <Scalar S>
void RowDistributedFront<S>::eliminate_lu(const PivotTolerances<RealOf<S>>& tolerances, Fault fault) {
  LuKernel<S> kernel(master_, tolerances);
  std::vector<SentLuPanel<S>> panels = master_panels<SentLuPanel<S>>(kernel);
  for (SentLuPanel<S>& panel : panels) {
    if (fault == Fault::lost_exchanges) {
      std::iota(panel.exchanged.begin(), panel.exchanged.end(), panel.original.begin);
    }
    for (Slave& slave : slaves_) {
      const LuRowBlock<S> rows = lu_rows(slave);
      in_small_chunks(rows.upper.rows, [&](Index begin, Index end) { apply_panel(panel.view(), rows.rows(begin, end)); });
    }
  }
}

template <Scalar S>
void RowDistributedFront<S>::eliminate_cholesky(const PivotTolerances<RealOf<S>>& tolerances, Fault fault) {
  CholeskyKernel<S> kernel(master_, tolerances);
  const std::vector<SentCholeskyPanel<S>> panels = master_panels<SentCholeskyPanel<S>>(kernel);
  std::vector<RowsOfL<S>> finished;
  for (Slave& slave : slaves_) {
    for (const SentCholeskyPanel<S>& panel : panels) {
      const SymmetricRowBlock<S> rows = symmetric_rows(slave);
      const CholeskyPanel<S> view = panel.view();
      in_small_chunks(rows.lower.rows, [&](Index begin, Index end) { apply_panel(view, rows.rows(begin, end)); });
      finished.push_back({view.begin, rows.row_begin, rows.lower.columns(view.begin, view.begin + view.l.cols)});
    }
  }
  std::reverse(finished.begin(), finished.end());
  for (const RowsOfL<S>& above : finished) {
    for (Slave& slave : slaves_) {
      const bool is_lost = fault == Fault::lost_rows && above.row_begin == 0 && slave.row_begin == slaves_.back().row_begin;
      if (above.row_begin <= slave.row_begin && !is_lost) {
        apply_rows(above, symmetric_rows(slave));
      }
    }
  }
}

template <Scalar S>
void RowDistributedFront<S>::eliminate_ldlt(const PivotTolerances<RealOf<S>>& tolerances, Fault fault) {
  LdltKernel<S> kernel(master_, method_ == Method::ldlh, tolerances);
  PanelSequence<S> sequence(kernel, PivotSweep(master_.num_fully_summed, false), in_small_chunks);
  std::vector<LdltRows<S>> parts;
  for (Slave& slave : slaves_) {
    parts.emplace_back(symmetric_rows(slave), method_ == Method::ldlh, tolerances, in_small_chunks);
  }
  const auto maxima = [&parts] {
    std::vector<RealOf<S>> largest;
    for (const LdltRows<S>& part : parts) {
      take_largest(largest, part.column_maxima());
    }
    return largest;
  };
  std::vector<RowsOfL<S>> finished;
  kernel.start_panel(0, maxima());
  while (!sequence.done()) {
    const EliminatedPanel panel = sequence.eliminate_next();
    if (panel.num_pivots == 0) {
      sequence.commit(0);
      continue;
    }
    SentLdltPanel<S> sent(kernel.panel(panel.begin, panel.begin + panel.num_pivots));
    if (fault == Fault::lost_exchanges) {
      sent.exchanges.clear();
    }
    Index num_verified = panel.num_pivots;
    for (LdltRows<S>& part : parts) {
      num_verified = std::min(num_verified, part.verify(sent.view()));
    }
    if (fault == Fault::ignored_verdict) {
      num_verified = panel.num_pivots;
    }
    const Index num_kept = kernel.keep_verified(num_verified);
    sequence.commit(num_kept);
    for (LdltRows<S>& part : parts) {
      finished.push_back(
          part.commit(sent.view(), fault == Fault::forgotten_undo && &part == &parts.front() ? panel.num_pivots : num_kept));
      finished.back().l.cols = num_kept;
    }
    kernel.start_panel(panel.begin + num_kept, maxima());
    ++protocol_.panels;
    protocol_.panels_undone += num_kept < panel.num_pivots ? 1 : 0;
  }
  const auto last_exchanges = kernel.take_exchanges();
  for (LdltRows<S>& part : parts) {
    part.exchange(fault == Fault::lost_exchanges ? std::span<const Exchange>() : last_exchanges);
  }
  master_.num_eliminated = sequence.num_eliminated();
  counts_ = kernel.counts();
  std::reverse(finished.begin(), finished.end());
  for (const RowsOfL<S>& above : finished) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_lost = fault == Fault::lost_rows && above.row_begin == 0 && i + 1 == parts.size();
      if (above.row_begin <= slaves_[i].row_begin && !is_lost) {
        parts[i].apply_rows(above, 0, slaves_[i].num_rows);
      }
    }
  }
}

FROND_INSTANTIATE_CLASS(RowDistributedFront)

}  // namespace frond::test
