// SPDX-License-Identifier: BSD-3-Clause
// Implements the part of each process in a common solve.
#include "tools/program/solve/distributed_solve.hpp"

#include <fmt/core.h>

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/schur_arguments.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/foreign_analysis.hpp"
#include "tools/program/solve/mpi_processes.hpp"
#include "tools/program/solve/rank_stage.hpp"
#include "tools/program/solve/single_precision.hpp"
#include "tools/program/solve/solve_run.hpp"

namespace frond {
namespace {

SolverOptions distributed_options(const SolveArguments& arguments) {
  SolverOptions options = solver_options(arguments);
  options.factorization.num_threads = arguments.system.num_threads;  // 0: a share of the machine
  return options;
}

template <Scalar S>
ExitCode run_on(const Communicator& ranks, const SolveArguments& arguments, SolverOptions options, SparseMatrix<WideOf<S>>* matrix,
                SparseMatrix<WideOf<S>>* analysed, MatrixInput* input) {
  RankStage<S> stage(ranks, std::move(options));
  return SolveRun<S, RankStage<S>>(stage, arguments, matrix, analysed, input).run();
}

}  // namespace

ExitCode solve_on_ranks(const Communicator& ranks, const SolveArguments& arguments) {
  SolverOptions options;
  std::optional<MatrixInput> input;
  std::optional<MatrixInput> other;  // its analysis is used, if it is another matrix
  agree(ranks, [&] {
    options = distributed_options(arguments);  // errors in the arguments are reported before the work
    check_replication(arguments, ranks.num_ranks());
    if (ranks.rank() == 0) {
      check_files(arguments);
      if (!arguments.checkpoint.empty()) {
        make_checkpoint_directory(arguments.checkpoint);
      }
      std::vector<Index>& kept = options.analysis.schur_variables;
      kept = parse_schur_variables(arguments.schur);
      input = read_matrix_input(arguments.system, arguments.system.matrix);
      check_schur_list(arguments.schur, kept, order_of(input->matrix));
      other = read_analysed_matrix(arguments, *input);
    }
  });
  bool is_complex = input && std::holds_alternative<SparseMatrix<std::complex<double>>>(input->matrix);
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_complex, 1)));
  const auto run = [&]<Scalar W>(SparseMatrix<W>* matrix) {
    SparseMatrix<W>* analysed = matrix_of<W>(other);
    MatrixInput* read = input ? &*input : nullptr;
    return arguments.precision == "single" ? run_on<LowerOf<W>>(ranks, arguments, std::move(options), matrix, analysed, read)
                                           : run_on<W>(ranks, arguments, std::move(options), matrix, analysed, read);
  };
  return is_complex ? run(matrix_of<std::complex<double>>(input)) : run(matrix_of<double>(input));
}

ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  if (const std::optional<std::string> warning = blas_warning(); warning && launch.rank == 0) {
    tell_on_stderr(fmt::format("frond: warning: {}\n", *warning));
  }
  return run_on_mpi(arguments, arguments.system.num_threads, launch, farewell,
                    [&arguments](const Communicator& ranks) { return solve_on_ranks(ranks, arguments); });
}

}  // namespace frond
