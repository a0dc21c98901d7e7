// SPDX-License-Identifier: BSD-3-Clause
// Tests batches over processes, each system solved by one of them or by a group: each is reported to the first process once, a
// group must get the results of a single process, and an error in a system or on a process must not leave another one waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;

std::vector<Count> first_numbers(Count size) {
  std::vector<Count> numbers(static_cast<std::size_t>(size));
  std::iota(numbers.begin(), numbers.end(), Count{0});
  return numbers;
}

class BatchOnRanks : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_first() const { return place_.rank() == 0; }
  [[nodiscard]] bool is_last() const { return place_.rank() == place_.num_ranks() - 1; }

  // In a group, one thread carries messages while another one solves.
  [[nodiscard]] static bool may_form_groups() { return mpi_thread_level() >= MpiThreadLevel::serialized; }
  [[nodiscard]] bool has_pairs() const { return may_form_groups() && place_.num_ranks() % 2 == 0; }
  [[nodiscard]] std::vector<int> group_sizes() const {
    std::vector<int> sizes;
    for (int size = 1; size <= (may_form_groups() ? place_.num_ranks() : 0); ++size) {
      if (place_.num_ranks() % size == 0) {
        sizes.push_back(size);
      }
    }
    return sizes;
  }

  // Returns the results reported to the first process.
  template <class Work>
  std::map<Count, std::string> run(const Batch& batch, const std::vector<Count>& systems, const Work& work) const {
    std::map<Count, std::string> results;
    batch.run(place_, is_first() ? systems : std::vector<Count>(), work,
              [&](Count k, const std::string& result) { EXPECT_TRUE(results.emplace(k, result).second) << k; });
    EXPECT_EQ(results.size(), is_first() ? systems.size() : 0);
    return results;
  }

  Place place_ = on(MPI_COMM_WORLD);
};

// Passes the system on the first process of a group, and nothing on the others.
template <Scalar S>
SolveReport solve_in(const Batch& batch, const Place& group, const SparseMatrix<S>& matrix, const DenseMatrix<S>& b,
                     DenseMatrix<S>& x) {
  if (group.rank() > 0) {
    return batch.solve<S>(group, SystemMatrix<S>(), {}, {});
  }
  x = DenseMatrix<S>(b.num_rows, b.num_cols);
  return batch.solve<S>(group, matrix, view_of(b), view_of(x));
}

SparseMatrix<double> multiple_of_laplacian(Index side, Count k) {
  SparseMatrix<double> matrix = testing::laplacian<double>(side);
  for (double& value : matrix.values) {
    value *= static_cast<double>(k + 1);
  }
  return matrix;
}

std::string solve_ones(const Batch& batch, const Place& group, const SparseMatrix<double>& matrix) {
  DenseMatrix<double> b(matrix.num_rows, 1);
  std::fill(b.values.begin(), b.values.end(), 1.0);
  DenseMatrix<double> x;
  return to_string(solve_in(batch, group, matrix, b, x).verdict);
}

std::string solve_ones(const Batch& batch, const SparseMatrix<double>& matrix) {
  const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1.0);
  std::vector<double> x(b.size());
  return to_string(batch.solve<double>(matrix, column_view(std::span(b)), column_view(std::span(x))).verdict);
}

template <class S>
class BatchOnRanksOf : public BatchOnRanks {
 protected:
  // Returns one matrix of each kind; the fourth of every five is singular.
  static SparseMatrix<S> matrix_of(Count k) {
    switch (k % 5) {
      case 0:
        return testing::laplacian<S>(6);
      case 1:
        return testing::random_matrix<S>(80, 5, Symmetry::general, Flavour::dominant, static_cast<std::uint64_t>(k));
      case 2:
        return testing::random_matrix<S>(80, 5, Symmetry::symmetric, Flavour::dominant, static_cast<std::uint64_t>(k));
      case 3:
        return testing::singular_matrix<S>(60, 2, Symmetry::general, static_cast<std::uint64_t>(k));
      default:
        return testing::random_matrix<S>(50, 4, Symmetry::general, Flavour::zero_diagonal, static_cast<std::uint64_t>(k));
    }
  }

  // Checks that a group gets the same result as a single process.
  static void expect_same(const SparseMatrix<S>& matrix, const DenseMatrix<S>& b, const DenseMatrix<S>& x,
                          const SolveReport& report) {
    const Batch alone({.num_workers = 1});
    DenseMatrix<S> expected(b.num_rows, b.num_cols);
    const SolveReport expected_report = alone.solve<S>(matrix, view_of(b), view_of(expected));
    EXPECT_EQ(report.verdict, expected_report.verdict) << report.describe();
    if (expected_report.verdict != Verdict::solved) {
      return;
    }
    constexpr double kEpsilon = std::numeric_limits<RealOf<S>>::epsilon();
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 4 * kEpsilon);
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      difference = std::max(difference, static_cast<double>(std::abs(x.values[i] - expected.values[i])));
      size = std::max(size, static_cast<double>(std::abs(expected.values[i])));
    }
    // The matrices above have condition numbers of at most 1e4.
    EXPECT_LE(difference, 4 * kEpsilon * 1e4 * size);
  }
};
TYPED_TEST_SUITE(BatchOnRanksOf, test::Scalars);

