// SPDX-License-Identifier: BSD-3-Clause
// Tests batches over processes: each system is solved by some process, and reported to the first process once.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "frond/mpi.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

class BatchOnRanks : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_first() const { return place_.rank() == 0; }
  [[nodiscard]] bool is_last() const { return place_.rank() == place_.num_ranks() - 1; }

  // Solves systems on all ranks; returns the results reported to the first one.
  std::map<Count, std::string> solve_all(const Batch& batch, const std::vector<Count>& systems) const {
    std::map<Count, std::string> results;
    batch.run(
        place_, is_first() ? systems : std::vector<Count>(),
        [&](Count k) { return std::string(to_string(solve(batch, k).verdict)); },
        [&](Count k, const std::string& result) { EXPECT_TRUE(results.emplace(k, result).second) << k; });
    return results;
  }

  static SolveReport solve(const Batch& batch, Count k) {
    SparseMatrix<double> matrix = testing::laplacian<double>(6);
    for (double& value : matrix.values) {
      value *= static_cast<double>(k + 1);
    }
    const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1.0);
    std::vector<double> x(b.size());
    return batch.solve<double>(matrix, column_view(std::span(b)), column_view(std::span(x)));
  }

  Place place_ = on(MPI_COMM_WORLD);
};

TEST_F(BatchOnRanks, AllSystemsAreSolvedWithOneAnalysisOrMany) {
  const std::vector<Count> systems = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  for (const std::string& rule : chunk_kind_names()) {
    for (const bool reissues : {false, true}) {
      const Batch batch({.num_workers = rule == "gss" ? 2 : 1,
                         .num_processes = place_.num_ranks(),
                         .has_one_pattern = rule == "ss",
                         .chunks = parse_chunk_kind(rule),
                         .reissues = reissues});
      const std::map<Count, std::string> results = solve_all(batch, systems);
      EXPECT_EQ(results.size(), is_first() ? systems.size() : 0) << rule;
      for (const auto& [k, result] : results) {
        EXPECT_EQ(result, "solved") << rule << ", system " << k;
      }
    }
  }
}

TEST_F(BatchOnRanks, OfNoSystems) { EXPECT_TRUE(solve_all(Batch({.num_workers = 1}), {}).empty()); }

TEST_F(BatchOnRanks, WhatIsThrownOnOneIsThrownOnAll) {
  const Batch batch({.num_workers = 1});
  std::vector<Count> systems(50);
  std::iota(systems.begin(), systems.end(), 0);
  const auto no_result = [](Count, const std::string&) {};
  EXPECT_THROW(batch.run(
                   place_, systems,
                   [&](Count k) {
                     if (k == 17) {
                       throw OutputError("the disk is full");
                     }
                     return std::string();
                   },
                   no_result),
               OutputError);
  EXPECT_THROW(batch.run(
                   place_, systems, [](Count) { return std::string(); },
                   [](Count, const std::string&) { throw OutputError("the disk is full"); }),
               OutputError);
}

TEST_F(BatchOnRanks, AStopThatOneAsksForEndsAllAndKeepsWhatIsDone) {
  std::set<Count> begun;
  std::mutex mutex;
  const auto observer = testing::calls(&testing::Calls::batch_end, [&] {
    const std::lock_guard lock(mutex);
    return is_last() && begun.size() >= 2;
  });
  const Batch batch({.solver = {.observer = observer}, .num_workers = 1});
  std::vector<Count> systems(1000);
  std::iota(systems.begin(), systems.end(), 0);
  std::size_t num_done = 0;
  EXPECT_THROW(batch.run(
                   place_, systems,
                   [&](Count k) {
                     {
                       const std::lock_guard lock(mutex);
                       begun.insert(k);
                     }
                     (void)solve(batch, k);
                     return std::string();
                   },
                   [&](Count, const std::string&) { ++num_done; }),
               StoppedError);
  const std::vector<std::size_t> begun_on_ranks = all_gather_values(communicator_of(place_), begun.size());
  if (is_first()) {
    EXPECT_EQ(num_done, std::accumulate(begun_on_ranks.begin(), begun_on_ranks.end(), std::size_t{0})) << "what was begun is kept";
    EXPECT_LT(num_done, systems.size());
  }
}

}  // namespace
}  // namespace frond
