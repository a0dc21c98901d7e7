// SPDX-License-Identifier: BSD-3-Clause
// The way of a linear system through the phases, on all ranks at once.
#include "solver/mpi/distributed_factorization.hpp"

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/matrix_view.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "loadinfo/load_server.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "solver/accuracy/corrected_solve.hpp"
#include "solver/accuracy/error_bound.hpp"
#include "solver/answers/consistency.hpp"
#include "solver/course/factorization_course.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/report_exchange.hpp"
#include "solver/mpi/root_on_grid.hpp"
#include "solver/problem/rank_proof.hpp"
#include "solver/ranks/column_part.hpp"
#include "solver/ranks/rank_solve.hpp"
#include "solver/schur/schur_doubt.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

constexpr Count kMainBuffer = Count{32} << 20;      // bytes under way from a rank: many pieces of contribution blocks
constexpr Count kLoadBuffer = Count{1} << 20;       // load messages have some tens of bytes
constexpr Count kCensusBytesPerRank = Count{4096};  // a question and a verdict

RankDriverOptions driver_options(const DistributedOptions& options) {
  RankDriverOptions driver;
  driver.watchdog_seconds = options.watchdog_seconds;
  driver.tell_wait = options.tell_wait;
  return driver;
}

// Of a factorization in F.
template <Scalar F>
RankFactorizationOptions rank_options(const DistributedOptions& options, const FactorizationWay& way, KeptFactors kept) {
  const FactorizationOptions& factorization = options.solver.factorization;
  RankFactorizationOptions result;
  result.pivoting = way.pivoting;
  result.num_threads = factorization.num_threads;
  result.memory_limit = factorization.memory_limit;
  result.memory_limit_reason = factorization.memory_limit_reason;
  result.largest_memory_limit = options.largest_memory_limit;
  result.budget = way.budget;
  result.memory = factorization.memory;
  result.kept = kept;
  result.flushes_subnormals = may_flush_subnormals<F>(options.solver.scaling);
  result.progress = factorization.progress;
  result.load_exchange = options.load_exchange;
  result.schedule = options.schedule;
  result.load_service = options.load_service;
  result.driver = driver_options(options);
  return result;
}

constexpr Index kNoBlock = -1;

/// The numbers of columns of B and of X that a rank passes.
struct Widths {
  Index b = kNoBlock;
  Index x = kNoBlock;
};

template <class S>
Index width_of(const DenseRows<S>& block) {
  return block.values.rows == 0 && block.values.cols == 0 ? kNoBlock : block.values.cols;
}

// widths[rank] -> that of all blocks. Throws on all ranks alike.
Index common_width(const std::vector<Widths>& widths) {
  Index common = kNoBlock;
  for (std::size_t rank = 0; rank < widths.size(); ++rank) {
    for (const Index width : {widths[rank].b, widths[rank].x}) {
      if (common == kNoBlock) {
        common = width;
      } else if (width != kNoBlock && width != common) {
        throw UsageError(
            fmt::format("rank {} passes {} columns of B or X where {} were passed before it: all ranks must pass as many, "
                        "or none at all",
                        rank, width, common));
      }
    }
  }
  return std::max(common, Index{0});
}

}  // namespace

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system,
                                                      const SystemReport& report)
    : system_(std::move(system)),
      main_messages_(system_->ranks().duplicate(), kMainBuffer),
      control_(system_->ranks().duplicate(), kCensusBytesPerRank * system_->ranks().num_ranks()),
      load_(system_->ranks().duplicate(), kLoadBuffer),
      state_{.report = report, .kept = system_->options().solver.factorization.kept},
      counts_(static_cast<std::size_t>(system_->ranks().num_ranks())) {}

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system)
    : DistributedFactorization(std::move(system), SystemReport()) {
  check_kept_options(system_->options().solver);
  note_circumstances();
  factorize();
}

