// SPDX-License-Identifier: BSD-3-Clause
// LU over compressed columns, for matrices whose fronts would be tiny.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "factorization/thin/sparse_pattern.hpp"
#include "factorization/thin/sweeps.hpp"
#include "frond/observer.hpp"
#include "frond/types.hpp"

namespace frond {

/// Compressed columns that grow at their end: until end() there is room behind the entries.
template <Scalar S>
struct SparseColumns {
  std::vector<Index> offsets = {0};
  std::vector<Index> rows = {};
  std::vector<S> values = {};

  void begin(Index num_columns, std::size_t expected_entries) {
    offsets.assign(static_cast<std::size_t>(num_columns) + 1, 0);
    rows.resize(expected_entries);
    values.resize(expected_entries);
  }
  /// Makes room for this many entries behind `num_entries`.
  void make_room(std::size_t num_entries, std::size_t num_further) {
    if (num_entries + num_further > rows.size()) {
      rows.resize(std::max(num_entries + num_further, 2 * num_entries));
      values.resize(rows.size());
    }
  }
  void end(std::size_t num_entries) {
    rows.resize(num_entries);
    values.resize(num_entries);
  }
  [[nodiscard]] ColumnsView<S> view() const { return {offsets.data(), rows.data(), values.data()}; }
};

template <Scalar S>
class LaneLu;

/// How a factorization over columns chooses pivots, and when it gives up.
template <Scalar S>
struct SparseLuOptions {
  /// A pivot has at least this fraction of the largest magnitude of its column, in (0, 1].
  RealOf<S> threshold = RealOf<S>(0.01);
  /// [column] = the only row besides its own where its pivot may be, which is where it is larger; empty: all rows where its own is
  /// too small
  std::vector<Index> other_rows = {};
  std::size_t expected_entries = 0;  ///< of L, and of U, without their diagonals
  std::size_t num_couplings = 0;     ///< entries above the diagonal blocks
  std::size_t most_entries = 0;      ///< of L and U together, without their diagonals; less than 2^31
  /// Of updates: pivots off the diagonal can cost more than any prediction.
  double most_multiplications = std::numeric_limits<double>::infinity();
  Observer* observer = nullptr;  ///< asked for a stop now and then; null: nobody
};

/// The factors of a block upper triangular matrix B:
///
///     ┌──────┬──────┬──────┐
///     │ B_00 │ N_01 │ N_02 │     P_k B_kk = L_k U_k for each diagonal block, with L_k unit lower triangular;
///     └──────┼──────┼──────┤     the couplings N are kept as they are, and sweeps multiply with them
///            │ B_11 │ N_12 │     (Davis & Palamadai Natarajan 2010, "Algorithm 907: KLU", ACM Trans. Math. Softw. 37).
///            └──────┼──────┤
///                   │ B_22 │
///                   └──────┘
///
/// Columns are made one by one, each in time proportional to its operations (Gilbert & Peierls 1988, "Sparse partial pivoting in
/// time proportional to arithmetic operations"), with searches that symmetric pruning cuts short (Eisenstat & Liu 1992). Rows are
/// numbered in the order of their pivots.
template <Scalar S>
class SparseLu {
 public:
  using R = RealOf<S>;

  /// Takes pivots from the diagonal where these are large enough, else the largest entry of the column in its block. `blocks` are
  /// the first columns of the diagonal blocks, and the order of B. Returns nothing if a column has no pivot other than 0, a number
  /// leaves the range of S, or there would be too many entries or multiplications. Throws StoppedError.
  [[nodiscard]] static std::optional<SparseLu> factorize(const SparsePattern& pattern, std::span<const Index> blocks,
                                                         const SparseValues<S>& matrix, const SparseLuOptions<S>& options);

  /// Factorizes other values of the pattern with the same pivots, in the order of which the scales of rows are given, without
  /// search or allocation. Returns false, and leaves factors that are good for nothing, if a pivot is less than `threshold` times
  /// the largest magnitude of its column, or a number leaves the range of S.
  [[nodiscard]] bool refactorize(const SparseValues<S>& matrix, R threshold);

  /// x := B^-1 P^T x for one right-hand side, a Side being S, or for kSideLanes of them, with Sides<S>; rows come in the order of
  /// pivots: x[k] = b[row_order()[k]].
  template <class Side>
  void solve(Side* x) const;
  /// x := P B^-T x: row row_order()[k] of the solution is x[k].
  template <class Side>
  void solve_transposed(Side* x) const;

  [[nodiscard]] Index order() const { return static_cast<Index>(pivots_.size()); }
  [[nodiscard]] std::span<const Index> row_order() const { return row_order_; }  ///< [k] = row of B with pivot k
  [[nodiscard]] std::span<const S> pivots() const { return pivots_; }
  [[nodiscard]] std::span<const S> inverse_pivots() const { return inverse_pivots_; }
  [[nodiscard]] const SparseColumns<S>& lower() const { return lower_; }  ///< strictly below the diagonal
  [[nodiscard]] const SparseColumns<S>& upper() const { return upper_; }  ///< strictly above it
  [[nodiscard]] const SparseColumns<S>& couplings() const { return couplings_; }
  /// Of B, as if the largest entry of each column within its diagonal block were 1.
  [[nodiscard]] const PivotExtremes<S>& extremes() const { return extremes_; }
  [[nodiscard]] std::size_t memory_bytes() const;  ///< of the arrays

 private:
  class Search;
  friend class LaneLu<S>;

  // The entries within diagonal blocks, by columns.
  struct Entries {
    std::vector<Index> offsets = {0};
    std::vector<Index> rows = {};  // in the order of pivots
    std::vector<Index> sources = {};
  };

  [[nodiscard]] LuView<S> view() const;
  void take_pivot(Index col, S pivot, S inverse, PivotExtremes<S>& here);
  void take_single_pivot(Index col, S pivot, S inverse);
  [[nodiscard]] bool close_column(Index col, R threshold, PivotExtremes<S>& here);

  Entries entries_;
  std::vector<Index> coupling_sources_;
  std::vector<Index> blocks_;
  std::vector<Index> row_order_;
  SparseColumns<S> lower_;
  SparseColumns<S> upper_;
  SparseColumns<S> couplings_;
  std::vector<S> pivots_;
  std::vector<S> inverse_pivots_;
  std::vector<S> column_;  // zeros between columns
  PivotExtremes<S> extremes_;
};

}  // namespace frond
