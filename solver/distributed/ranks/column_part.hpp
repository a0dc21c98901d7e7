// SPDX-License-Identifier: BSD-3-Clause
// Divides a matrix by columns into parts for several ranks.
#pragma once

#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// The columns of one rank, as a matrix of the full size whose other columns are empty. Columns are consecutive, with about the
/// same number of entries for each rank; the parts of all ranks add up to the matrix.
template <Scalar S>
class ColumnPart {
 public:
  /// The entries of `matrix` are not copied and must outlive this object.
  ColumnPart(const MatrixView<S>& matrix, Rank rank, Rank num_ranks);

  [[nodiscard]] MatrixView<S> view() const;

 private:
  MatrixView<S> matrix_;
  Count entries_begin_;
  std::vector<Count> column_offsets_;
};

}  // namespace frond
