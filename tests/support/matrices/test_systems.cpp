// SPDX-License-Identifier: BSD-3-Clause
// Generates random systems, and computes residuals with the dense oracle.
#include "tests/support/matrices/test_systems.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond::testing {
namespace {

template <Scalar S>
S random_scalar(std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto real = static_cast<RealOf<S>>(uniform(generator));
  if constexpr (kIsComplex<S>) {
    return {real, static_cast<RealOf<S>>(uniform(generator))};
  } else {
    return real;
  }
}

// 2^k with k from -10 to 10.
double random_power(std::mt19937_64& generator) { return std::ldexp(1.0, std::uniform_int_distribution<int>(-10, 10)(generator)); }

template <Scalar S>
S diagonal_entry(Index i, Index degree, Symmetry symmetry, Flavour flavour, std::mt19937_64& generator) {
  if (flavour == Flavour::dominant) {
    return S(static_cast<RealOf<S>>(4 * degree + 4));
  }
  const S entry = random_scalar<S>(generator);
  const S real_if_hermitian = symmetry == Symmetry::hermitian ? S(std::real(entry)) : entry;
  return flavour == Flavour::zero_diagonal && i % 2 == 0 ? S(0) : real_if_hermitian;
}

template <Scalar S>
void scale(SparseMatrix<S>& matrix, std::mt19937_64& generator) {
  std::vector<double> rows(static_cast<std::size_t>(matrix.num_rows));
  std::vector<double> cols(rows.size());
  std::generate(rows.begin(), rows.end(), [&] { return random_power(generator); });
  std::generate(cols.begin(), cols.end(), [&] { return random_power(generator); });
  if (matrix.symmetry != Symmetry::general) {
    cols = rows;
  }
  for_each_entry(matrix, [&](Index i, Index j, S& value) { value *= static_cast<RealOf<S>>(rows[i] * cols[j]); });
}

}  // namespace

template <Scalar S>
SparseMatrix<S> random_matrix(Index order, Index degree, Symmetry symmetry, Flavour flavour, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Triplets<S> triplets{order, order, symmetry, {}, {}, {}};
  for (Index j = 0; j < order; ++j) {
    if (symmetry != Symmetry::skew_symmetric) {
      triplets.add(j, j, diagonal_entry<S>(j, degree, symmetry, flavour, generator));
    }
    if (j % 2 == 0 &&
        j + 1 < order) {  // pairs of variables form a perfect matching, so that no row is lost where diagonals are zero
      triplets.add(j + 1, j, S(1));
      if (symmetry == Symmetry::general) {
        triplets.add(j, j + 1, S(-1));
      }
    }
    for (Index k = 0; k < degree; ++k) {
      const Index i = std::uniform_int_distribution<Index>(0, order - 1)(generator);
      if (i == j) {
        continue;
      }
      const bool moves = symmetry != Symmetry::general && i < j;
      triplets.add(moves ? j : i, moves ? i : j, random_scalar<S>(generator));
    }
  }
  SparseMatrix<S> matrix = compress(std::move(triplets));
  if (flavour == Flavour::graded) {
    scale(matrix, generator);
  }
  return matrix;
}

template <Scalar S>
SparseMatrix<S> laplacian(Index n) {
  Triplets<S> triplets{n * n * n, n * n * n, Symmetry::symmetric, {}, {}, {}};
  for (Index point = 0; point < n * n * n; ++point) {
    triplets.add(point, point, S(6));
    if (point % n + 1 < n) {
      triplets.add(point + 1, point, S(-1));
    }
    if (point / n % n + 1 < n) {
      triplets.add(point + n, point, S(-1));
    }
    if (point / (n * n) + 1 < n) {
      triplets.add(point + n * n, point, S(-1));
    }
  }
  return compress(std::move(triplets));
}

SparseMatrix<double> singular_laplacian(Index n) {
  SparseMatrix<double> matrix = laplacian<double>(n);
  const DenseMatrix<double> entries = dense(matrix);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    double sum = 0;
    for (Index i = 0; i < matrix.num_rows; ++i) {
      sum += i == j ? 0 : entries(i, j);
    }
    matrix.values[matrix.column_offsets[static_cast<std::size_t>(j)]] = -sum;
  }
  return matrix;
}

template <Scalar S>
SparseMatrix<S> growing_matrix() {
  Triplets<S> entries{.num_rows = 3, .num_cols = 3, .symmetry = Symmetry::general};
  entries.add(0, 0, S(sizeof(RealOf<S>) == sizeof(float) ? 2.5e-3F : 1e-6F));
  for (const auto& [i, j] : std::vector<std::pair<Index, Index>>{{1, 1}, {2, 2}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}) {
    entries.add(i, j, S(1));
  }
  return compress(std::move(entries));
}

SparseMatrix<double> hilbert_matrix(Index order) {
  Triplets<double> entries{order, order};
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) {
      entries.add(i, j, 1.0 / (i + j + 1));
    }
  }
  return compress(std::move(entries));
}

template <Scalar S>
DenseMatrix<S> random_dense(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  DenseMatrix<S> matrix(rows, cols);
  std::generate(matrix.values.begin(), matrix.values.end(), [&] { return random_scalar<S>(generator); });
  return matrix;
}

