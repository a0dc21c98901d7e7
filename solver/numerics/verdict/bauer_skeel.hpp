// SPDX-License-Identifier: BSD-3-Clause
// Estimates how far a matrix is from singular ones, each entry measured by its own size.
#pragma once

#include <vector>

#include "frond/types.hpp"
#include "solver/numerics/accuracy/norm_estimate.hpp"
#include "solver/numerics/verdict/scaled_system.hpp"

namespace frond {

/// A bound of rho(|A^-1| |A|), and the weights v that give it.
template <class R>
struct BauerSkeel {
  double bound = 0;
  std::vector<R> weights;  ///< of unknowns in units of the column scaling
};

/// An upper estimate of rho(|A^-1| |A|), Bauer's and Skeel's condition number at its least over all scales: for any v > 0
///
///     rho <= max_i (|A^-1| |A| v)_i / v_i,
///
/// which is the norm of diag(v)^-1 A^-1 diag(|A| v), estimated by estimate_one_norm(), mostly to within a factor of 3, or computed
/// up to the order `most_computed`. v starts as the column scaling and then follows the growth through the factors, like a power
/// iteration, as long as the estimate is `too_large` and decreases. With null pivots, A^-1 is that of the eliminated part. Infinite
/// when a solve overflows.
template <Scalar S>
[[nodiscard]] BauerSkeel<RealOf<S>> estimate_bauer_skeel(const ScaledSystem<S>& system, double too_large,
                                                         Index most_computed = kMostComputed);

/// An estimate of ||I - G A||, G being the solves with the factors, in the maximum norm of unknowns divided by `weights`, on
/// unknowns that have pivots; at least the ratio of two powers of it on random vectors, which a hidden null vector makes 1. Below
/// 1, no matrix between A and the one whose factors these are exactly is singular: (1 - t) A + t G^-1 = G^-1 (I - (1 - t) (I - G
/// A)), so that, if symmetric, both have the same inertia.
template <Scalar S>
[[nodiscard]] double estimate_contraction(const ScaledSystem<S>& system, const std::vector<RealOf<S>>& weights);

}  // namespace frond