// What there is to say before any work is done.
template <Scalar S>
void DistributedFactorization<S>::note_circumstances() {
  note_missing_entries(system_->num_missing(), state_.report);
  if (system_->options().load_service.use_thread && !system_->ranks().gate().threads_may_call()) {
    state_.report.notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
}

/// The ranks of a system, which may become another one of the same ranks.
template <Scalar S>
class RankTeam final : public Team {
 public:
  explicit RankTeam(const std::shared_ptr<const DistributedSystem<S>>& system) : system_(system) {}
  void agree(const std::function<void()>& work) const override { frond::agree(system_->ranks(), work); }
  void share(std::span<std::byte> bytes) const override { broadcast(system_->ranks(), 0, bytes); }

 private:
  const std::shared_ptr<const DistributedSystem<S>>& system_;
};

/// The system on all ranks, for the course of its factorization.
template <Scalar S>
class DistributedFactorization<S>::Backend final : public FactorizationBackend<S> {
 public:
  explicit Backend(DistributedFactorization& owner) : owner_(owner), team_(owner.system_) {}

  [[nodiscard]] const Team& team() const override { return team_; }
  [[nodiscard]] const SolverOptions& options() const override { return owner_.system_->options().solver; }
  [[nodiscard]] const Symbolic& symbolic() const override { return *owner_.system_->symbolic(); }
  [[nodiscard]] Method method() const override { return owner_.system_->method(); }
  [[nodiscard]] MatrixView<S> analysed() const override { return owner_.system_->analysed(); }

  FactorizationReport factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& /*scaling*/, KeptFactors /*kept*/) override {
    return owner_.factorize_scaled(way.method);
  }

  FactorizationReport factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) override {
    using L = LowerOf<S>;
    const MatrixView<S> whole = analysed();
    LargeVector<L> values;
    team_.agree([&] { values = lower_values<S>(whole, scaling); });
    if (values.size() != whole.values.size()) {
      return {};
    }
    RankFactorizationResult<L> result = owner_.template factorize_values<L>(way.method, values, {}, {});
    result.report.determinant = without_scaling(result.report.determinant, scaling);
    if (result.report.status == FactorizationStatus::success) {
      owner_.lower_factors_ = std::move(result.factors);
    }
    return std::move(result.report);
  }

  [[nodiscard]] bool has_factors() const override { return owner_.factors_.has_value(); }
  [[nodiscard]] bool has_lower_factors() const override { return owner_.lower_factors_.has_value(); }
  void release_factors() override {
    owner_.factors_.reset();
    owner_.lower_factors_.reset();
  }

  [[nodiscard]] bool fits(Method method, KeptFactors kept) override {
    const DistributedSystem<S>& system = *owner_.system_;
    char does_fit = 0;
    team_.agree([&] {
      const MappingEstimate estimate = estimate_mapping(symbolic().tree(), system.mapping(method), method, sizeof(S), kept);
      const RankEstimate& mine = estimate.ranks[static_cast<std::size_t>(system.ranks().rank())];
      const Count limit = options().factorization.memory_limit;
      does_fit = limit == 0 || mine.factor_bytes + mine.peak_active_bytes <= limit ? 1 : 0;
    });
    const std::vector<char> of_ranks = all_gather_values(system.ranks(), does_fit);
    return std::find(of_ranks.begin(), of_ranks.end(), 0) == of_ranks.end();
  }

  void lead(const std::function<void(const SolvePart<S>& solve)>& work, SchurUse use) override { owner_.lead(work, use); }

  void analyse_as_a_whole() override {
    DistributedOptions options = owner_.system_->options();
    options.solver.analysis.block_triangular = BlockTriangularUse::never;
    const SystemMatrix<S> matrix = owner_.system_->matrix();
    owner_.system_ = std::make_shared<const DistributedSystem<S>>(owner_.system_->ranks(), &matrix, options);
  }

 private:
  DistributedFactorization& owner_;
  RankTeam<S> team_;
};

template <Scalar S>
void DistributedFactorization<S>::factorize() {
  Backend backend(*this);
  FactorizationCourse<S>(backend, state_).run();
}

