// SPDX-License-Identifier: BSD-3-Clause
// Runs `frond solve` from a matrix to a verified answer, at any place.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/distributed/slave_selection.hpp"
#include "factorization/ranks/work_search.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/place.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/course/once_course.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/system_course.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/options/relayed_observer.hpp"
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
#include "tools/program/solve/foreign_analysis.hpp"
#include "tools/program/solve/right_hand_sides.hpp"
#include "tools/program/solve/single_precision.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/survival.hpp"

namespace frond {

/// One run at a place. Matrices, sides and files are on the process that leads.
template <Scalar S>
class SolveRun {
 public:
  /// On the leading process, takes `matrix`, the data read with it, and another matrix if its analysis is used; null elsewhere. All
  /// arguments but the matrices must outlive the run.
  SolveRun(const Place& place, const SolveArguments& arguments, SolverOptions options, SparseMatrix<WideOf<S>>* matrix,
           SparseMatrix<WideOf<S>>* analysed, MatrixInput* input)
      : place_(place),
        team_(place.parts().team()),
        arguments_(arguments),
        options_(std::move(options)),
        input_(input),
        origin_(steady_seconds() - read_seconds()) {
    if (arguments.draws()) {
      log_ = make_work_log();
      options_.factorization.log = log_;
      picture_.phases.push_back({"read", 0, read_seconds()});
    }
    options_.observer = std::make_shared<RunObserver>(options_.observer, *this);
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
  struct RunObserver final : RelayedObserver {
    RunObserver(std::shared_ptr<Observer> receiver, SolveRun& observed) : RelayedObserver(std::move(receiver)), run(observed) {}
    void progress(double fraction) override {
      if (run.factorization_bar_) {
        run.factorization_bar_->update(fraction);
      }
    }
    void refinement_step(int /*step*/) override { run.begin_phase("in the refinement"); }  // or after it, in error bounds
    SolveRun& run;
  };

  ExitCode run_to_the_end() {
    on_leader([this] { make_sides(); });
    if (arguments_.once) {
      solve_together(analyze_matrix());
    } else {
      const std::unique_ptr<Factorization<S>> factorization =
          arguments_.load_factors.empty() ? factorize_matrix(analyze_matrix()) : load_factors();
      write_schur(*factorization);
      solve(*factorization);
      write_factor_part(*factorization);
      find_other_answers(*factorization);
      save_factors(*factorization);
    }
    if (log_) {
      picture_.ranks = gathered_logs(team_, *log_, origin_);
    }
    begin_phase(kInOutput);
    on_leader([this] { tell_outcome(); });
    const bool is_success =
        is_good(record_.solve.report.verdict) && has_good_answers_ && !record_.factorization.lacks_asked_complement;
    return is_success ? ExitCode::success : ExitCode::not_solved;
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

  [[nodiscard]] static const Symbolic& symbolic_of(const Factorization<S>& factorization) {
    return factorization.course().current().backend().symbolic();
  }

  // Returns work(), which is a phase of the run.
  template <class Work>
  decltype(auto) in_phase(const char* name, const char* description, const Work& work) {
    const PhaseEnd end{*this, name, steady_seconds() - origin_};
    begin_phase(description);
    return work();
  }

  // Leaves a note for processes that may lose this one, too.
  void begin_phase(const char* description) {
    phase_ = description;
    if (arguments_.survival) {
      arguments_.survival->begin_phase(description);
    }
  }

  // Draws the tree of the factorized matrix.
  void draw_tree(const Analysis& analysis, Method method, bool is_mixed) {
    if (log_ && team_.leads()) {
      picture_.tree = tree_marks(analysis, method, factor_scalar_bytes<S>(is_mixed));
    }
  }

  [[nodiscard]] bool is_distributed() const { return place_.parts().is_distributed(); }
  [[nodiscard]] double read_seconds() const { return input_ == nullptr ? 0 : input_->seconds; }
  // On the leading process; empty elsewhere.
  [[nodiscard]] SystemMatrix<S> matrix() const { return matrix_ ? SystemMatrix<S>(*matrix_) : SystemMatrix<S>(); }
  [[nodiscard]] std::FILE* stream() const { return summary_stream(arguments_.system); }

  // Shows a progress bar on a terminal during its life.
  [[nodiscard]] std::unique_ptr<ProgressBar> bar(const std::string& label) const {
    return team_.leads() ? std::make_unique<ProgressBar>(label, stderr) : nullptr;
  }

  void make_sides() {
    if (arguments_.only.empty()) {
      inverse_pattern_ = read_inverse_pattern(arguments_.answers, matrix_->num_rows);
      check_room_for_solutions(arguments_.rhs.empty() ? arguments_.num_rhs : 1);
      sides_ = read_or_make_sides(arguments_, *matrix_, options_.analysis.schur_variables.size(), *input_);
      record_.input_notes.insert(record_.input_notes.end(), sides_.notes.begin(), sides_.notes.end());
      check_room_for_solutions(sides_.b.num_cols);
    }
  }

  void check_room_for_solutions(Index num_columns) const {
    constexpr Count kBytesPerNumber = 20;  // 17 digits, as a rule
    check_room({"--out", arguments_.output}, Count{matrix_->num_rows} * num_columns * (kIsComplex<S> ? 2 : 1) * kBytesPerNumber);
  }

  Analysis analyze_matrix() {
    const Stopwatch watch;
    const Analysis ordered = in_phase("analyze", "in the analysis", [&] {
      const auto shown = bar("analyzing");
      SystemMatrix<S> given = analysed_ ? SystemMatrix<S>(*analysed_) : matrix();
      return arguments_.checkpoint_directory().empty() ? analyze(given, options_, place_)
                                                       : Analysis(place_.parts().of<S>().resume(given, options_));
    });
    const double seconds = watch.seconds();
    analysed_.reset();
    // Values that do not fit are refused before anything is printed or written.
    Analysis analysis =
        arguments_.analysis_of.empty() ? ordered : with_analysis(arguments_, [&] { return ordered.with_values(matrix()); });
    on_leader([&] { note_analysis(analysis, options_.mixed_precision, seconds); });
    return analysis;
  }

  void note_analysis(const Analysis& analysis, bool is_mixed, double seconds) {
    const Count scalar_bytes = factor_scalar_bytes<S>(is_mixed);
    const Symbolic& symbolic = *analysis.parts().symbolic;
    const SolverOptions& options = is_distributed() ? analysis.options() : options_;  // ranks complete them
    const FactorizationOptions& factorization = options.factorization;
    const KeptFactors kept = arguments_.once ? KeptFactors::backward : factorization.kept;
    record_.analysis = analysis_facts(symbolic, analysis.method(), scalar_bytes, factorization.num_threads, kept);
    record_.analysis.memory_limit = memory_limit(factorization, factorization.num_threads);
    record_.analysis.file = arguments_.analysis_of;
    record_.analysis.seconds = seconds;
    record_.distribution.mapping = mapping_facts(symbolic, analysis.method(), scalar_bytes,
                                                 mapping_options(options.analysis.mapping, options.ranks.schedule), kept);
    check_room({"--save-factors", arguments_.save_factors}, record_.analysis.memory.factor_bytes);
    check_room({"--checkpoint", arguments_.checkpoint}, record_.analysis.memory.factor_bytes);
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, symbolic);
    }
    print_analysis(stream(), record_.matrix, record_.analysis);
    if (is_distributed()) {
      note_distribution(options.ranks);
    }
    std::fflush(stream());
  }

