// SPDX-License-Identifier: BSD-3-Clause
// From a file on the first process to a verified answer of all.
#include "tools/solve/distributed_solve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "factorization/kernels/matrix_view.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "loadinfo/mpi/mpi_environment.hpp"
#include "loadinfo/mpi/mpi_rank_watch.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/mpi/distributed_once.hpp"
#include "solver/sweeps/lower_factors.hpp"
#include "solver/verdict/outcome.hpp"
#include "tools/arguments/ordering_file.hpp"
#include "tools/arguments/schur_arguments.hpp"
#include "tools/process/atomic_output.hpp"
#include "tools/process/bind_processes.hpp"
#include "tools/process/end_timer.hpp"
#include "tools/process/memory_probe.hpp"
#include "tools/process/progress_bar.hpp"
#include "tools/process/stopwatch.hpp"
#include "tools/records/run_record.hpp"
#include "tools/solve/answers.hpp"
#include "tools/solve/expansion.hpp"
#include "tools/solve/factor_files.hpp"
#include "tools/solve/foreign_analysis.hpp"
#include "tools/solve/right_hand_sides.hpp"
#include "tools/solve/single_precision.hpp"

namespace frond {
namespace {

void tell_of_rank(Rank rank, const std::string& text) {
  fmt::print(stderr, "frond: error: rank {}: {}\n", rank, text);
  std::fflush(nullptr);
}

// Without destructors: MPI would wait for who is gone.
[[noreturn]] void leave_at_once(Rank rank, const std::string& text) {
  tell_of_rank(rank, text);
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

MpiThreadLevel thread_level(const std::string& name) {
  const std::map<std::string, MpiThreadLevel> levels = {
      {"multiple", MpiThreadLevel::multiple}, {"serialized", MpiThreadLevel::serialized}, {"funneled", MpiThreadLevel::funneled}};
  return levels.at(name);
}

DistributedOptions distributed_options(const SolveArguments& arguments) {
  DistributedOptions options;
  options.solver = solver_options(arguments);
  options.solver.factorization.num_threads = arguments.system.num_threads;  // 0: a share of the machine
  options.load_exchange = parse_load_mechanism(arguments.ranks.load_exchange);
  options.schedule = parse_schedule(arguments.ranks.schedule);
  options.load_service.use_thread = arguments.ranks.load_thread == "on";
  options.load_service.shortest_period = std::chrono::microseconds(arguments.ranks.load_period_us);
  options.load_service.longest_period = std::max(options.load_service.longest_period, options.load_service.shortest_period);
  options.watchdog_seconds = arguments.ranks.watchdog_seconds;
  options.tell_wait = [](const std::string& text) { fmt::print(stderr, "frond: watchdog: {}\n", text); };
  return options;
}

// Told not to clean up, MPICH's launcher signals the death of a process to the others, and an unhandled signal would end them
// before they can say who is gone.
void ignore_news_of_deaths() { std::signal(SIGUSR1, SIG_IGN); }

// With the first process that leaves, the launcher may end the others: they have time to say why, too.
[[noreturn]] void leave_without(Rank lost, Rank rank, double limit_seconds) {
  tell_of_rank(rank, fmt::format("rank {} has given no sign of life for {} s; its process or its machine is gone, or stopped for "
                                 "longer than --heartbeat-limit allows",
                                 lost, limit_seconds));
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(5.0, limit_seconds / 4)));
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

// The processes that solve together, watched if that is wanted and can be. MPI ends with it.
class Processes {
 public:
  Processes(const SolveArguments& arguments, const Launch& launch)
      : environment_(thread_level(arguments.ranks.mpi_threads)),
        ranks_(Communicator::world(std::make_shared<MpiGate>(mpi_thread_level()))) {
    if (ranks_.num_ranks() != launch.num_ranks) {
      throw UsageError(
          fmt::format("the launcher has started {} processes, but MPI knows of {}: call the mpiexec.mpich of the MPICH "
                      "that Frond is built with",
                      launch.num_ranks, ranks_.num_ranks()));
    }
    if (arguments.ranks.bind == "auto") {
      bind_to_processors(ranks_, arguments.system.num_threads);
    }
    const double limit_seconds = arguments.ranks.heartbeat_limit_seconds;
    if (limit_seconds > 0 && arguments.ranks.load_thread == "on" && ranks_.gate().level() == MpiThreadLevel::multiple) {
      watch_.emplace(ranks_, limit_seconds,
                     [rank = ranks_.rank(), limit_seconds](Rank lost) { leave_without(lost, rank, limit_seconds); });
    }
  }

