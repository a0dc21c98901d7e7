// SPDX-License-Identifier: BSD-3-Clause
// Compares ways to solve many systems of one pattern whose values are in memory: refactorize() in a loop of each thread, a batch
// that factorizes each anew, and a batch whose systems take lanes (Batch::solve_all()). Every x is measured and judged.
//
// frond_batch_benchmark [THREADS]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "frond/batch.hpp"
#include "frond/factorization.hpp"
#include "matrices/generate.hpp"

namespace {

using namespace frond;

constexpr int kRounds = 5;
constexpr double kEntriesInAll = 3e6;  // of the values of all systems

struct Problem {
  ModelProblem kind;
  Index size;
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Systems whose values differ by up to 10 % from those of the problem.
template <Scalar S>
struct Systems {
  SparseMatrix<S> matrix;
  std::vector<std::vector<S>> values;
  DenseMatrix<S> b;
  DenseMatrix<S> x;
  std::atomic<Index> num_unsolved = 0;

  explicit Systems(SparseMatrix<S> one) : matrix(std::move(one)) {
    const auto num_systems =
        static_cast<Index>(std::clamp(kEntriesInAll / static_cast<double>(matrix.values.size()), 64.0, 8192.0));
    std::mt19937_64 random(1);
    std::uniform_real_distribution<RealOf<S>> factor(RealOf<S>(0.9), RealOf<S>(1.1));
    values.assign(static_cast<std::size_t>(num_systems), matrix.values);
    for (std::vector<S>& own : values) {
      std::ranges::for_each(own, [&](S& value) { value *= factor(random); });
    }
    b = x = DenseMatrix<S>(matrix.num_rows, num_systems);
    std::ranges::generate(b.values, [&] { return S(factor(random)); });
  }

  [[nodiscard]] Count count() const { return static_cast<Count>(values.size()); }
  [[nodiscard]] SystemMatrix<S> system(Count k) const { return SystemMatrix<S>(MatrixView<S>{matrix.pattern(), values[k]}); }
  [[nodiscard]] DenseView<const S> side(Count k) const {
    return view_of(b).columns(static_cast<Index>(k), static_cast<Index>(k + 1));
  }
  [[nodiscard]] DenseView<S> solution(Count k) { return view_of(x).columns(static_cast<Index>(k), static_cast<Index>(k + 1)); }
  void note(const SolveReport& report) { num_unsolved += report.verdict == Verdict::solved ? 0 : 1; }
};

template <Scalar S>
void refactorize_each(const Analysis& analysis, Systems<S>& systems, int num_threads) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < num_threads; ++thread) {
    threads.emplace_back([&, thread] {
      Factorization<S> factorization(analysis, systems.system(0));
      for (Count k = thread; k < systems.count(); k += num_threads) {
        factorization.refactorize(systems.values[k]);
        systems.note(factorization.solve(systems.side(k), systems.solution(k)));
      }
    });
  }
}

// Prints the times, and returns the ratios of the first two to that of lanes.
template <Scalar S>
std::vector<double> compare(const ModelProblemInfo& problem, SparseMatrix<S> matrix, int num_threads) {
  Systems<S> systems(std::move(matrix));
  BatchOptions options{.num_workers = num_threads, .has_one_pattern = true};
  options.solver.factorization.num_threads = 1;
  options.analysis = analyze(systems.system(0), options.solver);
  const Batch batch(options);
  const std::vector<std::function<void()>> ways = {
      [&] { refactorize_each(*options.analysis, systems, num_threads); },
      [&] {
        batch.run(systems.count(),
                  [&](Count k) { systems.note(batch.solve<S>(systems.system(k), systems.side(k), systems.solution(k))); });
      },
      [&] {
        const auto system = [&](Count k) { return systems.system(k); };
        for (const SolveReport& report : batch.solve_all<S>(systems.count(), system, view_of(systems.b), view_of(systems.x))) {
          systems.note(report);
        }
      }};
  std::vector<std::vector<double>> seconds(ways.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      seconds[way].push_back(seconds_of(ways[way]) / static_cast<double>(systems.count()));
    }
  }
  const double in_lanes = median(seconds[2]);
  const std::vector<double> ratios = {median(seconds[0]) / in_lanes, median(seconds[1]) / in_lanes};
  std::printf("%-16s %7d %10.2f %10.2f %10.2f %8.2f %8.2f", std::string(problem.name).c_str(), systems.matrix.num_rows,
              median(seconds[0]) * 1e6, median(seconds[1]) * 1e6, in_lanes * 1e6, ratios[0], ratios[1]);
  std::printf(systems.num_unsolved > 0 ? "  %d not solved\n" : "\n", systems.num_unsolved.load());
  return ratios;
}

void run(int num_threads) {
  const std::vector<Problem> problems = {
      {ModelProblem::tridiagonal, 50},  {ModelProblem::tridiagonal, 1000}, {ModelProblem::laplacian2d5, 7},
      {ModelProblem::laplacian2d5, 14}, {ModelProblem::laplacian2d5, 32},  {ModelProblem::laplacian2d5, 45},
      {ModelProblem::nodal, 60},        {ModelProblem::nodal, 400},        {ModelProblem::nodal, 1500},
      {ModelProblem::feeder, 50},       {ModelProblem::feeder, 300},       {ModelProblem::powergrid, 50},
      {ModelProblem::powergrid, 500},   {ModelProblem::random, 100},       {ModelProblem::random, 500},
      {ModelProblem::helmholtz3d, 5}};
  std::printf("%-16s %7s %10s %10s %10s %8s %8s\n", "problem", "order", "again us", "batch us", "lanes us", "again/", "batch/");
  std::vector<double> logs(2);
  for (const Problem& problem : problems) {
    const ModelProblemInfo& info = model_problem_info(problem.kind);
    AnyMatrix matrix = generate(problem.kind, problem.size, 1);
    const std::vector<double> ratios = std::visit([&](auto& own) { return compare(info, std::move(own), num_threads); }, matrix);
    std::ranges::transform(logs, ratios, logs.begin(), [](double sum, double ratio) { return sum + std::log(ratio); });
  }
  const auto mean = [&](double sum) { return std::exp(sum / static_cast<double>(problems.size())); };
  std::printf("geometric means %50.2f %8.2f\n", mean(logs[0]), mean(logs[1]));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 1);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "frond_batch_benchmark: %s\n", error.what());
    return 1;
  }
}
