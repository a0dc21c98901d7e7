// SPDX-License-Identifier: BSD-3-Clause
// Measures Frond's numerical factorization against MUMPS, CHOLMOD and UMFPACK, or its memory against its estimate.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "matrices/error.hpp"
#include "tools/benchmarks/factor_benchmark_process.hpp"
#include "tools/benchmarks/factor_benchmark_report.hpp"
#include "tools/benchmarks/factor_benchmark_worker.hpp"

namespace {

using namespace frond;

constexpr int kTargetMissed = 1;
constexpr int kFailed = 2;

struct Options {
  std::vector<std::string> problems = {"laplacian3d7", "60", "elasticity3d", "25", "convection3d", "45"};
  std::string method;
  int repetitions = 5;
  std::string json_file;
  bool measures_memory = false;
  bool checks_targets = false;
  std::string worker_solver;
  int worker_threads = 1;

  [[nodiscard]] std::optional<Method> chosen_method() const {
    return method.empty() ? std::nullopt : std::optional(parse_method(method));
  }
};

void add_problem_options(CLI::App& app, Options& options) {
  app.add_option("problems", options.problems, "KIND N of model problems, and matrix files")->capture_default_str();
  app.add_option("--method", options.method, "cholesky, ldlt or lu (default: what fits the matrix)");
}

/// Returns the subcommand by which this program starts its own measuring processes.
CLI::App* add_worker_command(CLI::App& app, Options& options) {
  CLI::App* worker = app.add_subcommand(kWorkerCommand)->group("");
  worker->add_option("--solver", options.worker_solver)->required();
  worker->add_option("--threads", options.worker_threads);
  add_problem_options(*worker, options);
  return worker;
}

void add_options(CLI::App& app, Options& options) {
  add_problem_options(app, options);
  app.add_option("--repeat", options.repetitions, "measured factorizations of each solver")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--memory", options.measures_memory, "compare Frond's peak of resident memory with its estimate instead");
  app.add_flag("--perf-check", options.checks_targets, "exit with 1 when Frond misses its targets (docs/performance.md)");
  app.add_option("--json", options.json_file, "also write everything to this file");
}

template <class Comparison>
bool report(const Comparison& comparison, nlohmann::json& document) {
  document.push_back(to_json(comparison));
  return meets(PerformanceTargets{}, comparison);
}

/// Whether the targets are met, which cannot be said when a peer is missing.
bool measure_times(const Options& options, nlohmann::json& document) {
  const std::string missing = missing_peers();
  fmt::print("{}", missing);
  bool all_met = missing.empty();
  for (const ProblemName& problem : parse_problems(options.problems)) {
    const Comparison comparison = compare(problem, options.chosen_method(), options.repetitions);
    fmt::print("{}\n", describe(comparison));
    std::fflush(stdout);
    all_met &= report(comparison, document);
  }
  return all_met;
}

bool measure_memory(const Options& options, nlohmann::json& document) {
  std::vector<MemoryComparison> comparisons;
  for (const ProblemName& problem : parse_problems(options.problems)) {
    for (MemoryComparison& comparison : compare_memory(problem, options.chosen_method())) {
      comparisons.push_back(std::move(comparison));
    }
  }
  fmt::print("{}", describe(comparisons));
  bool all_met = true;
  for (const MemoryComparison& comparison : comparisons) all_met &= report(comparison, document);
  return all_met;
}

void write_json(const std::string& path, const nlohmann::json& document) {
  std::ofstream file(path);
  if (!(file << document.dump(2) << std::endl)) throw OutputError("cannot write " + path);
}

int run(const Options& options) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
    fmt::print("OPENBLAS_CORETYPE is set; it is ignored here, so that OpenBLAS uses the kernels of this processor\n");
  }
  std::signal(SIGPIPE, SIG_IGN);  // a process that died is reported in the table
  nlohmann::json document = nlohmann::json::array();
  const bool all_met = options.measures_memory ? measure_memory(options, document) : measure_times(options, document);
  if (!options.json_file.empty()) write_json(options.json_file, document);
  if (!options.checks_targets) return EXIT_SUCCESS;
  fmt::print("targets {}\n", all_met ? "met" : "missed");
  return all_met ? EXIT_SUCCESS : kTargetMissed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Measures Frond's numerical factorization against MUMPS, CHOLMOD and UMFPACK, with the same order of elimination and the "
      "same "
      "OpenBLAS.\nA build includes the peers that CMake finds; on Debian: apt install libmumps-seq-dev libsuitesparse-dev");
  Options options;
  const CLI::App* worker = add_worker_command(app, options);
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    if (worker->parsed()) {
      const auto problem = options.worker_solver == kDgemm ? ProblemName() : ProblemName(options.problems);
      run_worker({options.worker_solver, options.worker_threads, problem, options.chosen_method()});
      return EXIT_SUCCESS;
    }
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kFailed;
  }
}
