// SPDX-License-Identifier: BSD-3-Clause
// frond solve: from a file to a verified answer.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "matrices/error.hpp"
#include "matrices/write.hpp"
#include "solver/factorization.hpp"
#include "tools/atomic_output.hpp"
#include "tools/byte_size.hpp"
#include "tools/commands.hpp"
#include "tools/memory_probe.hpp"
#include "tools/ordering_file.hpp"
#include "tools/progress_bar.hpp"
#include "tools/right_hand_sides.hpp"
#include "tools/run_record.hpp"
#include "tools/stopwatch.hpp"
#include "tools/system_arguments.hpp"

namespace frond {
namespace {

struct SolveArguments {
  SystemArguments system;
  std::string rhs;
  std::string output;
  std::string memory_limit;
  std::uint64_t seed = 1;
  Index num_rhs = 1;
  bool transposed = false;
  double pivot_threshold = PivotingOptions().pivot_threshold;
  int refinement_steps = RefinementOptions().max_steps;

  [[nodiscard]] Operation operation() const { return transposed ? Operation::transposed : Operation::plain; }
};

SolverOptions options_of(const SolveArguments& arguments) {
  SolverOptions options = solver_options(arguments.system);
  options.factorization.pivoting.pivot_threshold = arguments.pivot_threshold;
  options.refinement.max_steps = arguments.refinement_steps;
  if (!arguments.memory_limit.empty()) {
    options.factorization.memory_limit = parse_byte_size(arguments.memory_limit);
  }
  return options;
}

void check_files(const SolveArguments& arguments) {
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.push_back({"--rhs", arguments.rhs});
  std::vector<FileArgument> outputs = output_files(arguments.system);
  outputs.push_back({"--out", arguments.output});
  check_file_arguments(inputs, outputs);
}

// max_j ||x_j - exact_j|| / ||exact_j||, maximum norms; infinite when x is not finite.
template <Scalar S>
double largest_forward_error(const DenseMatrix<S>& x, const DenseMatrix<S>& exact) {
  double largest = 0;
  for (Index j = 0; j < x.num_cols; ++j) {
    double difference = 0;
    double size = 1;  // entries of the exact solution are at least 1
    for (Index i = 0; i < x.num_rows; ++i) {
      const double distance = std::abs(x(i, j) - exact(i, j));
      difference = std::max(difference, std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity());
      size = std::max(size, std::abs(exact(i, j)));
    }
    largest = std::max(largest, difference / size);
  }
  return largest;
}

template <Scalar S>
class SolveRun {
 public:
  SolveRun(const SolveArguments& arguments, SolverOptions options, const SparseMatrix<S>& matrix, double read_seconds)
      : arguments_(arguments), options_(std::move(options)), matrix_(matrix) {
    record_.matrix = matrix_facts(arguments.system.matrix, matrix);
    record_.matrix.read_seconds = read_seconds;
  }

  ExitCode run() {
    RightHandSides<S> sides =
        arguments_.rhs.empty() ? make_right_hand_sides(matrix_.view(), arguments_.operation(), arguments_.num_rhs, arguments_.seed)
                               : read_right_hand_sides<S>(arguments_.rhs, matrix_.num_rows);
    const std::shared_ptr<const Symbolic> symbolic = analyze_matrix();
    const Factorization<S> factorization = factorize_matrix(symbolic);
    solve(factorization, std::move(sides));
    print_outcome(summary_stream(arguments_.system), record_);
    if (!arguments_.system.json.empty()) {
      write_text(arguments_.system.json, solve_json(record_));
    }
    return record_.solve.report.verdict == Verdict::solved ? ExitCode::success : ExitCode::not_solved;
  }

 private:
  std::shared_ptr<const Symbolic> analyze_matrix() {
    const Stopwatch watch;
    std::shared_ptr<const Symbolic> symbolic = [this] {
      const ProgressBar bar("analyzing", stderr);
      return analyze(matrix_, options_);
    }();
    const double seconds = watch.seconds();
    record_.analysis =
        analysis_facts(*symbolic, choose_method<S>(matrix_, options_), sizeof(S), options_.factorization.num_threads);
    record_.analysis.seconds = seconds;
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, symbolic->permutation().perm);
    }
    print_analysis(summary_stream(arguments_.system), record_.matrix, record_.analysis);
    std::fflush(summary_stream(arguments_.system));
    return symbolic;
  }

