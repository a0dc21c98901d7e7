// SPDX-License-Identifier: BSD-3-Clause
// Measures the triangular solves against the machine's limits: with one right-hand side the bytes of the factors read per second
// over the memory's bandwidth, with 64 their flops per second over those of dense products.
//
// frond_solve_benchmark THREADS PROBLEM...: problems as `frond bench` takes them, such as `laplacian3d7 60 A.mtx`.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "factorization/factorize.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tools/program/bench/bench_problems.hpp"
#include "tools/program/bench/machine_speed.hpp"
#include "tools/program/bench/statistics.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace {

using namespace frond;

constexpr int kRounds = 5;
constexpr int kSolvesPerRound = 5;

template <Scalar S>
struct FactorizedProblem {
  Factors<S> factors;
  SolvePlan plan;
  Count factor_entries;
  Index order;

  // Both sweeps read every entry of L; one sweep each reads those of M and N.
  [[nodiscard]] double entries_read() const {
    return (factors.method() == Method::lu ? 1.0 : 2.0) * static_cast<double>(factor_entries);
  }
};

template <Scalar S>
FactorizedProblem<S> factorize_problem(const SparseMatrix<S>& matrix, int num_threads) {
  SolverOptions options;
  options.analysis.block_triangular = Use::never;  // one pass through the tree is timed
  options.factorization.num_threads = num_threads;
  options.factorization.memory = std::make_shared<RegionPool>();
  const Method method = choose_method<S>(matrix, options);
  options.method = method;
  const SparseMatrix<S> whole =
      method == Method::lu && matrix.symmetry != Symmetry::general ? expand_to_general(matrix.view()) : matrix;
  const std::shared_ptr<const Symbolic> symbolic = analyze_system<S>(whole, options).symbolic;
  Scaling<RealOf<S>> scaling = find_scaling(whole.view(), scaling_options(options), symbolic->row_of_column(), symbolic->blocks());
  FactorizationResult<S> result =
      factorize<S>(symbolic, method, whole.values, std::move(scaling.rows), std::move(scaling.cols), options.factorization);
  if (result.report.status != FactorizationStatus::success) {
    throw UsageError("the matrix is singular");
  }
  return {std::move(*result.factors), SolvePlan(symbolic->tree()), result.report.factor_entries, whole.num_rows};
}

template <Scalar S>
double median_solve_seconds(const FactorizedProblem<S>& problem, Index num_rhs, int num_threads) {
  const std::vector<S> b(static_cast<std::size_t>(problem.order) * static_cast<std::size_t>(num_rhs), S(1));
  std::vector<double> seconds;
  for (int repetition = 0; repetition < kSolvesPerRound; ++repetition) {
    std::vector<S> x = b;
    const Stopwatch stopwatch;
    solve_with_factors<S>(problem.factors, problem.plan, {Operation::plain, {x.data(), problem.order, num_rhs, problem.order}},
                          num_threads);
    seconds.push_back(stopwatch.seconds());
  }
  return median(seconds);
}

template <Scalar S>
void measure(const std::string& name, const SparseMatrix<S>& matrix, int num_threads) {
  const FactorizedProblem<S> problem = factorize_problem(matrix, num_threads);
  constexpr double kFlops = kIsComplex<S> ? 8.0 : 2.0;  // of a multiplication and an addition
  std::vector<double> one_seconds;
  std::vector<double> block_seconds;
  std::vector<double> bandwidth_fractions;
  std::vector<double> product_fractions;
  for (int round = 0; round < kRounds; ++round) {
    const MachineSpeed machine = measure_machine(num_threads);
    one_seconds.push_back(median_solve_seconds(problem, 1, num_threads));
    block_seconds.push_back(median_solve_seconds(problem, kSolveBlock, num_threads));
    bandwidth_fractions.push_back(problem.entries_read() * sizeof(S) / one_seconds.back() / machine.bandwidth);
    product_fractions.push_back(problem.entries_read() * kFlops * kSolveBlock / block_seconds.back() / machine.flop_rate);
  }
  std::printf("%-24s %8.1f %10.5f %8.0f %% %10.4f %8.0f %%\n", name.c_str(),
              1e-6 * sizeof(S) * static_cast<double>(problem.factor_entries), median(one_seconds),
              100 * median(bandwidth_fractions), median(block_seconds), 100 * median(product_fractions));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.size() < 2) {
      throw UsageError("usage: frond_solve_benchmark THREADS PROBLEM...");
    }
    const int num_threads = std::stoi(words.front());
    std::printf("%-24s %8s %10s %10s %10s %10s\n", "problem", "MB", "1 rhs s", "of memory", "64 rhs s", "of DGEMM");
    for (const BenchProblem& problem : parse_bench_problems({words.begin() + 1, words.end()}, "")) {
      const AnyMatrix any = problem.model ? generate(problem.model->kind, problem.model->n, 1) : read_matrix(problem.file);
      std::visit([&](const auto& matrix) { measure(problem.name, matrix, num_threads); }, any);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
