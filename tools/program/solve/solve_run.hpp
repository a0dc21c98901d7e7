// SPDX-License-Identifier: BSD-3-Clause
// Runs `frond solve` from a matrix to a verified answer, in one process or in several.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/solve.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/course/system_course.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/memory_probe.hpp"
#include "tools/program/process/progress_bar.hpp"
#include "tools/program/process/stopwatch.hpp"
#include "tools/program/records/run_picture.hpp"
#include "tools/program/records/run_record.hpp"
#include "tools/program/solve/answers.hpp"
#include "tools/program/solve/expansion.hpp"
#include "tools/program/solve/factor_files.hpp"
#include "tools/program/solve/foreign_analysis.hpp"
#include "tools/program/solve/right_hand_sides.hpp"
#include "tools/program/solve/single_precision.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/survival.hpp"

namespace frond {

/// One run. The stage (LocalStage, RankStage) defines which processes solve together, and provides the calls of one process or of
/// several with the types Analysed and Factorized; the latter has the interface of Factorization. Matrices, sides and files are on
/// the process that leads the team.
template <Scalar S, class Stage>
class SolveRun {
 public:
  using Analysed = typename Stage::Analysed;
  using Factorized = typename Stage::Factorized;

  /// On the leading process, takes `matrix`, the data read with it, and another matrix if its analysis is used; null elsewhere. All
  /// arguments but the matrices must outlive the run.
  SolveRun(Stage& stage, const SolveArguments& arguments, SparseMatrix<WideOf<S>>* matrix, SparseMatrix<WideOf<S>>* analysed,
           MatrixInput* input)
      : stage_(stage), team_(stage.team()), arguments_(arguments), input_(input), origin_(steady_seconds() - read_seconds()) {
    if (arguments.draws()) {
      log_ = make_work_log();
      stage.options().factorization.log = log_;
      picture_.phases.push_back({"read", 0, read_seconds()});
    }
    stage.options().factorization.progress = [this](double fraction) {
      if (factorization_bar_) {
        factorization_bar_->update(fraction);
      }
    };
    stage.options().refinement.tell_step = [this](int /*step*/) {
      phase_ = kInRefinement;
      note_phase(kInRefinement);
    };
    team_.agree([&] {
      if (team_.leads()) {
        record_.input_notes = input->notes;
        matrix_ = rounded<S>(std::move(*matrix), arguments.system.matrix, record_.input_notes);
        record_.matrix = matrix_facts(arguments.system.matrix, *matrix_);
        record_.matrix.has_detected_symmetry = input->has_detected_symmetry;
        record_.matrix.read_seconds = read_seconds();
        record_.only = arguments.only;
        record_.survival = arguments.survival ? arguments.survival->facts() : SurvivalFacts();
      }
      if (analysed != nullptr) {
        std::vector<std::string> notes;  // about digits that decide nothing
        analysed_ = rounded<S>(std::move(*analysed), arguments.analysis_of, notes);
      }
    });
  }
  SolveRun(const SolveRun&) = delete;
  SolveRun& operator=(const SolveRun&) = delete;

  ExitCode run() {
    try {
      return run_to_the_end();
    } catch (const StoppedError&) {  // thrown on all processes
      arguments_.stop_sources->throw_stopped(phase_);
    }
  }

 private:
  ExitCode run_to_the_end() {
    on_leader([this] { make_sides(); });
    if (arguments_.once) {
      solve_together(analyze_matrix());
    } else {
      const std::unique_ptr<Factorized> factorization =
          arguments_.load_factors.empty() ? factorize_matrix(analyze_matrix()) : load_factors();
      write_schur(*factorization);
      solve(*factorization);
      write_factor_part(*factorization);
      find_other_answers(*factorization);
      save_factors(*factorization);
    }
    if (log_) {
      picture_.ranks = stage_.logs(*log_, origin_);
    }
    note_phase(kInOutput);
    on_leader([this] { tell_outcome(); });
    const bool is_good =
        record_.solve.report.verdict == Verdict::solved && has_good_answers_ && !record_.factorization.lacks_asked_complement;
    return is_good ? ExitCode::success : ExitCode::not_solved;
  }