// When lower precision has failed.
template <Scalar S>
void DistributedFactorization<S>::factorize_in_full() {
  Backend backend(*this);
  FactorizationCourse<S>(backend, state_).run_in_full();
}

// In whose place another is ready; finds its scales.
template <Scalar S>
void DistributedFactorization<S>::take_way_of_attempt(Method method) {
  Backend backend(*this);
  FactorizationCourse<S> course(backend, state_);
  course.take(course.template way_of_attempt<S>(method));
}

// On the way that was taken, with its scales.
template <Scalar S>
FactorizationReport DistributedFactorization<S>::factorize_scaled(Method method, RankFrontWatcher<S>* watcher) {
  schur_factor_.reset();
  whole_report_.reset();
  whole_.reset();
  is_whole_in_doubt_ = false;
  const Scaling<RealOf<S>>& scaling = state_.scaling;
  RankFactorizationResult<S> result = factorize_values<S>(method, system_->analysed().values, scaling.rows, scaling.cols, watcher);
  factors_ = std::move(result.factors);
  return std::move(result.report);
}

// By values of any precision. The report is that of all ranks.
template <Scalar S>
template <Scalar F>
RankFactorizationResult<F> DistributedFactorization<S>::factorize_values(Method method, std::span<const F> values,
                                                                         std::span<const RealOf<F>> row_scaling,
                                                                         std::span<const RealOf<F>> col_scaling,
                                                                         RankFrontWatcher<F>* watcher) {
  const Communicator& ranks = system_->ranks();
  std::unique_ptr<RankFactorization<F>> factorization;
  agree(ranks, [&] {
    mapping_ = system_->mapping(method);
    factorization = std::make_unique<RankFactorization<F>>(
        RankProblem<F>{system_->symbolic(), mapping_, method, values, row_scaling, col_scaling},
        rank_options<F>(system_->options(), state_.way, state_.kept),
        RankChannels{main_, control_, load_, ranks.gate().threads_may_call()}, watcher);
  });
  RankFactorizationResult<F> result =
      factorization->run(make_root_solver<F>(ranks, system_->symbolic()->tree(), mapping_, method, factorization->null_pivot()));
  result.report = combined_report(ranks, result.report);
  if (is_odd(system_->symbolic()->row_of_column())) {
    result.report.determinant.negate();
  }
  counts_ = all_gather_values(ranks, result.counts);
  return result;
}

// What estimate(solve) returns on rank 0; on all ranks.
template <Scalar S>
template <class Estimate>
auto DistributedFactorization<S>::led_by_rank_0(Estimate estimate, SchurUse use)
    -> std::invoke_result_t<Estimate, const SolveInPlace<S>&> {
  std::invoke_result_t<Estimate, const SolveInPlace<S>&> result{};
  lead(
      [&](const SolvePart<S>& solve) {
        result = estimate([&](Operation operation, DenseView<S> x) { solve(SweepPart::whole, operation, x); });
      },
      use);
  broadcast(system_->ranks(), 0, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

// Calls work(solve) on rank 0, with a `solve` in which all ranks take part. What is thrown on rank 0 alone is thrown on all.
template <Scalar S>
void DistributedFactorization<S>::lead(const std::function<void(const SolvePart<S>& solve)>& work, SchurUse use) {
  lead_selected(
      [&](const LedSolve& solve) {
        work([&](SweepPart part, Operation operation, DenseView<S> x) { solve(part, operation, x, {}); });
      },
      use);
}

template <Scalar S>
void DistributedFactorization<S>::lead_selected(const std::function<void(const LedSolve& solve)>& work, SchurUse use) {
  const Communicator& ranks = system_->ranks();
  Command command;
  std::exception_ptr failure;
  if (ranks.rank() == 0) {
    bool has_failed_together = false;
    const LedSolve solve = [&](SweepPart part, Operation operation, DenseView<S> x, std::span<const Index> wanted) {
      command = {.solves = true, .part = part, .operation = operation, .num_columns = x.cols, .use = use};
      broadcast(ranks, 0, std::as_writable_bytes(std::span(&command, 1)));
      has_failed_together = true;  // unless it returns
      solve_on_rank_0(command, x, wanted);
      has_failed_together = false;
    };
    try {
      work(solve);
    } catch (...) {
      if (has_failed_together) {
        throw;
      }
      failure = std::current_exception();
    }
    command = {};
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&command, 1)));
  } else {
    for (broadcast(ranks, 0, std::as_writable_bytes(std::span(&command, 1))); command.solves;
         broadcast(ranks, 0, std::as_writable_bytes(std::span(&command, 1)))) {
      solve_on_rank_0(command, {}, {});
    }
  }
  agree(ranks, [&] {
    if (failure) {
      std::rethrow_exception(failure);
    }
  });
}

