// SPDX-License-Identifier: BSD-3-Clause
// The way of a linear system through the phases, on all ranks at once.
#include "solver/mpi/distributed_factorization.hpp"

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/rank_factorize.hpp"
#include "factorization/scalapack/scalapack_root.hpp"
#include "loadinfo/load_server.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "solver/column_part.hpp"
#include "solver/error_bound.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/report_exchange.hpp"
#include "solver/outcome.hpp"
#include "solver/rank_solve.hpp"

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

RankFactorizationOptions rank_options(const DistributedOptions& options) {
  const FactorizationOptions& factorization = options.solver.factorization;
  RankFactorizationOptions result;
  result.pivoting = factorization.pivoting;
  result.num_threads = factorization.num_threads;
  result.memory_limit = factorization.memory_limit;
  result.memory = factorization.memory;
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
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system)
    : system_(std::move(system)),
      main_messages_(system_->ranks().duplicate(), kMainBuffer),
      control_(system_->ranks().duplicate(), kCensusBytesPerRank * system_->ranks().num_ranks()),
      load_(system_->ranks().duplicate(), kLoadBuffer) {
  if (system_->options().load_service.use_thread && !system_->ranks().gate().threads_may_call()) {
    report_.notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
  factorize_with(system_->method());
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !system_->options().solver.method) {
    const Method fallback = indefinite_method<S>(system_->matrix().stored.pattern.symmetry);
    report_.notes.push_back(fallback_note(report_.factorization, fallback));
    factorize_with(fallback);
  }
  if (report_.factorization.status == FactorizationStatus::success && may_hide_singularity<S>(report_.factorization)) {
    look_for_hidden_singularity();
  }
}

template <Scalar S>
void DistributedFactorization<S>::factorize_with(Method method) {
  const Communicator& ranks = system_->ranks();
  const MatrixView<S> whole = system_->analysed();
  std::unique_ptr<RankFactorization<S>> factorization;
  agree(ranks, [&] {
    mapping_ = system_->mapping(method);
    scaling_ = equilibrate(whole, system_->options().solver.equilibration);
    factorization = std::make_unique<RankFactorization<S>>(
        RankProblem<S>{system_->symbolic(), mapping_, method, whole.values, scaling_.rows, scaling_.cols},
        rank_options(system_->options()), RankChannels{main_, control_, load_, ranks.gate().threads_may_call()});
  });
  report_.method = method;
  report_.equilibration_sweeps = scaling_.num_sweeps;
  RankFactorizationResult<S> result;
  try {
    result = factorization->run(make_root_solver(method, factorization->null_pivot()));
  } catch (const MemoryError& error) {
    result.report = structural_verdict(whole, error, report_.notes);
    factors_.reset();
    report_.factorization = std::move(result.report);
    return;
  }
  factors_ = std::move(result.factors);
  report_.factorization = combined_report(ranks, result.report);
  if (is_odd(system_->symbolic()->row_of_column())) {
    report_.factorization.determinant.negate();
  }
  counts_ = all_gather_values(ranks, result.counts);
}

// Collective over the ranks of the root's grid; nothing on the others.
template <Scalar S>
std::shared_ptr<RootSolver<S>> DistributedFactorization<S>::make_root_solver(Method method, RealOf<S> null_pivot) const {
  const RootGrid& grid = mapping_.root_grid();
  const Communicator& ranks = system_->ranks();
  if (grid.node == kNoNode || !std::binary_search(grid.ranks.begin(), grid.ranks.end(), ranks.rank())) {
    return nullptr;
  }
  return std::make_shared<ScalapackRoot<S>>(ranks.of_ranks(grid.ranks), grid.shape, method, null_pivot);
}

template <Scalar S>
void DistributedFactorization<S>::look_for_hidden_singularity() {
  note_condition<S>(estimate_scaled_condition<S>(system_->analysed(), scaling_.rows, scaling_.cols, solve_in_place()), report_);
}

// Every rank passes the same vectors and gets the same.
template <Scalar S>
SolveInPlace<S> DistributedFactorization<S>::solve_in_place() {
  return [this](Operation operation, DenseView<S> x) {
    std::vector<Index> rows;
    run([&] {
      rows = all_rows(x.rows);
      const bool is_first = system_->ranks().rank() == 0;
      const RankSides<S> sides{is_first ? DenseRows<const S>{rows, x} : DenseRows<const S>{}, {rows, x}, x.cols};
      return std::make_unique<RankSolve<S>>(rank_system(), operation, sides, main_);
    });
  };
}

