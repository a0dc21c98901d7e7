// SPDX-License-Identifier: BSD-3-Clause
// Allocates and fills sample fronts.
#include "tools/program/calibration/sample_front.hpp"

#include <cstdint>
#include <numeric>

#include "factorization/memory/factor_storage.hpp"

namespace frond {
namespace {

Count upper_entries(Method method, Index order, Index num_fully_summed) {
  return method == Method::lu ? static_cast<Count>(order - num_fully_summed) * num_fully_summed : 0;
}

// Fills with numbers between -1/2 and 1/2 from a linear congruential generator.
template <Scalar S>
void fill_with_noise(std::vector<S>& entries, std::uint32_t seed) {
  for (S& entry : entries) {
    seed = seed * 1664525u + 1013904223u;
    entry = static_cast<S>(static_cast<RealOf<S>>(seed >> 8) / static_cast<RealOf<S>>(1 << 24) - static_cast<RealOf<S>>(0.5));
  }
}

}  // namespace

template <Scalar S>
SampleFront<S>::SampleFront(Method method, Index order, Index num_fully_summed)
    : rows_(static_cast<std::size_t>(num_fully_summed)), columns_(rows_.size()) {
  FrontFactor<S>& factor = front_.factor;
  factor.order = order;
  factor.num_fully_summed = num_fully_summed;
  factor.layout = front_layout(order, num_fully_summed, method);
  front_.cb_layout = contribution_layout(order - num_fully_summed, method);
  lower_.resize(static_cast<std::size_t>(factor.layout.size()));
  upper_.resize(static_cast<std::size_t>(upper_entries(method, order, num_fully_summed)));
  cb_.resize(static_cast<std::size_t>(front_.cb_layout.size()));
  d_.resize(2 * rows_.size());
  pivots_.resize(rows_.size());
  factor.lower = lower_.data();
  factor.upper = method == Method::lu ? upper_.data() : nullptr;
  factor.d = d_.data();
  factor.pivots = pivots_.data();
  factor.row_variables = rows_.data();
  factor.col_variables = method == Method::lu ? columns_.data() : rows_.data();
  front_.cb = cb_.data();
}

template <Scalar S>
Count SampleFront<S>::bytes(Method method, Index order, Index num_fully_summed) {
  const Count entries = front_layout(order, num_fully_summed, method).size() + upper_entries(method, order, num_fully_summed) +
                        contribution_layout(order - num_fully_summed, method).size();
  return entries * static_cast<Count>(sizeof(S));
}

template <Scalar S>
void SampleFront<S>::fill() {
  const FrontFactor<S>& factor = front_.factor;
  fill_with_noise(lower_, 1);
  fill_with_noise(upper_, 2);
  fill_with_noise(cb_, 3);
  for (Index k = 0; k < factor.num_fully_summed; ++k) {
    lower_[factor.layout.column_offset(k) + k] = static_cast<S>(static_cast<RealOf<S>>(factor.order));
  }
  std::iota(rows_.begin(), rows_.end(), 0);
  std::iota(columns_.begin(), columns_.end(), 0);
}

FROND_INSTANTIATE_CLASS(SampleFront)

}  // namespace frond
