// SPDX-License-Identifier: BSD-3-Clause
// Computes sizes of parts, and copies between parts and the whole.
#include "factorization/distributed/root_layout.hpp"

namespace frond {
namespace {

// Calls visit(local, whole, length) for runs of entries that are contiguous in the part, from `local` on, and in the whole matrix,
// from `whole` on.
template <class Visit>
void for_each_run(const RootLayout& layout, GridPosition position, Visit visit) {
  const Index num_rows = layout.rows().local_size(position.row);
  const Index num_cols = layout.cols().local_size(position.col);
  for (Index col = 0; col < num_cols; ++col) {
    const Count local = static_cast<Count>(col) * layout.leading_dimension(position);
    const Count whole = static_cast<Count>(layout.cols().global(position.col, col)) * layout.order();
    for (Index row = 0; row < num_rows; row += layout.block_size()) {
      visit(local + row, whole + layout.rows().global(position.row, row), std::min(layout.block_size(), num_rows - row));
    }
  }
}

}  // namespace

Index BlockCyclic::local_size(Rank part) const {
  const Index num_full_blocks = size_ / block_size_;
  const Index num_rounds = num_full_blocks / num_parts_;  // rounds in which every part got a full block
  const Rank num_left = num_full_blocks % num_parts_;
  const Index last = part < num_left ? block_size_ : part == num_left ? size_ % block_size_ : 0;
  return num_rounds * block_size_ + last;
}

Count RootLayout::num_lower_entries(GridPosition position) const {
  Count entries = 0;
  for (Index col = 0; col < cols_.local_size(position.col); ++col) {
    const BlockCyclic above(cols_.global(position.col, col), block_size(), shape_.num_rows);
    entries += rows_.local_size(position.row) - above.local_size(position.row);
  }
  return entries;
}

std::vector<Index> numbers_of(const BlockCyclic& distribution, Rank part, std::span<const Index> positions) {
  std::vector<Index> numbers;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (distribution.owner(positions[k]) == part) {
      numbers.push_back(static_cast<Index>(k));
    }
  }
  return numbers;
}

template <Scalar S>
void copy_to_whole(const RootPart<S>& part, S* whole) {
  for_each_run(part.layout, part.position,
               [&](Count local, Count to, Index length) { std::copy_n(part.entries + local, length, whole + to); });
}

template <Scalar S>
void copy_from_whole(const S* whole, const RootPart<S>& part) {
  for_each_run(part.layout, part.position,
               [&](Count local, Count from, Index length) { std::copy_n(whole + from, length, part.entries + local); });
}

#define FROND_INSTANTIATE(S)                              \
  template void copy_to_whole<S>(const RootPart<S>&, S*); \
  template void copy_from_whole<S>(const S*, const RootPart<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
