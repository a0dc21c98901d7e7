// SPDX-License-Identifier: BSD-3-Clause
// Checks the claims made about the known matrices, by integer arithmetic.
#include "tests/support/matrices/known_systems.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"

namespace frond::testing {
namespace {

// Gaussian elimination modulo a prime yields at most the rank, and less only if the prime divides every minor of that size.
Index rank_modulo_prime(const ExactMatrix& matrix) {
  const Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic> dense(matrix);
  return rank_of({static_cast<Index>(dense.rows()), Symmetry::general, {dense.data(), dense.data() + dense.size()}});
}

void expect_known_inertia(const KnownMatrix& known) {
  const Eigen::MatrixXd dense = Eigen::MatrixXd(known.matrix.cast<double>());
  const Eigen::VectorXd values = test::eigenvalues(dense);
  const double tolerance = 1e-13 * static_cast<double>(dense.rows()) * values.cwiseAbs().maxCoeff();
  EXPECT_EQ((values.array() > tolerance).count(), known.inertia.positive);
  EXPECT_EQ((values.array() < -tolerance).count(), known.inertia.negative);
  EXPECT_EQ(known.inertia.positive + known.inertia.negative, known.rank);
  EXPECT_EQ(known.rank + known.inertia.zero, known.order());
}

void expect_known_determinant(const KnownMatrix& known) {
  Determinant determinant;
  for (const double pivot : test::pivots(Eigen::MatrixXd(known.matrix.cast<double>()))) {
    determinant *= Determinant(pivot);
  }
  EXPECT_LE(test::relative_difference(*known.determinant, determinant), 1e-14 * known.order() * known.condition);
}

// Eigen has no norm of an empty matrix.
bool is_zero(const ExactMatrix& matrix) { return matrix.size() == 0 || matrix.norm() == 0; }

TEST(KnownMatricesTest, AreWhatTheyAreSaidToBe) {
  for (const int digits : {24, 53}) {
    std::vector<KnownMatrix> all = known_symmetric_matrices(digits);
    for (const KnownMatrix& known : known_general_matrices(digits)) {
      all.push_back(known);
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const KnownMatrix& known = all[k];
      SCOPED_TRACE(known.name + ", number " + std::to_string(k) + ", order " + std::to_string(known.order()));
      EXPECT_EQ(rank_modulo_prime(known.matrix), known.rank);
      if (known.symmetry == Symmetry::symmetric && known.order() > 0) {
        expect_known_inertia(known);
      }
      const ExactMatrix transposed = known.matrix.transpose();
      const int sign = known.symmetry == Symmetry::skew_symmetric ? -1 : 1;
      EXPECT_EQ(is_zero(transposed - sign * known.matrix),
                known.symmetry != Symmetry::general || is_zero(transposed - known.matrix));
      if (known.determinant) {
        expect_known_determinant(known);
      }
    }
  }
}

TEST(KnownMatricesTest, HaveKnownRelativesByHand) {
  const KnownMatrix chain = shifted_grid(1, 5, 0);  // eigenvalues -2 cos(pi k / 6)
  EXPECT_EQ(chain.rank, 4);
  EXPECT_EQ(chain.inertia.positive, 2);
  EXPECT_EQ(shifted_grid(5, 7, 0).inertia.zero, std::gcd(6, 8) - 1);
  const KnownMatrix even = shifted_grid(1, 4, 0);  // determinant 1
  EXPECT_LE(test::relative_difference(*even.determinant, Determinant(1)), 1e-14);
}

TEST(KnownMatricesTest, AreEnough) {
  EXPECT_GE(known_systems<double>().size(), 200U);
  EXPECT_GE(known_systems<std::complex<double>>().size(), 200U);
  EXPECT_GE(known_systems<float>().size(), 150U);
  EXPECT_GE(known_systems<std::complex<float>>().size(), 150U);
}

TEST(KnownMatricesTest, KeepTheirDeterminantsInDisguise) {
  const KnownMatrix known = tree_product(Symmetry::general, 3, 2, 0, 4);
  using C = std::complex<double>;
  const KnownSystem<C> system = disguised<C>(known, Symmetry::general, {7, true, true}, 5);
  Eigen::MatrixXcd dense = Eigen::MatrixXcd::Zero(known.order(), known.order());
  testing::for_each_entry(system.matrix, [&](Index i, Index j, std::complex<double> value) { dense(i, j) = value; });
  EXPECT_LE(test::relative_difference(Determinant(test::pivots(dense).prod()), *system.determinant), 1e-9);
}

}  // namespace
}  // namespace frond::testing