  /// Waits, without keeping a core busy, until all have nothing left to do. Watched to the end: nobody waits here for a process
  /// that has died. Those that say goodbye afterwards are waited for by nobody.
  void meet() {
    (void)all_gather(ranks_, {});
    watch_.reset();
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }

 private:
  MpiEnvironment environment_;
  Communicator ranks_;
  std::optional<MpiRankWatch> watch_;
};

template <Scalar S>
class DistributedRun {
 public:
  /// `matrix` on the first process; null elsewhere. So is `analysed`, the matrix whose analysis serves, if it is another one.
  DistributedRun(const Communicator& ranks, const SolveArguments& arguments, SparseMatrix<WideOf<S>>* matrix,
                 SparseMatrix<WideOf<S>>* analysed, double read_seconds)
      : ranks_(ranks), is_first_(ranks.rank() == 0), arguments_(arguments) {
    agree(ranks, [&] {
      if (is_first_) {
        matrix_ = rounded<S>(std::move(*matrix), arguments.system.matrix, record_.input_notes);
      }
      if (analysed != nullptr) {
        std::vector<std::string> notes;  // of digits that decide nothing
        analysed_ = rounded<S>(std::move(*analysed), arguments.analysis_of, notes);
      }
    });
    if (is_first_) {
      record_.matrix = matrix_facts(arguments.system.matrix, matrix_);
      record_.matrix.read_seconds = read_seconds;
      record_.only = arguments.only;
    }
  }

  ExitCode run() {
    agree(ranks_, [this] { make_sides(); });
    if (arguments_.once) {
      solve_together(analyze_matrix());
      return tell_all();
    }
    const auto factorization = arguments_.load_factors.empty() ? factorize_matrix(analyze_matrix()) : load_factors();
    write_schur(*factorization);
    solve(*factorization);
    write_factor_part(*factorization);
    find_other_answers(*factorization);
    save_factors(*factorization);
    return tell_all();
  }

 private:
  ExitCode tell_all() {
    agree(ranks_, [this] {
      if (is_first_) {
        tell_outcome();
      }
    });
    return is_good_ ? ExitCode::success : ExitCode::not_solved;
  }

  [[nodiscard]] std::FILE* stream() const { return summary_stream(arguments_.system); }

  // On a terminal of the first process, while it lives.
  [[nodiscard]] std::unique_ptr<ProgressBar> bar(const std::string& label) const {
    return is_first_ ? std::make_unique<ProgressBar>(label, stderr) : nullptr;
  }

  void make_sides() {
    if (is_first_ && arguments_.only.empty()) {
      inverse_pattern_ = read_inverse_pattern(arguments_.answers, matrix_.num_rows);
      sides_ = read_or_make_sides(arguments_, matrix_, solver_options(arguments_).analysis.schur_variables.size());
      record_.input_notes.insert(record_.input_notes.end(), sides_.notes.begin(), sides_.notes.end());
    }
  }

  std::shared_ptr<const DistributedSystem<S>> analyze_matrix() {
    const Stopwatch watch;
    std::optional<SystemMatrix<S>> given;
    if (is_first_) {
      given.emplace(analysed_ ? *analysed_ : matrix_);
    }
    DistributedOptions options = distributed_options(arguments_);
    options.solver.factorization.progress = [this](double fraction) { show_progress(fraction); };
    const auto analysed = [&] {
      const auto shown = bar("analyzing");
      return std::make_shared<const DistributedSystem<S>>(ranks_, given ? &*given : nullptr, options);
    }();
    const double seconds = watch.seconds();
    analysed_.reset();
    auto system = arguments_.analysis_of.empty() ? analysed : with_other_values(*analysed);
    agree(ranks_, [&] {
      if (is_first_) {
        note_analysis(*system, analysed->order(), system->options().solver.precision, seconds);
      }
    });
    return system;
  }

  // The matrix with the analysis of another one.
  std::shared_ptr<const DistributedSystem<S>> with_other_values(const DistributedSystem<S>& analysed) const {
    std::optional<SystemMatrix<S>> given;
    if (is_first_) {
      given.emplace(matrix_);
    }
    return with_analysis(arguments_,
                         [&] { return std::make_shared<const DistributedSystem<S>>(analysed, given ? &*given : nullptr); });
  }

