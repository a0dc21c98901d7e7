// SPDX-License-Identifier: BSD-3-Clause
// Times the phases of a solver, measures its memory and checks its answers.
#include "tools/program/bench/adapters/peer.hpp"

#include <cblas.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "matrices/explicit_zeros.hpp"
#include "matrices/random.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/bench/adapters/peer_task.hpp"
#include "tools/program/bench/adapters/team.hpp"
#include "tools/program/bench/statistics.hpp"
#include "tools/program/process/memory_probe.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

// Returns the matrix as frond solve treats it: without needless zeros, with the symmetry of its values.
template <Scalar S>
SparseMatrix<S> as_solved(const SparseMatrix<S>& matrix) {
  SparseMatrix<S> nonzeros = count_needless_zeros(matrix.view()) > 0 ? without_zeros(matrix.view()) : matrix;
  return matrix.symmetry == Symmetry::general ? lower_triangle(nonzeros.view(), find_symmetry(nonzeros.view())) : nonzeros;
}

template <Scalar S>
PeerProblem<S> make_problem(SparseMatrix<S> matrix, Method method, const PeerTask& task, Rank rank) {
  PeerProblem<S> problem;
  problem.matrix = std::move(matrix);
  problem.method = method;
  problem.num_threads = task.num_threads;
  problem.rank = rank;
  problem.refines = task.refines;
  if (method == Method::lu && problem.matrix.symmetry != Symmetry::general) {
    problem.matrix = expand_to_general(problem.matrix.view());
  }
  if (!task.ordering.empty()) {
    OrderingOptions ordering = parse_ordering(task.ordering);
    problem.ordering = std::move(ordering.perm);
    problem.row_of_column = std::move(ordering.row_of_column);
  }
  return problem;
}

// Returns values between 1 and 2, without a pattern that a matrix could share.
template <Scalar S>
std::vector<S> known_solution(Index order) {
  std::vector<S> x(static_cast<std::size_t>(order));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = S(1 + static_cast<double>(i * 7919 % 1000) / 1000);
  }
  return x;
}

// max |r|_i / (|A| |x| + |b|)_i: a zero equation is solved by a residual of 0, and by no other.
template <Scalar S>
double componentwise_error(const MatrixView<S>& matrix, const std::vector<S>& b, const std::vector<S>& x,
                           const std::vector<S>& residual) {
  std::vector<double> sizes(b.size());
  std::transform(b.begin(), b.end(), sizes.begin(), [](S entry) { return std::abs(entry); });
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto end = static_cast<std::size_t>(matrix.pattern.column_offsets[j + 1]);
    for (auto k = static_cast<std::size_t>(matrix.pattern.column_offsets[j]); k < end; ++k) {
      const auto i = static_cast<std::size_t>(matrix.pattern.row_indices[k]);
      sizes[i] += std::abs(matrix.values[k]) * std::abs(x[j]);
      if (matrix.pattern.symmetry != Symmetry::general && i != j) {
        sizes[j] += std::abs(matrix.values[k]) * std::abs(x[i]);
      }
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double error = residual[i] == S(0) ? 0 : std::abs(residual[i]) / sizes[i];
    largest = std::isfinite(error) ? std::max(largest, error) : std::numeric_limits<double>::infinity();
  }
  return largest;
}

// Phases of tiny systems are measured until this much time has passed, by the clock that the phases are timed with.
constexpr double kLeastSeconds = 5e-3;
constexpr double kTinySeconds = 20e-3;  // of the first course, which also waits for libraries to start

/// The phases of one solver, from its analysis to its last solve.
struct PhaseTimes {
  double analysis = 0;
  std::vector<double> factor;
  std::vector<double> solve;

  [[nodiscard]] double sum() const {
    return std::accumulate(factor.begin(), factor.end(), std::accumulate(solve.begin(), solve.end(), analysis));
  }
};

PhaseTimes medians_of(const std::vector<PhaseTimes>& courses) {
  const auto median_of = [&courses](auto figure) {
    std::vector<double> seconds;
    std::transform(courses.begin(), courses.end(), std::back_inserter(seconds), figure);
    return median(seconds);
  };
  PhaseTimes medians = courses.front();
  medians.analysis = median_of([](const PhaseTimes& course) { return course.analysis; });
  for (std::size_t k = 0; k < medians.factor.size(); ++k) {
    medians.factor[k] = median_of([k](const PhaseTimes& course) { return course.factor[k]; });
    medians.solve[k] = median_of([k](const PhaseTimes& course) { return course.solve[k]; });
  }
  return medians;
}

