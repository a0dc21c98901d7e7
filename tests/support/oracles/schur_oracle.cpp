// SPDX-License-Identifier: BSD-3-Clause
// Eliminates one block of a dense matrix by ZGESV.
#include "tests/support/oracles/schur_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

extern "C" void zgesv_(const int* n, const int* nrhs, std::complex<double>* a, const int* lda, int* ipiv, std::complex<double>* b,
                       const int* ldb, int* info);

namespace frond::testing {
namespace {

using Wide = std::complex<double>;

WideMatrix product(const WideMatrix& a, const WideMatrix& b) {
  WideMatrix c(a.num_rows, b.num_cols);
  for (Index j = 0; j < b.num_cols; ++j) {
    for (Index k = 0; k < a.num_cols; ++k) {
      for (Index i = 0; i < a.num_rows; ++i) {
        c(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return c;
}

WideMatrix transposed(const WideMatrix& a) {
  WideMatrix t(a.num_cols, a.num_rows);
  for (Index j = 0; j < a.num_cols; ++j) {
    for (Index i = 0; i < a.num_rows; ++i) {
      t(j, i) = a(i, j);
    }
  }
  return t;
}

WideMatrix magnitudes(WideMatrix a) {
  std::transform(a.values.begin(), a.values.end(), a.values.begin(), [](Wide value) { return std::abs(value); });
  return a;
}

WideMatrix sum(WideMatrix a, const WideMatrix& b) {
  std::transform(a.values.begin(), a.values.end(), b.values.begin(), a.values.begin(), std::plus<>());
  return a;
}

WideMatrix difference(WideMatrix a, const WideMatrix& b) {
  std::transform(a.values.begin(), a.values.end(), b.values.begin(), a.values.begin(), std::minus<>());
  return a;
}

double largest_ratio(const WideMatrix& errors, const WideMatrix& units, double eps) {
  double largest = 0;
  for (std::size_t k = 0; k < errors.values.size(); ++k) {
    const double error = std::abs(errors.values[k]);
    const double unit = eps * units.values[k].real();
    if (!std::isfinite(error)) {
      return std::numeric_limits<double>::infinity();
    }
    if (error > 0) {
      largest = std::max(largest, error / unit);
    }
  }
  return largest;
}

template <Scalar S>
constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

}  // namespace

WideMatrix solve_by_lapack(WideMatrix a, WideMatrix b) {
  const int order = a.num_rows;
  const int num_rhs = b.num_cols;
  const int ld = std::max(order, 1);
  std::vector<int> pivots(a.values.size());
  int info = 0;
  zgesv_(&order, &num_rhs, a.values.data(), &ld, pivots.data(), b.values.data(), &ld, &info);
  if (info != 0) {
    throw std::runtime_error("ZGESV returns " + std::to_string(info));
  }
  return b;
}

template <Scalar S>
WideMatrix widened(const DenseMatrix<S>& matrix) {
  WideMatrix wide(matrix.num_rows, matrix.num_cols);
  std::transform(matrix.values.begin(), matrix.values.end(), wide.values.begin(),
                 [](S value) { return Wide(std::real(value), std::imag(value)); });
  return wide;
}

template <Scalar S>
DenseMatrix<S> narrowed(const WideMatrix& matrix) {
  DenseMatrix<S> narrow(matrix.num_rows, matrix.num_cols);
  std::transform(matrix.values.begin(), matrix.values.end(), narrow.values.begin(), [](Wide value) {
    if constexpr (kIsComplex<S>) {
      return static_cast<S>(value);
    } else {
      return static_cast<S>(value.real());
    }
  });
  return narrow;
}

template <Scalar S>
SchurOracle::SchurOracle(const DenseMatrix<S>& a, std::span<const Index> variables)
    : a_(widened(a)), second_(variables.begin(), variables.end()) {
  for (Index variable = 0; variable < a.num_rows; ++variable) {
    if (std::find(second_.begin(), second_.end(), variable) == second_.end()) {
      first_.push_back(variable);
    }
  }
  const WideMatrix a11 = block(first_, first_);
  w_ = solve_by_lapack(a11, block(first_, second_));
  z_ = transposed(solve_by_lapack(transposed(a11), transposed(block(second_, first_))));
  complement_ = difference(block(second_, second_), product(block(second_, first_), w_));
}

WideMatrix SchurOracle::block(std::span<const Index> rows, std::span<const Index> cols) const {
  WideMatrix result(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (std::size_t j = 0; j < cols.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result(static_cast<Index>(i), static_cast<Index>(j)) = a_(rows[i], cols[j]);
    }
  }
  return result;
}

double SchurOracle::amplification() const {
  const auto norm = [](const WideMatrix& matrix) {
    double largest = 0;
    for (Index i = 0; i < matrix.num_rows; ++i) {
      double sum = 0;
      for (Index j = 0; j < matrix.num_cols; ++j) {
        sum += std::abs(matrix(i, j));
      }
      largest = std::max(largest, sum);
    }
    return largest;
  };
  return (1 + norm(z_)) * (1 + norm(w_));
}

template <Scalar S>
double SchurOracle::error(const DenseMatrix<S>& s) const {
  const WideMatrix w = magnitudes(w_);
  const WideMatrix z = magnitudes(z_);
  const WideMatrix inner = sum(magnitudes(block(first_, second_)), product(magnitudes(block(first_, first_)), w));
  const WideMatrix outer = sum(magnitudes(block(second_, second_)), product(magnitudes(block(second_, first_)), w));
  return largest_ratio(difference(widened(s), complement_), sum(outer, product(z, inner)), kEps<S>);
}

namespace {

WideMatrix rows_of(const WideMatrix& matrix, std::span<const Index> rows) {
  WideMatrix result(static_cast<Index>(rows.size()), matrix.num_cols);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      result(static_cast<Index>(k), j) = matrix(rows[k], j);
    }
  }
  return result;
}

}  // namespace

template <Scalar S>
WideMatrix SchurOracle::condensed(const DenseMatrix<S>& b) const {
  const WideMatrix wide = widened(b);
  return difference(rows_of(wide, second_), product(z_, rows_of(wide, first_)));
}

template <Scalar S>
double SchurOracle::condensed_error(const DenseMatrix<S>& b, const DenseMatrix<S>& condensed) const {
  const WideMatrix wide = widened(b);
  const WideMatrix b1 = rows_of(wide, first_);
  const WideMatrix a11 = block(first_, first_);
  const WideMatrix y = magnitudes(solve_by_lapack(a11, b1));
  const WideMatrix inner = sum(magnitudes(b1), product(magnitudes(a11), y));
  const WideMatrix outer = sum(magnitudes(rows_of(wide, second_)), product(magnitudes(block(second_, first_)), y));
  return largest_ratio(difference(widened(condensed), this->condensed(b)), sum(outer, product(magnitudes(z_), inner)), kEps<S>);
}

#define FROND_INSTANTIATE(S)                                                        \
  template WideMatrix widened(const DenseMatrix<S>&);                               \
  template DenseMatrix<S> narrowed(const WideMatrix&);                              \
  template SchurOracle::SchurOracle(const DenseMatrix<S>&, std::span<const Index>); \
  template double SchurOracle::error(const DenseMatrix<S>&) const;                  \
  template WideMatrix SchurOracle::condensed(const DenseMatrix<S>&) const;          \
  template double SchurOracle::condensed_error(const DenseMatrix<S>&, const DenseMatrix<S>&) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::testing