  // Factors and what is known of them come from the file, on all processes.
  std::unique_ptr<DistributedFactorization<S>> load_factors() {
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    const Count resident = resident_bytes();
    std::optional<SystemMatrix<S>> given;
    if (is_first_) {
      given.emplace(matrix_);
    }
    std::unique_ptr<DistributedFactorization<S>> factorization;
    record_.loaded = timed_transfer(arguments_.load_factors, [&] {
      const auto shown = bar("loading");
      factorization = DistributedFactorization<S>::load(ranks_, arguments_.load_factors, given ? &*given : nullptr,
                                                        distributed_options(arguments_));
    });
    const SystemReport& report = factorization->report();
    agree(ranks_, [&] {
      if (is_first_) {
        check_factors_of_part(arguments_.answers, report);
        const DistributedSystem<S>& system = factorization->system();
        note_analysis(system, system.order(), report.is_mixed ? Precision::mixed : Precision::full, 0);
        record_.analysis.ordering.ordering_seconds = 0;
        record_.factorization.estimated_peak_bytes = resident + record_.distribution.mapping.estimate.ranks.front().factor_bytes;
      }
    });
    note_factorization(*factorization);
    return factorization;
  }

  void save_factors(const DistributedFactorization<S>& factorization) {
    if (arguments_.save_factors.empty() || !has_factors_to_save(record_.factorization.report, record_.solve.report)) {
      return;
    }
    const auto shown = bar("saving");
    record_.saved = timed_transfer(arguments_.save_factors, [&] { factorization.save(arguments_.save_factors); });
  }

  void note_factorization(const DistributedFactorization<S>& factorization) {
    record_.factorization.schur_order = factorization.system().symbolic()->schur_order();
    note_factorization(factorization.report(), factorization.rank_counts());
  }

  void note_factorization(const SystemReport& report, const std::vector<RankRunCounts>& counts) {
    record_.factorization.peak_bytes = peak_bytes();
    record_.factorization.report = report;
    record_.distribution.counts = counts;
    record_.distribution.process_peak_bytes = all_gather_values(ranks_, record_.factorization.peak_bytes);
  }

  // `order` as it was found for this system or for another one.
  void note_analysis(const DistributedSystem<S>& system, const VariableOrder& order, Precision precision, double seconds) {
    const DistributedOptions& options = system.options();
    const Count scalar_bytes = factor_scalar_bytes<S>(precision);
    const KeptFactors kept = arguments_.once ? KeptFactors::backward : options.solver.factorization.kept;
    record_.analysis =
        analysis_facts(*system.symbolic(), system.method(), scalar_bytes, options.solver.factorization.num_threads, kept);
    record_.analysis.memory_limit = memory_limit(options.solver.factorization, options.solver.factorization.num_threads);
    record_.analysis.file = arguments_.analysis_of;
    record_.analysis.ordering.kind = order.kind;
    record_.analysis.ordering.matching = order.matching;
    record_.analysis.ordering.num_compressed = order.num_compressed;
    record_.analysis.ordering.ordering_seconds = order.ordering_seconds;
    record_.analysis.num_blocks = order.num_blocks;
    record_.analysis.largest_block = order.largest_block;
    record_.analysis.seconds = seconds;
    record_.distribution.mapping = mapping_facts(*system.symbolic(), system.method(), scalar_bytes, system.mapping_options(), kept);
    record_.distribution.load_exchange = to_string(options.load_exchange);
    record_.distribution.schedule = to_string(options.schedule);
    record_.distribution.has_load_thread = options.load_service.use_thread && ranks_.gate().threads_may_call();
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, *system.symbolic());
    }
    print_analysis(stream(), record_.matrix, record_.analysis);
    print_mapping(stream(), record_.distribution.mapping);
    std::fflush(stream());
  }

  std::unique_ptr<DistributedFactorization<S>> factorize_matrix(const std::shared_ptr<const DistributedSystem<S>>& system) {
    begin_factorization();
    const Stopwatch watch;
    auto factorization = with_analysis(arguments_, [&] { return std::make_unique<DistributedFactorization<S>>(system); });
    record_.factorization.seconds = watch.seconds();
    note_factorization(*factorization);
    factorization_bar_.reset();
    return factorization;
  }

  void begin_factorization() {
    factorization_bar_ = bar("factorizing");
    record_.factorization.peak_is_of_factorization = reset_peak_bytes();
    const auto& predicted = record_.distribution.mapping.estimate.ranks;
    record_.factorization.estimated_peak_bytes =
        resident_bytes() + (predicted.empty() ? 0 : predicted.front().factor_bytes + predicted.front().peak_active_bytes);
  }