TYPED_TEST(BatchOnRanksOf, ComesToTheVerdictsAndSolutionsOfProcessesByThemselves) {
  using S = TypeParam;
  for (const int size : this->group_sizes()) {
    for (const bool reissues : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "groups of " << size << ", copies: " << reissues);
      const Batch batch({.num_processes = this->place_.num_ranks(), .group_size = size, .reissues = reissues});
      const auto results = this->run(batch, first_numbers(15), [&](const Place& group, Count k) -> std::string {
        EXPECT_EQ(group.num_ranks(), size);
        EXPECT_EQ(group.rank(), this->place_.rank() % size);
        const SparseMatrix<S> matrix = this->matrix_of(k);
        const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 3);
        DenseMatrix<S> x;
        const SolveReport report = solve_in(batch, group, matrix, b, x);
        if (group.rank() == 0) {
          this->expect_same(matrix, b, x, report);
        }
        return to_string(report.verdict);
      });
      for (const auto& [k, verdict] : results) {
        EXPECT_EQ(verdict, k % 5 == 3 ? "singular" : "solved") << k;
      }
    }
  }
}

TEST_F(BatchOnRanks, OneAnalysisServesAllGroups) {
  for (const int size : group_sizes()) {
    const Batch batch({.num_processes = place_.num_ranks(), .group_size = size, .has_one_pattern = true});
    const auto results = run(batch, first_numbers(12), [&](const Place& group, Count k) -> std::string {
      try {
        return solve_ones(batch, group, multiple_of_laplacian(k == 7 ? 5 : 6, k));
      } catch (const UsageError&) {
        return "refused";
      }
    });
    for (const auto& [k, verdict] : results) {
      EXPECT_EQ(verdict, k == 7 ? "refused" : "solved") << "groups of " << size << ", system " << k;
    }
  }
}

TEST_F(BatchOnRanks, GoOnWithoutAnAnalysisThatFailed) {
  if (!has_pairs()) {
    GTEST_SKIP() << "no groups of two";
  }
  const Batch batch({.group_size = 2, .has_one_pattern = true, .reissues = false});
  const auto results = run(batch, first_numbers(6), [&](const Place& group, Count k) -> std::string {
    SparseMatrix<double> matrix = testing::laplacian<double>(5);
    matrix.values.front() = k == 0 ? std::numeric_limits<double>::quiet_NaN() : matrix.values.front();
    try {
      return solve_ones(batch, group, matrix);
    } catch (const UsageError&) {
      return "refused";
    }
  });
  for (const auto& [k, verdict] : results) {
    EXPECT_EQ(verdict, k == 0 ? "refused" : "solved") << k;
  }
}

TEST_F(BatchOnRanks, AllSystemsAreSolvedByEveryRule) {
  const std::vector<Count> systems = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  for (const std::string& rule : chunk_kind_names()) {
    for (const bool reissues : {false, true}) {
      const Batch batch({.num_workers = rule == "gss" ? 2 : 1,
                         .num_processes = place_.num_ranks(),
                         .has_one_pattern = rule == "ss",
                         .chunks = parse_chunk_kind(rule),
                         .reissues = reissues});
      const auto results = run(batch, systems, [&](Count k) { return solve_ones(batch, multiple_of_laplacian(6, k)); });
      for (const auto& [k, result] : results) {
        EXPECT_EQ(result, "solved") << rule << ", system " << k;
      }
    }
  }
}

TEST_F(BatchOnRanks, OfNoSystems) {
  EXPECT_TRUE(run(Batch({.num_workers = 1}), {}, [](Count) { return std::string(); }).empty());
  for (const int size : group_sizes()) {
    EXPECT_TRUE(run(Batch({.group_size = size}), {}, [](const Place&, Count) { return std::string(); }).empty());
  }
}

TEST_F(BatchOnRanks, WhatIsThrownOnOneIsThrownOnAll) {
  const std::vector<Count> systems = first_numbers(30);
  const auto no_result = [](Count, const std::string&) {};
  const auto no_work = [](const Place&, Count) { return std::string(); };
  const auto work_of_one = [](Count k) { return k == 17 ? throw OutputError("the disk is full") : std::string(); };
  EXPECT_THROW(Batch({.num_workers = 1}).run(place_, systems, work_of_one, no_result), OutputError);
  for (const int size : group_sizes()) {
    const Batch batch({.group_size = size});
    for (const Rank thrower : {0, size - 1}) {
      const auto work = [&](const Place& group, Count k) {
        if (k == 17 && group.rank() == thrower) {
          throw OutputError("the disk is full");
        }
        return std::string();
      };
      EXPECT_THROW(batch.run(place_, systems, work, no_result), OutputError);
    }
    EXPECT_THROW(batch.run(place_, systems, no_work, [](Count, const std::string&) { throw OutputError("the disk is full"); }),
                 OutputError);
  }
}