  Factorization<S> factorize_matrix(const std::shared_ptr<const Symbolic>& symbolic) {
    ProgressBar bar("factorizing", stderr);
    options_.factorization.progress = [&bar](double fraction) { bar.update(fraction); };
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    record_.factorization.estimated_peak_bytes = resident_bytes() + record_.analysis.memory.peak_bytes();
    const Stopwatch watch;
    Factorization<S> factorization(symbolic, matrix_, options_);
    record_.factorization.seconds = watch.seconds();
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = factorization.report();
    return factorization;
  }

  void solve(const Factorization<S>& factorization, RightHandSides<S> sides) {
    DenseMatrix<S> x(matrix_.num_rows, sides.b.num_cols);
    const Index ld = std::max(matrix_.num_rows, Index{1});
    const ProgressBar bar("solving", stderr);
    const Stopwatch watch;
    record_.solve.report = factorization.solve(DenseView<const S>{sides.b.values.data(), sides.b.num_rows, sides.b.num_cols, ld},
                                               DenseView<S>{x.values.data(), x.num_rows, x.num_cols, ld}, arguments_.operation());
    record_.solve.seconds = watch.seconds();
    record_.solve.num_rhs = x.num_cols;
    const bool has_solution = !record_.solve.report.columns.empty();
    if (has_solution && sides.exact) {
      record_.solve.forward_error = largest_forward_error(x, *sides.exact);
    }
    if (has_solution && !arguments_.output.empty()) {
      const AnyDense solutions = joined_solutions(std::move(x), sides.has_complex_halves);
      write_atomically(arguments_.output, [&solutions](const std::string& name) { write_dense(name, solutions); });
    }
  }

  const SolveArguments& arguments_;
  SolverOptions options_;
  const SparseMatrix<S>& matrix_;
  RunRecord record_;
};

ExitCode run_solve(const SolveArguments& arguments) {
  if (const std::optional<std::string> warning = blas_warning()) {
    fmt::print(stderr, "frond: warning: {}\n", *warning);
  }
  check_files(arguments);
  SolverOptions options = options_of(arguments);
  double read_seconds = 0;
  const AnyMatrix any = read_square_matrix(arguments.system.matrix, read_seconds);
  return std::visit(
      [&]<Scalar S>(const SparseMatrix<S>& matrix) {
        return SolveRun<S>(arguments, std::move(options), matrix, read_seconds).run();
      },
      any);
}

}  // namespace

void add_solve_command(CLI::App& program, ExitCode& result) {
  CLI::App* command = program.add_subcommand("solve", "Solve A x = b and verify the answer");
  command->footer(
      "Without --rhs, b = A x for a random x with entries in [1,2), and the error of x is told too.\n\n"
      "Exit codes: 0 solved and verified, 2 bad usage or input, 3 singular or accuracy missed, 4 out of memory or over the limit,\n"
      "5 internal error\n\n"
      "Examples:\n"
      "  frond solve A.mtx\n"
      "  frond solve A.mtx --rhs b.mtx --out x.mtx --threads 4 --memory-limit 16GB --json run.json");
  const auto arguments = std::make_shared<SolveArguments>();
  add_system_options(*command, arguments->system);
  CLI::Option* rhs = command->add_option("--rhs", arguments->rhs, "Matrix Market file with one right-hand side per column")
                         ->check(refuse_empty_name)
                         ->type_name("b.mtx");
  command->add_option("--nrhs", arguments->num_rhs, "number of right-hand sides to make without --rhs")
      ->excludes(rhs)
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str()
      ->type_name("K");
  command->add_option("--seed", arguments->seed, "of the random x")
      ->check(CLI::Range(0, std::numeric_limits<Index>::max()))
      ->capture_default_str()
      ->type_name("SEED");
  command->add_option("--out", arguments->output, "write the solutions there")->check(refuse_empty_name)->type_name("x.mtx");
  command->add_flag("--transpose", arguments->transposed, "solve A^T x = b");
  command->add_option("--memory-limit", arguments->memory_limit, "most memory for factors and fronts, such as 1.5GB or 800MiB")
      ->type_name("SIZE");
  command->add_option("--pivot-threshold", arguments->pivot_threshold, "u: larger is safer, smaller keeps factors sparser")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->type_name("U");
  command->add_option("--refine-steps", arguments->refinement_steps, "most steps of iterative refinement")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->type_name("STEPS");
  command->callback([arguments, &result] { result = run_solve(*arguments); });
}

}  // namespace frond
