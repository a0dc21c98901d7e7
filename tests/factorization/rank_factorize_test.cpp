// SPDX-License-Identifier: BSD-3-Clause
// Tests whole factorizations by ranks that are threads: every mechanism, with and without the load thread, and failures of one
// rank.
#include "factorization/rank_factorize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "factorization/factorize.hpp"
#include "factorization/kernels/chunks.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/subnormal_factors.hpp"
#include "tests/support/ranks/concurrent_network.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

constexpr Count kRoomOfRank = 1 << 20;

struct RankOutcome {
  std::optional<RankFactorizationResult<double>> result;
  std::string memory_error;
  std::optional<BudgetError> budget_error;
};

// The networks of one run, or of several consecutive ones.
struct Networks {
  explicit Networks(Rank num_ranks, std::uint32_t seed = std::random_device{}())
      : main(num_ranks, kRoomOfRank, seed), control(num_ranks, kRoomOfRank, seed + 1), load(num_ranks, kRoomOfRank, seed + 2) {}

  ConcurrentNetwork main;
  ConcurrentNetwork control;
  ConcurrentNetwork load;
};

Symmetry symmetry_of(Method method) { return method == Method::lu ? Symmetry::general : Symmetry::symmetric; }

class RankFactorizationTest : public ::testing::Test {
 protected:
  void analyze_grid(Method method, Values values, Rank num_ranks) {
    a_ = grid_matrix<double>(symmetry_of(method), 9, 8, 7, values, 1);
    MappingOptions mapping{.num_ranks = num_ranks};
    mapping.upper_node_seconds = 0;  // spreads small problems as well
    mapping.layer_tolerance = 0.01;
    analyze_matrix(method, mapping);
  }

  // The tree is a chain of fronts of type 2.
  void analyze_dense(Method method, Rank num_ranks) {
    a_ = random_sparse<double>(symmetry_of(method), 1200, 1, Values::dominant, 1);
    analyze_matrix(method, {.num_ranks = num_ranks, .grid_order_per_side = a_.num_rows});
  }

  void analyze_matrix(Method method, const MappingOptions& mapping, OrderingKind ordering = OrderingKind::automatic) {
    method_ = method;
    symbolic_ = analyze(a_.pattern(), {.ordering = {.kind = ordering}, .mapping = mapping, .method = method});
    mapping_ = map_tree(symbolic_->tree(), method, mapping);
  }

  // options_of(rank): the options of one rank.
  template <class OptionsOf>
  [[nodiscard]] std::vector<RankOutcome> run(OptionsOf options_of) const {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Networks networks(mapping_.num_ranks(), seed);
    return run_over(networks, options_of);
  }

  template <class OptionsOf>
  [[nodiscard]] std::vector<RankOutcome> run_over(Networks& networks, OptionsOf options_of) const {
    const Rank num_ranks = mapping_.num_ranks();
    std::vector<RankOutcome> outcomes(static_cast<std::size_t>(num_ranks));
    testing::run_threads(num_ranks, [&](Rank rank) {
      RankOutcome& outcome = outcomes[rank];
      CountedChannel counted(networks.main.channel(rank));
      RankFactorization<double> factorization({symbolic_, mapping_, method_, a_.values}, options_of(rank),
                                              {counted, networks.control.channel(rank), networks.load.channel(rank), true});
      try {
        outcome.result.emplace(factorization.run());
      } catch (const MemoryError& error) {
        outcome.memory_error = error.what();
      } catch (const BudgetError& error) {
        outcome.budget_error = error;
      }
    });
    return outcomes;
  }

  // Returns the options of each rank, with different numbers of threads.
  [[nodiscard]] static auto options_with(const WorkBudget& budget) {
    return [budget](Rank rank) {
      RankFactorizationOptions options;
      options.num_threads = 1 + rank % 3;
      options.budget = budget;
      return options;
    };
  }

