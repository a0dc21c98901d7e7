// SPDX-License-Identifier: BSD-3-Clause
// Copies between messages and the pieces of fronts.
#include "factorization/contribution_image.hpp"

#include <algorithm>
#include <cstring>

namespace frond {

template <Scalar S>
ContributionImage<S>::ContributionImage(const NumericFront<S>& front) {
  const FrontFactor<S>& factor = front.factor;
  const Index e = factor.num_eliminated;
  for (Index column = e; column < factor.num_fully_summed; ++column) {
    pieces_.emplace_back(factor.lower + factor.layout.column_offset(column) + e, static_cast<std::size_t>(factor.order - e));
  }
  if (factor.upper != nullptr && factor.num_delayed() > 0) {
    const Count cb_order = factor.cb_order();
    pieces_.emplace_back(factor.upper + e * cb_order, static_cast<std::size_t>(factor.num_delayed() * cb_order));
  }
  pieces_.emplace_back(front.cb, static_cast<std::size_t>(front.cb_layout.size()));
}

template <Scalar S>
Count ContributionImage<S>::num_bytes() const {
  Count bytes = 0;
  for (const std::span<S>& piece : pieces_) {
    bytes += static_cast<Count>(piece.size_bytes());
  }
  return bytes;
}

template <Scalar S>
template <class Copy>
void ContributionImage<S>::for_each_overlap(Count offset, Count num_bytes, Copy copy) const {
  Count piece_begin = 0;
  for (const std::span<S>& piece : pieces_) {
    const Count piece_end = piece_begin + static_cast<Count>(piece.size_bytes());
    const Count begin = std::max(offset, piece_begin);
    const Count end = std::min(offset + num_bytes, piece_end);
    if (begin < end) {
      copy(reinterpret_cast<std::byte*>(piece.data()) + (begin - piece_begin), begin - offset,
           static_cast<std::size_t>(end - begin));
    }
    piece_begin = piece_end;
  }
}

template <Scalar S>
void ContributionImage<S>::read(Count offset, std::span<std::byte> bytes) const {
  for_each_overlap(offset, static_cast<Count>(bytes.size()), [&](const std::byte* memory, Count position, std::size_t length) {
    std::memcpy(bytes.data() + position, memory, length);
  });
}

template <Scalar S>
void ContributionImage<S>::write(Count offset, std::span<const std::byte> bytes) const {
  for_each_overlap(offset, static_cast<Count>(bytes.size()), [&](std::byte* memory, Count position, std::size_t length) {
    std::memcpy(memory, bytes.data() + position, length);
  });
}

Count guest_entries(Index cb_order, Index num_delayed, Method method) {
  const Count delayed = num_delayed;
  const Count lower = delayed * (delayed + cb_order);
  const Count upper = method == Method::lu ? delayed * cb_order : 0;
  return lower + upper + contribution_layout(cb_order, method).size();
}

template <Scalar S>
NumericFront<S> make_guest(Index cb_order, Index num_delayed, Method method, S* memory, Index* row_variables,
                           Index* col_variables) {
  NumericFront<S> guest;
  guest.factor.order = num_delayed + cb_order;
  guest.factor.num_fully_summed = num_delayed;
  guest.factor.layout = {guest.factor.order, num_delayed, std::max<Index>(num_delayed, 1)};
  guest.factor.row_variables = row_variables;
  guest.factor.col_variables = method == Method::lu ? col_variables : row_variables;
  guest.cb_layout = contribution_layout(cb_order, method);
  guest.factor.lower = memory;
  S* end = memory + guest.factor.layout.size();
  if (method == Method::lu) {
    guest.factor.upper = end;
    end += static_cast<Count>(num_delayed) * cb_order;
  }
  guest.cb = end;
  return guest;
}

template class ContributionImage<float>;
template class ContributionImage<double>;
template class ContributionImage<std::complex<float>>;
template class ContributionImage<std::complex<double>>;
template NumericFront<float> make_guest(Index, Index, Method, float*, Index*, Index*);
template NumericFront<double> make_guest(Index, Index, Method, double*, Index*, Index*);
template NumericFront<std::complex<float>> make_guest(Index, Index, Method, std::complex<float>*, Index*, Index*);
template NumericFront<std::complex<double>> make_guest(Index, Index, Method, std::complex<double>*, Index*, Index*);

}  // namespace frond