// Returns D A D with a random diagonal D between 1 and 1.1: every value changes, symmetry, definiteness and rank do not.
template <Scalar S>
SparseMatrix<S> rescaled(const SparseMatrix<S>& matrix, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> scales(static_cast<std::size_t>(matrix.num_cols));
  std::generate(scales.begin(), scales.end(), [&random] { return random.between(1, 1.1); });
  SparseMatrix<S> result = matrix;
  for (std::size_t j = 0; j < scales.size(); ++j) {
    const auto end = static_cast<std::size_t>(matrix.column_offsets[j + 1]);
    for (auto k = static_cast<std::size_t>(matrix.column_offsets[j]); k < end; ++k) {
      result.values[k] *= scales[matrix.row_indices[k]] * scales[j];
    }
  }
  return result;
}

/// One solver on one problem.
template <Scalar S>
class PeerRun {
 public:
  PeerRun(const PeerProblem<S>& problem, PeerTeam& team, const MakeSolver<S>& make)
      : problem_(problem), team_(team), make_(make), b_(static_cast<std::size_t>(problem.matrix.num_rows)), x_(b_.size()) {
    multiply<S>(problem.matrix.view(), Operation::plain, known_solution<S>(problem.matrix.num_rows), b_);
    reset_peak_bytes();  // excludes the memory used for reading
    solver_ = make_(problem);
  }

  Json measure(const PeerTask& task) {
    Json line;
    std::vector<PhaseTimes> courses = {course(task.repetitions, line)};
    const bool repeats = task.num_ranks == 1 && courses[0].sum() < kTinySeconds;
    for (double seconds = 0; repeats && (seconds < kLeastSeconds || courses.size() < 3); seconds += courses.back().sum()) {
      Json memory_of_others;
      solver_ = make_(problem_);
      courses.push_back(course(task.repetitions, memory_of_others));
    }
    const PhaseTimes times = medians_of(courses);
    line["analysis_seconds"] = times.analysis;
    line["factor_seconds"] = times.factor;
    line["solve_seconds"] = times.solve;
    line["factor_entries"] = solver_->factor_entries();
    if (task.num_again > 0) {
      measure_again(task.num_again, line);
    }
    line["backward_error"] = largest_.normwise_backward_error;
    line["componentwise_backward_error"] = largest_.componentwise_backward_error;
    return line;
  }

 private:
  template <class Work>
  double seconds_of(Work work) {
    team_.wait_for_all();
    const Stopwatch stopwatch;
    work();
    team_.wait_for_all();
    return stopwatch.seconds();
  }

  // Times all phases, with `repetitions` factorizations, and notes memory.
  PhaseTimes course(int repetitions, Json& line) {
    PhaseTimes times;
    times.analysis = seconds_of([this] { solver_->analyze(); });
    const Count analysis_peak = peak_bytes();
    const Count estimate = team_.sum(solver_->estimated_bytes());
    reset_peak_bytes();
    const Count before = team_.sum(resident_bytes());
    factorize_and_solve(times);
    times.analysis += solver_->analysis_seconds();
    const Count factor_peak = peak_bytes();
    line["factor_peak_bytes"] = team_.sum(factor_peak);
    line["peak_bytes"] = team_.sum(std::max(analysis_peak, factor_peak));
    if (estimate > 0) {
      line["estimated_factor_peak_bytes"] = before + estimate;
    }
    for (int k = 1; k < repetitions; ++k) {
      solver_->discard();
      factorize_and_solve(times);
    }
    return times;
  }

  // At least `count` refactorizations, each with values of its own and a solve; medians.
  void measure_again(int count, Json& line) {
    solver_->prepare_again();
    std::vector<double> factor;
    std::vector<double> solve;
    double seconds = 0;
    for (int k = 1; k <= count || seconds < kLeastSeconds; ++k) {
      SparseMatrix<S> matrix = rescaled(problem_.matrix, static_cast<std::uint64_t>(k));
      multiply<S>(matrix.view(), Operation::plain, known_solution<S>(matrix.num_rows), b_);
      factor.push_back(seconds_of([&] { solver_->refactorize(matrix.values); }));
      solve.push_back(seconds_of([this] { solver_->solve(b_, x_); }));
      seconds += factor.back() + solve.back();
      note_errors(matrix);
      std::swap(values_, matrix.values);  // the solver may still look at them
    }
    line["again_factor_seconds"] = median(factor);
    line["again_solve_seconds"] = median(solve);
  }