// X := a part of op(A)^-1 times X on rank 0; the other ranks pass nothing. To expand: of op(A11)^-1, with an x2 of zeros.
template <Scalar S>
void DistributedFactorization<S>::solve_on_rank_0(const Command& command, DenseView<S> x, std::span<const Index> wanted) {
  std::vector<Index> rows;
  run([&] {
    RankSides<S> sides{{}, {}, command.num_columns};
    if (system_->ranks().rank() == 0) {
      rows = all_rows(x.rows);
      sides.b = {rows, x};
      sides.x = {rows, x};
      for (Index j = 0; j < x.cols && command.use == SchurUse::expand; ++j) {
        for (const Index row : system_->symbolic()->schur_variables()) {
          x(row, j) = S(0);
        }
      }
    }
    return std::make_unique<RankSolve<S>>(solvable_system(command.use), command.operation, sides, main_, command.part, wanted);
  });
}

// All columns, without refinement.
template <Scalar S>
void DistributedFactorization<S>::sweep(SchurUse use, Operation operation, const RankSides<S>& sides) {
  run([&] { return std::make_unique<RankSolve<S>>(solvable_system(use), operation, sides, main_); });
}

// Of the columns that rank 0 has kept.
// False, and there are no bounds, where the factors are too far from the matrix to tell.
template <Scalar S>
bool DistributedFactorization<S>::bound_errors(Operation operation, const SolvedColumns<S>& solved, SolveReport& report) {
  if (solved.num_wanted == 0) {
    return true;
  }
  const double begin = steady_seconds();
  const SystemMatrix<S> matrix = system_->matrix();
  std::optional<BackwardErrorMeter<S>> meter;  // of rank 0
  // What work(solve) estimates on rank 0, as far as that can be trusted.
  const auto estimate = [&](const auto& work) {
    return led_by_rank_0([&](const SolveInPlace<S>& by_factors) {
      CorrectedSolve<S> corrected(matrix.stored, state_.scaling.rows, state_.scaling.cols, by_factors);
      const auto found = work(has_neighbours_factors() ? corrected.as_function() : by_factors);
      return Estimated<std::decay_t<decltype(found)>>{found, corrected.is_trusted()};
    });
  };
  const auto condition = estimate([&](const SolveInPlace<S>& solve) {
    meter.emplace(matrix.stored, operation, unknown_scaling(state_.scaling, operation));
    return estimate_condition<S>(matrix.stored, matrix.transposed, solve);
  });
  bool is_trusted = condition.is_trusted;
  std::vector<ForwardError> errors;
  for (std::size_t column = 0; column < static_cast<std::size_t>(solved.num_wanted) && is_trusted; ++column) {
    const auto error = estimate([&](const SolveInPlace<S>& solve) {
      return estimate_forward_error<S>(matrix.stored, operation, *meter, solved.b[column], solved.x[column], solve);
    });
    errors.push_back(error.value);
    is_trusted = error.is_trusted;
  }
  report.bound_seconds = steady_seconds() - begin;
  if (!is_trusted) {
    return false;
  }
  report.condition = condition.value;
  for (std::size_t column = 0; column < errors.size(); ++column) {
    note_forward_error(errors[column], report.columns[column]);
  }
  return true;
}

