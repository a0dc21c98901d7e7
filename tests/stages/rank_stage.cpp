// SPDX-License-Identifier: BSD-3-Clause
// Implements the stage on the ranks of MPI.
#include <algorithm>
#include <memory>

#include "frond/place.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::stages {
namespace {

#ifdef FROND_SCALARS_ON_RANKS
constexpr std::uint64_t kEverySeed = 10;  // of the seeds of one process; 5 where everything is tested
#else
constexpr std::uint64_t kEverySeed = 5;
#endif

const Communicator& ranks() { return communicator_of(place()); }

}  // namespace

const Place& place() {
  static const auto* const kPlace =
      new Place(rank_place(std::make_shared<const Communicator>(mpi_world(test::mpi_gate()))));  // leaked: MPI ends before statics
  return *kPlace;
}

SolverOptions options_here(const StageOptions& options) {
  SolverOptions spread = options.solver;
  MappingOptions& mapping = spread.analysis.mapping;
  mapping = (options.layout == Layout::nodes  ? testing::spread_by_nodes()
             : options.layout == Layout::rows ? testing::spread()
                                              : testing::spread_with_grid(ranks()))
                .analysis.mapping;
  mapping.min_split_pivots = 4;
  if (options.layout == Layout::wide_grid) {
    mapping.grid_ranks.clear();
    mapping.grid_block_size = 3;
  }
  spread.factorization.num_threads = std::max(1, options.solver.factorization.num_threads);
  return spread;
}

std::vector<Layout> layouts() { return {Layout::rows, Layout::grid}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return (in_one_process + kEverySeed - 1) / kEverySeed; }
bool has_grids() { return ranks().num_ranks() > 1 && ranks().gate().threads_may_call(); }

template <Scalar S>
Spread spread_of(const Factorization<S>& factorization) {
  const Mapping& mapping = rank_backend_of(factorization).mapping();
  return {mapping.num_nodes_of(NodeType::row_distributed), mapping.num_nodes_of(NodeType::grid_distributed)};
}

template <Scalar S>
bool holds_factors(const Factorization<S>& factorization) {
  const auto& factors = rank_backend_of(factorization).factors();
  return factors && (!factors->rows.empty() || factors->root);
}

#define FROND_INSTANTIATE(S)                          \
  template Spread spread_of(const Factorization<S>&); \
  template bool holds_factors(const Factorization<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::stages
