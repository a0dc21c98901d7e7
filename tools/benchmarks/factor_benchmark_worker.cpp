// SPDX-License-Identifier: BSD-3-Clause
// Measures factorizations and dense products: wall time, processor time, resident memory, backward error.
#include "tools/benchmarks/factor_benchmark_worker.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "factorization/memory_estimate.hpp"
#include "matrices/error.hpp"
#include "solver/report.hpp"
#include "tools/benchmarks/factor_benchmark_check.hpp"
#include "tools/benchmarks/factor_benchmark_solvers.hpp"
#include "tools/memory_probe.hpp"
#include "tools/stopwatch.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDgemmOrder = 2000;
constexpr double kDgemmFlops = 2.0 * kDgemmOrder * kDgemmOrder * kDgemmOrder;

/// Seconds that all threads of this process have computed.
double processor_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs `work` and tells how long it took.
Json timed(const std::function<void()>& work) {
  const double processor_start = processor_seconds();
  const Stopwatch stopwatch;
  work();
  return {{"wall_seconds", stopwatch.seconds()}, {"cpu_seconds", processor_seconds() - processor_start}};
}

Json measure_factorization(const Problem& problem, Contender& contender) {
  contender.discard();
  if (!reset_peak_bytes()) throw Error("the peak of resident memory cannot be reset: /proc/self/clear_refs is not writable");
  const Count before = resident_bytes();
  Json run = timed([&] { contender.factorize(); });
  run["resident_before_bytes"] = before;
  run["resident_peak_bytes"] = peak_bytes();
  run["backward_error"] = checked_backward_error(problem, contender);
  return run;
}

Json facts_of(const Problem& problem, int num_threads) {
  const FactorizationEstimate estimate = problem.symbolic->estimate(problem.method);
  const MemoryEstimate memory = estimate_memory(*problem.symbolic, problem.method, sizeof(double), num_threads);
  return {{"order", problem.matrix.num_rows},
          {"entries", problem.matrix.num_entries()},
          {"method", to_string(problem.method)},
          {"flops", estimate.elimination_flops},
          {"factor_entries", estimate.exact_factor_entries},
          {"estimated_bytes", memory.peak_bytes()}};
}

/// One product of square matrices, with operands of its own.
class DgemmRunner {
 public:
  DgemmRunner() : a_(kDgemmOrder * kDgemmOrder, 1.0), b_(a_), c_(a_) {}

  void operator()() {
    constexpr auto n = static_cast<blasint>(kDgemmOrder);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a_.data(), n, b_.data(), n, 0.0, c_.data(), n);
  }

 private:
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

/// As many products side by side as there are runners, each on a thread of its own.
Json measure_dgemm(std::vector<DgemmRunner>& runners) {
  return timed([&] {
    std::vector<std::jthread> threads;
    threads.reserve(runners.size());
    for (DgemmRunner& runner : runners) threads.emplace_back(std::ref(runner));
  });
}

/// Answers requests until there are no more.
void serve(const Json& facts, const std::function<Json()>& measure) {
  std::cout << facts << std::endl;
  std::string request;
  while (std::getline(std::cin, request)) std::cout << measure() << std::endl;
}

void serve_dgemm(int num_threads) {
  std::vector<DgemmRunner> runners(static_cast<std::size_t>(num_threads));
  serve({{"flops", num_threads * kDgemmFlops}, {"blas", openblas_get_config()}}, [&] { return measure_dgemm(runners); });
}

void serve_solver(const WorkerTask& task) {
  const auto info = std::ranges::find(solver_infos(), task.solver, &SolverInfo::name);
  if (info == solver_infos().end()) throw UsageError("there is no solver " + task.solver);
  const Problem problem = load_problem(task.problem, task.method);
  const std::unique_ptr<Contender> contender = info->make(problem, task.num_threads);
  serve(facts_of(problem, task.num_threads), [&] { return measure_factorization(problem, *contender); });
}

}  // namespace

void run_worker(const WorkerTask& task) {
  try {
    openblas_set_num_threads(1);
    task.solver == kDgemm ? serve_dgemm(task.num_threads) : serve_solver(task);
  } catch (const std::exception& error) {
    std::cout << Json{{"error", error.what()}} << std::endl;
  }
}

}  // namespace frond