  void note_distribution(const RankOptions& ranks) {
    DistributionFacts& facts = record_.distribution;
    facts.load_exchange = to_string(ranks.load_exchange);
    facts.schedule = to_string(ranks.schedule);
    facts.work = to_string(ranks.sharing);
    facts.has_load_thread = ranks.use_load_thread && place_.parts().may_have_load_threads();
    print_mapping(stream(), facts.mapping);
  }

  // Factors and the facts about them come from the file.
  std::unique_ptr<Factorization<S>> load_factors() {
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    const Count resident = resident_bytes();
    std::unique_ptr<Factorization<S>> factorization;
    record_.loaded = in_phase("load", "while factors were loaded", [&] {
      return timed_transfer(arguments_.load_factors, [&] {
        const auto shown = bar("loading");
        factorization =
            std::make_unique<Factorization<S>>(Factorization<S>::load(arguments_.load_factors, matrix(), options_, place_));
      });
    });
    const SystemReport& report = factorization->report();
    on_leader([&] {
      check_factors_of_part(arguments_.answers, report);
      note_analysis(factorization->analysis(), report.is_mixed, 0);
      record_.analysis.ordering.ordering_seconds = 0;
    });
    note_factorization(report, factorization->course().current().backend().rank_counts());
    record_.factorization.estimated_peak_bytes = resident + predicted_factor_bytes();
    record_.factorization.schur_order = symbolic_of(*factorization).schur_order();
    return factorization;
  }

  void save_factors(const Factorization<S>& factorization) {
    if (arguments_.save_factors.empty() || !has_factors_to_save(record_)) {
      return;
    }
    record_.saved = in_phase("save", "while factors were saved", [&] {
      const auto shown = bar("saving");
      return timed_transfer(arguments_.save_factors, [&] { factorization.save(arguments_.save_factors); });
    });
  }

  // The predictions are those for the leading process, which has the record.
  [[nodiscard]] Count predicted_factor_bytes() const {
    const RankEstimate* mine = estimate_of_rank();
    return mine != nullptr ? mine->factor_bytes : record_.factorization.report.factorization.factor_bytes;
  }
  [[nodiscard]] Count predicted_peak_bytes() const {
    const RankEstimate* mine = estimate_of_rank();
    return mine != nullptr ? mine->factor_bytes + mine->peak_active_bytes : record_.analysis.memory.peak_bytes();
  }
  [[nodiscard]] const RankEstimate* estimate_of_rank() const {
    const std::vector<RankEstimate>& ranks = record_.distribution.mapping.estimate.ranks;
    return is_distributed() && !ranks.empty() ? &ranks.front() : nullptr;
  }

