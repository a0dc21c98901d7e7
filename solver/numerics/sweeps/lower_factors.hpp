// SPDX-License-Identifier: BSD-3-Clause
// Factors in single precision of a matrix in double precision.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "matrices/large_vector.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "solver/numerics/sweeps/unset_array.hpp"

namespace frond {

namespace detail {
template <Scalar S>
struct LowerPrecision {
  using type = S;
};
template <>
struct LowerPrecision<double> {
  using type = float;
};
template <>
struct LowerPrecision<std::complex<double>> {
  using type = std::complex<float>;
};
}  // namespace detail

/// The scalar type of half the size; float and complex float have none and map to themselves.
template <Scalar S>
using LowerOf = typename detail::LowerPrecision<S>::type;

template <Scalar S>
inline constexpr bool kHasLower = sizeof(LowerOf<S>) < sizeof(S);

/// Bytes of an entry of the factors in the requested precision.
template <Scalar S>
[[nodiscard]] constexpr Count factor_scalar_bytes(bool is_mixed) {
  return is_mixed ? sizeof(LowerOf<S>) : sizeof(S);
}

/// The factors of D_r A D_c, rounded to lower precision after scaling: scales may exceed the range of single precision, scaled
/// entries do not. Immutable.
template <Scalar S>
class LowerFactors {
 public:
  using L = LowerOf<S>;

  LowerFactors(Factors<L> factors, Scaling<RealOf<S>> scaling) : factors_(std::move(factors)), scaling_(std::move(scaling)) {}

  /// X := op(A)^-1 X, approximately: each column is scaled to size 1 and back.
  void solve(const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads) const;

  [[nodiscard]] const Factors<L>& factors() const { return factors_; }
  [[nodiscard]] const Scaling<RealOf<S>>& scaling() const { return scaling_; }

 private:
  Factors<L> factors_;
  Scaling<RealOf<S>> scaling_;
};

template <Scalar S>
struct LowerResult {
  std::optional<LowerFactors<S>> factors;  ///< empty unless the status is success
  FactorizationReport report;              ///< its determinant is that of A
};

/// As factorize(values), which factorizes scaled values in lower precision. Scaled entries that overflow make the status
/// `singular`.
template <Scalar S>
[[nodiscard]] LowerResult<S> factorize_lower(
    const MatrixView<S>& matrix, Scaling<RealOf<S>> scaling,
    const std::function<FactorizationResult<LowerOf<S>>(std::span<const LowerOf<S>> values)>& factorize);

/// The entries of D_r A D_c in lower precision; empty if one of them overflows.
template <Scalar S>
[[nodiscard]] LargeVector<LowerOf<S>> lower_values(const MatrixView<S>& matrix, const Scaling<RealOf<S>>& scaling);

/// The right-hand sides of op(D_r A D_c) Y = D B in lower precision, each column times the power of 2 that brings it to size 1;
/// once values() holds Y, store() converts it to X. `scaling` must outlive this object.
template <Scalar S>
class LowerSide {
 public:
  LowerSide(const Scaling<RealOf<S>>& scaling, Operation operation, DenseView<const S> b);
  [[nodiscard]] DenseView<LowerOf<S>> values();
  void store(DenseView<S> x) const;

 private:
  std::span<const RealOf<S>> unknown_scaling_;
  std::vector<int> exponents_;  // [column]
  Index num_rows_;
  UnsetArray<LowerOf<S>> values_;  // column by column
};

/// det(A) from that of D_r A D_c, whose scales are powers of 2.
template <class R>
[[nodiscard]] Determinant without_scaling(Determinant determinant, const Scaling<R>& scaling);

}  // namespace frond
