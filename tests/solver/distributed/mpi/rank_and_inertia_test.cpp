// SPDX-License-Identifier: BSD-3-Clause
// Tests rank, inertia and determinant on several ranks against exactly known values, for every type of root.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/oracles/known_expectations.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::KnownSystem;

class RankAndInertiaOnRanksTest : public ::testing::Test {
 protected:
  // Distributes even small fronts over the ranks. The root is put on a grid; for LDLT, which has no grid, it is split into a chain
  // of fronts distributed by rows.
  [[nodiscard]] SolverOptions spreading_options() const {
    SolverOptions options;
    MappingOptions& mapping = options.analysis.mapping;
    mapping.layer = {.tolerance = 0.01, .upper_node_seconds = 0};
    mapping.rows = {.min_slave_rows = 1, .min_front_flops = 0};
    mapping.splitting.min_pivots = 4;
    mapping.grid.order_per_side = 1;
    mapping.grid.block_size = 4;
    if (ranks_.num_ranks() > 1) {  // no more ranks than cores: ScaLAPACK busy-waits
      mapping.grid.ranks = {0, 1};
    }
    options.factorization.num_threads = 1;
    return options;
  }

  // Tests every `every`-th known system.
  template <class S>
  void expect_as_known(const SolverOptions& options, Count every = 1) const {
    Count num_met = 0;
    Count num_on_grid = 0;
    Count num_by_rows = 0;
    Count num_systems = 0;
    Count num_distributed = 0;
    for (const KnownSystem<S>& known : testing::known_systems<S>()) {
      if (num_met++ % every != 0) {
        continue;
      }
      SCOPED_TRACE(known.name);
      const SystemMatrix<S> matrix = known.matrix;
      const auto system = std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &matrix : nullptr, options);
      const auto factorization = factorize_on_ranks<S>(system);
      testing::expect_as_known(known, factorization.report());
      const Count on_grid = rank_backend_of(factorization).mapping().num_nodes_of(NodeType::grid_distributed);
      const Count by_rows = rank_backend_of(factorization).mapping().num_nodes_of(NodeType::row_distributed);
      num_on_grid += on_grid;
      num_by_rows += by_rows;
      num_distributed += on_grid + by_rows > 0 ? 1 : 0;
      ++num_systems;
    }
    EXPECT_EQ(num_on_grid > 0, ranks_.num_ranks() > 1 && ranks_.gate().threads_may_call());
    EXPECT_EQ(num_by_rows > 0, ranks_.num_ranks() > 1);
    if (ranks_.num_ranks() > 1) {
      const bool is_double = std::is_same_v<RealOf<S>, double>;
      EXPECT_GE(num_distributed, is_double && every == 1 ? 200 : num_systems / 2);
    }
  }

#ifdef FROND_DOUBLES_ALONE
  static constexpr Count kEvery = 4;  // one process tests them all
  static constexpr Count kEveryOther = 8;
#else
  static constexpr Count kEvery = 1;
  static constexpr Count kEveryOther = 1;
#endif
  Communicator ranks_ = mpi_world(test::mpi_gate());
};

TEST_F(RankAndInertiaOnRanksTest, AreExactWhereTheyAreKnownInDouble) { expect_as_known<double>(spreading_options(), kEvery); }

TEST_F(RankAndInertiaOnRanksTest, AreExactWhereTheyAreKnownInComplexDouble) {
  expect_as_known<std::complex<double>>(spreading_options(), kEveryOther);
}

#ifndef FROND_DOUBLES_ALONE
TEST_F(RankAndInertiaOnRanksTest, AreExactWhereTheyAreKnownInFloat) { expect_as_known<float>(spreading_options(), kEvery); }

TEST_F(RankAndInertiaOnRanksTest, AreExactWhereTheyAreKnownInComplexFloat) {
  expect_as_known<std::complex<float>>(spreading_options(), kEveryOther);
}
#endif

TEST_F(RankAndInertiaOnRanksTest, AreExactWithMatchings) {
  SolverOptions options = spreading_options();
  options.analysis.ordering.matching = MatchingUse::always;
  expect_as_known<double>(options, kEveryOther);
}

}  // namespace
}  // namespace frond
