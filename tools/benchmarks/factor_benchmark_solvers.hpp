// SPDX-License-Identifier: BSD-3-Clause
// The solvers that factor_benchmark compares, behind one interface.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tools/benchmarks/factor_benchmark_problem.hpp"

namespace frond {

/// A solver with one problem, analysed already. The problem outlives it. Whatever goes wrong is a std::runtime_error.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  /// Gives the memory of the last factorization back, where the solver does not use it again for the next. Not timed.
  virtual void discard() {}

  /// The numerical factorization: what is timed.
  virtual void factorize() = 0;

  /// x = A^-1 b with the last factorization, without refinement.
  [[nodiscard]] virtual std::vector<double> solve(std::span<const double> b) = 0;
};

/// What is known about a solver before it runs.
struct SolverInfo {
  std::string_view name;
  std::string_view debian_package;  ///< what a build of the benchmark needs to include it
  bool is_available = true;         ///< this build includes it
  bool (*applies)(Method);
  std::unique_ptr<Contender> (*make)(const Problem&, int num_threads);
};

/// Frond first, then its peers, which run on one thread.
[[nodiscard]] std::span<const SolverInfo> solver_infos();

std::unique_ptr<Contender> make_frond(const Problem& problem, int num_threads);
std::unique_ptr<Contender> make_mumps(const Problem& problem);
std::unique_ptr<Contender> make_cholmod(const Problem& problem);
std::unique_ptr<Contender> make_umfpack(const Problem& problem);

}  // namespace frond
