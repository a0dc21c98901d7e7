// SPDX-License-Identifier: BSD-3-Clause
// Tests null vectors that factors of a nearby matrix hide behind small pivots.
#include "solver/numerics/verdict/hidden_vectors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdint>
#include <random>
#include <set>
#include <utility>

#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

constexpr Count kPlenty = Count{1} << 30;

/// Returns a matrix of singular pairs [1 -1; -1 1], followed by `gap` and ones on the diagonal.
SparseMatrix<double> pairs_and_diagonal(Index num_pairs, Index num_others, double gap) {
  const Index order = 2 * num_pairs + num_others;
  Triplets<double> entries{.num_rows = order, .num_cols = order};
  for (Index k = 0; k < num_pairs; ++k) {
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
      entries.add(2 * k + i, 2 * k + j, i == j ? 1 : -1);
    }
  }
  for (Index i = 2 * num_pairs; i < order; ++i) {
    entries.add(i, i, i == 2 * num_pairs ? gap : 1);
  }
  return compress(std::move(entries));
}

/// Solves with a matrix in which every entry is perturbed by up to `noise`.
SolveInPlace<double> noisy_solve(const SparseMatrix<double>& matrix, double noise, std::uint64_t seed) {
  const DenseMatrix<double> dense = testing::dense(matrix);
  Eigen::MatrixXd neighbour = Eigen::Map<const Eigen::MatrixXd>(dense.values.data(), dense.num_rows, dense.num_cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(-noise, noise);
  neighbour += Eigen::MatrixXd::NullaryExpr(neighbour.rows(), neighbour.cols(), [&] { return draw(random); });
  return [plain = neighbour.fullPivLu(), adjoint = Eigen::MatrixXd(neighbour.transpose()).fullPivLu()](const Sweep<double>& sweep) {
    const DenseView<double> x = sweep.x;
    Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> columns(x.data, x.rows, x.cols, Eigen::OuterStride<>(x.ld));
    columns = Eigen::MatrixXd(sweep.operation == Operation::plain ? plain.solve(columns) : adjoint.solve(columns));
  };
}

HiddenVectors search(const SparseMatrix<double>& matrix, std::uint64_t seed, double noise = 1e-13) {
  const SolveInPlace<double> solve = noisy_solve(matrix, noise, seed);
  return find_hidden_vectors(ScaledSystem<double>{matrix.view(), {}, {}, solve}, kPlenty, 1);
}

TEST(HiddenVectors, AreFoundTogetherAndTakenApart) {
  for (const Index num_pairs : {1, 2, 3, 4, 5, 20}) {
    for (const double gap : {1.0, 1e-6, 1e-9}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        const double noise = seed == 1 ? 1e-9 : 1e-13;
        SCOPED_TRACE(::testing::Message() << num_pairs << " pairs, gap " << gap << ", seed " << seed);
        const HiddenVectors found = search(pairs_and_diagonal(num_pairs, 10, gap), seed, gap > noise ? noise : 1e-13);
        EXPECT_EQ(found.test.num_proved, num_pairs);
        std::set<Index> pairs;
        for (const Index anchor : found.anchors.view()) {
          pairs.insert(anchor / 2);
        }
        EXPECT_EQ(pairs.size(), static_cast<std::size_t>(num_pairs)) << "one anchor of each";
      }
    }
  }
}

// 1e-12 is about as small as the noise, but not zero: its vector grows together with the others, and is dropped from the block.
TEST(HiddenVectors, AreNotTakenFromAMatrixThatIsOnlyNearToThem) {
  EXPECT_EQ(search(pairs_and_diagonal(0, 10, 1e-12), 1).test.num_proved, 0);
  EXPECT_EQ(search(pairs_and_diagonal(0, 10, 1), 1).test.num_proved, 0);
}

// Otherwise more of them would be looked for, at a cost far above that of the factorization.
TEST(HiddenVectors, AreNotLookedForWhereAllDirectionsOfAnIllConditionedMatrixGrow) {
  SparseMatrix<double> matrix = pairs_and_diagonal(40, 10, 1);
  for (Index j = 1; j < 80; j += 2) {
    matrix.values[matrix.column_offsets[j] + 1] += 1e-11;
  }
  const HiddenVectors found = search(matrix, 1);
  EXPECT_EQ(found.test.num_tested, 4);
  EXPECT_EQ(found.test.num_proved, 0);
}

}  // namespace
}  // namespace frond
