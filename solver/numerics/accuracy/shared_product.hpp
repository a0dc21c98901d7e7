// SPDX-License-Identifier: BSD-3-Clause
// Multiplies with a square matrix on several threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"
#include "matrices/products.hpp"

namespace frond {

/// Row sums of magnitudes.
template <class R>
struct RowSums {
  std::vector<R> plain;
  std::vector<R> scaled;  ///< with columns multiplied by scales; empty if there are none
};

/// Numbers high[i] + low[i], see WideSum. A view.
template <class S>
struct WideVector {
  std::span<S> high;
  std::span<S> low;
};

/// Divides products with one matrix among threads. Immutable; results do not depend on the number of threads.
///
/// Rows of y = op(A) x and stored columns of A are divided into the same parts, and a task writes the rows of its part: terms from
/// its own columns in stored order, those from columns of other parts from lists.
///
///   [ a . . | d ]   y_1 .. y_3 take a, b, c and, from the list of part 2 for part 1, d;
///   [ . b . | . ]   y_4 takes e
///   [ . . c | . ]
///   [ . . . | e ]
///
/// Numberings with locality have few such terms. If they are more than half of the entries, there is only one part.
template <Scalar S>
class SharedProduct {
 public:
  using R = RealOf<S>;

  /// The arrays of `matrix` must outlive this object; their values must not change. Time O(entries), memory at most entries / 2 *
  /// (8 + sizeof(S)) bytes, in addition to any limit of the factors. Throws a UsageError if A is not square.
  SharedProduct(const MatrixView<S>& matrix, Operation operation);

  /// y = op(A) x and magnitudes = |op(A)| |x|, all of length order. O(entries). Throws a UsageError for other lengths. The sums are
  /// accumulated in twice the working precision: y.high is the rounded sum, y.high + y.low the sum.
  void multiply(std::span<const S> x, const WideVector<S>& y, std::span<R> magnitudes) const;

  /// Row sums of |op(A)|, and of |op(A)| D, D = diag(scales) not negative, unless there are no scales. O(entries). Throws likewise.
  [[nodiscard]] RowSums<R> row_sums(std::span<const R> scales = {}) const;

  [[nodiscard]] std::size_t num_parts() const { return part_begins_.size() - 1; }

 private:
  struct Term {
    Index to;
    Index from;
    S value;
  };

  // The contributions of an entry a_ij to y = op(A) x: to_row(a_ij) x_j to y_i, to_column(a_ij) x_i to y_j, or one of the two, and
  // direct(a_ii) x_i to y_i.
  class Terms {
   public:
    Terms(Symmetry symmetry, Operation operation);

    [[nodiscard]] bool go_to_rows() const { return go_to_rows_; }
    [[nodiscard]] bool go_to_columns() const { return go_to_columns_; }
    [[nodiscard]] S direct(S value) const { return conjugate_if(direct_is_conjugate_, value); }
    [[nodiscard]] S to_row(S value) const { return negated_if(row_is_negated_, conjugate_if(row_is_conjugate_, value)); }
    [[nodiscard]] S to_column(S value) const { return negated_if(column_is_negated_, conjugate_if(column_is_conjugate_, value)); }

   private:
    static S negated_if(bool is_negated, S value) { return is_negated ? -value : value; }
    static S conjugate_if(bool is_conjugate, S value) {
      if constexpr (kIsComplex<S>) {
        return is_conjugate ? conjugate(value) : value;
      }
      return value;
    }

    bool go_to_rows_;
    bool go_to_columns_;
    bool direct_is_conjugate_;
    bool row_is_conjugate_;
    bool column_is_conjugate_;
    bool row_is_negated_;
    bool column_is_negated_;
  };

  [[nodiscard]] std::vector<Index> cut(std::size_t num_parts) const;
  [[nodiscard]] std::size_t part_of(Index row) const;
  [[nodiscard]] std::size_t pair(std::size_t from_part, std::size_t to_part) const { return from_part * num_parts() + to_part; }
  void check_length(std::size_t length) const;
  template <class Visit>
  void for_each_part(const Visit& visit) const;
  template <class Visit>
  void for_each_far_term(std::size_t part, const Visit& visit) const;
  [[nodiscard]] std::vector<std::size_t> count_far_terms() const;
  void list_far_terms();
  template <class Sink>
  void add_all_terms(const Sink& sink) const;
  template <class Sink>
  void add_terms_of_part(std::size_t part, const Sink& sink) const;
  template <class Sink>
  void add_terms_with_fma(std::size_t part, const Sink& sink) const;
  template <bool GoToRows, bool GoToColumns, class Sink>
  void add_terms(std::size_t part, const Sink& sink) const;

  MatrixView<S> matrix_;
  Terms terms_;
  std::vector<Index> part_begins_;  // part p has the rows [part_begins_[p], part_begins_[p + 1])
  // Terms from part p to part q are far_terms_[k], far_offsets_[pair(p, q)] <= k < far_offsets_[pair(p, q) + 1].
  std::vector<std::size_t> far_offsets_;
  LargeVector<Term> far_terms_;
};

}  // namespace frond
