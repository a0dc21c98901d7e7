// SPDX-License-Identifier: BSD-3-Clause
// Adds up equations, together with the sizes of their terms.
#include "solver/thin/column_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "matrices/modulus.hpp"
#include "solver/numerics/accuracy/equation_errors.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/thin/add_entries.hpp"

namespace frond {
namespace {

// The smallest magnitude other than 0.
template <Scalar S>
RealOf<S> least_magnitude(std::span<const S> numbers) {
  RealOf<S> least = std::numeric_limits<RealOf<S>>::infinity();
  for (const S number : numbers) {
    if (const RealOf<S> size = std::abs(number); size > 0) {
      least = std::min(least, size);
    }
  }
  return least;
}

// Whether each equation without terms has none but for zeros: no product has left the range of numbers.
template <Scalar S>
bool are_zeros_true(const MatrixView<S>& matrix, std::span<const S> x) {
  const RealOf<S> least = std::sqrt(kLeastEquationSize<RealOf<S>>);
  return least_magnitude<S>(matrix.values) >= least && least_magnitude<S>(x) >= least;
}

template <Scalar S>
class WorstEquation {
 public:
  using R = RealOf<S>;

  void look_at(S rest, R size) {
    const R size_of_rest = modulus(rest);
    residual_ = std::max(residual_, size_of_rest);
    if (size >= kLeastEquationSize<R> && size <= std::numeric_limits<R>::max()) {
      if (size_of_rest > ratio_ * size) {
        ratio_ = size_of_rest / size;
      }
    } else {  // NaN included
      has_empty_ = has_empty_ || size == 0;
      is_in_range_ = is_in_range_ && size == 0;
    }
  }

  [[nodiscard]] R ratio() const { return ratio_; }

  [[nodiscard]] std::optional<ColumnReport> report(const MatrixView<S>& matrix, R norm, std::span<const S> b,
                                                   std::span<const S> x) const {
    if (!is_in_range_ || (has_empty_ && !are_zeros_true(matrix, x))) {
      return std::nullopt;
    }
    const long double whole =
        static_cast<long double>(norm) * largest_magnitude<S>(x) + static_cast<long double>(largest_magnitude<S>(b));
    ColumnReport report;
    report.componentwise_backward_error = ratio_;
    report.improvable_backward_error = ratio_;
    report.normwise_backward_error = error_ratio(residual_, whole);
    return report;
  }

 private:
  R ratio_ = 0;
  R residual_ = 0;
  bool has_empty_ = false;  // an equation without terms
  bool is_in_range_ = true;
};

}  // namespace

template <Scalar S>
std::optional<ColumnReport> measure_quickly(const MatrixView<S>& matrix, bool is_transposed, RealOf<S>& norm, std::span<const S> b,
                                            std::span<const S> x, std::span<QuickSums<S>> sums) {
  using Sum = QuickSums<S>;
  constexpr double kMost = kQuickUnits * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  for (std::size_t i = 0; i < b.size(); ++i) {
    sums[i] = {b[i], modulus(b[i]), 0};
  }
  const auto add_product = [x = x.data()](Sum& sum, S value, Index unknown) {
    const S product = value * x[unknown];
    sum.rest -= product;
    sum.size += modulus(product);
  };
  if (norm < 0) {
    add_entries(matrix.pattern, matrix.values.data(), is_transposed, sums.data(), [&](Sum& sum, S value, Index unknown) {
      add_product(sum, value, unknown);
      sum.row_sum += modulus(value);
    });
    const auto largest = std::ranges::max_element(sums, {}, &Sum::row_sum);
    norm = largest == sums.end() ? 0 : largest->row_sum;
  } else {
    add_entries(matrix.pattern, matrix.values.data(), is_transposed, sums.data(), add_product);
  }
  WorstEquation<S> worst;
  for (const Sum& sum : sums) {
    worst.look_at(sum.rest, sum.size);
  }
  return worst.ratio() <= kMost ? worst.report(matrix, norm, b, x) : std::nullopt;
}

#define FROND_INSTANTIATE(S)                                                                                       \
  template std::optional<ColumnReport> measure_quickly(const MatrixView<S>&, bool, RealOf<S>&, std::span<const S>, \
                                                       std::span<const S>, std::span<QuickSums<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
