// SPDX-License-Identifier: BSD-3-Clause
// Implements the stage in one process.
#include <algorithm>

#include "tests/stages/stage.hpp"

namespace frond::stages {
namespace {

SolverOptions on_one_thread(const StageOptions& options) {
  SolverOptions solver = options.solver;
  solver.factorization.num_threads = std::max(1, solver.factorization.num_threads);
  return solver;
}

}  // namespace

const Team& team() {
  static const Alone kAlone;
  return kAlone;
}
Rank rank() { return 0; }
std::vector<Layout> layouts() { return {Layout::rows}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return in_one_process; }
bool has_grids() { return false; }

template <Scalar S>
Analysis analyze_here(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyze(matrix, on_one_thread(options));
}

template <Scalar S>
Factorization<S> load_here(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options) {
  return Factorization<S>::load(path, matrix, on_one_thread(options));
}

template <Scalar S>
Spread spread_of(const Factorization<S>& /*factorization*/) {
  return {};
}

template <Scalar S>
bool holds_factors(const Factorization<S>& /*factorization*/) {
  return false;
}

#define FROND_INSTANTIATE(S)                                                                            \
  template Analysis analyze_here(const SystemMatrix<S>&, const StageOptions&);                          \
  template Factorization<S> load_here(const std::string&, const SystemMatrix<S>&, const StageOptions&); \
  template Spread spread_of(const Factorization<S>&);                                                   \
  template bool holds_factors(const Factorization<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::stages
