// SPDX-License-Identifier: BSD-3-Clause
// Multiplies random factors, and eliminates modulo a prime.
#include "tests/support/matrices/low_rank_matrices.hpp"

#include <complex>
#include <random>
#include <utility>

#include "frond/matrix.hpp"

namespace frond::testing {
namespace {

constexpr std::int64_t kPrime = 2147483647;

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) {
      result = result * base % kPrime;
    }
    base = base * base % kPrime;
  }
  return result;
}

}  // namespace

IntegerMatrix low_rank_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_int_distribution<std::int64_t> number(-9, 9);
  const Index rank = order - defect;
  const auto size = static_cast<std::size_t>(order) * static_cast<std::size_t>(rank);
  const auto draw = [&] {
    std::vector<std::int64_t> drawn(size);
    for (std::int64_t& entry : drawn) {
      entry = number(generator);
    }
    return drawn;
  };
  const std::vector<std::int64_t> left = draw();
  const std::vector<std::int64_t> right = symmetry == Symmetry::general ? draw() : left;
  IntegerMatrix product{order, symmetry,
                        std::vector<std::int64_t>(static_cast<std::size_t>(order) * static_cast<std::size_t>(order))};
  std::vector<std::int64_t> diagonal(static_cast<std::size_t>(rank), 1);
  for (std::int64_t& sign : diagonal) {
    sign = symmetry != Symmetry::general && generator() % 2 == 0 ? -1 : 1;
  }
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) {
      std::int64_t& sum =
          product.entries[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(order)];
      for (Index k = 0; k < rank; ++k) {
        const auto row_i = static_cast<std::size_t>(i) * static_cast<std::size_t>(rank) + static_cast<std::size_t>(k);
        const auto row_j = static_cast<std::size_t>(j) * static_cast<std::size_t>(rank) + static_cast<std::size_t>(k);
        sum += left[row_i] * diagonal[k] * right[row_j];
      }
    }
  }
  return product;
}

Index rank_of(IntegerMatrix matrix) {
  const auto n = static_cast<std::size_t>(matrix.order);
  std::vector<std::int64_t>& a = matrix.entries;
  for (std::int64_t& entry : a) {
    entry = (entry % kPrime + kPrime) % kPrime;
  }
  std::size_t rank = 0;
  for (std::size_t col = 0; col < n; ++col) {
    std::size_t pivot = rank;
    while (pivot < n && a[pivot + col * n] == 0) {
      ++pivot;
    }
    if (pivot == n) {
      continue;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[pivot + j * n], a[rank + j * n]);
    }
    const std::int64_t inverse = power(a[rank + col * n], kPrime - 2);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const std::int64_t factor = a[i + col * n] * inverse % kPrime;
      for (std::size_t j = col; j < n && factor != 0; ++j) {
        a[i + j * n] = (a[i + j * n] + (kPrime - factor) * a[rank + j * n]) % kPrime;
      }
    }
    ++rank;
  }
  return static_cast<Index>(rank);
}

template <Scalar S>
SparseMatrix<S> as_sparse(const IntegerMatrix& matrix) {
  Triplets<S> triplets{.num_rows = matrix.order, .num_cols = matrix.order, .symmetry = matrix.symmetry};
  for (Index j = 0; j < matrix.order; ++j) {
    for (Index i = matrix.symmetry == Symmetry::general ? 0 : j; i < matrix.order; ++i) {
      triplets.add(i, j, S(static_cast<RealOf<S>>(matrix(i, j))));
    }
  }
  return compress(std::move(triplets));
}

template SparseMatrix<float> as_sparse(const IntegerMatrix&);
template SparseMatrix<double> as_sparse(const IntegerMatrix&);
template SparseMatrix<std::complex<float>> as_sparse(const IntegerMatrix&);
template SparseMatrix<std::complex<double>> as_sparse(const IntegerMatrix&);

}  // namespace frond::testing
