// SPDX-License-Identifier: BSD-3-Clause
// Compares the condition of the whole matrix with the errors of its factors.
#include "solver/numerics/schur/schur_doubt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

namespace frond {
namespace {

constexpr double kDoubtful = 0.1;

template <class R>
double scale_at(std::span<const R> scaling, std::size_t i) {
  return scaling.empty() ? 1 : static_cast<double>(scaling[i]);
}

// ||D_r (b - A x)|| / (||D_r A D_c|| ||D_c^-1 x||), maximum norms, for an unrefined x and a b of signs, D_r b = +-1.
template <Scalar S>
double scaled_backward_error(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                             std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve) {
  using R = RealOf<S>;
  const Index n = matrix.pattern.num_cols;
  const auto order = static_cast<std::size_t>(n);
  std::vector<S> b(order);
  std::mt19937_64 generator(1);
  for (std::size_t i = 0; i < order; ++i) {
    b[i] = S(static_cast<R>((generator() >> 63 == 0 ? 1 : -1) / scale_at(row_scaling, i)));
  }
  std::vector<S> x = b;
  solve({Operation::plain, DenseView<S>{x.data(), n, 1, n}});
  std::vector<S> product(order);
  multiply<S>(matrix, Operation::plain, x, product);
  std::vector<S> ones(order);
  for (std::size_t j = 0; j < order; ++j) {
    ones[j] = col_scaling.empty() ? S(1) : S(col_scaling[j]);
  }
  std::vector<R> sums(order);
  multiply_magnitudes<S>(matrix, Operation::plain, ones, sums);
  double residual = 0;
  double norm = 0;
  double size = 0;
  for (std::size_t i = 0; i < order; ++i) {
    const double scale = scale_at(row_scaling, i);
    residual = std::max(residual, scale * static_cast<double>(std::abs(b[i] - product[i])));
    norm = std::max(norm, scale * static_cast<double>(sums[i]));
    size = std::max(size, static_cast<double>(std::abs(x[i])) / scale_at(col_scaling, i));
  }
  const double error = residual / (norm * size);
  return std::isfinite(error) ? error : 1;
}

}  // namespace

template <Scalar S>
bool is_whole_rank_in_doubt(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                            std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve, double null_threshold) {
  if (matrix.pattern.num_cols == 0) {
    return false;
  }
  const double condition = estimate_scaled_condition<S>(matrix, row_scaling, col_scaling, solve);
  const double error = scaled_backward_error<S>(matrix, row_scaling, col_scaling, solve);
  return !(condition * std::max(null_threshold, error) < kDoubtful);
}

void leave_in_doubt(FactorizationReport& report) {
  report.status = FactorizationStatus::success;
  report.null_pivots.clear();
}

std::string whole_once_more_note(bool has_complement) {
  return fmt::format(
      "{}: the whole matrix was factorized once more without one, which settles its rank, and solves are with its factors",
      has_complement ? "with the factors that leave a Schur complement the whole matrix looked singular" : kNoSchurComplementNote);
}

#define FROND_INSTANTIATE(S)                                                                                         \
  template bool is_whole_rank_in_doubt(const MatrixView<S>&, std::span<const RealOf<S>>, std::span<const RealOf<S>>, \
                                       const SolveInPlace<S>&, double);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
