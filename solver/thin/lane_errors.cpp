// SPDX-License-Identifier: BSD-3-Clause
// Adds up equations, with vectors for numbers.
#include "solver/thin/lane_errors.hpp"

#include <cmath>
#include <limits>

#include "matrices/modulus.hpp"
#include "solver/numerics/accuracy/equation_errors.hpp"
#include "solver/thin/add_entries.hpp"
#include "solver/thin/column_errors.hpp"

namespace frond {
namespace {

template <class R>
[[gnu::always_inline]] inline LaneReals<R> moduli(const LaneReals<R>& a) {
  return absolute(a);
}
template <class R>
[[gnu::always_inline]] inline LaneReals<R> moduli(const LaneComplex<R>& a) {
  LaneReals<R> sizes;
  for (int lane = 0; lane < kLanes<R>; ++lane) {
    sizes.set(lane, modulus(lane_of(a, lane)));
  }
  return sizes;
}

// Infinity for zeros, of numbers that are not negative.
template <class R>
[[gnu::always_inline]] inline LaneReals<R> unless_zero(const LaneReals<R>& a) {
  return choose_where_less({}, a, a, LaneReals<R>::all(std::numeric_limits<R>::infinity()));
}

// The smallest magnitudes other than 0.
template <Scalar S>
LaneReals<RealOf<S>> least_moduli(std::span<const LaneNumbers<S>> numbers) {
  auto least = LaneReals<RealOf<S>>::all(std::numeric_limits<RealOf<S>>::infinity());
  for (const LaneNumbers<S>& number : numbers) {
    least = smaller(least, unless_zero(moduli(number)));
  }
  return least;
}

// The largest of each lane over all equations.
template <class R>
struct Worst {
  LaneReals<R> ratio;
  LaneReals<R> residual;
  LaneReals<R> row_sum;
  LaneReals<R> x;
  LaneReals<R> b;
  LaneReals<R> least_size = LaneReals<R>::all(std::numeric_limits<R>::infinity());  // other than 0
  LaneReals<R> least_with_zeros = least_size;
  LaneReals<R> nothing;  // 0 times all numbers: NaN if one leaves the range of numbers
};

template <Scalar S>
[[gnu::always_inline]] inline Worst<RealOf<S>> find_worst(const PatternView& pattern, const LaneNumbers<S>* values,
                                                          bool is_transposed, std::span<const LaneNumbers<S>> b,
                                                          std::span<const LaneNumbers<S>> x, std::span<LaneSums<S>> sums) {
  using Reals = LaneReals<RealOf<S>>;
  for (std::size_t i = 0; i < b.size(); ++i) {
    sums[i].rest = b[i];
    sums[i].size = moduli(b[i]);
    sums[i].row_sum = {};
  }
  add_entries(
      pattern, values, is_transposed,
      sums.data(), [&](LaneSums<S> & sum, const LaneNumbers<S>& value, Index unknown) __attribute__((always_inline)) {
        const LaneNumbers<S> product = value * x[unknown];
        sum.rest -= product;
        sum.size += moduli(product);
        sum.row_sum += moduli(value);
      });
  Worst<RealOf<S>> worst;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Reals rest = moduli(sums[i].rest);
    worst.ratio = larger(worst.ratio, rest / sums[i].size);  // 0 / 0 is NaN, and counts as 0
    worst.residual = larger(worst.residual, rest);
    worst.row_sum = larger(worst.row_sum, sums[i].row_sum);
    worst.x = larger(worst.x, moduli(x[i]));
    worst.b = larger(worst.b, moduli(b[i]));
    worst.least_size = smaller(worst.least_size, unless_zero(sums[i].size));
    worst.least_with_zeros = smaller(worst.least_with_zeros, sums[i].size);
    worst.nothing += Reals{} * sums[i].size;
  }
  return worst;
}

}  // namespace

template <Scalar S>
LaneReports<S> measure_lanes(const PatternView& pattern, const LaneNumbers<S>* values, bool is_transposed,
                             std::span<const LaneNumbers<S>> b, std::span<const LaneNumbers<S>> x, std::span<LaneSums<S>> sums) {
  using R = RealOf<S>;
  constexpr double kMost = kQuickUnits * static_cast<double>(std::numeric_limits<R>::epsilon());
  Worst<R> worst;
  with_vectors([&]() __attribute__((always_inline)) { worst = find_worst<S>(pattern, values, is_transposed, b, x, sums); });
  // Whether no product has left the range of numbers: see measure_quickly().
  const auto are_zeros_true = [&](int lane) {
    const R least = std::sqrt(kLeastEquationSize<R>);
    const auto all_values = std::span(values, pattern.row_indices.size());
    return lane_of(least_moduli<S>(all_values), lane) >= least && lane_of(least_moduli<S>(x), lane) >= least;
  };
  LaneReports<S> reports;
  for (int lane = 0; lane < kLanes<S>; ++lane) {
    const R ratio = lane_of(worst.ratio, lane);
    const bool is_in_range = lane_of(worst.nothing, lane) == 0 && lane_of(worst.least_size, lane) >= kLeastEquationSize<R>;
    if (is_in_range && ratio <= kMost && (lane_of(worst.least_with_zeros, lane) > 0 || are_zeros_true(lane))) {
      const long double whole = static_cast<long double>(lane_of(worst.row_sum, lane)) * lane_of(worst.x, lane) +
                                static_cast<long double>(lane_of(worst.b, lane));
      reports[lane].emplace();
      reports[lane]->componentwise_backward_error = reports[lane]->improvable_backward_error = ratio;
      reports[lane]->normwise_backward_error = error_ratio(lane_of(worst.residual, lane), whole);
    }
  }
  return reports;
}

#define FROND_INSTANTIATE(S)                                                                                              \
  template LaneReports<S> measure_lanes(const PatternView&, const LaneNumbers<S>*, bool, std::span<const LaneNumbers<S>>, \
                                        std::span<const LaneNumbers<S>>, std::span<LaneSums<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