  // The other processes only receive errors.
  template <class Work>
  void on_leader(const Work& work) {
    team_.agree([&] {
      if (team_.leads()) {
        work();
      }
    });
  }

  [[nodiscard]] static const Symbolic& symbolic_of(const Factorized& factorization) {
    return factorization.course().current().backend().symbolic();
  }

  // Returns work(), which is a phase of the run.
  template <class Work>
  decltype(auto) in_phase(const char* name, const char* description, const Work& work) {
    phase_ = description;
    const PhaseEnd end{*this, name, steady_seconds() - origin_};
    note_phase(description);
    return work();
  }

  // Leaves a note for processes that may lose this one.
  void note_phase(const char* description) const {
    if (arguments_.survival) {
      arguments_.survival->begin_phase(description);
    }
  }

  // Draws the tree of the factorized matrix.
  void draw_tree(const Analysed& analysed, Method method, bool is_mixed) {
    if (log_ && team_.leads()) {
      const TaskGraph graph = stage_.graph(analysed, method, factor_scalar_bytes<S>(is_mixed ? Precision::mixed : Precision::full));
      picture_.tree = tree_marks(stage_.facts(analysed).symbolic.tree(), graph);
    }
  }

  [[nodiscard]] double read_seconds() const { return input_ == nullptr ? 0 : input_->seconds; }
  [[nodiscard]] const SparseMatrix<S>* matrix() const { return matrix_ ? &*matrix_ : nullptr; }
  [[nodiscard]] std::FILE* stream() const { return summary_stream(arguments_.system); }

  // Shows a progress bar on a terminal during its life.
  [[nodiscard]] std::unique_ptr<ProgressBar> bar(const std::string& label) const {
    return team_.leads() ? std::make_unique<ProgressBar>(label, stderr) : nullptr;
  }

  void make_sides() {
    if (arguments_.only.empty()) {
      inverse_pattern_ = read_inverse_pattern(arguments_.answers, matrix_->num_rows);
      check_room_for_solutions(arguments_.rhs.empty() ? arguments_.num_rhs : 1);
      sides_ = read_or_make_sides(arguments_, *matrix_, stage_.options().analysis.schur_variables.size(), *input_);
      record_.input_notes.insert(record_.input_notes.end(), sides_.notes.begin(), sides_.notes.end());
      check_room_for_solutions(sides_.b.num_cols);
    }
  }

  void check_room_for_solutions(Index num_columns) const {
    constexpr Count kBytesPerNumber = 20;  // 17 digits, as a rule
    check_room({"--out", arguments_.output}, Count{matrix_->num_rows} * num_columns * (kIsComplex<S> ? 2 : 1) * kBytesPerNumber);
  }

  Analysed analyze_matrix() {
    const Stopwatch watch;
    const Analysed ordered = in_phase("analyze", "in the analysis", [&] {
      const auto shown = bar("analyzing");
      return arguments_.checkpoint_directory().empty() ? stage_.analyze(analysed_ ? &*analysed_ : matrix())
                                                       : stage_.resume(matrix());
    });
    const double seconds = watch.seconds();
    analysed_.reset();
    // Values that do not fit are refused before anything is printed or written.
    Analysed analysed =
        arguments_.analysis_of.empty() ? ordered : with_analysis(arguments_, [&] { return stage_.with_values(ordered, matrix()); });
    on_leader([&] { note_analysis(analysed, ordered, stage_.options().precision, seconds); });
    return analysed;
  }

