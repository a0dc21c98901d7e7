// SPDX-License-Identifier: BSD-3-Clause
// frond solve: from a file to a verified answer.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/matrix_view.hpp"
#include "solver/factorization.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/solve_once.hpp"
#include "solver/sweeps/lower_factors.hpp"
#include "solver/verdict/outcome.hpp"
#include "tools/arguments/ordering_file.hpp"
#include "tools/arguments/schur_arguments.hpp"
#include "tools/commands/commands.hpp"
#include "tools/process/atomic_output.hpp"
#include "tools/process/memory_probe.hpp"
#include "tools/process/progress_bar.hpp"
#include "tools/process/stopwatch.hpp"
#include "tools/records/mapping_record.hpp"
#include "tools/records/run_record.hpp"
#include "tools/solve/answers.hpp"
#include "tools/solve/distributed_solve.hpp"
#include "tools/solve/expansion.hpp"
#include "tools/solve/factor_files.hpp"
#include "tools/solve/foreign_analysis.hpp"
#include "tools/solve/right_hand_sides.hpp"
#include "tools/solve/single_precision.hpp"
#include "tools/solve/solve_arguments.hpp"

namespace frond {
namespace {

template <Scalar S>
class SolveRun {
 public:
  /// `analysed`: the matrix whose analysis serves; null where it is `matrix`.
  SolveRun(const SolveArguments& arguments, SolverOptions options, SparseMatrix<WideOf<S>> matrix,
           SparseMatrix<WideOf<S>>* analysed, double read_seconds)
      : arguments_(arguments),
        options_(std::move(options)),
        matrix_(rounded<S>(std::move(matrix), arguments.system.matrix, record_.input_notes)) {
    if (analysed != nullptr) {
      std::vector<std::string> notes;  // of digits that decide nothing
      analysed_ = rounded<S>(std::move(*analysed), arguments.analysis_of, notes);
    }
    record_.matrix = matrix_facts(arguments.system.matrix, matrix_);
    record_.matrix.read_seconds = read_seconds;
    record_.only = arguments.only;
  }

  ExitCode run() {
    const RightHandSides<S> sides = right_hand_sides();
    if (arguments_.once) {
      solve_together(analyze_matrix(), sides);
      return tell_outcome();
    }
    const SparseMatrix<double> inverse_pattern = read_inverse_pattern(arguments_.answers, matrix_.num_rows);
    const Factorization<S> factorization = arguments_.load_factors.empty() ? factorize_matrix(analyze_matrix()) : load_factors();
    record_.factorization.schur_order = factorization.symbolic().schur_order();
    write_schur(factorization, sides);
    solve(factorization, sides);
    write_factor_part(factorization, sides);
    const DiagonalPattern diagonal(matrix_.num_rows);
    record_.answers = write_answers(
        find_answers<S>(factorization, arguments_.answers, arguments_.operation(), diagonal.view(), inverse_pattern.pattern()),
        arguments_.answers, inverse_pattern);
    save_factors(factorization);
    return tell_outcome();
  }

 private:
  ExitCode tell_outcome() {
    record_.distribution.counts = {counts_of_one_process(record_.factorization.report.factorization)};
    record_.distribution.process_peak_bytes = {record_.factorization.peak_bytes};
    if (arguments_.tells_levels) {
      print_levels(summary_stream(arguments_.system), record_.factorization.report.factorization);
    }
    print_outcome(summary_stream(arguments_.system), record_);
    if (!arguments_.system.json.empty()) {
      write_text(arguments_.system.json, solve_json(record_));
    }
    const bool is_good = record_.solve.report.verdict == Verdict::solved && record_.answers.is_inverse_good &&
                         !record_.factorization.lacks_asked_complement;
    return is_good ? ExitCode::success : ExitCode::not_solved;
  }

  RightHandSides<S> right_hand_sides() {
    if (!arguments_.only.empty()) {
      return {};
    }
    RightHandSides<S> sides = read_or_make_sides(arguments_, matrix_, options_.analysis.schur_variables.size());
    record_.input_notes.insert(record_.input_notes.end(), sides.notes.begin(), sides.notes.end());
    return sides;
  }

  std::shared_ptr<const Symbolic> analyze_matrix() {
    const Stopwatch watch;
    std::shared_ptr<const Symbolic> symbolic = [this] {
      const ProgressBar bar("analyzing", stderr);
      return analyze(analysed_ ? *analysed_ : matrix_, options_);
    }();
    const double seconds = watch.seconds();
    const Method method = choose_method<S>(matrix_, options_);
    if (analysed_) {
      analysed_.reset();
      // What does not fit is refused before anything is told or written.
      with_analysis(arguments_, [&] { (void)AnalysedMatrix<S>(*symbolic, matrix_, method); });
    }
    note_analysis(*symbolic, method, options_.precision, seconds);
    return symbolic;
  }

