// SPDX-License-Identifier: BSD-3-Clause
// Half of the factors, and the verdict on what they gave.
#include "solver/solve_once.hpp"

#include <tbb/task_arena.h>

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "matrices/error.hpp"
#include "solver/accuracy/backward_error.hpp"
#include "solver/factorization.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/scaling/scaling.hpp"
#include "solver/sweeps/forward_elimination.hpp"
#include "solver/verdict/half_factors.hpp"
#include "solver/verdict/outcome.hpp"
#include "solver/verdict/proof_search.hpp"
#include "solver/verdict/runaway.hpp"

namespace frond {
namespace {

template <Scalar S>
OnceReport solve_with_all_factors(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix,
                                  DenseView<const S> b, DenseView<S> x, SolverOptions options, std::string note) {
  options.factorization.kept = KeptFactors::all;
  const Factorization<S> factorization(symbolic, matrix, std::move(options));
  OnceReport report{factorization.report(), {}};
  report.solve = factorization.solve(b, x);
  report.system = factorization.report();
  report.system.notes.insert(report.system.notes.begin(), std::move(note));
  return report;
}

// One run in which B and A are eliminated together.
template <Scalar S>
class HalfSolve {
 public:
  HalfSolve(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix, const SolverOptions& options)
      : symbolic_(symbolic), matrix_(matrix), options_(options), analysed_(*symbolic, matrix, Method::lu) {
    note_missing_entries(analysed_.num_missing(), report_.system);
  }

  // Why X is not good enough; empty if it is.
  std::string run(DenseView<const S> b, DenseView<S> x) {
    const Scaling<RealOf<S>> scaling = on_threads(options_.factorization.num_threads, [&] {
      return find_scaling(analysed_.view(), options_.scaling, symbolic_->row_of_column());
    });
    report_.system.method = Method::lu;
    report_.system.scaling = scaling.kind;
    report_.system.equilibration_sweeps = scaling.num_sweeps;
    try {
      if (std::string doubt = sweep(scaling, b, x); !doubt.empty()) {
        return doubt;
      }
    } catch (const MemoryError& error) {  // over delayed pivots, perhaps, that no values can provide
      return error.what();
    } catch (const BudgetError& error) {  // over delayed pivots
      return error.what();
    }
    note_perturbations(report_.system);
    presume_rank(report_.system, matrix_.order(), symbolic_->structural_rank());
    report_.solve = judge<S>(measure(scaling, b, x), report_.system.factorization, report_.system.rank, matrix_.order());
    return doubt_about_solution<S>(report_.solve);
  }

  [[nodiscard]] OnceReport take_report() && { return std::move(report_); }

 private:
  // Why pivots let expect that X would not do; if nothing does, X.
  std::string sweep(const Scaling<RealOf<S>>& scaling, DenseView<const S> b, DenseView<S> x) {
    FactorizationOptions options = options_.factorization;
    options.kept = KeptFactors::backward;
    options.budget = budget_of_attempt<S>(*symbolic_, Method::lu, options.budget);
    if (!options.memory) {
      options.memory = std::make_shared<RegionPool>(0);
    }
    const BlasThreadsGuard guard(number_of_threads(options.num_threads));
    tbb::task_arena arena(guard.num_threads());
    const SolvePlan plan(symbolic_->tree(), TaskGraph(symbolic_->tree(), Method::lu, sizeof(S)));
    std::optional<ForwardElimination<S>> elimination;
    arena.execute([&] {
      elimination.emplace(FactorFrame<S>{*symbolic_, Method::lu, scaling.rows, scaling.cols, *options.memory}, plan, b);
    });
    const FactorizationResult<S> result =
        factorize<S>(symbolic_, Method::lu, analysed_.view().values, scaling.rows, scaling.cols, options, &*elimination);
    report_.system.factorization = result.report;
    std::string doubt = doubt_about_pivots<S>(result.report);
    if (doubt.empty()) {
      arena.execute([&] { elimination->finish(*result.factors, x); });
    }
    return doubt;
  }

  [[nodiscard]] std::vector<ColumnReport> measure(const Scaling<RealOf<S>>& scaling, DenseView<const S> b, DenseView<S> x) const {
    const auto order = static_cast<std::size_t>(b.rows);
    std::vector<ColumnReport> columns(static_cast<std::size_t>(b.cols));
    on_threads(options_.factorization.num_threads, [&] {
      const BackwardErrorMeter<S> meter(matrix_.stored, Operation::plain, scaling.cols);
      std::vector<S> residual(order);
      for (Index j = 0; j < b.cols; ++j) {
        columns[static_cast<std::size_t>(j)] = meter.measure({b.column(j), order}, {x.column(j), order}, residual);
      }
    });
    return columns;
  }

  const std::shared_ptr<const Symbolic>& symbolic_;
  const SystemMatrix<S>& matrix_;
  const SolverOptions& options_;
  AnalysedMatrix<S> analysed_;
  OnceReport report_;
};

}  // namespace

template <Scalar S>
OnceReport solve_once(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix, DenseView<const S> b,
                      DenseView<S> x, SolverOptions options) {
  check_system(matrix);
  check_right_hand_sides(matrix.order(), b, x);
  std::string reason = reason_to_keep_all(*symbolic, choose_method(matrix, options), matrix.transposed, options);
  if (!reason.empty()) {
    return solve_with_all_factors(symbolic, matrix, b, x, std::move(options), kept_all_note(reason));
  }
  {
    HalfSolve<S> half(symbolic, matrix, options);
    reason = half.run(b, x);
    if (reason.empty()) {
      return std::move(half).take_report();
    }
  }
  return solve_with_all_factors(symbolic, matrix, b, x, std::move(options), factorized_again_note(reason));
}

template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<float>&, DenseView<const float>,
                               DenseView<float>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<double>&, DenseView<const double>,
                               DenseView<double>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<std::complex<float>>&,
                               DenseView<const std::complex<float>>, DenseView<std::complex<float>>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<std::complex<double>>&,
                               DenseView<const std::complex<double>>, DenseView<std::complex<double>>, SolverOptions);

}  // namespace frond
