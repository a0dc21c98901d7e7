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
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/report_exchange.hpp"
#include "solver/mpi/root_on_grid.hpp"
#include "solver/problem/rank_proof.hpp"
#include "solver/ranks/column_part.hpp"
#include "solver/ranks/rank_solve.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_doubt.hpp"
#include "solver/schur/schur_front.hpp"
#include "solver/verdict/outcome.hpp"
#include "solver/verdict/runaway.hpp"

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
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system, SystemReport report)
    : system_(std::move(system)),
      main_messages_(system_->ranks().duplicate(), kMainBuffer),
      control_(system_->ranks().duplicate(), kCensusBytesPerRank * system_->ranks().num_ranks()),
      load_(system_->ranks().duplicate(), kLoadBuffer),
      report_(std::move(report)),
      pivoting_(system_->options().solver.factorization.pivoting),
      kept_(system_->options().solver.factorization.kept),
      counts_(static_cast<std::size_t>(system_->ranks().num_ranks())) {
  agree(system_->ranks(), [&] {
    if (system_->symbolic()->blocks().splits()) {
      levels_.emplace(*system_->symbolic(), SolvePlan(system_->symbolic()->tree()), system_->analysed().values);
    }
  });
}

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system)
    : DistributedFactorization(std::move(system), SystemReport()) {
  check_kept_options(system_->options().solver);
  note_circumstances();
  factorize();
  scalings_ = {};
}