// Likewise.
template <Scalar S>
void DistributedFactorization<S>::note_consistency(Operation operation, const SolvedColumns<S>& solved, SolveReport& report) {
  lead([&](const SolvePart<S>& solve) {
    std::vector<SolvedColumn<S>> columns;
    for (std::size_t j = 0; j < report.columns.size(); ++j) {
      columns.push_back({solved.b[j], solved.x[j], &report.columns[j]});
    }
    measure_consistency<S>({system_->matrix().stored, operation, report.null_pivots, state_.report.is_singular_by_condition,
                            system_->options().solver.factorization.num_threads},
                           keeps_schur_complement() || has_neighbours_factors() ? SolvePart<S>() : solve, columns);
  });
  broadcast(system_->ranks(), 0, std::as_writable_bytes(std::span(report.columns)));
}

template <Scalar S>
SolvableSystem<S> DistributedFactorization<S>::solvable_system(SchurUse use) const {
  const auto whole = [this](const SolvableSystem<S>& of_levels) {
    return state_.levels ? SolvableSystem<S>::coupled(of_levels, *state_.levels) : of_levels;
  };
  const Symbolic& symbolic = *system_->symbolic();
  if (lower_factors_) {
    return whole(LowerRankSystem<S>{{symbolic, mapping_, state_.report.method, *lower_factors_, {}, {}}, &state_.scaling});
  }
  const RankSystem<S> system{symbolic, mapping_, state_.report.method, *factors_, state_.scaling.rows, state_.scaling.cols};
  if (keeps_schur_complement()) {
    return SchurRankSystem<S>{system, use, schur_factor_.get()};
  }
  return whole(system);
}

// Runs the program that make() makes, which may fail on one rank alone. Large products inside share the threads of an arena.
template <Scalar S>
void DistributedFactorization<S>::run(const std::function<std::unique_ptr<SolveProgram<S>>()>& make) {
  std::optional<BlasThreadsGuard> guard;
  std::optional<tbb::task_arena> arena;
  std::unique_ptr<SolveProgram<S>> program;
  agree(system_->ranks(), [&] {
    guard.emplace(system_->options().solver.factorization.num_threads);
    arena.emplace(guard->num_threads());
    program = make();
  });
  CallQueue calls;
  WorkerPool no_workers(1, [](const std::exception_ptr&) {});
  RankDriver driver({main_, control_, nullptr, no_workers, calls}, driver_options(system_->options()));
  arena->execute(
      [&] { driver.run({.program = *program, .describe_wait = [] { return std::string("waits for messages of the solve"); }}); });
  if (program->failure()) {
    throw_failure(*program->failure());
  }
}

// Of all blocks but those of nothing.
template <Scalar S>
Index DistributedFactorization<S>::agree_on_columns(const DenseRows<const S>& b, const DenseRows<S>& x) const {
  const Communicator& ranks = system_->ranks();
  agree(ranks, [&] { check_rows(system_->symbolic()->order(), b, x); });
  return common_width(all_gather_values(ranks, Widths{width_of(b), width_of(x)}));
}

