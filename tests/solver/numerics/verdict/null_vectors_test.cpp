// SPDX-License-Identifier: BSD-3-Clause
// Tests what counts as a proved null vector when factors are wrong.
#include "solver/numerics/verdict/null_vectors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/rank_proof.hpp"

namespace frond {
namespace {

constexpr Count kPlentyOfBytes = Count{1} << 30;

template <Scalar S>
SparseMatrix<S> matrix_of(Index order, const std::vector<std::vector<double>>& rows) {
  Triplets<S> entries{.num_rows = order, .num_cols = order};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (rows[i][j] != 0) {
        entries.add(static_cast<Index>(i), static_cast<Index>(j), S(static_cast<RealOf<S>>(rows[i][j])));
      }
    }
  }
  return compress(std::move(entries));
}

template <class S>
class NullVectors : public ::testing::Test {};
using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(NullVectors, AllScalars);

/// Returns factors whose second part yields `vectors`, one per column, and whose whole yields zeros where `has_no_pivot` is set and
/// leaves x unchanged elsewhere.
template <Scalar S>
SolveInPlace<S> factors_with(const std::vector<std::vector<S>>& vectors, const std::vector<char>& has_no_pivot) {
  return [=](const Sweep<S>& sweep) {
    const DenseView<S> x = sweep.x;
    for (Index k = 0; k < x.cols; ++k) {
      for (Index i = 0; i < x.rows; ++i) {
        const auto at = static_cast<std::size_t>(i);
        x(i, k) = sweep.part == SweepPart::second ? vectors[k][at] : has_no_pivot[at] != 0 ? S(0) : x(i, k);
      }
    }
  };
}

template <Scalar S>
NullVectorTest test_vectors(const SparseMatrix<S>& matrix, const SolveInPlace<S>& factors, const std::vector<Index>& null_pivots) {
  const ScaledSystem<S> system{matrix.view(), {}, {}, factors};
  return test_null_pivots(system, std::span<const Index>(null_pivots), kPlentyOfBytes, 1);
}

// [1 -1 0; 0 1 -1; 1 0 -1] (1, 1, 1) = 0.
TYPED_TEST(NullVectors, AreProvedWhereEveryEquationIsMet) {
  using S = TypeParam;
  const auto matrix = matrix_of<S>(3, {{1, -1, 0}, {0, 1, -1}, {1, 0, -1}});
  const NullVectorTest test = test_vectors<S>(matrix, factors_with<S>({{1, 1, 1}}, {0, 0, 1}), {2});
  EXPECT_EQ(test.num_proved, 1);
  EXPECT_EQ(test.worst_proved, 0);
}

TYPED_TEST(NullVectors, AreNotProvedByWhatIsNoNumber) {
  using S = TypeParam;
  const auto matrix = matrix_of<S>(3, {{1, 0, 1}, {0, 1, 0}, {0, 0, 0}});  // the null vector is (-1, 0, 1)
  for (const RealOf<S> bad : {std::numeric_limits<RealOf<S>>::quiet_NaN(), std::numeric_limits<RealOf<S>>::infinity()}) {
    EXPECT_EQ(test_vectors<S>(matrix, factors_with<S>({{S(bad), 0, 1}}, {0, 0, 1}), {2}).num_proved, 0);
  }
}

TYPED_TEST(NullVectors, AreNotProvedByZeros) {
  using S = TypeParam;
  const auto matrix = matrix_of<S>(2, {{1, 0}, {0, 1}});
  EXPECT_EQ(test_vectors<S>(matrix, factors_with<S>({{0, 0}}, {0, 0}), {1}).num_proved, 0);
}

// (1, 1, 0, 0) is the only null vector. Amplified, it hides the unknowns 2 and 3 in which two vectors would differ: if these count
// as noise, both vectors are the same one.
TYPED_TEST(NullVectors, DoNotCountTwiceWhatHidesTheirUnknowns) {
  using S = TypeParam;
  const auto matrix = matrix_of<S>(4, {{1, -1, 0, 0}, {-1, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
  const S large = S(1) / std::numeric_limits<RealOf<S>>::epsilon();
  const auto factors = factors_with<S>({{large, large, 1, 0}, {large, large, 0, 1}}, {0, 0, 1, 1});
  EXPECT_EQ(test_vectors<S>(matrix, factors, {2, 3}).num_proved, 0);
}

}  // namespace
}  // namespace frond