  // Returns the outcomes that have a BudgetError, which must be the same on all ranks.
  [[nodiscard]] static std::vector<RankOutcome> expect_same_error(std::vector<RankOutcome> outcomes) {
    std::erase_if(outcomes, [](const RankOutcome& outcome) {
      EXPECT_TRUE(outcome.budget_error);
      return !outcome.budget_error;
    });
    for (const RankOutcome& outcome : outcomes) {
      EXPECT_STREQ(outcome.budget_error->what(), outcomes.front().budget_error->what());
      EXPECT_EQ(outcome.budget_error->figures(), outcomes.front().budget_error->figures());
    }
    return outcomes;
  }

  // Joins the parts of all ranks into the factors of one.
  [[nodiscard]] Factors<double> joined(const std::vector<RankOutcome>& outcomes) const {
    std::vector<FrontFactor<double>> fronts;
    for (NodeId node = 0; node < symbolic_->tree().num_nodes(); ++node) {
      const RankOutcome& master = outcomes[mapping_.master(node)];
      fronts.push_back(master.result->factors->fronts[node]);
    }
    return Factors<double>(symbolic_, method_, std::move(fronts), nullptr, {}, {});
  }

  [[nodiscard]] FactorizationResult<double> run_on_one_rank() const {
    return factorize<double>(symbolic_, method_, a_.values, {}, {}, FactorizationOptions{.num_threads = 1});
  }

  Method method_ = Method::lu;
  SparseMatrix<double> a_;
  std::shared_ptr<const Symbolic> symbolic_;
  Mapping mapping_;
};

TEST_F(RankFactorizationTest, HasTheBitsOfOneRankWithEveryMechanism) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    for (const Rank num_ranks : {1, 2, 4}) {
      analyze_grid(method, method == Method::cholesky ? Values::dominant : Values::zero_diagonal, num_ranks);
      const FactorizationResult<double> expected = run_on_one_rank();
      int variant = 0;
      for (const LoadMechanism mechanism : {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                            LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", "
                                          << to_string(mechanism));
        const std::vector<RankOutcome> outcomes = run([&](Rank rank) {
          RankFactorizationOptions options;
          options.num_threads = 1 + (variant + rank) % 3;
          options.load_exchange = mechanism;
          options.load_service.use_thread = variant % 2 == 0;
          return options;
        });
        FactorizationReport report;
        for (const RankOutcome& outcome : outcomes) {
          ASSERT_TRUE(outcome.result && outcome.result->factors);
          report += outcome.result->report;
        }
        EXPECT_TRUE(same_bits(joined(outcomes), *expected.factors));
        EXPECT_EQ(report.num_delayed_pivots, expected.report.num_delayed_pivots);
        EXPECT_EQ(report.inertia.negative, expected.report.inertia.negative);
        EXPECT_DOUBLE_EQ(report.flops, expected.report.flops);
        ++variant;
      }
    }
  }
}

TEST_F(RankFactorizationTest, FlushesSubnormalsInAllJobs) {
  a_ = weakly_coupled_grid();
  analyze_matrix(Method::ldlt, {.num_ranks = 3, .layer_tolerance = 0.01, .upper_node_seconds = 0});
  for (const int num_threads : {1, 2}) {
    for (const bool flushes : {false, true}) {
      const std::vector<RankOutcome> outcomes = run([&](Rank) {
        RankFactorizationOptions options;
        options.num_threads = num_threads;
        options.flushes_subnormals = flushes;
        return options;
      });
      EXPECT_EQ(num_subnormals(joined(outcomes)) == 0, flushes);
      for (const RankOutcome& outcome : outcomes) {
        for (const auto& [node, part] : outcome.result->factors->rows) {
          for (Index j = 0; j < part.num_eliminated && flushes; ++j) {
            for (Index i = 0; i < part.rows.rows; ++i) {
              ASSERT_NE(std::fpclassify(part.rows(i, j)), FP_SUBNORMAL) << "node " << node;
            }
          }
        }
      }
    }
  }
}

