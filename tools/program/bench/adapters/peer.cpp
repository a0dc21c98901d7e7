// SPDX-License-Identifier: BSD-3-Clause
// Times the phases of a solver, measures its memory and checks its answers.
#include "tools/program/bench/adapters/peer.hpp"

#include <cblas.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "matrices/explicit_zeros.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/bench/adapters/peer_task.hpp"
#include "tools/program/bench/adapters/team.hpp"
#include "tools/program/process/memory_probe.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

// Returns the matrix as frond solve treats it: without explicit zeros, with the symmetry of its values.
template <Scalar S>
SparseMatrix<S> as_solved(const SparseMatrix<S>& matrix) {
  SparseMatrix<S> nonzeros = without_zeros(matrix.view());
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

/// One solver on one problem.
template <Scalar S>
class PeerRun {
 public:
  PeerRun(const PeerProblem<S>& problem, PeerTeam& team, const MakeSolver<S>& make)
      : problem_(problem), team_(team), b_(static_cast<std::size_t>(problem.matrix.num_rows)), x_(b_.size()) {
    multiply<S>(problem.matrix.view(), Operation::plain, known_solution<S>(problem.matrix.num_rows), b_);
    reset_peak_bytes();  // excludes the memory used for reading
    solver_ = make(problem);
  }

  Json measure(int repetitions) {
    Json line;
    double analysis_seconds = seconds_of([this] { solver_->analyze(); });
    const Count analysis_peak = peak_bytes();
    const Count estimate = team_.sum(solver_->estimated_bytes());
    reset_peak_bytes();
    const Count before = team_.sum(resident_bytes());
    factorize_and_solve(line);
    analysis_seconds += solver_->analysis_seconds();
    line["analysis_seconds"] = analysis_seconds;
    const Count factor_peak = peak_bytes();
    line["factor_peak_bytes"] = team_.sum(factor_peak);
    line["peak_bytes"] = team_.sum(std::max(analysis_peak, factor_peak));
    if (estimate > 0) {
      line["estimated_factor_peak_bytes"] = before + estimate;
    }
    for (int k = 1; k < repetitions; ++k) {
      solver_->discard();
      factorize_and_solve(line);
    }
    line["factor_entries"] = solver_->factor_entries();
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

  void factorize_and_solve(Json& line) {
    const double seconds = seconds_of([this] { solver_->factorize(); });
    line["factor_seconds"].push_back(seconds - solver_->analysis_seconds());
    line["solve_seconds"].push_back(seconds_of([this] { solver_->solve(b_, x_); }));
    const ColumnReport errors = backward_errors();
    largest_.normwise_backward_error = std::max(largest_.normwise_backward_error, errors.normwise_backward_error);
    largest_.componentwise_backward_error = std::max(largest_.componentwise_backward_error, errors.componentwise_backward_error);
  }

  // Infinite if x is not finite; 0 on processes without x. The residual is computed in twice the precision.
  ColumnReport backward_errors() {
    if (problem_.rank > 0) {
      return {};
    }
    std::vector<S> residual(b_.size());
    const BackwardErrorMeter<S> meter(problem_.matrix.view(), Operation::plain);
    ColumnReport errors = meter.measure(b_, x_, residual);
    errors.componentwise_backward_error = componentwise_error<S>(problem_.matrix.view(), b_, x_, residual);
    return errors;
  }

  const PeerProblem<S>& problem_;
  PeerTeam& team_;
  std::vector<S> b_;
  std::vector<S> x_;
  std::unique_ptr<PeerSolver<S>> solver_;
  ColumnReport largest_;
};

template <Scalar S>
Json measure(AnyMatrix matrix, Method method, const PeerTask& task, PeerTeam& team, const MakeSolver<S>& make) {
  const PeerProblem<S> problem = make_problem(std::get<SparseMatrix<S>>(std::move(matrix)), method, task, team.rank());
  Json line = PeerRun<S>(problem, team, make).measure(task.repetitions);
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
