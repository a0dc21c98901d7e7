// SPDX-License-Identifier: BSD-3-Clause
// Norms of products with |A^-1|, which is never formed.
#include "solver/verdict/bauer_skeel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "solver/norm_estimate.hpp"
#include "solver/shared_product.hpp"

namespace frond {
namespace {

constexpr int kMostWeights = 3;

template <Scalar S>
void multiply_by(const std::vector<RealOf<S>>& factors, std::span<S> x) {
  std::transform(x.begin(), x.end(), factors.begin(), x.begin(), [](S value, RealOf<S> factor) { return value * factor; });
}

template <Scalar S>
void divide_by(const std::vector<RealOf<S>>& divisors, std::span<S> x) {
  std::transform(x.begin(), x.end(), divisors.begin(), x.begin(), [](S value, RealOf<S> divisor) { return value / divisor; });
}

// The largest (|B^-1| |B| v)_i / v_i: the 1-norm of diag(|B| v) B^-H diag(v)^-1. `blown_up` becomes the largest that was met of
// |B^-1 diag(|B| v) s|, signs s.
template <Scalar S>
double weighted_norm(const ScaledSystem<S>& system, const std::vector<RealOf<S>>& v, std::vector<RealOf<S>>& blown_up) {
  const std::vector<RealOf<S>> sizes = system.multiply_magnitudes_by(v);
  blown_up.assign(v.size(), 0);
  return estimate_one_norm<S>(system.matrix.pattern.num_cols, [&](bool adjoint, std::span<S> x) {
    if (!adjoint) {
      divide_by<S>(v, x);
      system.apply_inverse(true, x);
      multiply_by<S>(sizes, x);
      return;
    }
    multiply_by<S>(sizes, x);
    system.apply_inverse(false, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      blown_up[i] = std::max(blown_up[i], RealOf<S>(std::abs(x[i])));
    }
    divide_by<S>(v, x);
  });
}

// Towards the eigenvector of |B^-1| |B|: no weight falls below a small part of the largest, lest it hide an equation.
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
double estimate_bauer_skeel(const ScaledSystem<S>& system, double too_large) {
  using R = RealOf<S>;
  if (system.order() == 0) {
    return 0;
  }
  std::vector<R> weights(system.order(), R(1));
  std::vector<R> blown_up;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostWeights; ++round) {
    const double norm = weighted_norm(system, weights, blown_up);
    const bool is_better = norm < least;
    least = std::min(least, norm);
    const R largest = *std::max_element(blown_up.begin(), blown_up.end());
    if (!is_better || least < too_large || !(largest > 0) || !std::isfinite(largest)) {
      break;
    }
    weights = next_weights(blown_up);
  }
  return least;
}

namespace {

// I - G A of the unknowns that have pivots, and its adjoint, in units of the column scaling.
template <Scalar S>
class Contraction {
 public:
  using R = RealOf<S>;

  explicit Contraction(const ScaledSystem<S>& system)
      : system_(system),
        plain_(system.matrix, Operation::plain),
        adjoint_(system.matrix, Operation::adjoint),
        has_pivot_(system.order(), 1),
        product_(system.order()),
        low_(system.order()),
        sizes_(system.order()) {
    find_pivots();
  }

  // x := D_c^-1 (I - G A) D_c x
  void apply(std::span<S> x) {
    for (std::size_t i = 0; i < system_.col_scaling.size(); ++i) {
      x[i] *= system_.col_scaling[i];
    }
    keep_pivots(x);
    multiply(plain_, x);
    solve(Operation::plain, product_);
    subtract_product(x);
    ScaledSystem<S>::divide(system_.col_scaling, x);
  }

  void apply_adjoint(std::span<S> x) {
    ScaledSystem<S>::divide(system_.col_scaling, x);
    std::vector<S> right(x.begin(), x.end());
    solve(Operation::adjoint, right);
    multiply(adjoint_, right);
    subtract_product(x);
    keep_pivots(x);
    for (std::size_t i = 0; i < system_.col_scaling.size(); ++i) {
      x[i] *= system_.col_scaling[i];
    }
  }

 private:
  // Unknowns without a pivot are 0 whatever the right-hand side.
  void find_pivots() {
    std::mt19937_64 random(1);
    std::generate(product_.begin(), product_.end(), [&random] { return S(1 + static_cast<R>(random() % 1024) / 1024); });
    for (std::size_t i = 0; i < system_.row_scaling.size(); ++i) {
      product_[i] /= system_.row_scaling[i];
    }
    solve(Operation::plain, product_);
    std::transform(product_.begin(), product_.end(), has_pivot_.begin(), [](S value) { return value != S(0) ? 1 : 0; });
  }
  void keep_pivots(std::span<S> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = has_pivot_[i] != 0 ? x[i] : S(0);
    }
  }
  void multiply(const SharedProduct<S>& matrix, std::span<const S> x) {
    matrix.multiply(x, {product_, low_}, sizes_);
    std::transform(product_.begin(), product_.end(), low_.begin(), product_.begin(), std::plus<>());
  }
  void solve(Operation operation, std::span<S> x) const {
    const auto n = static_cast<Index>(x.size());
    system_.solve(SweepPart::whole, operation, DenseView<S>{x.data(), n, 1, n});
  }
  void subtract_product(std::span<S> x) const { std::transform(x.begin(), x.end(), product_.begin(), x.begin(), std::minus<>()); }

  const ScaledSystem<S>& system_;
  SharedProduct<S> plain_;
  SharedProduct<S> adjoint_;
  std::vector<char> has_pivot_;  // [unknown]
  std::vector<S> product_;
  std::vector<S> low_;
  std::vector<R> sizes_;
};

}  // namespace

template <Scalar S>
double estimate_contraction(const ScaledSystem<S>& system) {
  if (system.order() == 0) {
    return 0;
  }
  Contraction<S> contraction(system);
  // The 1-norm of the adjoint is the maximum norm.
  return estimate_one_norm<S>(system.matrix.pattern.num_cols, [&](bool is_adjoint_of_it, std::span<S> x) {
    is_adjoint_of_it ? contraction.apply(x) : contraction.apply_adjoint(x);
  });
}

template double estimate_bauer_skeel(const ScaledSystem<float>&, double);
template double estimate_contraction(const ScaledSystem<float>&);
template double estimate_bauer_skeel(const ScaledSystem<double>&, double);
template double estimate_contraction(const ScaledSystem<double>&);
template double estimate_bauer_skeel(const ScaledSystem<std::complex<float>>&, double);
template double estimate_contraction(const ScaledSystem<std::complex<float>>&);
template double estimate_bauer_skeel(const ScaledSystem<std::complex<double>>&, double);
template double estimate_contraction(const ScaledSystem<std::complex<double>>&);

}  // namespace frond
