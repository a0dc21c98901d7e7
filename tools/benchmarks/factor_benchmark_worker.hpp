// SPDX-License-Identifier: BSD-3-Clause
// The measuring process of factor_benchmark: one solver, one problem, one line of JSON per measurement.
#pragma once

#include <optional>
#include <string>

#include "tools/benchmarks/factor_benchmark_problem.hpp"

namespace frond {

/// The name that stands for dense matrix products, instead of a solver.
inline constexpr const char* kDgemm = "dgemm";

/// What a worker measures.
struct WorkerTask {
  std::string solver;  ///< a name of solver_infos() or kDgemm
  int num_threads = 1;
  ProblemName problem;  ///< empty for kDgemm
  std::optional<Method> method;
};

/// Prints one line of facts on standard output, then one line of measurements for each line read from standard input, until that is
/// closed. Errors are printed as {"error": text} and end the worker. See WorkerProcess for the other side.
void run_worker(const WorkerTask& task);

}  // namespace frond
