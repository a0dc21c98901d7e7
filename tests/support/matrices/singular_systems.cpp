// SPDX-License-Identifier: BSD-3-Clause
// Constructs singular matrices by repeating rows and columns.
#include "tests/support/matrices/singular_systems.hpp"

#include <complex>
#include <utility>

#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {

template <Scalar S>
SparseMatrix<S> singular_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed) {
  const Index rank = order - defect;
  const SparseMatrix<S> regular = random_matrix<S>(rank, 3, symmetry, Flavour::dominant, seed);
  const DenseMatrix<S> whole = dense(regular);
  const auto source = [=](Index i) { return i < rank ? i : 2 * (i - rank); };
  S u = S(-1);
  S v = symmetry == Symmetry::general ? S(1) : S(-1);
  if constexpr (kIsComplex<S>) {
    u = S(0, symmetry == Symmetry::general ? -1 : 1);
    v = symmetry == Symmetry::general ? S(-1) : symmetry == Symmetry::hermitian ? std::conj(u) : u;
  }
  Triplets<S> entries{order, order, symmetry};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      const S value = (i < rank ? S(1) : u) * (j < rank ? S(1) : v) * whole(source(i), source(j));
      if (value != S(0)) {
        entries.add(i, j, value);
      }
    }
  }
  return compress(std::move(entries));
}

template SparseMatrix<float> singular_matrix(Index, Index, Symmetry, std::uint64_t);
template SparseMatrix<double> singular_matrix(Index, Index, Symmetry, std::uint64_t);
template SparseMatrix<std::complex<float>> singular_matrix(Index, Index, Symmetry, std::uint64_t);
template SparseMatrix<std::complex<double>> singular_matrix(Index, Index, Symmetry, std::uint64_t);

}  // namespace frond::testing