  void note_analysis(const Symbolic& symbolic, Method method, Precision precision, double seconds) {
    const Count scalar_bytes = factor_scalar_bytes<S>(precision);
    const KeptFactors kept = arguments_.once ? KeptFactors::backward : options_.factorization.kept;
    record_.analysis = analysis_facts(symbolic, method, scalar_bytes, options_.factorization.num_threads, kept);
    record_.analysis.memory_limit = memory_limit(options_.factorization, options_.factorization.num_threads);
    record_.analysis.file = arguments_.analysis_of;
    record_.analysis.seconds = seconds;
    record_.distribution.mapping = mapping_facts(symbolic, method, scalar_bytes, options_.analysis.mapping, kept);
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, symbolic);
    }
    print_analysis(summary_stream(arguments_.system), record_.matrix, record_.analysis);
    std::fflush(summary_stream(arguments_.system));
  }

  Factorization<S> load_factors() {
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    const Count resident = resident_bytes();
    std::optional<Factorization<S>> loaded;
    record_.loaded = timed_transfer(arguments_.load_factors, [&] {
      const ProgressBar bar("loading", stderr);
      loaded.emplace(Factorization<S>::load(arguments_.load_factors, matrix_, options_));
    });
    const SystemReport& report = loaded->report();
    check_factors_of_part(arguments_.answers, report);
    note_analysis(loaded->symbolic(), report.method, report.is_mixed ? Precision::mixed : Precision::full, 0);
    record_.analysis.ordering.ordering_seconds = 0;
    record_.factorization.estimated_peak_bytes = resident + report.factorization.factor_bytes;
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = report;
    return std::move(*loaded);
  }

  void save_factors(const Factorization<S>& factorization) {
    if (arguments_.save_factors.empty() || !has_factors_to_save(record_.factorization.report, record_.solve.report)) {
      return;
    }
    const ProgressBar bar("saving", stderr);
    record_.saved = timed_transfer(arguments_.save_factors, [&] { factorization.save(arguments_.save_factors); });
  }

  Factorization<S> factorize_matrix(const std::shared_ptr<const Symbolic>& symbolic) {
    ProgressBar bar("factorizing", stderr);
    options_.factorization.progress = [&bar](double fraction) { bar.update(fraction); };
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    record_.factorization.estimated_peak_bytes = resident_bytes() + record_.analysis.memory.peak_bytes();
    const Stopwatch watch;
    Factorization<S> factorization = with_analysis(arguments_, [&] { return Factorization<S>(symbolic, matrix_, options_); });
    record_.factorization.seconds = watch.seconds();
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = factorization.report();
    return factorization;
  }

  // What there is of it: none where the other variables' block is singular.
  void write_schur(const Factorization<S>& factorization, const RightHandSides<S>& sides) {
    if (record_.factorization.report.factorization.status != FactorizationStatus::success) {
      const std::string expanded = arguments_.expansion.empty() ? "" : arguments_.expansion[1];
      note_absent_complement({arguments_.schur_output, arguments_.condensed_output, expanded}, record_);
      return;
    }
    if (!arguments_.schur_output.empty()) {
      write_dense_file(arguments_.schur_output, factorization.schur_complement());
    }
    const DenseMatrix<S>& b = sides.b;
    const Index schur_order = record_.factorization.schur_order;
    if (!arguments_.condensed_output.empty()) {
      DenseMatrix<S> condensed(schur_order, b.num_cols);
      factorization.condense(view_of(b), view_of(condensed), arguments_.operation());
      write_dense_file(arguments_.condensed_output, joined_solutions(std::move(condensed), sides.has_complex_halves));
    }
    if (!arguments_.expansion.empty()) {
      DenseMatrix<S> x(b.num_rows, b.num_cols);
      factorization.expand(view_of(b), view_of(sides.kept), view_of(x), arguments_.operation());
      record_.factorization.expansion_error =
          expansion_error(matrix_.view(), arguments_.operation(), factorization.symbolic().schur_variables(), b, x);
      write_dense_file(arguments_.expansion[1], joined_solutions(std::move(x), sides.has_complex_halves));
    }
  }

  // Where there are factors.
  void write_factor_part(const Factorization<S>& factorization, const RightHandSides<S>& sides) {
    if (!arguments_.answers.factor_part.empty() && !record_.solve.report.columns.empty()) {
      DenseMatrix<S> x = sides.b;
      solve_named_part(factorization, arguments_.answers, arguments_.operation(), view_of(x));
      write_dense_file(arguments_.answers.factor_part[1], joined_solutions(std::move(x), sides.has_complex_halves));
    }
  }

