// SPDX-License-Identifier: BSD-3-Clause
// Implements the stage on the ranks of MPI.
#include <algorithm>
#include <complex>
#include <memory>

#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
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
  spread.analysis.mapping = (options.layout == Layout::grid ? testing::spread_with_grid(all) : testing::spread()).analysis.mapping;
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

template <Scalar S>
Analysis analyze_here(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyze(ranks(), matrix, distributed(options));
}

template <Scalar S>
Factorization<S> load_here(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options) {
  return Factorization<S>::load(ranks(), path, matrix, distributed(options));
}

#define FROND_INSTANTIATE(S)                                                   \
  template Analysis analyze_here(const SystemMatrix<S>&, const StageOptions&); \
  template Factorization<S> load_here(const std::string&, const SystemMatrix<S>&, const StageOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::stages
