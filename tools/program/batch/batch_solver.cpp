// SPDX-License-Identifier: BSD-3-Clause
// Reads, solves and writes a system of a batch.
#include "tools/program/batch/batch_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <exception>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <variant>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/files/members.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/numerics/problem/counted_from.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/solve/failure_code.hpp"
#include "tools/program/solve/right_hand_sides.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// Returns the word for a system without a verdict of the solver.
std::string verdict_of(ExitCode code) {
  switch (code) {
    case ExitCode::bad_input:
      return "unreadable";
    case ExitCode::out_of_memory:
      return std::string(kTooLarge);
    default:
      return "failed";
  }
}

}  // namespace

BatchOptions batch_options(const BatchArguments& arguments) {
  BatchOptions options{.solver = solver_options(arguments.solve)};
  options.solver.factorization.num_threads = arguments.solve.system.num_threads;
  options.num_workers = arguments.num_workers;
  options.group_size = arguments.group_size;
  options.has_one_pattern = arguments.has_one_pattern;
  if (arguments.has_one_pattern && !arguments.solve.system.named.has("reuse")) {
    set_option(options.solver, "reuse", "many");
  }
  options.chunks = parse_chunk_kind(arguments.dealing.chunks);
  options.reissues = arguments.dealing.reissue == "on";
  return options;
}

void make_output_folder(const BatchArguments& arguments) {
  std::error_code error;
  if (!arguments.output.empty() && !fs::create_directories(arguments.output, error) && error) {
    throw OutputError(fmt::format("--out {}: cannot be made: {}", arguments.output, error.message()));
  }
}

BatchResult result_of(const std::function<void(BatchResult&)>& solve) {
  const double begin = steady_seconds();
  BatchResult result;
  try {
    solve(result);
  } catch (const StoppedError&) {
    throw;
  } catch (const CommunicationError&) {
    throw;
  } catch (const OutputError&) {
    throw;  // the next solution could not be written either
  } catch (const UsageError& error) {
    result.verdict = "refused";  // usually another pattern
    result.error = counted_from(error.what(), 1);
  } catch (const std::exception&) {
    const ToldFailure failure = failure_of(std::current_exception());
    result.verdict = verdict_of(failure.code);
    result.error = failure.text;
  }
  result.seconds = steady_seconds() - begin;
  return result;
}

BatchResult BatchSolver::solve(std::size_t number) const {
  return result_of([&](BatchResult& result) {
    MatrixInput input = read(number);
    std::visit([&](const auto& matrix) { solve_matrix(number, matrix, input, result); }, input.matrix);
  });
}

MatrixInput BatchSolver::read(std::size_t number) const {
  SystemArguments system = arguments_.solve.system;
  if (arguments_.has_one_pattern && !system.named.has("symmetry")) {
    system.named.set("symmetry",
                     "as-stored");  // or one whose values are mirrored by chance would have another pattern than all others
  }
  system.keeps_zeros = system.keeps_zeros || arguments_.has_one_pattern;
  return read_matrix_input(system, items_[number].matrix);
}

template <Scalar S>
void BatchSolver::solve_matrix(std::size_t number, const SparseMatrix<S>& matrix, MatrixInput& input, BatchResult& result) const {
  BatchSides<S> sides = sides_of(number, matrix, input, result);
  const SolveReport report =
      batch_.solve<S>(matrix, view_of(std::as_const(sides.given.b)), view_of(sides.x), arguments_.solve.operation());
  conclude(number, report, std::move(sides), result);
}

template <Scalar S>
BatchSides<S> BatchSolver::sides_of(std::size_t number, const SparseMatrix<S>& matrix, MatrixInput& input,
                                    BatchResult& result) const {
  result.order = matrix.num_rows;
  SolveArguments own = arguments_.solve;
  own.rhs = items_[number].rhs;
  BatchSides<S> sides{read_or_make_sides(own, matrix, 0, input), {}};
  sides.x = DenseMatrix<S>(sides.given.b.num_rows, sides.given.b.num_cols);
  return sides;
}

template <Scalar S>
void BatchSolver::conclude(std::size_t number, const SolveReport& report, BatchSides<S>&& sides, BatchResult& result) const {
  result.verdict = to_string(report.verdict);
  result.num_rhs = sides.x.num_cols;
  result.backward_error = report.worst().normwise_backward_error;
  if (!arguments_.output.empty() && !report.columns.empty()) {
    write_dense_file(solution_file(number), joined_solutions(std::move(sides.x), sides.given.has_complex_halves));
  }
}

// Systems may have files with the same name.
std::string BatchSolver::solution_file(std::size_t number) const {
  const fs::path name = without_packing(fs::path(items_[number].matrix).filename().string());
  return fmt::format("{}/{}-{}.x.mtx", arguments_.output, number + 1, name.stem().string());
}

template BatchSides<double> BatchSolver::sides_of(std::size_t, const SparseMatrix<double>&, MatrixInput&, BatchResult&) const;
template void BatchSolver::conclude(std::size_t, const SolveReport&, BatchSides<double>&&, BatchResult&) const;
template BatchSides<std::complex<double>> BatchSolver::sides_of(std::size_t, const SparseMatrix<std::complex<double>>&,
                                                                MatrixInput&, BatchResult&) const;
template void BatchSolver::conclude(std::size_t, const SolveReport&, BatchSides<std::complex<double>>&&, BatchResult&) const;

}  // namespace frond
