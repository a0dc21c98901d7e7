// SPDX-License-Identifier: BSD-3-Clause
// Implements the stage on the ranks of MPI.
#include <algorithm>
#include <memory>

#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_team.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::stages {
namespace {

const Ranks& ranks() {
  static const auto* const kRanks =
      new Ranks(std::make_shared<const Communicator>(mpi_world(test::mpi_gate())));  // leaked: MPI ends before statics
  return *kRanks;
}

SolverOptions distributed(const StageOptions& options) {
  const Communicator& all = ranks().communicator();
  SolverOptions spread = options.solver;
  MappingOptions& mapping = spread.analysis.mapping;
  mapping = (options.layout == Layout::rows ? testing::spread() : testing::spread_with_grid(all)).analysis.mapping;
  mapping.splitting.min_pivots = 4;
  if (options.layout == Layout::wide_grid) {
    mapping.grid.ranks.clear();
    mapping.grid.block_size = 3;
  }
  spread.factorization.num_threads = std::max(1, options.solver.factorization.num_threads);
  return spread;
}

}  // namespace

const Team& team() {
  static const auto* const kTeam = new RankTeam(ranks().communicator());
  return *kTeam;
}
Rank rank() { return ranks().rank(); }
std::vector<Layout> layouts() { return {Layout::rows, Layout::grid}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return (in_one_process + 4) / 5; }
bool has_grids() { return ranks().communicator().num_ranks() > 1 && ranks().communicator().gate().threads_may_call(); }

template <Scalar S>
Analysis analyze_here(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyze(ranks(), matrix, distributed(options));
}

template <Scalar S>
Factorization<S> load_here(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options) {
  return Factorization<S>::load(ranks(), path, matrix, distributed(options));
}

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

#define FROND_INSTANTIATE(S)                                                                            \
  template Analysis analyze_here(const SystemMatrix<S>&, const StageOptions&);                          \
  template Factorization<S> load_here(const std::string&, const SystemMatrix<S>&, const StageOptions&); \
  template Spread spread_of(const Factorization<S>&);                                                   \
  template bool holds_factors(const Factorization<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::stages
