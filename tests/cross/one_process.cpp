// SPDX-License-Identifier: BSD-3-Clause
// Solves the same system in one process.
#include "tests/cross/one_process.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "frond/factorization.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond::test {

template <Scalar S>
OneProcess<S> solve_in_one_process(const SparseMatrix<S>& matrix, std::span<const S> b) {
  constexpr Index kLargestWithoutFronts = 20000;  // larger ones may fill in too much
  SolverOptions options;
  options.factorization.thin = matrix.num_cols <= kLargestWithoutFronts ? Use::always : Use::never;
  const Factorization<S> factorization(matrix, options);
  OneProcess<S> result;
  result.report = factorization.report();
  result.x.resize(b.size());
  static_cast<void>(factorization.solve(b, result.x));
  const auto solve_in_place = [&](const Sweep<S>& sweep) {
    const DenseView<S> x = sweep.x;
    for (Index j = 0; j < x.cols; ++j) {
      const std::vector<S> right(x.column(j), x.column(j) + x.rows);
      static_cast<void>(factorization.solve(right, std::span(x.column(j), right.size()), sweep.operation));
    }
  };
  result.condition = estimate_scaled_condition<S>(matrix.view(), {}, {}, solve_in_place);
  return result;
}

template <Scalar S>
double relative_difference(std::span<const S> x, std::span<const S> y) {
  double difference = 0;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::abs(x[i] - y[i]);
    if (!std::isfinite(size)) {
      return std::numeric_limits<double>::infinity();
    }
    difference = std::max(difference, size);
    largest = std::max(largest, std::abs(y[i]));
  }
  return difference == 0 ? 0 : difference / largest;
}

template OneProcess<double> solve_in_one_process(const SparseMatrix<double>&, std::span<const double>);
template OneProcess<std::complex<double>> solve_in_one_process(const SparseMatrix<std::complex<double>>&,
                                                               std::span<const std::complex<double>>);
template double relative_difference(std::span<const double>, std::span<const double>);
template double relative_difference(std::span<const std::complex<double>>, std::span<const std::complex<double>>);

}  // namespace frond::test
