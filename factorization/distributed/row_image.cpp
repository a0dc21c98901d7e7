// SPDX-License-Identifier: BSD-3-Clause
// Concatenates pieces of fronts.
#include "factorization/distributed/row_image.hpp"

#include <algorithm>
#include <cstring>

namespace frond {

template <Scalar S>
void RowImage<S>::add(const S* data, Count length) {
  if (length > 0) {
    pieces_.push_back(data);
    offsets_.push_back(offsets_.back() + length * static_cast<Count>(sizeof(S)));
  }
}

template <Scalar S>
RowImage<S>::RowImage(Method method, const NumericFront<S>& child, const RowStream& stream) {
  const FrontFactor<S>& from = child.factor;
  const Index e = from.num_eliminated;
  const Index p = from.num_fully_summed;
  const Index num_rows = stream.row_end - stream.row_begin;
  const bool symmetric = is_symmetric(method);
  for (Index k = e; k < p && stream.has_delayed_rows; ++k) {
    const Index first = symmetric ? k : e;
    add(from.lower + from.layout.column_offset(k) + first, (symmetric ? p : from.order) - first);
  }
  for (Index k = e; k < p; ++k) {
    add(symmetric ? from.lower + from.layout.column_offset(k) + p + stream.row_begin
                  : from.upper + static_cast<Count>(k) * from.cb_order() + stream.row_begin,
        num_rows);
  }
  for (Index j = symmetric ? 0 : stream.row_begin; j < stream.row_end; ++j) {
    const Index first = symmetric ? std::max(stream.row_begin, j) : 0;
    add(child.cb + child.cb_layout.column_offset(j) + first, (symmetric ? stream.row_end : child.cb_layout.order) - first);
  }
}

template <Scalar S>
RowImage<S>::RowImage(Method method, const SlaveRows<S>& child, const RowStream& stream) {
  const Index num_rows = stream.row_end - stream.row_begin;
  const Index shift = stream.row_begin - child.row_begin;
  for (Index k = child.num_eliminated; k < child.size.num_fully_summed; ++k) {
    add(child.summed_view().column(k) + shift, num_rows);
  }
  if (method == Method::lu) {
    add(child.lu().cb.column(shift), static_cast<Count>(num_rows) * child.size.cb_order());
    return;
  }
  for (Index j = 0; j < stream.row_end; ++j) {
    const Index first = std::max(stream.row_begin, j);
    add(child.symmetric().cb.column(j) + (first - child.row_begin), stream.row_end - first);
  }
}

template <Scalar S>
std::size_t RowImage<S>::piece_at(Count offset) const {
  return static_cast<std::size_t>(std::upper_bound(offsets_.begin(), offsets_.end(), offset) - offsets_.begin()) - 1;
}

template <Scalar S>
const S* RowImage<S>::entry(Count k) const {
  const Count offset = k * static_cast<Count>(sizeof(S));
  const std::size_t piece = piece_at(offset);
  return pieces_[piece] + (offset - offsets_[piece]) / static_cast<Count>(sizeof(S));
}

template <Scalar S>
void RowImage<S>::read(Count offset, std::span<std::byte> bytes) const {
  const Count end = offset + static_cast<Count>(bytes.size());
  std::size_t piece = piece_at(offset);
  for (Count position = offset; position < end; ++piece) {
    const Count piece_end = std::min(offsets_[piece + 1], end);
    std::memcpy(bytes.data() + (position - offset),
                reinterpret_cast<const std::byte*>(pieces_[piece]) + (position - offsets_[piece]),
                static_cast<std::size_t>(piece_end - position));
    position = piece_end;
  }
}

FROND_INSTANTIATE_CLASS(RowImage)

}  // namespace frond
