// SPDX-License-Identifier: BSD-3-Clause
// The two-dimensional block cyclic distribution of the root over its grid: which rank holds an entry, and where.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"

namespace frond {

/// The numbers 0 .. size-1, dealt out to parts in blocks, one block to each part in turn; every part keeps its numbers in order.
class BlockCyclic {
 public:
  BlockCyclic() = default;
  BlockCyclic(Index size, Index block_size, Rank num_parts) : size_(size), block_size_(block_size), num_parts_(num_parts) {}

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Index block_size() const { return block_size_; }
  [[nodiscard]] Index local_size(Rank part) const;

  [[nodiscard]] Rank owner(Index global) const { return global / block_size_ % num_parts_; }

  /// Converts a number to its place among those of its owner, and back.
  [[nodiscard]] Index local(Index global) const { return global / block_size_ / num_parts_ * block_size_ + global % block_size_; }
  [[nodiscard]] Index global(Rank part, Index local) const {
    return (local / block_size_ * num_parts_ + part) * block_size_ + local % block_size_;
  }

 private:
  Index size_ = 0;
  Index block_size_ = 1;
  Rank num_parts_ = 1;
};

/// Returns which of `positions` belong to the part: the increasing numbers k for which the part owns positions[k].
[[nodiscard]] std::vector<Index> numbers_of(const BlockCyclic& distribution, Rank part, std::span<const Index> positions);

/// A place in the grid. The first rank of the grid is at (0, 0).
struct GridPosition {
  Rank row = 0;
  Rank col = 0;

  friend bool operator==(const GridPosition&, const GridPosition&) = default;
};

/// A square matrix on a grid: rows are dealt out to the rows of the grid, columns to its columns. Each rank holds its entries as a
/// column-major matrix without gaps. This is the layout of ScaLAPACK (Blackford et al. 1997, "ScaLAPACK Users' Guide", chapter 4).
class RootLayout {
 public:
  RootLayout() = default;
  RootLayout(Index order, Index block_size, GridShape shape)
      : shape_(shape), rows_(order, block_size, shape.num_rows), cols_(order, block_size, shape.num_cols) {}
  RootLayout(Index order, const RootGrid& grid) : RootLayout(order, grid.block_size, grid.shape) {}

  [[nodiscard]] Index order() const { return rows_.size(); }
  [[nodiscard]] Index block_size() const { return rows_.block_size(); }
  [[nodiscard]] GridShape shape() const { return shape_; }
  [[nodiscard]] const BlockCyclic& rows() const { return rows_; }
  [[nodiscard]] const BlockCyclic& cols() const { return cols_; }

  /// Numbers of grid ranks are those of RootGrid::ranks.
  [[nodiscard]] GridPosition position(Rank grid_rank) const { return {grid_rank / shape_.num_cols, grid_rank % shape_.num_cols}; }
  [[nodiscard]] Rank grid_rank(GridPosition position) const { return position.row * shape_.num_cols + position.col; }
  [[nodiscard]] GridPosition owner(Index row, Index col) const { return {rows_.owner(row), cols_.owner(col)}; }

  [[nodiscard]] Index leading_dimension(GridPosition position) const {
    return std::max<Index>(rows_.local_size(position.row), 1);  // ScaLAPACK rejects 0
  }
  [[nodiscard]] Count num_lower_entries(GridPosition position) const;  ///< on and below the diagonal
  [[nodiscard]] Count num_entries(GridPosition position) const {
    return static_cast<Count>(rows_.local_size(position.row)) * cols_.local_size(position.col);
  }

  /// Returns the offset of entry (row, col) in its owner's part.
  [[nodiscard]] Count offset(Index row, Index col) const {
    return rows_.local(row) + static_cast<Count>(cols_.local(col)) * leading_dimension(owner(row, col));
  }

 private:
  GridShape shape_{1, 1};
  BlockCyclic rows_;
  BlockCyclic cols_;
};

/// The place of a rank of the grid.
[[nodiscard]] inline GridPosition position_on(const RootGrid& grid, const RootLayout& layout, Rank rank) {
  return layout.position(static_cast<Rank>(std::find(grid.ranks.begin(), grid.ranks.end(), rank) - grid.ranks.begin()));
}

/// The entries of the root that one rank of the grid holds, layout.num_entries(position) of them. Does not own their memory.
template <Scalar S>
struct RootPart {
  RootLayout layout;
  GridPosition position;
  S* entries = nullptr;
};

/// Copies the entries of one rank to their places in the whole matrix, which is column-major without gaps, and back.
template <Scalar S>
void copy_to_whole(const RootPart<S>& part, S* whole);
template <Scalar S>
void copy_from_whole(const S* whole, const RootPart<S>& part);

}  // namespace frond