TEST_F(BatchOnRanks, AStopThatOneAsksForEndsAllAndKeepsWhatIsDone) {
  constexpr Count kMany = 100000;  // not done before the last rank has had a turn
  std::atomic<int> num_begun = 0;
  const auto observer = std::make_shared<testing::Calls>(&testing::Calls::batch_end, [&] { return is_last() && num_begun >= 2; });
  const auto expect_stopped = [&](const Batch& batch, int size, const auto& work) {
    num_begun = 0;
    Count num_done = 0;
    EXPECT_THROW(batch.run(place_, first_numbers(kMany), work, [&](Count, const std::string&) { ++num_done; }), StoppedError);
    Count num_begun_by_first = 0;
    for (const int begun : all_gather_values(communicator_of(place_), place_.rank() % size == 0 ? num_begun.load() : 0)) {
      num_begun_by_first += begun;
    }
    if (is_first()) {
      EXPECT_EQ(num_done, num_begun_by_first) << "what was begun is kept";
      EXPECT_LT(num_done, kMany);
    }
  };
  const Batch alone({.solver = {.observer = observer}, .num_workers = 1});
  expect_stopped(alone, 1, [&](Count k) {
    ++num_begun;
    return solve_ones(alone, multiple_of_laplacian(6, k));
  });
  for (const int size : group_sizes()) {
    const Batch batch({.solver = {.observer = observer}, .group_size = size});
    expect_stopped(batch, size, [&](const Place& group, Count) {
      ++num_begun;
      return solve_ones(batch, group, testing::laplacian<double>(5));
    });
  }
}

// The work of the first group would never end on its own.
TEST_F(BatchOnRanks, ACopyThatIsOfNoUseAnyMoreIsStoppedOnAllOfItsGroup) {
  if (!has_pairs()) {
    GTEST_SKIP() << "no groups of two";
  }
  const Rank size = place_.num_ranks() / 2;
  const Batch batch({.group_size = size});
  bool has_begun = false;
  bool is_stopped = false;
  const auto results = run(batch, first_numbers(1), [&](const Place& group, Count) -> std::string {
    if (place_.rank() >= size) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // lets the first group begin first, as a rule
      return "done";
    }
    has_begun = true;
    try {
      for (;;) {
        (void)solve_ones(batch, group, testing::laplacian<double>(8));
      }
    } catch (const StoppedError&) {
      is_stopped = true;
      throw;
    }
  });
  EXPECT_EQ(is_stopped, has_begun);
  for (const auto& [k, result] : results) {
    EXPECT_EQ(result, "done");
  }
}

TEST_F(BatchOnRanks, MemoryIsDividedAmongAllProcesses) {
  if (!has_pairs()) {
    GTEST_SKIP() << "no groups of two";
  }
  SolverOptions solver;
  solver.factorization.memory_limit = Count{4000} * place_.num_ranks();
  const Batch batch({.solver = solver, .num_processes = place_.num_ranks(), .group_size = 2});
  const auto results = run(batch, first_numbers(2), [&](const Place& group, Count) -> std::string {
    try {
      return solve_ones(batch, group, testing::laplacian<double>(8));
    } catch (const MemoryError& error) {
      EXPECT_EQ(error.limit_bytes(), 4000) << error.what();
      return "too large";
    }
  });
  for (const auto& [k, result] : results) {
    EXPECT_EQ(result, "too large");
  }
}

TEST_F(BatchOnRanks, RefuseWhatIsNoGroup) {
  if (!has_pairs()) {
    GTEST_SKIP() << "no groups of two";
  }
  const auto work = [](const Place&, Count) { return std::string(); };
  const auto done = [](Count, const std::string&) {};
  EXPECT_THROW(Batch({.group_size = place_.num_ranks() + 1}).run(place_, {0}, work, done), UsageError);
  EXPECT_THROW(Batch({.group_size = 5}).run(place_, {0}, work, done), UsageError);
  EXPECT_THROW(Batch({.group_size = 0}), UsageError);
  EXPECT_THROW(Batch({.num_workers = 2, .group_size = 2}), UsageError);
  const Batch batch({.group_size = 2});
  EXPECT_EQ(batch.num_workers(), 1);
  EXPECT_THROW(batch.run(
                   place_, {0}, [](Count) { return std::string(); }, done),
               UsageError);
  EXPECT_THROW(batch.run(1, [](Count) {}), UsageError);
}

TEST_F(BatchOnRanks, GroupsOfOneThreadAreRefused) {
  if (!may_form_groups()) {
    EXPECT_THROW(Batch({.group_size = 2})
                     .run(
                         place_, {}, [](const Place&, Count) { return std::string(); }, [](Count, const std::string&) {}),
                 UsageError);
  }
}

}  // namespace
}  // namespace frond
