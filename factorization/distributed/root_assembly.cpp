// SPDX-License-Identifier: BSD-3-Clause
// Determines which rank takes which entry of A and of the children's rows.
#include "factorization/distributed/root_assembly.hpp"

#include <algorithm>
#include <numeric>

#include "factorization/fronts/front_entries.hpp"
#include "factorization/fronts/subnormals.hpp"

namespace frond {

template <Scalar S>
void add_root_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId root, Index num_delayed_in,
                      const RootPart<S>& part) {
  const SubnormalsKept kept;  // entries of A come in any unit
  for_each_entry(symbolic, matrix.values, root, [&](const FrontEntry& entry) {
    const bool is_in_row_k = !is_symmetric(method) && !entry.is_upper;  // of B; otherwise the entry is in column k
    const Index row = num_delayed_in + (is_in_row_k ? entry.k : entry.position);
    const Index col = num_delayed_in + (is_in_row_k ? entry.position : entry.k);
    if (part.layout.owner(row, col) == part.position) {
      const S value = scaled_value(symbolic.tree(), matrix, root, entry);
      const bool is_conjugated = entry.is_upper && (method == Method::cholesky || method == Method::ldlh);
      part.entries[part.layout.offset(row, col)] += is_conjugated ? conjugate(value) : value;
    }
  });
}

template <Scalar S>
RootPiece<S>::RootPiece(const RootLayout& layout, Method method, const ChildRows<S>& child, Index num_delayed_in, GridPosition to) {
  const Index d = child.num_delayed;
  std::vector<Index> positions(static_cast<std::size_t>(d));
  std::iota(positions.begin(), positions.end(), child.delayed_begin);
  for (const Index relative : child.relative_indices) {
    positions.push_back(relative + num_delayed_in);
  }
  const auto num_positions = static_cast<Index>(positions.size());
  rows_.numbers = numbers_of(layout.rows(), to.row, positions);
  for (const Index row : rows_.numbers) {
    rows_.offsets.push_back(layout.rows().local(positions[row]));
  }
  cols_.numbers = numbers_of(layout.cols(), to.col, positions);
  for (const Index col : cols_.numbers) {
    cols_.offsets.push_back(static_cast<Count>(layout.cols().local(positions[col])) * layout.leading_dimension(to));
  }
  const bool symmetric = is_symmetric(method);
  for (Index k = 0; k < d && child.has_delayed_rows; ++k) {
    add_line(false, k, symmetric ? k : 0, symmetric ? d : num_positions);
  }
  for (Index k = 0; k < d; ++k) {  // columns of A, which for LU are rows on the grid
    add_line(!symmetric, k, d + child.row_begin, d + child.row_end);
  }
  for (Index k = symmetric ? 0 : child.row_begin; k < child.row_end; ++k) {
    add_line(false, d + k, d + (symmetric ? std::max(child.row_begin, k) : 0), symmetric ? d + child.row_end : num_positions);
  }
}

// The entries [begin, end) of a row or column are next in the stream.
template <Scalar S>
void RootPiece<S>::add_line(bool is_row, Index number, Index begin, Index end) {
  const Count source = stream_end_ - begin;
  stream_end_ += end - begin;
  const Selection& own = is_row ? rows_ : cols_;
  const auto line = std::lower_bound(own.numbers.begin(), own.numbers.end(), number);
  if (line == own.numbers.end() || *line != number) {
    return;
  }
  const std::vector<Index>& others = crossing(is_row).numbers;
  const auto first_from = [&](Index wanted) {
    return static_cast<std::size_t>(std::lower_bound(others.begin(), others.end(), wanted) - others.begin());
  };
  lines_.push_back({source, own.offsets[line - own.numbers.begin()], is_row, first_from(begin), first_from(end)});
}

template <Scalar S>
Count RootPiece<S>::num_entries() const {
  Count entries = 0;
  for (const Line& line : lines_) {
    entries += static_cast<Count>(line.end - line.begin);
  }
  return entries;
}

template <Scalar S>
template <class Take>
void RootPiece<S>::for_lines(Count begin, Count end, Take take) const {
  Count line_begin = 0;  // in the piece
  for (const Line& line : lines_) {
    const auto length = static_cast<Count>(line.end - line.begin);
    const Count first = std::clamp<Count>(begin - line_begin, 0, length);
    const Count last = std::clamp<Count>(end - line_begin, 0, length);
    line_begin += length;
    if (first < last) {
      take(line, static_cast<std::size_t>(first), static_cast<std::size_t>(last));
    }
  }
}

template <Scalar S>
void RootPiece<S>::pack(const std::function<const S*(Count)>& address_of, Count begin, Count end, S* piece) const {
  for_lines(begin, end, [&](const Line& line, std::size_t first, std::size_t last) {
    const Index* numbers = crossing(line.is_row).numbers.data() + line.begin;
    const S* source = address_of(line.source + numbers[first]);
    for (std::size_t k = first; k < last; ++k) {
      *piece++ = source[numbers[k] - numbers[first]];
    }
  });
}

template <Scalar S>
void RootPiece<S>::add(Count begin, Count end, const S* entries, S* part) const {
  for_lines(begin, end, [&](const Line& line, std::size_t first, std::size_t last) {
    const Count* offsets = crossing(line.is_row).offsets.data() + line.begin;
    for (std::size_t k = first; k < last; ++k) {
      part[line.target + offsets[k]] += *entries++;
    }
  });
}

#define FROND_INSTANTIATE(S)   \
  template class RootPiece<S>; \
  template void add_root_entries(const Symbolic&, Method, const ScaledValues<S>&, NodeId, Index, const RootPart<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