template <Scalar S>
DenseMatrix<S> dense(const SparseMatrix<S>& matrix, Operation operation) {
  return dense_operation(operation, to_dense(matrix.view()));
}

namespace {

template <Scalar S>
using Long = std::conditional_t<kIsComplex<S>, std::complex<long double>, long double>;

// Written out: products of std::complex check for spurious NaNs, which takes ten times as long.
void subtract_product(long double a, long double x, long double& sum) { sum -= a * x; }
void subtract_product(std::complex<long double> a, std::complex<long double> x, std::complex<long double>& sum) {
  sum -= std::complex(a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real());
}

template <Scalar S>
std::vector<Long<S>> residual_of_column(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b, Index col) {
  std::vector<Long<S>> residual(static_cast<std::size_t>(a.num_rows));
  std::copy(b.column(col).begin(), b.column(col).end(), residual.begin());
  for (Index j = 0; j < a.num_cols; ++j) {
    const Long<S> x_j(x(j, col));
    const bool is_finite = std::isfinite(std::abs(x_j));  // otherwise even zero entries contribute
    for (Index i = 0; i < a.num_rows; ++i) {
      if (a(i, j) != S(0) || !is_finite) {
        subtract_product(Long<S>(a(i, j)), x_j, residual[i]);
      }
    }
  }
  return residual;
}

template <Scalar S>
long double maximum_norm(const DenseMatrix<S>& a) {
  long double norm = 0;
  for (Index i = 0; i < a.num_rows; ++i) {
    long double row_sum = 0;
    for (Index j = 0; j < a.num_cols; ++j) {
      row_sum += std::abs(Long<S>(a(i, j)));
    }
    norm = std::max(norm, row_sum);
  }
  return norm;
}

}  // namespace

template <Scalar S>
double dense_backward_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
  const long double norm_a = maximum_norm(a);
  long double worst = 0;
  for (Index col = 0; col < x.num_cols; ++col) {
    const std::vector<Long<S>> residual = residual_of_column(a, x, b, col);
    long double norm_r = 0;
    long double norm_x = 0;
    long double norm_b = 0;
    for (Index i = 0; i < a.num_rows; ++i) {
      const long double size = std::abs(residual[i]);
      norm_r = std::max(norm_r, std::isfinite(size) ? size : HUGE_VALL);
      norm_x = std::max(norm_x, std::abs(Long<S>(x(i, col))));
      norm_b = std::max(norm_b, std::abs(Long<S>(b(i, col))));
    }
    worst = std::max(worst, norm_r > 0 ? norm_r / (norm_a * norm_x + norm_b) : 0);
  }
  return static_cast<double>(worst);
}

template <Scalar S>
double dense_componentwise_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
  long double worst = 0;
  for (Index col = 0; col < x.num_cols; ++col) {
    const std::vector<Long<S>> residual = residual_of_column(a, x, b, col);
    std::vector<long double> sizes(residual.size());  // |A| |x| + |b|
    for (Index i = 0; i < a.num_rows; ++i) {
      sizes[i] = std::abs(Long<S>(b(i, col)));
    }
    for (Index j = 0; j < a.num_cols; ++j) {
      const long double size_of_x = std::abs(Long<S>(x(j, col)));
      for (Index i = 0; i < a.num_rows; ++i) {
        if (a(i, j) != S(0)) {
          sizes[i] += std::abs(Long<S>(a(i, j))) * size_of_x;
        }
      }
    }
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const long double size = std::abs(residual[i]);
      worst = std::max(worst, size == 0 ? 0 : std::isfinite(size) ? size / sizes[i] : HUGE_VALL);
    }
  }
  return static_cast<double>(worst);
}

template <Scalar S>
double largest_relative_difference(const DenseMatrix<S>& a, const DenseMatrix<S>& b) {
  double worst = 0;
  for (Index j = 0; j < a.num_cols; ++j) {
    double difference = 0;
    double size = 0;
    for (Index i = 0; i < a.num_rows; ++i) {
      difference = std::max(difference, static_cast<double>(std::abs(a(i, j) - b(i, j))));
      size = std::max(size, static_cast<double>(std::abs(a(i, j))));
    }
    worst = std::max(worst, difference == 0 ? 0 : difference / size);
  }
  return worst;
}

#define FROND_INSTANTIATE(S)                                                                                      \
  template SparseMatrix<S> random_matrix(Index, Index, Symmetry, Flavour, std::uint64_t);                         \
  template SparseMatrix<S> laplacian(Index);                                                                      \
  template SparseMatrix<S> growing_matrix();                                                                      \
  template DenseMatrix<S> random_dense(Index, Index, std::uint64_t);                                              \
  template DenseMatrix<S> dense(const SparseMatrix<S>&, Operation);                                               \
  template double dense_backward_error(const DenseMatrix<S>&, const DenseMatrix<S>&, const DenseMatrix<S>&);      \
  template double dense_componentwise_error(const DenseMatrix<S>&, const DenseMatrix<S>&, const DenseMatrix<S>&); \
  template double largest_relative_difference(const DenseMatrix<S>&, const DenseMatrix<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::testing
