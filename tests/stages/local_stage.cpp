// SPDX-License-Identifier: BSD-3-Clause
// Implements the stage in one process.
#include <algorithm>

#include "tests/stages/stage.hpp"

namespace frond::stages {

const Place& place() {
  static const Place kHere;
  return kHere;
}

SolverOptions options_here(const StageOptions& options) {
  SolverOptions solver = options.solver;
  solver.factorization.num_threads = std::max(1, solver.factorization.num_threads);
  solver.factorization.thin = Use::never;  // stages are about fronts, and compare their counts
  return solver;
}

std::vector<Layout> layouts() { return {Layout::rows}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return in_one_process; }
bool has_grids() { return false; }

template <Scalar S>
Spread spread_of(const Factorization<S>& /*factorization*/) {
  return {};
}

template <Scalar S>
bool holds_factors(const Factorization<S>& /*factorization*/) {
  return false;
}

#define FROND_INSTANTIATE(S)                          \
  template Spread spread_of(const Factorization<S>&); \
  template bool holds_factors(const Factorization<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::stages
