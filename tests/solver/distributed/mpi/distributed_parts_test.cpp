// SPDX-License-Identifier: BSD-3-Clause
// Tests the factors one by one on several ranks against those of one process with the same ordering.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <memory>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/inverse_part.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

template <class S>
class DistributedPartsOf : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 60;
  Communicator ranks_ = mpi_world(test::mpi_gate());
};
TYPED_TEST_SUITE(DistributedPartsOf, test::Scalars);

// Uses matrices without delayed pivots; otherwise one process might delay other pivots.
TYPED_TEST(DistributedPartsOf, AreThoseOfOneProcess) {
  using S = TypeParam;
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  const bool is_first = this->ranks_.rank() == 0;
  Index num_by_rows = 0;  // must become positive: the case occurs
  Index num_on_grids = 0;
  for (const Symmetry symmetry : {Symmetry::general, kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, testing::Flavour::dominant, 2);
    const SystemMatrix<S> given(matrix);
    for (const SolverOptions& options : {testing::spread(), testing::spread_with_grid(this->ranks_)}) {
      const auto system = std::make_shared<const DistributedSystem<S>>(this->ranks_, is_first ? &given : nullptr, options);
      auto several = factorize_on_ranks<S>(system);
      num_by_rows += rank_backend_of(several).mapping().num_nodes_of(NodeType::row_distributed);
      num_on_grids += rank_backend_of(several).mapping().num_nodes_of(NodeType::grid_distributed);
      SolverOptions same = options;
      same.analysis.ordering = {
          .kind = OrderingKind::given, .perm = system->order().perm, .row_of_column = system->order().row_of_column};
      const Factorization<S> one(analyze(given, same), given);
      for (const FactorPart part : {FactorPart::lower, FactorPart::diagonal, FactorPart::upper}) {
        const auto found = testing::inverse_part<S>(this->kOrder, [&](DenseMatrix<S>& x) {
          several.solve_part(part, Operation::plain, is_first ? view_of(x) : DenseView<S>{});
        });
        const auto expected =
            testing::inverse_part<S>(this->kOrder, [&](DenseMatrix<S>& x) { one.solve_part(part, Operation::plain, view_of(x)); });
        if (is_first) {
          EXPECT_LE((found - expected).norm(), 10 * eps * expected.norm()) << "part " << static_cast<int>(part);
        }
      }
    }
  }
  // both methods that support a grid root have it on the grid of two
  const bool has_several = this->ranks_.num_ranks() > 1;
  EXPECT_EQ(num_by_rows > 0, has_several);
  EXPECT_EQ(num_on_grids, has_several && this->ranks_.gate().threads_may_call() ? 2 : 0);
}

}  // namespace
}  // namespace frond