// Of the columns that rank 0 has kept.
template <Scalar S>
void DistributedFactorization<S>::bound_errors(Operation operation, SolvedColumns<S> solved, SolveReport& report) {
  if (solved.num_wanted == 0) {
    return;
  }
  const double begin = steady_seconds();
  const Communicator& ranks = system_->ranks();
  const MatrixView<S> matrix = system_->matrix().stored;
  std::optional<BackwardErrorMeter<S>> meter;
  agree(ranks, [&] {
    meter.emplace(matrix, operation);
    const std::vector<S> empty(static_cast<std::size_t>(system_->symbolic()->order()));
    solved.b.resize(static_cast<std::size_t>(solved.num_wanted), empty);
    solved.x.resize(static_cast<std::size_t>(solved.num_wanted), empty);
  });
  report.condition = estimate_condition<S>(matrix, system_->matrix().transposed, solve_in_place());
  for (std::size_t column = 0; column < solved.b.size(); ++column) {
    broadcast(ranks, 0, std::as_writable_bytes(std::span(solved.b[column])));
    broadcast(ranks, 0, std::as_writable_bytes(std::span(solved.x[column])));
    report.columns[column].forward_error_bound =
        bound_forward_error<S>(matrix, operation, *meter, solved.b[column], solved.x[column], solve_in_place());
  }
  report.bound_seconds = steady_seconds() - begin;
}

template <Scalar S>
RankSystem<S> DistributedFactorization<S>::rank_system() const {
  return {*system_->symbolic(), mapping_, report_.method, *factors_, scaling_.rows, scaling_.cols};
}

// Runs the program that make() makes, which may fail on one rank alone. Large products inside share the threads of an arena.
template <Scalar S>
template <class Make>
void DistributedFactorization<S>::run(Make make) {
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

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation) {
  const Index num_columns = agree_on_columns(b, x);
  const Index order = system_->symbolic()->order();
  if (!factors_) {
    fill_with_nan(x.values);
    return judge<S>({}, report_.factorization, order);
  }
  const SystemMatrix<S> matrix = system_->matrix();
  const StoredOperation stored = stored_operation(matrix.transposed, operation);
  DenseMatrix<S> conjugate_b;
  std::optional<ColumnPart<S>> part;
  std::vector<ColumnReport> columns;
  SolvedColumns<S> solved{num_bounded_columns(system_->options().solver.error_bounds, report_.factorization.status, num_columns)};
  run([&] {
    const Communicator& ranks = system_->ranks();
    RankSides<S> sides{b, x, num_columns};
    if (stored.conjugated) {
      conjugate_b = conjugated_copy(b.values);
      sides.b.values = view_of(conjugate_b);
    }
    part.emplace(matrix.stored, ranks.rank(), ranks.num_ranks());
    columns.resize(static_cast<std::size_t>(num_columns));
    return std::make_unique<RankRefinedSolve<S>>(rank_system(), part->view(), stored.operation, sides, columns,
                                                 system_->options().solver.refinement, solved, main_);
  });
  SolveReport report = judge<S>(std::move(columns), report_.factorization, order);
  bound_errors(stored.operation, std::move(solved), report);
  if (stored.conjugated) {
    conjugate_entries(x.values);
  }
  return report;
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation, SolutionPlace place) {
  const Communicator& ranks = system_->ranks();
  std::vector<Index> rows;
  agree(ranks, [&] { rows = all_rows(system_->symbolic()->order()); });
  const bool has_b = ranks.rank() == 0;
  const bool has_x = has_b || place == SolutionPlace::all_ranks;
  return solve_rows(has_b ? DenseRows<const S>{rows, b} : DenseRows<const S>{}, has_x ? DenseRows<S>{rows, x} : DenseRows<S>{},
                    operation);
}

template class DistributedFactorization<float>;
template class DistributedFactorization<double>;
template class DistributedFactorization<std::complex<float>>;
template class DistributedFactorization<std::complex<double>>;

}  // namespace frond
