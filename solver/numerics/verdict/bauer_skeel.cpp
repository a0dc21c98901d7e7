// SPDX-License-Identifier: BSD-3-Clause
// Estimates norms of products with |A^-1|, which is never formed.
#include "solver/numerics/verdict/bauer_skeel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>

#include "solver/numerics/accuracy/shared_product.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

constexpr int kMostWeights = 3;

template <Scalar S>
void multiply_by(const std::vector<RealOf<S>>& factors, std::span<S> x) {
  std::transform(x.begin(), x.end(), factors.begin(), x.begin(), [](S value, RealOf<S> factor) { return value * factor; });
}

template <Scalar S, class Visit>
void for_each_column(DenseView<S> x, const Visit& visit) {
  for (Index j = 0; j < x.cols; ++j) {
    visit(std::span(x.column(j), static_cast<std::size_t>(x.rows)));
  }
}

template <Scalar S>
void divide_by(const std::vector<RealOf<S>>& divisors, std::span<S> x) {
  std::transform(x.begin(), x.end(), divisors.begin(), x.begin(), [](S value, RealOf<S> divisor) { return value / divisor; });
}

// The largest (|B^-1| |B| v)_i / v_i: the 1-norm of diag(|B| v) B^-H diag(v)^-1. `blown_up` becomes |B^-1| |B| v if that is
// computed, and otherwise the largest |B^-1 diag(|B| v) s| seen, s being signs.
template <Scalar S>
double weighted_norm(const ScaledSystem<S>& system, const std::vector<RealOf<S>>& v, Index most_computed,
                     std::vector<RealOf<S>>& blown_up) {
  using R = RealOf<S>;
  const Index order = system.matrix.pattern.num_cols;
  const std::vector<R> sizes = system.multiply_magnitudes_by(v);
  blown_up.assign(v.size(), 0);
  const ApplyInPlace<S> apply = [&](bool adjoint, DenseView<S> x) {
    for_each_column(x, [&](std::span<S> column) { adjoint ? multiply_by<S>(sizes, column) : divide_by<S>(v, column); });
    system.apply_inverse(!adjoint, x);
    for_each_column(x, [&](std::span<S> column) {
      if (!adjoint) {
        multiply_by<S>(sizes, column);
        return;
      }
      std::transform(column.begin(), column.end(), blown_up.begin(), blown_up.begin(),
                     [](S value, R largest) { return std::max(largest, R(std::abs(value))); });
      divide_by<S>(v, column);
    });
  };
  if (order > most_computed) {
    return estimate_one_norm<S>(order, apply);
  }
  const std::vector<double> sums = sums_of_columns<S>(order, apply);
  std::transform(sums.begin(), sums.end(), v.begin(), blown_up.begin(), [](double sum, R weight) { return R(sum) * weight; });
  return *std::max_element(sums.begin(), sums.end());
}

// Moves towards the eigenvector of |B^-1| |B|: no weight falls below a small fraction of the largest, so that it does not hide an
// equation.
template <class R>
std::vector<R> next_weights(const std::vector<R>& blown_up) {
  const R largest = *std::max_element(blown_up.begin(), blown_up.end());
  const R least = largest * std::sqrt(std::numeric_limits<R>::epsilon());
  std::vector<R> weights(blown_up.size());
  std::transform(blown_up.begin(), blown_up.end(), weights.begin(), [=](R size) { return std::max(size, least) / largest; });
  return weights;
}

}  // namespace

template <Scalar S>
BauerSkeel<RealOf<S>> estimate_bauer_skeel(const ScaledSystem<S>& system, double too_large, Index most_computed) {
  using R = RealOf<S>;
  BauerSkeel<R> best{0, std::vector<R>(system.order(), R(1))};
  if (system.order() == 0) {
    return best;
  }
  best.bound = std::numeric_limits<double>::infinity();
  std::vector<R> weights = best.weights;
  std::vector<R> blown_up;
  for (int round = 0; round < kMostWeights; ++round) {
    const double norm = weighted_norm(system, weights, most_computed, blown_up);
    if (!(norm < best.bound)) {
      break;
    }
    best = {norm, weights};
    const R largest = *std::max_element(blown_up.begin(), blown_up.end());
    if (norm < too_large || !(largest > 0) || !std::isfinite(largest)) {
      break;
    }
    weights = next_weights(blown_up);
  }
  return best;
}