// What there is to say before any work is done.
template <Scalar S>
void DistributedFactorization<S>::note_circumstances() {
  note_missing_entries(system_->num_missing(), report_);
  if (system_->options().load_service.use_thread && !system_->ranks().gate().threads_may_call()) {
    report_.notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
}

template <Scalar S>
void DistributedFactorization<S>::factorize() {
  check_schur_pivoting(pivoting_, system_->symbolic()->schur_order());
  check_schur_precision(system_->options().solver.precision == Precision::mixed, system_->symbolic()->schur_order());
  if (system_->options().solver.precision == Precision::mixed) {
    check_mixed<S>();
    if (factorize_in_lower(system_->method())) {
      return;
    }
  }
  factorize_in_full();
}

template <Scalar S>
void DistributedFactorization<S>::factorize_in_full() {
  report_.is_mixed = false;
  const std::vector<std::string> notes = report_.notes;
  factorize_and_look();
  if (levels_ && report_.factorization.status != FactorizationStatus::singular) {
    prove_rank();
  }
  if (levels_ && is_rank_open(report_)) {
    report_.notes = notes;
    join_levels();
    factorize_and_look();
  }
  if (!levels_) {
    prove_rank();
  }
}

// Makes the complement once more, as the factors that the proof has led to have it; the report stays theirs.
template <Scalar S>
void DistributedFactorization<S>::leave_complement_alone() {
  const SystemReport proved = report_;
  way_.budget = {};  // what it takes is known, and was there
  factorize_with(way_);
  report_ = proved;
}

// Rank 0 looks at the factors, with solves in which all take part; all decide alike.
template <Scalar S>
void DistributedFactorization<S>::prove_rank() {
  const SolverOptions& options = system_->options().solver;
  const Symbolic& symbolic = *system_->symbolic();
  const Index schur_order = symbolic.schur_order();
  const bool is_wanted = factors_ && wants_proof<S>(report_.factorization);
  if (!is_wanted) {
    presume_rank(report_, symbolic.order() - schur_order,
                 schur_order > 0 ? symbolic.order() - schur_order : symbolic.structural_rank());
    return;
  }
  const ProofPort<S> port{.factorize =
                              [&](const FactorizationWay& way) {
                                factors_.reset();  // there may be no room for both
                                factorize_with(way);
                              },
                          .has_factors = [&] { return factors_.has_value(); },
                          .examine = [&](const auto& look) { return examine(look); }};
  ProofQuestion question{.order = symbolic.order(),
                         .first = way_,
                         .has_choice = may_choose_null_pivots(pivoting_, report_.method, options.method) && !levels_,
                         .may_rescale = options.scaling.kind == ScalingKind::automatic,
                         .measures_solutions = schur_order == 0,
                         .last_budget = budget_of_attempt<S>(symbolic, report_.method, options.factorization.budget),
                         .num_threads = options.factorization.num_threads};
  question.first.budget = question.last_budget;
  agree(system_->ranks(), [&] { question.structural_rank = interior_structural_rank(system_->analysed(), symbolic); });
  if (!frond::prove_rank(report_, kept_, question, port)) {
    factors_.reset();
    if (schur_order > 0 && report_.factorization.status == FactorizationStatus::success) {
      leave_complement_alone();
    }
  }
  report_.rank = rank_of_interior(report_.rank, schur_order);
}

template <Scalar S>
ProofEvidence DistributedFactorization<S>::examine(const std::function<ProofEvidence(const ScaledSystem<S>&)>& look) {
  ProofEvidence evidence;
  if (keeps_schur_complement()) {
    lead(
        [&](const SolvePart<S>& by_factors) {
          const InteriorSystem<S> interior =
              interior_system(system_->analysed(), *system_->symbolic(), std::span<const RealOf<S>>(scaling_.rows),
                              std::span<const RealOf<S>>(scaling_.cols));
          evidence = look(ScaledSystem<S>{interior.view(), scaling_.rows, scaling_.cols, interior.solve_by(by_factors)});
        },
        SchurUse::expand);
  } else {
    lead([&](const SolvePart<S>& solve) {
      evidence = look(ScaledSystem<S>{system_->analysed(), scaling_.rows, scaling_.cols, solve});
    });
  }
  broadcast(system_->ranks(), 0, std::as_writable_bytes(std::span(&evidence, 1)));
  return evidence;
}

// What is known of the rank of A, also where the factors are those of a part.
template <Scalar S>
RankProof DistributedFactorization<S>::rank_of_whole(const FactorizationReport& whole) const {
  if (!keeps_schur_complement()) {
    return report_.rank;
  }
  const Index structural_rank = system_->symbolic()->structural_rank();
  return is_whole_in_doubt_ ? RankProof{.status = RankVerdict::in_doubt, .highest = structural_rank}
                            : presumed_rank(whole, system_->symbolic()->order(), structural_rank);
}

// The rank of a matrix is not the sum of the ranks of its blocks: analyses all of it, without blocks.
template <Scalar S>
void DistributedFactorization<S>::join_levels() {
  factors_.reset();
  levels_.reset();
  DistributedOptions options = system_->options();
  options.solver.analysis.block_triangular = BlockTriangularUse::never;
  const SystemMatrix<S> matrix = system_->matrix();
  system_ = std::make_shared<const DistributedSystem<S>>(system_->ranks(), &matrix, options);
  scalings_ = {};
  report_.notes.emplace_back(kJoinedLevelsNote);
}

template <Scalar S>
void DistributedFactorization<S>::factorize_and_look() {
  factorize_with(system_->method());
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !system_->options().solver.method) {
    const Method fallback = indefinite_method<S>(system_->matrix().stored.pattern.symmetry);
    report_.notes.push_back(fallback_note(report_.factorization, fallback));
    factorize_with(fallback);
  }
  note_perturbations(report_);
  agree(system_->ranks(), [&] { note_structural_singularity(*system_->symbolic(), system_->analysed(), report_); });
  look_for_hidden_singularity();
}

template <Scalar S>
FactorizationWay DistributedFactorization<S>::asked_way(Method method) const {
  FactorizationWay way{.method = method,
                       .pivoting = pivoting_,
                       .scaling = system_->options().solver.scaling.kind,
                       .budget = system_->options().solver.factorization.budget};
  way.pivoting.may_lower_threshold = way.pivoting.may_lower_threshold && kept_ == KeptFactors::all && !keeps_schur_complement();
  return way;
}

// In whose place another is ready.
template <Scalar S>
FactorizationWay DistributedFactorization<S>::way_of_attempt(Method method) const {
  FactorizationWay way = asked_way(method);
  way.budget = budget_of_attempt<S>(*system_->symbolic(), method, way.budget);
  return way;
}