// No pivots are exchanged, so that entries can be compared.
TEST_F(RankFactorizationTest, WorkersOfARankShareItsPartOfAFront) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    SCOPED_TRACE(static_cast<int>(method));
    analyze_dense(method, 3);
    const FactorizationResult<double> expected = run_on_one_rank();
    Index most_rows = 0;
    RankFactorizationOptions options;
    options.num_threads = 3;
    for (const RankOutcome& outcome : run([&options](Rank) { return options; })) {
      ASSERT_TRUE(outcome.result && outcome.result->factors);
      EXPECT_EQ(outcome.result->report.num_delayed_pivots, 0);
      for (const auto& [node, part] : outcome.result->factors->rows) {
        const FrontFactor<double>& front = expected.factors->front(node);
        ASSERT_EQ(part.num_eliminated, front.num_fully_summed);
        most_rows = std::max(most_rows, part.rows.rows);
        for (Index j = 0; j < part.num_eliminated; ++j) {
          const double* column = method == Method::lu ? front.upper + static_cast<Count>(j) * front.cb_order()
                                                      : front.lower + front.layout.column_offset(j) + front.num_fully_summed;
          for (Index i = 0; i < part.rows.rows; ++i) {
            ASSERT_NEAR(part.rows(i, j), column[part.row_begin + i], 1e-12) << "node " << node << ", row " << i << ", column " << j;
          }
        }
      }
    }
    EXPECT_GE(most_rows, 2 * kLeastChunk) << "nothing to share";
  }
}

TEST_F(RankFactorizationTest, CountsWhatEachRankDidAndSaid) {
  analyze_grid(Method::ldlt, Values::dominant, 3);
  const std::vector<RankOutcome> outcomes = run([](Rank) { return RankFactorizationOptions(); });
  RankRunCounts total;
  for (const RankOutcome& outcome : outcomes) {
    const RankRunCounts& counts = outcome.result->counts;
    EXPECT_GT(counts.flops_done, 0);
    EXPECT_GT(counts.peak_active_bytes, 0);
    EXPECT_GT(counts.peak_bytes, counts.peak_active_bytes);
    EXPECT_GT(counts.task_seconds, 0);
    total += counts;
  }
  EXPECT_DOUBLE_EQ(total.flops_done, run_on_one_rank().report.flops);
  EXPECT_NEAR(total.flops_assigned, total.flops_done, 1e-9 * total.flops_done);  // no pivot is delayed
  EXPECT_GT(total.main.sent.messages, 0);
  EXPECT_EQ(total.main.sent, total.main.received);
  const MessageCounts by_kind = std::accumulate(total.main.sent_by_kind.begin(), total.main.sent_by_kind.end(), MessageCounts(),
                                                [](MessageCounts sum, const MessageCounts& of_kind) { return sum += of_kind; });
  EXPECT_EQ(by_kind, total.main.sent);
  EXPECT_EQ(total.load_sent.total_messages(), total.load_received);
}

TEST_F(RankFactorizationTest, LackOfMemoryOnOneRankIsTheSameErrorOnAll) {
  analyze_grid(Method::ldlt, Values::zero_diagonal, 3);
  for (Rank victim = 0; victim < 3; ++victim) {
    const std::vector<RankOutcome> outcomes = run([victim](Rank rank) {
      RankFactorizationOptions options;
      options.num_threads = 2;
      options.memory_limit = rank == victim ? 50000 : 0;
      return options;
    });
    for (const RankOutcome& outcome : outcomes) {
      EXPECT_EQ(outcome.memory_error.substr(0, 8), "rank " + std::to_string(victim) + ": ");
      EXPECT_EQ(outcome.memory_error, outcomes.front().memory_error);
    }
  }
}

