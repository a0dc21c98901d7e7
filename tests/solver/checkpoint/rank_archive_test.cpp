// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints on virtual ranks: stopped at a drawn moment, and resumed by another number of ranks.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "solver/checkpoint/front_archive.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

template <class S>
class RankArchiveTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kKey = 42;
  static constexpr int kNumTrials = 60;

  struct Outcome {
    VirtualRunResult<S> result;
    Count num_found = 0;
  };

  // All of them in this process, in the same directory.
  static Outcome run(const RankProblem<S>& problem, const std::string& directory, const VirtualRun& run) {
    Outcome outcome;
    std::vector<std::unique_ptr<FrontArchive<S>>> archives;
    RankStores<S> stores;
    for (Rank rank = 0; rank < problem.mapping.num_ranks(); ++rank) {
      archives.push_back(std::make_unique<FrontArchive<S>>(
          problem.symbolic->tree(), problem.method,
          ArchiveOptions{.directory = directory, .key = kKey, .rank = rank, .mapping = &problem.mapping}));
      stores.push_back(archives.back().get());
    }
    outcome.num_found = archives.front()->counts().num_fronts_found;
    archives.front()->clear();
    for (const auto& archive : archives) {
      archive->open();
    }
    archives.front()->publish();
    outcome.result = factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, run, {}, stores);
    EXPECT_TRUE(outcome.result.complaints.empty()) << outcome.result.complaints.front();
    for (const auto& archive : archives) {
      EXPECT_EQ(archive->counts().log.error, std::nullopt);
    }
    return outcome;
  }

  // The tree is that of the first run; a run that goes on maps it to its own ranks.
  static RankProblem<S> mapped_to(const RankProblem<S>& problem, Types types, Rank num_ranks) {
    RankProblem<S> other = problem;
    MappingOptions options;
    options.num_ranks = num_ranks;
    options.layer.upper_node_seconds = 0;
    options.layer.tolerance = 0.01;
    options.grid = {.order_per_side = types == Types::grid ? 1 : std::numeric_limits<Index>::max(), .block_size = 3};
    if (types != Types::sequential) {
      options.rows = {.min_slave_rows = 1, .min_front_flops = 0};
    }
    other.mapping = map_tree(other.symbolic->tree(), other.method, options);
    return other;
  }

  testing::ScratchFolder folder_;
};

using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(RankArchiveTest, Scalars);

TYPED_TEST(RankArchiveTest, GoesOnWithOtherNumbersOfRanks) {
  using S = TypeParam;
  std::mt19937 random(5);
  const auto below = [&random](std::size_t end) { return random() % end; };
  constexpr std::array kRanks = {1, 2, 3, 5, 8};
  constexpr std::array kTypes = {Types::sequential, Types::row_distributed, Types::grid};
  const std::vector<Method> methods = kIsComplex<S> ? std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt, Method::ldlh}
                                                    : std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt};
  Count num_found = 0;
  Count num_shared = 0;
  int num_stopped = 0;
  for (int trial = 0; trial < this->kNumTrials; ++trial) {
    const Method method = methods[below(methods.size())];
    const Values values = method == Method::cholesky ? Values::dominant : below(2) == 0 ? Values::zero_diagonal : Values::dominant;
    const Types types = kTypes[below(kTypes.size())];
    const RankProblem<S> problem(method, 5, values, types, kRanks[below(kRanks.size())]);
    SCOPED_TRACE("trial " + std::to_string(trial) + ", method " + std::to_string(static_cast<int>(method)) + ", types " +
                 std::to_string(static_cast<int>(types)) + ", ranks " + std::to_string(problem.mapping.num_ranks()));
    const std::string directory = this->folder_.path("run-" + std::to_string(trial));
    std::filesystem::create_directory(directory);
    const FactorizationResult<S> expected = problem.run_on_one_rank();
    bool is_done = false;
    for (int again = 0; again < 4; ++again) {
      const Rank num_ranks = again == 0 ? problem.mapping.num_ranks() : kRanks[below(kRanks.size())];
      const Types now = again == 0 ? types : kTypes[below(kTypes.size())];
      const RankProblem<S> mapped = again == 0 ? problem : this->mapped_to(problem, now, num_ranks);
      SCOPED_TRACE("run " + std::to_string(again) + " on " + std::to_string(num_ranks) + " ranks, types " +
                   std::to_string(static_cast<int>(now)));
      VirtualRun run;
      run.seed = static_cast<std::uint32_t>(random());
      auto steps_left = std::make_shared<int>(again == 3 ? std::numeric_limits<int>::max() : 1 + static_cast<int>(below(400)));
      run.before = [steps_left](Rank, Phase) {
        if (--*steps_left == 0) {
          throw StoppedError("enough");
        }
      };
      const auto outcome = this->run(mapped, directory, run);
      num_found += outcome.num_found;
      if (outcome.result.failure) {
        ++num_stopped;
        continue;
      }
      is_done = true;
      for (const RankFactors<S>& factors : outcome.result.factors) {
        num_shared += static_cast<Count>(factors.shares.size());
      }
      const Factors<S> factors = mapped.gather(outcome.result);
      const DenseOracle<S> oracle = multiply_out(factors);
      EXPECT_LE(oracle.error(permuted_matrix(factors, mapped.a.view())), 10);
      EXPECT_EQ(oracle.num_eliminated(), mapped.a.num_rows);
      if (!kIsComplex<S> || method != Method::ldlt) {  // which has no inertia
        EXPECT_EQ(outcome.result.report.inertia.negative, expected.report.inertia.negative);
        EXPECT_EQ(outcome.result.report.inertia.positive, expected.report.inertia.positive);
      }
    }
    EXPECT_TRUE(is_done);
  }
  EXPECT_GT(num_found, 300);
  EXPECT_GT(num_shared, 50);
  EXPECT_GT(num_stopped, 30);
}

}  // namespace
}  // namespace frond::test