template <Scalar S>
void DistributedFactorization<S>::factorize_with(Method method) {
  const Symbolic& symbolic = *system_->symbolic();
  const auto fits = [&] {
    char does_fit = 0;
    agree(system_->ranks(), [&] {
      const MappingEstimate estimate = estimate_mapping(symbolic.tree(), system_->mapping(method), method, sizeof(S), kept_);
      const RankEstimate& mine = estimate.ranks[static_cast<std::size_t>(system_->ranks().rank())];
      const Count limit = system_->options().solver.factorization.memory_limit;
      does_fit = limit == 0 || mine.factor_bytes + mine.peak_active_bytes <= limit ? 1 : 0;
    });
    const std::vector<char> of_ranks = all_gather_values(system_->ranks(), does_fit);
    return std::find(of_ranks.begin(), of_ranks.end(), 0) == of_ranks.end();
  };
  try {
    factorize_on_a_way(
        asked_way(method), delay_limits<S>(symbolic, method, fits), report_,
        [&](const FactorizationWay& way) { factorize_with(way); }, !keeps_schur_complement());
  } catch (const MemoryError& error) {
    factors_.reset();
    bool has_verdict = false;
    agree(system_->ranks(), [&] {
      try {
        report_.factorization = structural_verdict(system_->analysed(), error, report_.notes);
        has_verdict = true;
      } catch (const MemoryError&) {  // the same again
      }
    });
    if (!has_verdict) {
      throw;
    }
  }
}

template <Scalar S>
void DistributedFactorization<S>::factorize_with(const FactorizationWay& way) {
  take_way(way);
  factorize_scaled(way.method);
}

template <Scalar S>
void DistributedFactorization<S>::factorize_scaled(Method method, RankFrontWatcher<S>* watcher) {
  report_.is_singular_by_condition = false;
  report_.equilibrated_condition = std::numeric_limits<double>::quiet_NaN();
  schur_factor_.reset();
  whole_report_.reset();
  whole_.reset();
  is_whole_in_doubt_ = false;
  RankFactorizationResult<S> result =
      factorize_values<S>(method, system_->analysed().values, scaling_.rows, scaling_.cols, watcher);
  factors_ = std::move(result.factors);
  report_.factorization = std::move(result.report);
}

// Its scales, on all ranks.
template <Scalar S>
void DistributedFactorization<S>::take_way(const FactorizationWay& way) {
  way_ = way;
  agree(system_->ranks(), [&] {
    ScalingOptions options = system_->options().solver.scaling;
    options.kind = way.scaling;
    on_threads(system_->options().solver.factorization.num_threads,
               [&] { scaling_ = scalings_.of_kind(system_->analysed(), options, system_->symbolic()->row_of_column()); });
  });
  report_.method = way.method;
  report_.scaling = scaling_.kind;
  report_.equilibration_sweeps = scaling_.num_sweeps;
}

// False, with a note, if the matrix needs full precision.
template <Scalar S>
bool DistributedFactorization<S>::factorize_in_lower(Method method) {
  using L = LowerOf<S>;
  const MatrixView<S> whole = system_->analysed();
  LargeVector<L> values;
  report_.factorization = {};
  take_way(way_of_attempt(method));
  agree(system_->ranks(), [&] { values = lower_values<S>(whole, scaling_); });
  if (values.size() == whole.values.size()) {
    try {
      RankFactorizationResult<L> result = factorize_values<L>(method, values, {}, {});
      report_.factorization = std::move(result.report);
      report_.factorization.determinant = without_scaling(report_.factorization.determinant, scaling_);
      if (report_.factorization.status == FactorizationStatus::success) {
        lower_factors_ = std::move(result.factors);
      }
    } catch (const MemoryError&) {  // delayed pivots, perhaps, of which there are fewer in full precision
    } catch (const BudgetError&) {  // delayed pivots again
    }
  }
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !system_->options().solver.method) {
    const Method indefinite = indefinite_method<S>(system_->matrix().stored.pattern.symmetry);
    std::string note = fallback_note(report_.factorization, indefinite);
    const bool has_factors = factorize_in_lower(indefinite);
    if (has_factors) {
      report_.notes.push_back(std::move(note));
    }
    return has_factors;
  }
  ConditionEstimate estimated;
  if (lower_factors_ && may_hide_singularity<L>(report_.factorization)) {
    estimated = estimate_equilibrated_condition();
  }
  if (const std::optional<std::string> note = lower_precision_note<S>(lower_factors_.has_value(), estimated)) {
    report_.notes.push_back(*note);
    lower_factors_.reset();
    return false;
  }
  report_.is_mixed = true;
  report_.equilibrated_condition = estimated.condition;
  note_perturbations(report_);
  agree(system_->ranks(), [&] { note_structural_singularity(*system_->symbolic(), whole, report_); });
  presume_rank(report_, system_->symbolic()->order(), system_->symbolic()->structural_rank());
  return true;
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
        rank_options<F>(system_->options(), way_, kept_), RankChannels{main_, control_, load_, ranks.gate().threads_may_call()},
        watcher);
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

