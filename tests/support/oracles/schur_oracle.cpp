// SPDX-License-Identifier: BSD-3-Clause
// Eliminates one block of a dense matrix by Eigen's LU.
#include "tests/support/oracles/schur_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace frond::testing {
namespace {

template <class W>
test::EigenMatrix<W> solved(const test::EigenMatrix<W>& a, const test::EigenMatrix<W>& b) {
  return b.size() == 0 ? b : test::solution(a, b);
}

template <class W>
Eigen::MatrixXd magnitudes(const test::EigenMatrix<W>& a) {
  return a.cwiseAbs();
}

template <class W>
double norm(const test::EigenMatrix<W>& a) {
  return a.size() == 0 ? 0 : a.cwiseAbs().rowwise().sum().maxCoeff();
}

// Returns the largest |errors_ij| in units of eps units_ij.
template <Scalar S>
double largest_ratio(const test::WideDense<S>& errors, const Eigen::MatrixXd& units) {
  double largest = 0;
  for (Eigen::Index j = 0; j < errors.cols(); ++j) {
    for (Eigen::Index i = 0; i < errors.rows(); ++i) {
      const double error = std::abs(errors(i, j));
      if (!std::isfinite(error)) {
        return std::numeric_limits<double>::infinity();
      }
      if (error > 0) {
        largest = std::max(largest, error / units(i, j));
      }
    }
  }
  return largest / static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
}

}  // namespace

template <Scalar S>
SchurOracle<S>::SchurOracle(const DenseMatrix<S>& a, std::span<const Index> variables)
    : second_(variables.begin(), variables.end()) {
  for (Index variable = 0; variable < a.num_rows; ++variable) {
    if (std::find(second_.begin(), second_.end(), variable) == second_.end()) {
      first_.push_back(variable);
    }
  }
  const Matrix whole = test::wide(a);
  a11_ = whole(first_, first_);
  a12_ = whole(first_, second_);
  a21_ = whole(second_, first_);
  a22_ = whole(second_, second_);
  w_ = solved(a11_, a12_);
  z_ = solved<test::Wide<S>>(a11_.transpose(), a21_.transpose()).transpose();
  complement_ = a22_ - test::product(a21_, w_);
}

template <Scalar S>
DenseMatrix<S> SchurOracle<S>::solution(const DenseMatrix<S>& b) const {
  const Matrix x = solved(complement_, test::wide(b));
  DenseMatrix<S> narrow(b.num_rows, b.num_cols);
  std::transform(x.data(), x.data() + x.size(), narrow.values.begin(), [](const auto& value) { return static_cast<S>(value); });
  return narrow;
}

template <Scalar S>
double SchurOracle<S>::amplification() const {
  return (1 + norm(z_)) * (1 + norm(w_));
}

template <Scalar S>
double SchurOracle<S>::error(const DenseMatrix<S>& s) const {
  const Eigen::MatrixXd w = magnitudes(w_);
  const Eigen::MatrixXd inner = magnitudes(a12_) + test::product(magnitudes(a11_), w);
  const Eigen::MatrixXd outer = magnitudes(a22_) + test::product(magnitudes(a21_), w);
  return largest_ratio<S>(test::wide(s) - complement_, outer + test::product(magnitudes(z_), inner));
}

template <Scalar S>
double SchurOracle<S>::condensed_error(const DenseMatrix<S>& b, const DenseMatrix<S>& condensed) const {
  const Matrix whole = test::wide(b);
  const Matrix b1 = whole(first_, Eigen::all);
  const Matrix b2 = whole(second_, Eigen::all);
  const Eigen::MatrixXd y = magnitudes(solved(a11_, b1));
  const Eigen::MatrixXd inner = magnitudes(b1) + test::product(magnitudes(a11_), y);
  const Eigen::MatrixXd outer = magnitudes(b2) + test::product(magnitudes(a21_), y);
  const Matrix expected = b2 - test::product(z_, b1);
  return largest_ratio<S>(test::wide(condensed) - expected, outer + test::product(magnitudes(z_), inner));
}

FROND_INSTANTIATE_CLASS(SchurOracle)

}  // namespace frond::testing