  // Of the time all counts as the factorization's.
  void solve_together(const std::shared_ptr<const DistributedSystem<S>>& system) {
    begin_factorization();
    const Index num_columns = sides_.b.num_cols;
    DenseMatrix<S> x;
    agree(ranks_, [&] { x = DenseMatrix<S>(sides_.b.num_rows, num_columns); });
    const Stopwatch watch;
    const DistributedOnceReport report =
        with_analysis(arguments_, [&] { return solve_once<S>(system, view_of(std::as_const(sides_.b)), view_of(x)); });
    record_.factorization.seconds = watch.seconds();
    note_factorization(report.whole.system, report.rank_counts);
    factorization_bar_.reset();
    record_.solve.report = report.whole.solve;
    note_solution(std::move(x));
    is_good_ = record_.solve.report.verdict == Verdict::solved;
  }

  void show_progress(double fraction) {
    if (factorization_bar_) {
      factorization_bar_->update(fraction);
    }
  }

  // What there is of it: none where the other variables' block is singular.
  void write_schur(DistributedFactorization<S>& factorization) {
    if (factorization.report().factorization.status != FactorizationStatus::success) {
      const std::string expanded = arguments_.expansion.empty() ? "" : arguments_.expansion[1];
      note_absent_complement({arguments_.schur_output, arguments_.condensed_output, expanded}, record_);
      return;
    }
    if (!arguments_.schur_output.empty()) {
      DenseMatrix<S> complement = factorization.schur_complement();
      write_on_first(arguments_.schur_output, std::move(complement));
    }
    const DenseMatrix<S>& b = sides_.b;
    const Index schur_order = record_.factorization.schur_order;
    if (!arguments_.condensed_output.empty()) {
      DenseMatrix<S> condensed;
      agree(ranks_, [&] { condensed = DenseMatrix<S>(schur_order, b.num_cols); });
      factorization.condense(view_of(b), view_of(condensed), arguments_.operation());
      write_on_first(arguments_.condensed_output, std::move(condensed), sides_.has_complex_halves);
    }
    if (!arguments_.expansion.empty()) {
      expand(factorization);
    }
  }

  void expand(DistributedFactorization<S>& factorization) {
    DenseMatrix<S> x;
    agree(ranks_, [&] {
      if (is_first_) {
        x = DenseMatrix<S>(sides_.b.num_rows, sides_.b.num_cols);
      }
    });
    factorization.expand(view_of(std::as_const(sides_.b)), view_of(std::as_const(sides_.kept)), view_of(x), arguments_.operation());
    agree(ranks_, [&] {
      if (is_first_) {
        record_.factorization.expansion_error = expansion_error(matrix_.view(), arguments_.operation(),
                                                                factorization.system().symbolic()->schur_variables(), sides_.b, x);
      }
    });
    write_on_first(arguments_.expansion[1], std::move(x), sides_.has_complex_halves);
  }

  // Where there are factors.
  void write_factor_part(DistributedFactorization<S>& factorization) {
    if (arguments_.answers.factor_part.empty() || record_.solve.report.columns.empty()) {
      return;
    }
    DenseMatrix<S> x;
    agree(ranks_, [&] { x = sides_.b; });
    solve_named_part(factorization, arguments_.answers, arguments_.operation(), view_of(x));
    write_on_first(arguments_.answers.factor_part[1], std::move(x), sides_.has_complex_halves);
  }

  void write_on_first(const std::string& path, DenseMatrix<S> matrix, bool has_complex_halves = false) {
    agree(ranks_, [&] {
      if (is_first_) {
        write_dense_file(path, joined_solutions(std::move(matrix), has_complex_halves));
      }
    });
  }

  void solve(DistributedFactorization<S>& factorization) {
    if (!arguments_.only.empty()) {
      record_.solve.report = judge<S>({}, factorization.report().factorization, factorization.report().rank,
                                      factorization.system().symbolic()->order() - record_.factorization.schur_order);
      return;
    }
    const Index num_columns = sides_.b.num_cols;
    DenseMatrix<S> x;
    agree(ranks_, [&] { x = DenseMatrix<S>(sides_.b.num_rows, num_columns); });
    const auto shown = bar("solving");
    const Stopwatch watch;
    record_.solve.report = factorization.solve(view_of(std::as_const(sides_.b)), view_of(x), arguments_.operation());
    record_.solve.seconds = watch.seconds() - record_.solve.report.bound_seconds;
    note_solution(std::move(x));
  }

