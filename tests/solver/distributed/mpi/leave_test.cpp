// SPDX-License-Identifier: BSD-3-Clause
// Lets ranks leave factorizations: the others solve as before, and the departed ranks take part in solves without factors.
#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "matrices/products.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

class LeaveRanks : public testing::OnRanks {
 protected:
  // Asks the ranks to leave from the k-th query on.
  [[nodiscard]] SolverOptions options(int k, const std::vector<Rank>& leaving) {
    num_asked_ = 0;
    SolverOptions options = testing::spread_with_grid(ranks_);
    const auto observer = std::make_shared<testing::Calls>();
    observer->leave = [this, k, leaving] { return ++num_asked_ >= k ? leaving : std::vector<Rank>(); };
    observer->text = [this](const std::string& what) { told_.push_back(what); };
    options.observer = observer;
    options.ranks.may_leave = true;
    return options;
  }

  // Returns the ranks that left the last factorization.
  template <class Factorization>
  [[nodiscard]] std::vector<Rank> left(const Factorization& factorization) const {
    return ranks_that_left(rank_backend_of(factorization).rank_counts());
  }

  template <class Factorization>
  void expect_solves(Factorization& factorization, const SparseMatrix<double>& matrix) const {
    const DenseMatrix<double> x = testing::random_dense<double>(matrix.num_rows, 2, 5);
    DenseMatrix<double> b(matrix.num_rows, 2);
    for (Index column = 0; column < 2; ++column) {
      const auto length = static_cast<std::size_t>(matrix.num_rows);
      multiply(matrix.view(), Operation::plain, std::span(&x(0, column), length), std::span(&b(0, column), length));
    }
    DenseMatrix<double> found(matrix.num_rows, 2);
    const SolveReport report = factorization.solve(view_of(b), view_of(found));
    EXPECT_LE(report.worst().normwise_backward_error, 1e-14);
  }

  int num_asked_ = 0;
  std::vector<std::string> told_;
};

TEST_F(LeaveRanks, AndTheOthersSolve) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(20);
  for (Rank leaving = 0; leaving < ranks_.num_ranks() && ranks_.num_ranks() > 1; ++leaving) {
    SCOPED_TRACE(leaving);
    auto factorization = factorize<double>(matrix, options(1, {leaving}));
    EXPECT_EQ(left(factorization), std::vector<Rank>{leaving});
    expect_solves(factorization, matrix);
    if (ranks_.rank() == 0) {
      ASSERT_EQ(told_.size(), 1U);
      EXPECT_EQ(told_[0].find("rank " + std::to_string(leaving) + " has left"), 0U) << told_[0];
      told_.clear();
    }
  }
}

// The next factorization begins with all ranks, and lets the rank leave again.
TEST_F(LeaveRanks, FromEachFactorizationOfAnAnalysis) {
  if (ranks_.num_ranks() == 1) {
    return;
  }
  const SparseMatrix<double> matrix = testing::laplacian<double>(16);
  const Rank leaving = ranks_.num_ranks() - 1;
  const auto system = system_of<double>(matrix, options(1, {leaving}));
  for (std::size_t again = 1; again <= 3; ++again) {
    auto factorization = factorize_on_ranks<double>(system);
    EXPECT_EQ(left(factorization), std::vector<Rank>{leaving});
    expect_solves(factorization, matrix);
    EXPECT_EQ(told_.size(), ranks_.rank() == 0 ? again : 0U);
  }
}

TEST_F(LeaveRanks, ButNotAllOfThemAndNobodyWhoIsNot) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(12);
  std::vector<Rank> all(static_cast<std::size_t>(ranks_.num_ranks()));
  std::iota(all.begin(), all.end(), 0);
  auto factorization = factorize<double>(matrix, options(1, all));
  EXPECT_TRUE(left(factorization).empty());
  expect_solves(factorization, matrix);
  if (ranks_.rank() == 0) {
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_NE(told_[0].find("Nobody would be left"), std::string::npos) << told_[0];
  }
  told_.clear();
  auto again = factorize<double>(matrix, options(1, {ranks_.num_ranks()}));
  EXPECT_TRUE(left(again).empty());
  if (ranks_.rank() == 0) {
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_NE(told_[0].find("cannot leave: there are"), std::string::npos) << told_[0];
  }
}

}  // namespace
}  // namespace frond
