// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments and reads the matrix, before the run.
#include "tools/program/solve/solve_at.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "factorization/ranks/work_search.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/schur_arguments.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/foreign_analysis.hpp"
#include "tools/program/solve/single_precision.hpp"
#include "tools/program/solve/solve_run.hpp"

namespace frond {
namespace {

SolverOptions distributed_options(const SolveArguments& arguments) {
  SolverOptions options = solver_options(arguments);
  options.factorization.num_threads = arguments.system.num_threads;  // 0: a share of the machine
  options.ranks.load_exchange = parse_load_mechanism(arguments.ranks.load_exchange);
  options.ranks.schedule = parse_schedule(arguments.ranks.schedule);
  options.ranks.sharing = parse_work_sharing(arguments.ranks.work);
  LoadServiceOptions& service = options.ranks.load_service;
  service.use_thread = arguments.ranks.load_thread == "on";
  service.shortest_period = std::chrono::microseconds(arguments.ranks.load_period_us);
  service.longest_period = std::max(service.longest_period, service.shortest_period);
  options.ranks.watchdog_seconds = arguments.ranks.watchdog_seconds;
  options.ranks.tell_wait = [](const std::string& text) { tell_on_stderr(fmt::format("frond: watchdog: {}\n", text)); };
  return options;
}

}  // namespace

ExitCode solve_at(const Place& place, const SolveArguments& arguments) {
  const Team& team = place.parts().team();
  SolverOptions options;
  std::optional<MatrixInput> input;  // on the leading process
  std::optional<MatrixInput> other;  // its analysis is used, if it is another matrix
  team.agree([&] {
    // Errors in the arguments are reported before the work.
    options = place.parts().is_distributed() ? distributed_options(arguments) : solver_options(arguments);
    check_replication(arguments, place.num_ranks());
    if (team.leads()) {
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
  share_value(team, is_complex);
  const auto run = [&]<Scalar W>(SparseMatrix<W>* matrix) {
    SparseMatrix<W>* analysed = matrix_of<W>(other);
    MatrixInput* read = input ? &*input : nullptr;
    return arguments.precision == "single"
               ? SolveRun<LowerOf<W>>(place, arguments, std::move(options), matrix, analysed, read).run()
               : SolveRun<W>(place, arguments, std::move(options), matrix, analysed, read).run();
  };
  return is_complex ? run(matrix_of<std::complex<double>>(input)) : run(matrix_of<double>(input));
}

}  // namespace frond