  // `ordered` is `analysed`, or the analysis that its order comes from.
  void note_analysis(const Analysed& analysed, const Analysed& ordered, Precision precision, double seconds) {
    const Count scalar_bytes = factor_scalar_bytes<S>(precision);
    const auto [symbolic, method, options, mapping] = stage_.facts(analysed);
    const FactorizationOptions& factorization = options.factorization;
    const KeptFactors kept = arguments_.once ? KeptFactors::backward : factorization.kept;
    record_.analysis = analysis_facts(symbolic, method, scalar_bytes, factorization.num_threads, kept);
    stage_.note_order(ordered, record_.analysis);
    record_.analysis.memory_limit = memory_limit(factorization, factorization.num_threads);
    record_.analysis.file = arguments_.analysis_of;
    record_.analysis.seconds = seconds;
    record_.distribution.mapping = mapping_facts(symbolic, method, scalar_bytes, mapping, kept);
    check_room({"--save-factors", arguments_.save_factors}, record_.analysis.memory.factor_bytes);
    check_room({"--checkpoint", arguments_.checkpoint}, record_.analysis.memory.factor_bytes);
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, symbolic);
    }
    print_analysis(stream(), record_.matrix, record_.analysis);
    stage_.tell_distribution(analysed, stream(), record_.distribution);
    std::fflush(stream());
  }

  // Factors and the facts about them come from the file.
  std::unique_ptr<Factorized> load_factors() {
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    const Count resident = resident_bytes();
    std::unique_ptr<Factorized> factorization;
    record_.loaded = in_phase("load", "while factors were loaded", [&] {
      return timed_transfer(arguments_.load_factors, [&] {
        const auto shown = bar("loading");
        factorization = stage_.load(arguments_.load_factors, matrix());
      });
    });
    const SystemReport& report = factorization->report();
    on_leader([&] {
      check_factors_of_part(arguments_.answers, report);
      const Analysed analysed = stage_.analysed_of(*factorization);
      note_analysis(analysed, analysed, report.is_mixed ? Precision::mixed : Precision::full, 0);
      record_.analysis.ordering.ordering_seconds = 0;
    });
    note_factorization(report, stage_.counts(*factorization));
    record_.factorization.estimated_peak_bytes = resident + stage_.factor_bytes(record_);
    record_.factorization.schur_order = symbolic_of(*factorization).schur_order();
    return factorization;
  }

  void save_factors(const Factorized& factorization) {
    if (arguments_.save_factors.empty() || !has_factors_to_save(record_.factorization.report, record_.solve.report)) {
      return;
    }
    record_.saved = in_phase("save", "while factors were saved", [&] {
      const auto shown = bar("saving");
      return timed_transfer(arguments_.save_factors, [&] { factorization.save(arguments_.save_factors); });
    });
  }

  // Returns work(), which factorizes.
  template <class Work>
  auto timed_factorization(const Work& work) {
    factorization_bar_ = bar("factorizing");
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    record_.factorization.estimated_peak_bytes = resident_bytes() + stage_.peak_bytes(record_);
    const Stopwatch watch;
    auto result = in_phase("factorize", "in the factorization", [&] { return with_analysis(arguments_, work); });
    record_.factorization.seconds = watch.seconds();
    factorization_bar_.reset();
    return result;
  }

  std::unique_ptr<Factorized> factorize_matrix(const Analysed& analysed) {
    std::unique_ptr<Factorized> factorization = timed_factorization([&] { return stage_.factorize(analysed, matrix()); });
    note_factorization(factorization->report(), stage_.counts(*factorization));
    record_.factorization.schur_order = symbolic_of(*factorization).schur_order();
    draw_tree(stage_.analysed_of(*factorization), factorization->report().method, factorization->report().is_mixed);
    return factorization;
  }

  void note_factorization(const SystemReport& report, std::vector<RankRunCounts> counts) {
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = report;
    record_.distribution.counts = std::move(counts);
    record_.distribution.process_peak_bytes = stage_.of_all_processes(record_.factorization.peak_bytes);
  }

  // Counts all of the time as the factorization's.
  void solve_together(const Analysed& analysed) {
    DenseMatrix<S> x;
    team_.agree([&] { x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols); });
    auto [report, counts] =
        timed_factorization([&] { return stage_.solve_once(analysed, matrix(), view_of(std::as_const(sides_.b)), view_of(x)); });
    note_factorization(report.system, std::move(counts));
    draw_tree(analysed, report.system.method, false);
    record_.solve.report = std::move(report.solve);
    take_solution(std::move(x));
  }

  // Writes the requested parts: there are none if the block of the other variables is singular.
  void write_schur(Factorized& factorization) {
    if (factorization.report().factorization.status != FactorizationStatus::success) {
      const std::string expanded = arguments_.expansion.empty() ? "" : arguments_.expansion[1];
      note_absent_complement({arguments_.schur_output, arguments_.condensed_output, expanded}, record_);
      return;
    }
    if (!arguments_.schur_output.empty()) {
      write_dense(arguments_.schur_output, factorization.schur_complement());
    }
    if (!arguments_.condensed_output.empty()) {
      DenseMatrix<S> condensed;
      team_.agree([&] { condensed = DenseMatrix<S>(record_.factorization.schur_order, sides_.b.num_cols); });
      factorization.condense(view_of(std::as_const(sides_.b)), view_of(condensed), arguments_.operation());
      write_dense(arguments_.condensed_output, std::move(condensed), sides_.has_complex_halves);
    }
    if (!arguments_.expansion.empty()) {
      expand(factorization);
    }
  }

  void expand(Factorized& factorization) {
    DenseMatrix<S> x;
    team_.agree([&] { x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols); });
    factorization.expand(view_of(std::as_const(sides_.b)), view_of(std::as_const(sides_.kept)), view_of(x), arguments_.operation());
    on_leader([&] {
      record_.factorization.expansion_error =
          expansion_error(matrix_->view(), arguments_.operation(), symbolic_of(factorization).schur_variables(), sides_.b, x);
    });
    write_dense(arguments_.expansion[1], std::move(x), sides_.has_complex_halves);
  }

  // Writes only if factors exist.
  void write_factor_part(Factorized& factorization) {
    if (arguments_.answers.factor_part.empty() || record_.solve.report.columns.empty()) {
      return;
    }
    DenseMatrix<S> x;
    team_.agree([&] { x = sides_.b; });
    solve_named_part(factorization, arguments_.answers, arguments_.operation(), view_of(x));
    write_dense(arguments_.answers.factor_part[1], std::move(x), sides_.has_complex_halves);
  }

  void write_dense(const std::string& path, DenseMatrix<S> dense, bool has_complex_halves = false) {
    on_leader([&] { write_dense_file(path, joined_solutions(std::move(dense), has_complex_halves)); });
  }

  void solve(Factorized& factorization) {
    if (!arguments_.only.empty()) {
      record_.solve.report = judge<S>({}, factorization.report().factorization, factorization.report().rank,
                                      symbolic_of(factorization).order() - record_.factorization.schur_order);
      return;
    }
    DenseMatrix<S> x;
    team_.agree([&] { x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols); });
    const std::unique_ptr<Factorized> copies = replicate(factorization);
    const Stopwatch watch;
    record_.solve.report = in_phase("solve", "in the solve", [&] {
      const auto shown = bar("solving");
      const DenseView<const S> b = view_of(std::as_const(sides_.b));
      if constexpr (Stage::kIsDistributed) {
        if (copies) {
          return stage_.solve_in_blocks(*copies, b, view_of(x), arguments_.operation());
        }
      }
      return factorization.solve(b, view_of(x), arguments_.operation());
    });
    record_.solve.seconds = watch.seconds() - record_.solve.report.bound_seconds;
    take_solution(std::move(x));
  }

  // Returns null if all processes solve together.
  std::unique_ptr<Factorized> replicate(const Factorized& factorization) {
    std::unique_ptr<Factorized> copies;
    if constexpr (Stage::kIsDistributed) {
      if (arguments_.replicates_factors) {
        const Stopwatch watch;
        copies = in_phase("replicate", "while factors were copied", [&] { return stage_.replicate(factorization); });
        record_.replication = {true, watch.seconds(), copies->report().factorization.factor_bytes};
      }
    }
    return copies;
  }

  void find_other_answers(Factorized& factorization) {
    if (!arguments_.answers.asks()) {
      return;
    }
    std::optional<DiagonalPattern> diagonal;
    on_leader([&] { diagonal.emplace(matrix_->num_rows); });
    const Answers<S> answers = in_phase("other answers", "on the way to other answers", [&] {
      return find_answers<S>(factorization, arguments_.answers, arguments_.operation(), diagonal ? diagonal->view() : PatternView{},
                             inverse_pattern_.pattern());
    });
    on_leader([&] { record_.answers = write_answers(answers, arguments_.answers, inverse_pattern_); });
    has_good_answers_ = is_solved(answers.inverse_diagonal) && is_solved(answers.inverse_entries);
  }

  [[nodiscard]] static bool is_solved(const std::optional<InverseEntries<S>>& entries) {
    return !entries || entries->verdict == Verdict::solved;
  }

  void take_solution(DenseMatrix<S> x) {
    record_.solve.num_rhs = x.num_cols;
    heed_second_factors(record_);
    note_phase(kInOutput);
    on_leader([&] {
      const bool has_solution = !record_.solve.report.columns.empty();
      if (has_solution && sides_.exact) {
        record_.solve.forward_error = largest_forward_error(x, *sides_.exact);
        heed_made_sides(record_);
      }
      if (has_solution && !arguments_.output.empty()) {
        write_dense_file(arguments_.output, joined_solutions(std::move(x), sides_.has_complex_halves));
      }
    });
  }

  void tell_outcome() const {
    if (Stage::kIsDistributed && arguments_.load_factors.empty()) {
      print_distribution(stream(), record_.distribution);
    }
    if (arguments_.tells_levels) {
      print_levels(stream(), record_.factorization.report.factorization);
    }
    print_outcome(stream(), record_);
    if (!arguments_.system.json.empty()) {
      write_text(arguments_.system.json, solve_json(record_));
    }
    if (!arguments_.html.empty()) {
      write_text(arguments_.html, run_page(record_, picture_));
    }
    if (!arguments_.trace.empty()) {
      write_text(arguments_.trace, run_trace(record_, picture_));
    }
  }

  static constexpr const char* kInRefinement = "in the refinement";  // or after it: error bounds are not a separate phase
  static constexpr const char* kInOutput = "in the output";

  // Notes a phase when it ends, however it ends.
  struct PhaseEnd {
    PhaseEnd(SolveRun& of_run, const char* phase, double seconds) : run(of_run), name(phase), begin(seconds) {}
    ~PhaseEnd() {
      if (run.log_) {
        run.picture_.phases.push_back({name, begin, steady_seconds() - run.origin_});
      }
    }
    PhaseEnd(const PhaseEnd&) = delete;
    PhaseEnd& operator=(const PhaseEnd&) = delete;

    SolveRun& run;
    const char* name;
    double begin;
  };

  Stage& stage_;
  const Team& team_;
  const SolveArguments& arguments_;
  MatrixInput* input_;  // null except on the leading process
  std::optional<SparseMatrix<S>> matrix_;
  std::optional<SparseMatrix<S>> analysed_;  // another matrix, until it is analysed
  RightHandSides<S> sides_;
  SparseMatrix<double> inverse_pattern_;
  RunRecord record_;  // complete on the leading process
  bool has_good_answers_ = true;
  const char* phase_ = "before the analysis";
  double origin_;                 // start of the run, by steady_seconds()
  std::shared_ptr<WorkLog> log_;  // null: nothing is drawn
  RunPicture picture_;
  std::unique_ptr<ProgressBar> factorization_bar_;
};

}  // namespace frond
