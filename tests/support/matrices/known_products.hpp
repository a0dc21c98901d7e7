// SPDX-License-Identifier: BSD-3-Clause
// Generates matrices of small integers whose rank is known, with variables to keep for a Schur complement.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {

/// A = B C of integers, exact in every scalar; B is order x rank. C = D B^T if A is symmetric, D B^H if it is Hermitian, D =
/// diag(+-1, 2).
template <class S>
struct KnownProduct {
  std::string name;
  SparseMatrix<S> matrix;
  Index rank = 0;
  std::vector<Index> kept;  ///< the variables of a Schur complement
};

template <class S>
DenseMatrix<S> small_integers(Index num_rows, Index num_cols, std::mt19937_64& random) {
  std::uniform_int_distribution<int> draw(-3, 3);
  DenseMatrix<S> integers(num_rows, num_cols);
  for (S& value : integers.values) {
    value = S(static_cast<RealOf<S>>(draw(random)));
    if constexpr (kIsComplex<S>) {
      value += S(0, static_cast<RealOf<S>>(draw(random)));
    }
  }
  return integers;
}

template <class S>
KnownProduct<S> known_product(Index order, Index defect, Symmetry symmetry, Index num_kept, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Index rank = order - defect;
  const DenseMatrix<S> b = small_integers<S>(order, rank, random);
  DenseMatrix<S> c = small_integers<S>(rank, order, random);
  for (Index k = 0; k < rank && symmetry != Symmetry::general; ++k) {
    const S d = S(static_cast<RealOf<S>>(k % 3 == 0 ? -1 : k % 3));
    for (Index j = 0; j < order; ++j) {
      c(k, j) = d * (symmetry == Symmetry::hermitian ? conjugate(b(j, k)) : b(j, k));
    }
  }
  Triplets<S> entries{order, order, symmetry};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      S sum(0);
      for (Index k = 0; k < rank; ++k) {
        sum += b(i, k) * c(k, j);
      }
      entries.add(i, j, sum);
    }
  }
  KnownProduct<S> product;
  product.name = "order " + std::to_string(order) + ", defect " + std::to_string(defect) + ", symmetry " +
                 std::to_string(static_cast<int>(symmetry)) + ", kept " + std::to_string(num_kept) + ", seed " +
                 std::to_string(seed);
  product.matrix = compress(std::move(entries));
  product.rank = rank;
  product.kept.resize(static_cast<std::size_t>(num_kept));
  std::iota(product.kept.begin(), product.kept.end(), (seed * 5) % static_cast<std::uint64_t>(order - num_kept));
  return product;
}

/// True if the ranks of A and of the eliminated block are so clear that rounding errors cannot hide them.
template <class S>
bool has_clear_rank(const KnownProduct<S>& product) {
  const auto order = static_cast<Eigen::Index>(product.matrix.num_rows);
  const double clear = 300 * static_cast<double>(order) * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  const test::WideDense<S> whole = test::wide(dense(product.matrix));
  const Eigen::VectorXd values = test::singular_values(whole);
  const auto num_kept = static_cast<Eigen::Index>(product.kept.size());
  const auto first = static_cast<Eigen::Index>(product.kept.front());
  const auto place = [=](Eigen::Index k) { return k < first ? k : k + num_kept; };
  test::WideDense<S> interior(order - num_kept, order - num_kept);
  for (Eigen::Index j = 0; j < interior.cols(); ++j) {
    for (Eigen::Index i = 0; i < interior.rows(); ++i) {
      interior(i, j) = whole(place(i), place(j));
    }
  }
  const Eigen::VectorXd values_inside = test::singular_values(interior);
  return values(static_cast<Eigen::Index>(product.rank) - 1) > clear * values(0) &&
         values_inside(values_inside.size() - 1) > clear * values_inside(0);
}

/// Returns regular and singular matrices of all kinds, with fewer and with more kept variables than the rank deficiency.
template <class S>
std::vector<KnownProduct<S>> known_products() {
  constexpr bool kIsDouble = std::is_same_v<RealOf<S>, double>;
  std::vector<KnownProduct<S>> products;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Index order : {Index{5}, Index{kIsDouble ? 12 : 8}, Index{kIsDouble ? 60 : 20}}) {
      for (const Index defect : {0, 1, 2, 3}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          KnownProduct<S> product = known_product<S>(order, defect, symmetry, std::max<Index>(defect, seed % 2 == 0 ? 1 : 4), seed);
          if (has_clear_rank(product)) {
            products.push_back(std::move(product));
          }
        }
      }
    }
  }
  return products;
}

}  // namespace frond::testing