// With op(A) as A is stored; refined as far as `refinement` says.
template <Scalar S>
std::vector<ColumnReport> DistributedFactorization<S>::solve_and_measure(const SolvableSystem<S>& system, Operation operation,
                                                                         const RankSides<S>& sides,
                                                                         const RefinementOptions& refinement,
                                                                         SolvedColumns<S>& solved) {
  std::optional<ColumnPart<S>> part;
  std::vector<ColumnReport> columns;
  run([&] {
    part.emplace(system_->matrix().stored, system_->ranks().rank(), system_->ranks().num_ranks());
    columns.resize(static_cast<std::size_t>(sides.num_columns));
    return std::make_unique<RankRefinedSolve<S>>(system, part->view(), operation, unknown_scaling(state_.scaling, operation), sides,
                                                 columns, refinement, solved, main_);
  });
  return columns;
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation) {
  return solve_rows_and_bound(b, x, operation, system_->options().solver.error_bounds);
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_rows_and_bound(const DenseRows<const S>& b, const DenseRows<S>& x,
                                                              Operation operation, ErrorBounds bounds) {
  check_factors_kept(state_.kept);
  const Index num_columns = agree_on_columns(b, x);
  const Index order = system_->symbolic()->order();
  if (keeps_schur_complement()) {
    factorize_schur_complement();
    if (whole_) {
      return solve_rows_with_whole(b, x, operation, bounds);
    }
  }
  const FactorizationReport outcome = whole_report_ ? *whole_report_ : state_.report.factorization;
  const RankProof rank = rank_of_whole(*system_->symbolic(), state_.report.rank, outcome, is_whole_in_doubt_);
  const bool can_solve = keeps_schur_complement()
                             ? has_schur_complement() && outcome.status != FactorizationStatus::not_positive_definite
                             : factors_ || lower_factors_;
  if (!can_solve) {
    fill_with_nan(x.values);
    SolveReport report = judge<S>({}, outcome, rank, order);
    if (is_whole_in_doubt_) {
      report.notes.emplace_back(kNoSchurComplementNote);
      report.notes.emplace_back(kNoMemoryForWholeNote);
    }
    return report;
  }
  const StoredOperation stored = stored_operation(system_->matrix().transposed, operation);
  DenseMatrix<S> conjugate_b;
  // Where the rank is in doubt nobody knows what the factors are worth, but corrected solves measure it.
  const bool is_proved = rank.status != RankVerdict::in_doubt || has_neighbours_factors();
  SolvedColumns<S> solved{outcome.status == FactorizationStatus::singular ? num_columns
                          : is_proved                                     ? num_bounded_columns(bounds, outcome.status, num_columns)
                                                                          : 0};
  RankSides<S> sides{b, x, num_columns};
  if (stored.conjugated) {
    agree(system_->ranks(), [&] { conjugate_b = conjugated_copy(b.values); });
    sides.b.values = view_of(conjugate_b);
  }
  std::vector<ColumnReport> columns =
      solve_and_measure(solvable_system(), stored.operation, sides, system_->options().solver.refinement, solved);
  const auto solve_in_full = [&] {
    lower_factors_.reset();
    factorize_in_full();
    SolveReport report = solve_rows_and_bound(b, x, operation, bounds);
    report.notes.insert(report.notes.begin(), kMixedFailedNote);
    return report;
  };
  if (lower_factors_ && std::any_of(columns.begin(), columns.end(), is_inaccurate<S>)) {
    return solve_in_full();
  }
  SolveReport report = judge<S>(std::move(columns), outcome, rank, order);
  if (is_whole_in_doubt_) {
    report.notes.emplace_back(kNoMemoryForWholeNote);
  }
  if (!keeps_schur_complement()) {
    report.equilibrated_condition = state_.report.equilibrated_condition;
  }
  if (report.verdict == Verdict::singular) {
    note_consistency(stored.operation, solved, report);
  } else if (!bound_errors(stored.operation, solved, report)) {
    if (lower_factors_) {
      return solve_in_full();
    }
    report.notes.emplace_back(kNoBoundNote);
  }
  if (stored.conjugated) {
    conjugate_entries(x.values);
  }
  return report;
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation, SolutionPlace place) {
  return solve_and_bound(b, x, operation, place, system_->options().solver.error_bounds);
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_and_bound(DenseView<const S> b, DenseView<S> x, Operation operation,
                                                         SolutionPlace place, ErrorBounds bounds) {
  const Communicator& ranks = system_->ranks();
  std::vector<Index> rows;
  agree(ranks, [&] { rows = all_rows(system_->symbolic()->order()); });
  const bool has_b = ranks.rank() == 0;
  const bool has_x = has_b || place == SolutionPlace::all_ranks;
  return solve_rows_and_bound(all_or_nothing(has_b, rows, b), all_or_nothing(has_x, rows, x), operation, bounds);
}

template class DistributedFactorization<float>;
template class DistributedFactorization<double>;
template class DistributedFactorization<std::complex<float>>;
template class DistributedFactorization<std::complex<double>>;

}  // namespace frond