template <Scalar S>
ConditionEstimate DistributedFactorization<S>::estimate_equilibrated_condition() {
  const auto estimate = [&](const SolveInPlace<S>& solve) {
    const MatrixView<S> matrix = system_->analysed();
    return has_neighbours_factors() ? estimate_corrected_condition<S>(matrix, scaling_.rows, scaling_.cols, solve)
                                    : ConditionEstimate{estimate_scaled_condition<S>(matrix, scaling_.rows, scaling_.cols, solve)};
  };
  return keeps_schur_complement() ? led_by_rank_0(estimate, SchurUse::expand) : led_by_rank_0(estimate);
}

template <Scalar S>
void DistributedFactorization<S>::look_for_hidden_singularity() {
  if (report_.factorization.num_perturbed_pivots > 0 && kept_ == KeptFactors::all &&
      report_.factorization.status == FactorizationStatus::success) {
    note_condition<S>(estimate_equilibrated_condition(), report_);
  }
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
      CorrectedSolve<S> corrected(matrix.stored, scaling_.rows, scaling_.cols, by_factors);
      const auto found = work(has_neighbours_factors() ? corrected.as_function() : by_factors);
      return Estimated<std::decay_t<decltype(found)>>{found, corrected.is_trusted()};
    });
  };
  const auto condition = estimate([&](const SolveInPlace<S>& solve) {
    meter.emplace(matrix.stored, operation, unknown_scaling(scaling_, operation));
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
    measure_consistency<S>({system_->matrix().stored, operation, report.null_pivots, report_.is_singular_by_condition,
                            system_->options().solver.factorization.num_threads},
                           keeps_schur_complement() || has_neighbours_factors() ? SolvePart<S>() : solve, columns);
  });
  broadcast(system_->ranks(), 0, std::as_writable_bytes(std::span(report.columns)));
}

template <Scalar S>
SolvableSystem<S> DistributedFactorization<S>::solvable_system(SchurUse use) const {
  const auto whole = [this](const SolvableSystem<S>& of_levels) {
    return levels_ ? SolvableSystem<S>::coupled(of_levels, *levels_) : of_levels;
  };
  const Symbolic& symbolic = *system_->symbolic();
  if (lower_factors_) {
    return whole(LowerRankSystem<S>{{symbolic, mapping_, report_.method, *lower_factors_, {}, {}}, &scaling_});
  }
  const RankSystem<S> system{symbolic, mapping_, report_.method, *factors_, scaling_.rows, scaling_.cols};
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
    return std::make_unique<RankRefinedSolve<S>>(system, part->view(), operation, unknown_scaling(scaling_, operation), sides,
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
  check_factors_kept(kept_);
  const Index num_columns = agree_on_columns(b, x);
  const Index order = system_->symbolic()->order();
  if (keeps_schur_complement()) {
    factorize_schur_complement();
    if (whole_) {
      return solve_rows_with_whole(b, x, operation, bounds);
    }
  }
  const FactorizationReport outcome = whole_report_ ? *whole_report_ : report_.factorization;
  const RankProof rank = rank_of_whole(outcome);
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
    report.equilibrated_condition = report_.equilibrated_condition;
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
