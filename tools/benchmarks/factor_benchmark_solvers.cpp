// SPDX-License-Identifier: BSD-3-Clause
// The list of solvers. Which peers this build includes comes from CMake as 0 or 1.
#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

constexpr bool kHasMumps = FROND_BENCHMARK_MUMPS;
constexpr bool kHasCholmod = FROND_BENCHMARK_CHOLMOD;
constexpr bool kHasUmfpack = FROND_BENCHMARK_UMFPACK;

using ContenderPtr = std::unique_ptr<Contender>;

ContenderPtr mumps(const Problem& problem, int) {
  if constexpr (kHasMumps) {
    return make_mumps(problem);
  }
  return nullptr;
}

ContenderPtr cholmod(const Problem& problem, int) {
  if constexpr (kHasCholmod) {
    return make_cholmod(problem);
  }
  return nullptr;
}

ContenderPtr umfpack(const Problem& problem, int) {
  if constexpr (kHasUmfpack) {
    return make_umfpack(problem);
  }
  return nullptr;
}

bool always(Method) { return true; }
bool for_cholesky(Method method) { return method == Method::cholesky; }
bool for_lu(Method method) { return method == Method::lu; }

constexpr SolverInfo kSolverInfos[] = {
    {"frond", "", true, always, make_frond},
    {"mumps", "libmumps-seq-dev", kHasMumps, always, mumps},
    {"cholmod", "libsuitesparse-dev", kHasCholmod, for_cholesky, cholmod},
    {"umfpack", "libsuitesparse-dev", kHasUmfpack, for_lu, umfpack},
};

}  // namespace

std::span<const SolverInfo> solver_infos() { return kSolverInfos; }

}  // namespace frond