  void find_other_answers(DistributedFactorization<S>& factorization) {
    std::optional<DiagonalPattern> diagonal;
    agree(ranks_, [&] {
      if (is_first_) {
        diagonal.emplace(matrix_.num_rows);
      }
    });
    const Answers<S> answers = find_answers<S>(factorization, arguments_.answers, arguments_.operation(),
                                               diagonal ? diagonal->view() : PatternView{}, inverse_pattern_.pattern());
    agree(ranks_, [&] {
      if (is_first_) {
        record_.answers = write_answers(answers, arguments_.answers, inverse_pattern_);
      }
    });
    is_good_ = record_.solve.report.verdict == Verdict::solved && is_solved(answers.inverse_diagonal) &&
               is_solved(answers.inverse_entries) && !record_.factorization.lacks_asked_complement;
  }

  [[nodiscard]] static bool is_solved(const std::optional<InverseEntries<S>>& entries) {
    return !entries || entries->verdict == Verdict::solved;
  }

  void note_solution(DenseMatrix<S> x) {
    record_.solve.num_rhs = x.num_cols;
    heed_second_factors(record_);
    agree(ranks_, [&] {
      if (is_first_ && !record_.solve.report.columns.empty()) {
        take_solution(std::move(x));
      }
    });
  }

  void take_solution(DenseMatrix<S> x) {
    if (sides_.exact) {
      record_.solve.forward_error = largest_forward_error(x, *sides_.exact);
      heed_made_sides(record_);
    }
    if (!arguments_.output.empty()) {
      write_dense_file(arguments_.output, joined_solutions(std::move(x), sides_.has_complex_halves));
    }
  }

  void tell_outcome() const {
    if (arguments_.load_factors.empty()) {
      print_distribution(stream(), record_.distribution);
    }
    if (arguments_.tells_levels) {
      print_levels(stream(), record_.factorization.report.factorization);
    }
    print_outcome(stream(), record_);
    if (!arguments_.system.json.empty()) {
      write_text(arguments_.system.json, solve_json(record_));
    }
  }

  const Communicator& ranks_;
  bool is_first_;
  const SolveArguments& arguments_;
  SparseMatrix<S> matrix_;                   // on the first process
  std::optional<SparseMatrix<S>> analysed_;  // on the first process: another matrix, until it is analysed
  RightHandSides<S> sides_;                  // on the first process
  SparseMatrix<double> inverse_pattern_;     // on the first process
  RunRecord record_;                         // complete on the first process
  bool is_good_ = false;
  std::unique_ptr<ProgressBar> factorization_bar_;
};

ExitCode solve_on(const Communicator& ranks, const SolveArguments& arguments) {
  double read_seconds = 0;
  std::optional<AnyMatrix> any;
  std::optional<AnyMatrix> other;  // whose analysis serves, if it is not the same
  agree(ranks, [&] {
    const DistributedOptions options = distributed_options(arguments);  // what is wrong in the arguments comes before the work
    if (ranks.rank() == 0) {
      check_files(arguments);
      any = read_square_matrix(arguments.system.matrix, read_seconds);
      check_schur_list(arguments.schur, options.solver.analysis.schur_variables, order_of(*any));
      other = read_analysed_matrix(arguments, *any, read_seconds);
    }
  });
  bool is_complex = any && std::holds_alternative<SparseMatrix<std::complex<double>>>(*any);
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_complex, 1)));
  const auto run = [&]<Scalar W>(SparseMatrix<W>* matrix) {
    SparseMatrix<W>* analysed = matrix_of<W>(other);
    return arguments.precision == "single" ? DistributedRun<LowerOf<W>>(ranks, arguments, matrix, analysed, read_seconds).run()
                                           : DistributedRun<W>(ranks, arguments, matrix, analysed, read_seconds).run();
  };
  return is_complex ? run(matrix_of<std::complex<double>>(any)) : run(matrix_of<double>(any));
}

// Takes the last reference.
void end_processes(std::shared_ptr<Processes> processes, Rank rank, ExitCode code) {
  try {
    processes->meet();
  } catch (const std::exception& error) {
    leave_at_once(rank, error.what());
  }
  constexpr double kEndSeconds = 3;
  const EndTimer timer(code, kEndSeconds);
  processes.reset();
}

}  // namespace

ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  ignore_news_of_deaths();
  const auto processes = std::make_shared<Processes>(arguments, launch);
  farewell = [held = processes, rank = launch.rank](ExitCode code) mutable { end_processes(std::move(held), rank, code); };
  try {
    return solve_on(processes->ranks(), arguments);
  } catch (const CommunicationError& error) {
    leave_at_once(launch.rank, error.what());
  } catch (const Error&) {
    throw;  // on all processes alike
  } catch (const std::exception& error) {
    leave_at_once(launch.rank, error.what());
  }
}

}  // namespace frond