  void factorize_and_solve(PhaseTimes& times) {
    const double seconds = seconds_of([this] { solver_->factorize(); });
    times.factor.push_back(seconds - solver_->analysis_seconds());
    times.solve.push_back(seconds_of([this] { solver_->solve(b_, x_); }));
    note_errors(problem_.matrix);
  }

  void note_errors(const SparseMatrix<S>& matrix) {
    const ColumnReport errors = backward_errors(matrix);
    largest_.normwise_backward_error = std::max(largest_.normwise_backward_error, errors.normwise_backward_error);
    largest_.componentwise_backward_error = std::max(largest_.componentwise_backward_error, errors.componentwise_backward_error);
  }

  // Infinite if x is not finite; 0 on processes without x. The residual is computed in twice the precision.
  ColumnReport backward_errors(const SparseMatrix<S>& matrix) {
    if (problem_.rank > 0) {
      return {};
    }
    std::vector<S> residual(b_.size());
    const BackwardErrorMeter<S> meter(matrix.view(), Operation::plain);
    ColumnReport errors = meter.measure(b_, x_, residual);
    errors.componentwise_backward_error = componentwise_error<S>(matrix.view(), b_, x_, residual);
    return errors;
  }

  const PeerProblem<S>& problem_;
  PeerTeam& team_;
  const MakeSolver<S>& make_;
  std::vector<S> b_;
  std::vector<S> x_;
  std::vector<S> values_;  // of the last refactorization
  std::unique_ptr<PeerSolver<S>> solver_;
  ColumnReport largest_;
};

template <Scalar S>
Json measure(AnyMatrix matrix, Method method, const PeerTask& task, PeerTeam& team, const MakeSolver<S>& make) {
  const PeerProblem<S> problem = make_problem(std::get<SparseMatrix<S>>(std::move(matrix)), method, task, team.rank());
  Json line = PeerRun<S>(problem, team, make).measure(task);
  line["threads"] = task.num_threads;
  line["ranks"] = task.num_ranks;
  return line;
}

// Returns the answer of the first process; nothing on the others.
Json answer(int argc, char** argv, const Peer& peer) {
  const PeerTask task = parse_task(argc, argv);
  AnyMatrix matrix = read_matrix(task.matrix);
  require_square(matrix, task.matrix);
  std::visit([](auto& read) { read = as_solved(read); }, matrix);
  const bool is_complex = std::holds_alternative<SparseMatrix<std::complex<double>>>(matrix);
  const std::optional<Method> method = method_of(task, peer, is_complex);
  const std::string objection =
      method ? objection_to(task, peer)
             : fmt::format("has no {} for {} matrices", to_string(task.method), is_complex ? "complex" : "real");
  if (!objection.empty()) {
    return {{"solver", peer.solver}, {"skipped", objection}};
  }
  if (task.num_ranks > 1 && !task.is_launched) {
    launch_team(task, argc, argv);
  }
  openblas_set_num_threads(peer.threads == PeerThreads::blas ? task.num_threads : 1);
  const std::unique_ptr<PeerTeam> team = join_team(peer.threads_call_mpi);
  Json line = is_complex ? measure<std::complex<double>>(std::move(matrix), *method, task, *team, peer.make_complex)
                         : measure<double>(std::move(matrix), *method, task, *team, peer.make_real);
  line["solver"] = peer.solver;
  return team->rank() == 0 ? line : Json();
}

}  // namespace

int run_peer(int argc, char** argv, const Peer& peer) {
  try {
    if (const Json line = answer(argc, argv, peer); !line.is_null()) {
      std::cout << line << std::endl;
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cout << Json{{"solver", peer.solver}, {"error", error.what()}} << std::endl;
    std::_Exit(EXIT_FAILURE);  // others may wait for this process: their launcher ends them
  }
}

void require_success(bool succeeded, const std::string& phase, long long code) {
  if (!succeeded) {
    throw std::runtime_error(phase + " failed with code " + std::to_string(code));
  }
}

}  // namespace frond
