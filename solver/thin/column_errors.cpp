// SPDX-License-Identifier: BSD-3-Clause
// Adds up equations in twice the working precision, together with the sizes of their terms.
#include "solver/thin/column_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/numerics/accuracy/equation_errors.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {
namespace {

template <Scalar S>
[[gnu::always_inline]] inline void subtract_term(S a, S x, EquationSums<S>& sums) {
  auto rest = WideNumber<S>::of_parts(sums.high, sums.low);
  rest += WideNumber<S>::of_product(-a, x);
  sums.high = rest.high();
  sums.low = rest.low();
  const RealOf<S> size = std::abs(a);
  sums.size += size * std::abs(x);
  sums.row_sum += size;
}

template <Scalar S>
[[gnu::always_inline]] inline void subtract_products(const MatrixView<S>& matrix, bool is_transposed, std::span<const S> x,
                                                     std::span<EquationSums<S>> sums) {
  const PatternView& pattern = matrix.pattern;
  for (Index column = 0; column < pattern.num_cols; ++column) {
    const Count begin = pattern.column_offsets[column];
    const Count end = pattern.column_offsets[column + 1];
    if (is_transposed) {
      EquationSums<S> own = sums[column];
      for (Count entry = begin; entry < end; ++entry) {
        subtract_term(matrix.values[entry], x[pattern.row_indices[entry]], own);
      }
      sums[column] = own;
    } else {
      const S factor = x[column];
      for (Count entry = begin; entry < end; ++entry) {
        subtract_term(matrix.values[entry], factor, sums[pattern.row_indices[entry]]);
      }
    }
  }
}

// See SharedProduct: the instruction for the error of a product gives the same bits as the function of the system's library.
template <Scalar S>
[[gnu::target("fma")]] void subtract_products_with_fma(const MatrixView<S>& matrix, bool is_transposed, std::span<const S> x,
                                                       std::span<EquationSums<S>> sums) {
  subtract_products(matrix, is_transposed, x, sums);
}

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
struct WorstEquation {
  using R = RealOf<S>;

  R ratio = 0;
  R residual = 0;
  R row_sum = 0;
  bool has_empty = false;  // an equation without terms
  bool is_in_range = true;

  void look_at(S rest, const EquationSums<S>& sums) {
    const R size_of_rest = std::abs(rest);
    residual = std::max(residual, size_of_rest);
    row_sum = std::max(row_sum, sums.row_sum);
    if (sums.size >= kLeastEquationSize<R> && sums.size <= std::numeric_limits<R>::max()) {
      if (size_of_rest > ratio * sums.size) {
        ratio = size_of_rest / sums.size;
      }
    } else {  // NaN included
      has_empty = has_empty || sums.size == 0;
      is_in_range = is_in_range && sums.size == 0;
    }
  }
};

}  // namespace

template <Scalar S>
std::optional<ColumnReport> measure_column(const MatrixView<S>& matrix, bool is_transposed, std::span<const S> b,
                                           std::span<const S> x, std::span<S> residual, std::span<EquationSums<S>> sums) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    sums[i] = {b[i], S(0), std::abs(b[i]), 0};
  }
  if (__builtin_cpu_supports("fma") != 0) {
    subtract_products_with_fma(matrix, is_transposed, x, sums);
  } else {
    subtract_products(matrix, is_transposed, x, sums);
  }
  WorstEquation<S> worst;
  for (std::size_t i = 0; i < b.size(); ++i) {
    residual[i] = sums[i].high + sums[i].low;
    worst.look_at(residual[i], sums[i]);
  }
  if (!worst.is_in_range || (worst.has_empty && !are_zeros_true(matrix, x))) {
    return std::nullopt;
  }
  const long double whole =
      static_cast<long double>(worst.row_sum) * largest_magnitude<S>(x) + static_cast<long double>(largest_magnitude<S>(b));
  ColumnReport report;
  report.componentwise_backward_error = worst.ratio;
  report.improvable_backward_error = worst.ratio;
  report.normwise_backward_error = error_ratio(worst.residual, whole);
  return report;
}

#define FROND_INSTANTIATE(S)                                                                                              \
  template std::optional<ColumnReport> measure_column(const MatrixView<S>&, bool, std::span<const S>, std::span<const S>, \
                                                      std::span<S>, std::span<EquationSums<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
