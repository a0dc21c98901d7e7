// SPDX-License-Identifier: BSD-3-Clause
// L D L^T over compressed columns, for symmetric matrices whose fronts would be tiny.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "factorization/thin/sparse_pattern.hpp"
#include "factorization/thin/sweeps.hpp"
#include "frond/observer.hpp"
#include "frond/types.hpp"

namespace frond {

/// Where the entries of L are, which the pattern alone determines: pivots are taken in the order in which they come.
struct LdltStructure {
  std::vector<Index> column_offsets = {0};  ///< of L without its diagonal
  std::vector<Index> rows = {};             ///< of each column in increasing order
  std::vector<Index> row_offsets = {0};     ///< the same entries by rows
  std::vector<Index> columns = {};          ///< of each row in increasing order
  double multiplications = 0;               ///< of updates

  /// Column k of `pattern` lists entries in rows up to k. Returns a structure without columns if L would have more entries than
  /// this, which is less than 2^31.
  [[nodiscard]] static LdltStructure of(const SparsePattern& pattern, std::size_t most_entries);

  [[nodiscard]] Index order() const { return static_cast<Index>(column_offsets.size()) - 1; }
  /// L, if these are its values by columns.
  template <class Value>
  [[nodiscard]] ColumnsView<Value> with(const Value* values) const {
    return {column_offsets.data(), rows.data(), values};
  }
};

/// How a symmetric factorization over columns judges its pivots.
template <Scalar S>
struct SparseLdltOptions {
  bool is_hermitian = false;      ///< of complex matrices: B = L D L^H
  bool must_be_definite = false;  ///< whether pivots that are not positive are refused; these need no other test
  RealOf<S> threshold = 0;        ///< else: entries of L are at most its reciprocal
  Observer* observer = nullptr;   ///< asked for a stop now and then; null: nobody
};

/// The factors of a symmetric matrix B = L D L^T, or of a Hermitian one, L unit lower triangular, D diagonal. Rows of L are
/// computed one by one (Davis 2005, "Algorithm 849: A concise sparse Cholesky factorization package", ACM Trans. Math. Softw. 31).
template <Scalar S>
class SparseLdlt {
 public:
  using R = RealOf<S>;

  /// `structure` must outlive this object, and be that of all patterns that follow.
  explicit SparseLdlt(const LdltStructure& structure);

  /// Column k of `pattern` lists the entries b_ik for i <= k: values[s] for a source s >= 0, and the conjugate of values[-1 - s]
  /// for others; each times the scales of its row and of its column. Returns false, and leaves factors that are good for nothing,
  /// if a pivot is refused or a number leaves the range of S. Allocates nothing. Throws StoppedError.
  [[nodiscard]] bool factorize(const SparsePattern& pattern, const SparseValues<S>& matrix, const SparseLdltOptions<S>& options);

  /// x := B^-1 x for one right-hand side, a Side being S, or for kSideLanes of them, with Sides<S>.
  template <class Side>
  void solve(Side* x) const;

  [[nodiscard]] const LdltStructure& structure() const { return structure_; }
  [[nodiscard]] const std::vector<S>& lower() const { return values_; }  ///< of L by columns, without its diagonal
  [[nodiscard]] std::span<const S> pivots() const { return pivots_; }
  [[nodiscard]] std::span<const S> inverse_pivots() const { return inverse_pivots_; }
  [[nodiscard]] const PivotExtremes<S>& extremes() const { return extremes_; }
  [[nodiscard]] std::size_t memory_bytes() const;  ///< of the arrays

 private:
  void load(Index col, const SparsePattern& pattern, const SparseValues<S>& matrix);
  [[nodiscard]] bool take_pivot(Index col, S pivot, const SparseLdltOptions<S>& options);

  const LdltStructure& structure_;
  bool is_hermitian_ = false;
  std::vector<S> values_;  // of L by columns
  std::vector<S> pivots_;
  std::vector<S> inverse_pivots_;
  std::vector<S> row_;       // zeros between rows
  std::vector<Index> ends_;  // [column] = end of the entries that are known
  PivotExtremes<S> extremes_;
};

}  // namespace frond