TEST_F(RankFactorizationTest, ABudgetPassedIsTheSameErrorOnAllAndLeavesTheChannelsAsTheyWere) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    for (const Rank num_ranks : {1, 2, 4}) {
      analyze_grid(method, Values::zero_diagonal, num_ranks);
      const FactorizationResult<double> expected = run_on_one_rank();
      Networks networks(num_ranks);
      for (const double share : {0.01, 0.05, 0.2, 1e-9}) {
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", share "
                                          << share);
        const WorkBudget budget{.flops = share * expected.report.flops};
        for (const RankOutcome& outcome : expect_same_error(run_over(networks, options_with(budget)))) {
          EXPECT_EQ(outcome.budget_error->figures().budget_flops, budget.flops);
          EXPECT_GT(outcome.budget_error->figures().needed_flops, budget.flops);
          EXPECT_LT(outcome.budget_error->figures().flops_done, expected.report.flops);
        }
      }
      const std::vector<RankOutcome> outcomes = run_over(networks, options_with({.flops = 100 * expected.report.flops}));
      ASSERT_TRUE(outcomes.front().result && outcomes.front().result->factors);
      EXPECT_TRUE(same_bits(joined(outcomes), *expected.factors));
    }
  }
}

TEST_F(RankFactorizationTest, ABudgetOfBytesPassedOnOneRankIsTheSameErrorOnAll) {
  analyze_grid(Method::ldlt, Values::zero_diagonal, 3);
  std::vector<Count> peak_bytes;
  for (const RankOutcome& outcome : run(options_with({}))) {
    peak_bytes.push_back(outcome.result->report.peak_bytes);
  }
  for (Rank victim = 0; victim < 3; ++victim) {
    const WorkBudget tight{.bytes = peak_bytes[victim] * 3 / 4};
    const std::vector<RankOutcome> outcomes =
        expect_same_error(run([&](Rank rank) { return options_with(rank == victim ? tight : WorkBudget{})(rank); }));
    ASSERT_EQ(outcomes.size(), 3U);
    EXPECT_EQ(std::string(outcomes.front().budget_error->what()).substr(0, 8), "rank " + std::to_string(victim) + ": ");
    EXPECT_EQ(outcomes.front().budget_error->figures().budget_bytes, tight.bytes);
    EXPECT_GT(outcomes.front().budget_error->figures().needed_bytes, tight.bytes);
  }
}

TEST_F(RankFactorizationTest, AllRanksStopBeforeDelaysRunAway) {
  for (const Rank num_ranks : {1, 2, 4}) {
    a_ = runaway_chain(Symmetry::symmetric, 300);
    analyze_matrix(Method::ldlt, {.num_ranks = num_ranks, .layer_tolerance = 0.01, .upper_node_seconds = 0}, OrderingKind::natural);
    const FactorizationReport unlimited = run_on_one_rank().report;
    const double predicted_flops = TaskGraph(symbolic_->tree(), method_, sizeof(double)).total_flops();
    for (const RankOutcome& outcome : expect_same_error(run(options_with({.flops = 2 * predicted_flops})))) {
      const BudgetError::Figures& figures = outcome.budget_error->figures();
      EXPECT_LE(figures.flops_done, 2 * predicted_flops);
      EXPECT_LT(figures.needed_bytes, unlimited.peak_bytes / 10);
      EXPECT_GT(figures.num_delayed_pivots, 0);
    }
  }
}

TEST_F(RankFactorizationTest, AllRanksNameThePivotThatIsNotPositive) {
  analyze_grid(Method::cholesky, Values::dominant, 4);
  const Index last = a_.num_cols - 1;
  a_.values[a_.column_offsets[static_cast<std::size_t>(last)]] *= -1;
  for (const RankOutcome& outcome : run([](Rank) { return RankFactorizationOptions(); })) {
    ASSERT_TRUE(outcome.result);
    EXPECT_FALSE(outcome.result->factors);
    EXPECT_EQ(outcome.result->report.status, FactorizationStatus::not_positive_definite);
    EXPECT_EQ(outcome.result->report.null_pivots, std::vector<Index>{last});
  }
}

}  // namespace
}  // namespace frond::test
