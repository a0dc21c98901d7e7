// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments and reads the matrix, before the run.
#include "tools/program/solve/solve_at.hpp"

#include <complex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "solver/course/place_parts.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/schur_arguments.hpp"
#include "tools/program/solve/foreign_analysis.hpp"
#include "tools/program/solve/single_precision.hpp"
#include "tools/program/solve/solve_run.hpp"

namespace frond {
ExitCode solve_at(const Place& place, const SolveArguments& arguments) {
  const Team& team = place.parts().team();
  SolverOptions options;
  std::optional<MatrixInput> input;  // on the leading process
  std::optional<MatrixInput> other;  // its analysis is used, if it is another matrix
  team.agree([&] {
    options = solver_options(arguments);  // errors in the arguments are reported before the work
    if (place.parts().is_distributed()) {
      options.factorization.num_threads = arguments.system.num_threads;  // 0: a share of the machine
    }
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