  // Of the time all counts as the factorization's.
  void solve_together(const std::shared_ptr<const Symbolic>& symbolic, const RightHandSides<S>& sides) {
    ProgressBar bar("factorizing", stderr);
    options_.factorization.progress = [&bar](double fraction) { bar.update(fraction); };
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    record_.factorization.estimated_peak_bytes = resident_bytes() + record_.analysis.memory.peak_bytes();
    DenseMatrix<S> x(matrix_.num_rows, sides.b.num_cols);
    const Stopwatch watch;
    OnceReport report =
        with_analysis(arguments_, [&] { return solve_once<S>(symbolic, matrix_, view_of(sides.b), view_of(x), options_); });
    record_.factorization.seconds = watch.seconds();
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = std::move(report.system);
    record_.solve.report = std::move(report.solve);
    take_solution(std::move(x), sides);
  }

  void solve(const Factorization<S>& factorization, const RightHandSides<S>& sides) {
    if (!arguments_.only.empty()) {
      record_.solve.report = judge<S>({}, factorization.report().factorization, factorization.report().rank,
                                      matrix_.num_rows - record_.factorization.schur_order);
      return;
    }
    DenseMatrix<S> x(matrix_.num_rows, sides.b.num_cols);
    const ProgressBar bar("solving", stderr);
    const Stopwatch watch;
    record_.solve.report = factorization.solve(view_of(sides.b), view_of(x), arguments_.operation());
    record_.solve.seconds = watch.seconds() - record_.solve.report.bound_seconds;
    take_solution(std::move(x), sides);
  }

  void take_solution(DenseMatrix<S> x, const RightHandSides<S>& sides) {
    record_.solve.num_rhs = x.num_cols;
    const bool has_solution = !record_.solve.report.columns.empty();
    heed_second_factors(record_);
    if (has_solution && sides.exact) {
      record_.solve.forward_error = largest_forward_error(x, *sides.exact);
      heed_made_sides(record_);
    }
    if (has_solution && !arguments_.output.empty()) {
      write_dense_file(arguments_.output, joined_solutions(std::move(x), sides.has_complex_halves));
    }
  }

  const SolveArguments& arguments_;
  SolverOptions options_;
  RunRecord record_;
  SparseMatrix<S> matrix_;
  std::optional<SparseMatrix<S>> analysed_;  // another matrix, until it is analysed
};

ExitCode run_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  if (const std::optional<std::string> warning = blas_warning(); warning && launch.rank == 0) {
    fmt::print(stderr, "frond: warning: {}\n", *warning);
  }
  if (launch.is_by_mpich) {
    return run_distributed_solve(arguments, launch, farewell);
  }
  check_files(arguments);
  SolverOptions options = solver_options(arguments);
  double read_seconds = 0;
  AnyMatrix any = read_square_matrix(arguments.system.matrix, read_seconds);
  check_schur_list(arguments.schur, options.analysis.schur_variables, order_of(any));
  std::optional<AnyMatrix> other = read_analysed_matrix(arguments, any, read_seconds);
  return std::visit(
      [&]<Scalar W>(SparseMatrix<W>& matrix) {
        SparseMatrix<W>* analysed = matrix_of<W>(other);
        return arguments.precision == "single"
                   ? SolveRun<LowerOf<W>>(arguments, std::move(options), std::move(matrix), analysed, read_seconds).run()
                   : SolveRun<W>(arguments, std::move(options), std::move(matrix), analysed, read_seconds).run();
      },
      any);
}

}  // namespace

void add_solve_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell) {
  CLI::App* command = program.add_subcommand("solve", "Solve A x = b and verify the answer");
  command->footer(
      "Without --rhs, b = A x for a random x with entries in [1,2), and the error of x is told too.\n\n"
      "Exit codes: 0 solved and verified (--only: not singular), 2 bad usage or input, 3 singular, accuracy missed, rank in\n"
      "doubt without an x, or no Schur complement to be written, 4 out of memory or over the limit, 5 internal error,\n"
      "6 a process was lost\n\n"
      "Examples:\n"
      "  frond solve A.mtx\n"
      "  frond solve A.mtx --null-space Z.mtx --inverse-diagonal d.mtx\n"
      "  frond solve A.mtx --rhs b.mtx --out x.mtx --threads 4 --memory-limit 16GB --json run.json\n"
      "  frond solve A.mtx --save-factors A.factors\n"
      "  frond solve A.mtx --load-factors A.factors --rhs b.mtx --out x.mtx\n"
      "  frond solve A.mtx --analysis-of A0.mtx\n"
      "  frond solve A.mtx --schur 1-40,77 --schur-out S.mtx\n"
      "  frond solve A.mtx --only inertia,determinant\n"
      "  frond solve A.mtx --rhs b.mtx --out x.mtx --once\n"
      "  mpiexec.mpich -n 4 frond solve A.mtx --threads 2");
  const auto arguments = std::make_shared<SolveArguments>();
  add_solve_options(*command, *arguments);
  command->callback([arguments, &launch, &result, &farewell] { result = run_solve(*arguments, launch, farewell); });
}

}  // namespace frond