  // Returns work(), which factorizes.
  template <class Work>
  auto timed_factorization(const Work& work) {
    factorization_bar_ = bar("factorizing");
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    record_.factorization.estimated_peak_bytes = resident_bytes() + predicted_peak_bytes();
    const Stopwatch watch;
    auto result = in_phase("factorize", "in the factorization", [&] { return with_analysis(arguments_, work); });
    record_.factorization.seconds = watch.seconds();
    factorization_bar_.reset();
    return result;
  }

  std::unique_ptr<Factorization<S>> factorize_matrix(const Analysis& analysis) {
    auto factorization = timed_factorization([&] { return std::make_unique<Factorization<S>>(analysis, matrix()); });
    note_factorization(factorization->report(), factorization->course().current().backend().rank_counts());
    record_.factorization.schur_order = symbolic_of(*factorization).schur_order();
    draw_tree(factorization->analysis(), factorization->report().method, factorization->report().is_mixed);
    return factorization;
  }

  void note_factorization(const SystemReport& report, std::vector<RankRunCounts> counts) {
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = report;
    record_.distribution.counts = std::move(counts);
    record_.distribution.process_peak_bytes = team_.of_all(record_.factorization.peak_bytes);
  }

  // Counts all of the time as the factorization's.
  void solve_together(const Analysis& analysis) {
    DenseMatrix<S> x;
    team_.agree([&] { x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols); });
    auto [report, counts] = timed_factorization(
        [&] { return solve_once_counted<S>(analysis, matrix(), view_of(std::as_const(sides_.b)), view_of(x)); });
    note_factorization(report.system, std::move(counts));
    draw_tree(analysis, report.system.method, false);
    record_.solve.report = std::move(report.solve);
    take_solution(std::move(x));
  }

  // Writes the requested parts: there are none if the block of the other variables is singular.
  void write_schur(Factorization<S>& factorization) {
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

  void expand(Factorization<S>& factorization) {
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
  void write_factor_part(Factorization<S>& factorization) {
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

  void solve(Factorization<S>& factorization) {
    if (!arguments_.only.empty()) {
      record_.solve.report = judge<S>({}, factorization.report().factorization, factorization.report().rank,
                                      symbolic_of(factorization).order() - record_.factorization.schur_order);
      return;
    }
    DenseMatrix<S> x;
    team_.agree([&] { x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols); });
    const std::unique_ptr<Factorization<S>> copies = replicate(factorization);
    const Stopwatch watch;
    record_.solve.report = in_phase("solve", "in the solve", [&] {
      const auto shown = bar("solving");
      const DenseView<const S> b = view_of(std::as_const(sides_.b));
      return copies ? solve_in_blocks(place_, *copies, b, view_of(x), arguments_.operation())
                    : factorization.solve(b, view_of(x), arguments_.operation());
    });
    record_.solve.seconds = watch.seconds() - record_.solve.report.bound_seconds;
    take_solution(std::move(x));
  }

  // Returns null if all processes solve together.
  std::unique_ptr<Factorization<S>> replicate(const Factorization<S>& factorization) {
    std::unique_ptr<Factorization<S>> copies;
    if (arguments_.replicates_factors) {
      const Stopwatch watch;
      copies = in_phase("replicate", "while factors were copied",
                        [&] { return std::make_unique<Factorization<S>>(replicate_factors(factorization)); });
      record_.replication = {true, watch.seconds(), copies->report().factorization.factor_bytes};
    }
    return copies;
  }

  void find_other_answers(Factorization<S>& factorization) {
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
    has_good_answers_ = (!answers.inverse_diagonal || is_good(answers.inverse_diagonal->verdict)) &&
                        (!answers.inverse_entries || is_good(answers.inverse_entries->verdict));
  }

  void take_solution(DenseMatrix<S> x) {
    record_.solve.num_rhs = x.num_cols;
    heed_second_factors(record_);
    begin_phase(kInOutput);
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
    if (is_distributed() && arguments_.load_factors.empty()) {
      print_distribution(stream(), record_.distribution);
    }
    if (arguments_.tells_levels) {
      print_levels(stream(), record_.factorization.report.factorization);
    }
    print_outcome(stream(), record_);
    write_text_if_asked(arguments_.system.json, [&] { return solve_json(record_); });
    write_text_if_asked(arguments_.html, [&] { return run_page(record_, picture_); });
    write_text_if_asked(arguments_.trace, [&] { return run_trace(record_, picture_); });
  }

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

  const Place& place_;
  const Team& team_;
  const SolveArguments& arguments_;
  SolverOptions options_;
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