namespace {

// I - G A on the unknowns that have pivots, and its adjoint, in units of the column scaling.
template <Scalar S>
class Contraction {
 public:
  using R = RealOf<S>;

  Contraction(const ScaledSystem<S>& system, const std::vector<R>& weights)
      : system_(system),
        scales_(weights),
        plain_(system.matrix, Operation::plain),
        adjoint_(system.matrix, Operation::adjoint),
        has_no_pivot_(system.find_unknowns_without_pivot()),
        product_(system.order()),
        low_(system.order()),
        sizes_(system.order()) {
    for (std::size_t i = 0; i < system.col_scaling.size(); ++i) {
      scales_[i] *= system.col_scaling[i];
    }
  }

  // x := D^-1 (I - G A) D x for D = diag(scales)
  void apply(std::span<S> x) {
    multiply_by<S>(scales_, x);
    keep_pivots(x);
    multiply(plain_, x);
    solve(Operation::plain, product_);
    subtract_product(x);
    divide_by<S>(scales_, x);
  }

  void apply_adjoint(std::span<S> x) {
    divide_by<S>(scales_, x);
    std::vector<S> right(x.begin(), x.end());
    solve(Operation::adjoint, right);
    multiply(adjoint_, right);
    subtract_product(x);
    keep_pivots(x);
    multiply_by<S>(scales_, x);
  }

 private:
  void keep_pivots(std::span<S> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = has_no_pivot_[i] != 0 ? S(0) : x[i];
    }
  }
  void multiply(const SharedProduct<S>& matrix, std::span<const S> x) {
    matrix.multiply(x, {product_, low_}, sizes_);
    std::transform(product_.begin(), product_.end(), low_.begin(), product_.begin(), std::plus<>());
  }
  void solve(Operation operation, std::span<S> x) const {
    const auto n = static_cast<Index>(x.size());
    system_.solve({operation, {x.data(), n, 1, n}});
  }
  void subtract_product(std::span<S> x) const { std::transform(x.begin(), x.end(), product_.begin(), x.begin(), std::minus<>()); }

  const ScaledSystem<S>& system_;
  std::vector<R> scales_;
  SharedProduct<S> plain_;
  SharedProduct<S> adjoint_;
  std::vector<char> has_no_pivot_;  // [unknown]
  std::vector<S> product_;
  std::vector<S> low_;
  std::vector<R> sizes_;
};

}  // namespace

namespace {

// The factor by which the contraction reduces the image of a random vector; two powers suffice if one eigenvalue is 1: a null
// vector that the factors hide behind a pivot of rounding errors is its own image, and structured vectors may miss it.
template <Scalar S>
double ratio_of_powers(Contraction<S>& contraction, std::size_t order, std::uint64_t seed) {
  std::vector<S> x(order);
  std::mt19937_64 random(seed);
  std::generate(x.begin(), x.end(),
                [&random] { return S(static_cast<RealOf<S>>(static_cast<double>(random() >> 11) * 0x1p-52 - 1)); });
  contraction.apply(x);
  const auto first = static_cast<double>(largest_magnitude<S>(x));
  contraction.apply(x);
  const auto second = static_cast<double>(largest_magnitude<S>(x));
  const double ratio = first == 0 ? 0 : second / first;
  return std::isfinite(ratio) ? ratio : std::numeric_limits<double>::infinity();
}

}  // namespace

template <Scalar S>
double estimate_contraction(const ScaledSystem<S>& system, const std::vector<RealOf<S>>& weights) {
  if (system.order() == 0) {
    return 0;
  }
  Contraction<S> contraction(system, weights);
  // The 1-norm of the adjoint is the maximum norm.
  const double norm = estimate_one_norm<S>(system.matrix.pattern.num_cols, [&](bool is_adjoint_of_it, DenseView<S> x) {
    for_each_column(x,
                    [&](std::span<S> column) { is_adjoint_of_it ? contraction.apply(column) : contraction.apply_adjoint(column); });
  });
  return std::max({norm, ratio_of_powers(contraction, system.order(), 1), ratio_of_powers(contraction, system.order(), 2)});
}

#define FROND_INSTANTIATE(S)                                                                  \
  template BauerSkeel<RealOf<S>> estimate_bauer_skeel(const ScaledSystem<S>&, double, Index); \
  template double estimate_contraction(const ScaledSystem<S>&, const std::vector<RealOf<S>>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
