// SPDX-License-Identifier: BSD-3-Clause
// Reads a pattern as a caller of C passes it, and maps each of its values to its stored entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frond.h"
#include "frond/matrix.hpp"

namespace frond {

/// How a caller's indices are interpreted.
struct IndexBase {
  std::int64_t first = 0;      ///< index, 0 or 1
  bool adds_mirrored = false;  ///< entries (i, j) and (j, i) of a matrix that is not general add up
};

/// A copy of a caller's compressed columns: offsets start at 0, and rows count from 0. Throws UsageError, which names the first
/// wrong offset or index; `what` are "row" or "column".
struct CompressedIndices {
  std::vector<Count> offsets;
  std::vector<Index> indices;

  template <class I, class J>
  CompressedIndices(Index num_columns, Index num_rows, const I* offsets, const J* indices, IndexBase base,
                    const char* what = "row");
};

/// A caller's positions, possibly repeated, all within a matrix of this order.
struct TripletPattern {
  Index order = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Index> rows = {};
  std::vector<Index> cols = {};

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(rows.size()); }

  /// Throws UsageError, which names the first wrong index.
  template <class I>
  [[nodiscard]] static TripletPattern checked(std::int64_t order, Symmetry symmetry, std::int64_t num_entries, const I* rows,
                                              const I* cols, IndexBase base);
};

/// The positions of a matrix, none of them repeated, even mirrored; rows may be in any order.
class InputPattern {
 public:
  /// From compressed columns or rows; a pattern that is not general may hold any triangle. Throws UsageError, which names the first
  /// wrong offset or index.
  template <class I>
  [[nodiscard]] static InputPattern compressed(std::int64_t order, Symmetry symmetry, const I* offsets, const I* indices,
                                               IndexBase base, bool by_rows);
  /// Throws UsageError for an entry and its mirror image, unless they are to add up.
  [[nodiscard]] static InputPattern of(const TripletPattern& triplets, IndexBase base);
  /// A pattern of which this process knows only the order, since another process holds it.
  [[nodiscard]] static InputPattern elsewhere(Index order);

  /// Shows what is stored: A, or A^T if is_transposed().
  [[nodiscard]] PatternView view() const { return {order_, order_, symmetry_, offsets_, rows_}; }
  [[nodiscard]] bool is_transposed() const { return is_transposed_; }
  [[nodiscard]] Index order() const { return order_; }
  [[nodiscard]] Count num_given() const { return num_given_; }  ///< number of values of the pattern as it was given

  /// Rearranges values from the order of the given pattern to that of the stored entries.
  template <Scalar S>
  [[nodiscard]] std::vector<S> arrange(std::span<const S> given) const;

 private:
  [[nodiscard]] bool is_as_stored() const;
  void merge(const TripletPattern& triplets, IndexBase base);

  Index order_ = 0;
  Symmetry symmetry_ = Symmetry::general;
  bool is_transposed_ = false;
  Count num_given_ = 0;
  std::vector<Count> offsets_ = {0};
  std::vector<Index> rows_;
  /// [given entry] = the stored entry that it adds to, or -1 - that, if it is mirrored; empty: the same order.
  std::vector<Count> places_;
};

}  // namespace frond
