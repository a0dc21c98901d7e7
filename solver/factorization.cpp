// SPDX-License-Identifier: BSD-3-Clause
// Implements the user's calls, in one process and in several: distributes sides, and checks arguments.
#include "frond/factorization.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/course/system_course.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/schur/kept_rows.hpp"
#include "solver/numerics/schur/schur_complement.hpp"
#include "solver/numerics/sweeps/sparse_sides.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/thin/factorized_system.hpp"

namespace frond {
namespace {

// The backend whose factors are used.
template <Scalar S>
SystemBackend<S>& backend_of(SystemCourse<S>& course) {
  return course.current().backend();
}

template <Scalar S>
int threads_of(const SystemCourse<S>& course) {
  return course.backend().num_threads();
}

// Returns the leader's value, so that all do the same.
template <Scalar S, class T>
T shared(const SystemCourse<S>& course, T value) {
  share_value(course.backend().team(), value);
  return value;
}

// All rows on the leader, after check() there; none elsewhere.
template <Scalar S, class Check>
std::vector<Index> rows_where_led(const SystemBackend<S>& backend, const Check& check) {
  std::vector<Index> rows;
  backend.team().agree_on_leader([&] {
    check();
    rows = all_rows(backend.symbolic().order());
  });
  return rows;
}

template <Scalar S>
const PlaceFor<S>& calls_at(const Place& place) {
  return place.parts().of<S>();
}

template <Scalar S>
const PlaceFor<S>& calls_of(const Analysis& analysis) {
  return analysis.place().parts().of<S>();
}

// The sum of triplets is released before the factorization where the course has copies of it.
template <Scalar S>
std::unique_ptr<FactorizedSystem<S>> system_of(const Analysis& analysis, const Triplets<S>& mine) {
  if (analysis.thin()) {
    return std::make_unique<FactorizedSystem<S>>(analysis, calls_of<S>(analysis).assemble(mine), false);
  }
  const PlaceFor<S>& calls = calls_of<S>(analysis);
  return std::make_unique<FactorizedSystem<S>>(factorized(calls.course(analysis.parts(), calls.assemble(mine))));
}

template <Scalar S>
std::unique_ptr<FactorizedSystem<S>> system_of(const Triplets<S>& mine, const SolverOptions& options, const Place& place) {
  const PlaceFor<S>& calls = calls_at<S>(place);
  std::unique_ptr<SystemCourse<S>> course;
  {
    const SystemMatrix<S> matrix = calls.assemble(mine);
    const Analysis analysis = analyze(matrix, options, place);
    if (analysis.thin()) {
      return std::make_unique<FactorizedSystem<S>>(analysis, matrix, false);
    }
    course = calls.course(analysis.parts(), matrix);
  }
  return std::make_unique<FactorizedSystem<S>>(factorized(std::move(course)));
}

}  // namespace

template <Scalar S>
Factorization<S>::Factorization(std::unique_ptr<FactorizedSystem<S>> system) : system_(std::move(system)) {}

template <Scalar S>
Factorization<S>::Factorization(std::unique_ptr<SystemCourse<S>> course)
    : Factorization(std::make_unique<FactorizedSystem<S>>(std::move(course))) {}

template <Scalar S>
Factorization<S>::Factorization(const Analysis& analysis, const SystemMatrix<S>& matrix)
    : Factorization(std::make_unique<FactorizedSystem<S>>(analysis, matrix, true)) {}

template <Scalar S>
Factorization<S>::Factorization(const Analysis& analysis, const Triplets<S>& mine) : Factorization(system_of(analysis, mine)) {}

template <Scalar S>
Factorization<S>::Factorization(const Triplets<S>& mine, const SolverOptions& options, const Place& place)
    : Factorization(system_of(mine, options, place)) {}

template <Scalar S>
SystemCourse<S>& Factorization<S>::course() const {
  return system_->course();
}

template <Scalar S>
Factorization<S>::~Factorization() = default;
template <Scalar S>
Factorization<S>::Factorization(Factorization&& other) noexcept = default;
template <Scalar S>
Factorization<S>& Factorization<S>::operator=(Factorization&& other) noexcept = default;

template <Scalar S>
Factorization<S> Factorization<S>::load(const std::string& path, const SystemMatrix<S>& matrix, const SolverOptions& options,
                                        const Place& place) {
  return Factorization(calls_at<S>(place).load({path}, matrix, options));
}

template <Scalar S>
Factorization<S> Factorization<S>::load_from_memory(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                                    const SolverOptions& options, const Place& place) {
  return Factorization(calls_at<S>(place).load(SavedSource::in_memory(bytes), matrix, options));
}

template <Scalar S>
Factorization<S> Factorization<S>::resume(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place) {
  SystemMatrix<S> found = matrix;
  const Analysis analysis(calls_at<S>(place).resume(found, options));
  return Factorization(analysis, found);
}

template <Scalar S>
void Factorization<S>::save(const std::string& path) const {
  system_->course_for_solves().save({path});
}

template <Scalar S>
std::vector<std::byte> Factorization<S>::save_to_memory() const {
  std::vector<std::byte> bytes;
  try {
    system_->course_for_solves().save(SavedTarget::in_memory(bytes));
  } catch (const std::bad_alloc&) {
    throw MemoryError("the system refuses memory for a copy of the factors: save them to a file", 0, 0);
  }
  return bytes;
}

template <Scalar S>
const SystemReport& Factorization<S>::report() const {
  return system_->report();
}

template <Scalar S>
std::vector<RankReport> Factorization<S>::rank_reports() const {
  if (system_->thin() != nullptr) {
    return rank_reports_of(std::vector<RankRunCounts>{counts_of_one_process(report().factorization)});
  }
  return rank_reports_of(backend_of(course()).rank_counts());
}

template <Scalar S>
Analysis Factorization<S>::analysis() const {
  if (const ThinSystem<S>* thin = system_->thin()) {
    return Analysis(thin->analysis());
  }
  return Analysis(backend_of(course()).analysis());
}

template <Scalar S>
std::vector<Index> Factorization<S>::own_rows() const {
  if (const ThinSystem<S>* thin = system_->thin()) {
    return all_rows(thin->matrix().order());
  }
  return backend_of(course()).own_rows();
}

template <Scalar S>
void Factorization<S>::refactorize(std::span<const S> values) {
  system_->refactorize(values);
}

template <Scalar S>
void Factorization<S>::set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds) {
  RefinementOptions common = refinement;
  if (system_->thin() == nullptr) {
    common.max_steps = shared(course(), refinement.max_steps);
    common.max_krylov_steps = shared(course(), refinement.max_krylov_steps);
    common.target = shared(course(), refinement.target);
    common.measures = shared(course(), refinement.measures);
    error_bounds = shared(course(), error_bounds);
  }
  system_->set_solve_options(common, error_bounds);
}

template <Scalar S>
SolveReport Factorization<S>::solve(std::span<const S> b, std::span<S> x, Operation operation) const {
  if (system_->thin() != nullptr) {
    return solve(column_view(b), column_view(x), operation);
  }
  const SystemBackend<S>& backend = course().backend();
  backend.team().agree([&] {
    const Index order = backend.symbolic().order();
    const bool fits = b.size() == x.size() && x.size() == static_cast<std::size_t>(order);
    if (backend.team().leads() && !fits) {
      throw UsageError(fmt::format("the matrix has order {}, but b has {} entries and x {}", order, b.size(), x.size()));
    }
  });
  return solve(column_view(b), column_view(x), operation);
}

template <Scalar S>
SolveReport Factorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  if (std::optional<SolveReport> report = system_->solve_thin(b, x, operation)) {
    return std::move(*report);
  }
  course().check_factors();
  const SystemBackend<S>& backend = course().backend();
  operation = shared(course(), operation);
  const LedSides<S> sides(backend.team(), backend.symbolic().order(), b, x);
  return on_threads(threads_of(course()), [&] { return course().solve(sides.view(), operation); });
}

template <Scalar S>
SolveReport Factorization<S>::solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation) const {
  if (const ThinSystem<S>* thin = system_->thin()) {
    const WholeSides<S> sides(thin->matrix().order(), b, x);
    SolveReport report = solve(sides.view().b.values, sides.view().x.values, operation);
    sides.give();
    return report;
  }
  course().check_factors();
  operation = shared(course(), operation);
  return on_threads(threads_of(course()), [&] {
    SolveReport report;
    course().backend().with_sides(b, x, [&](const RankSides<S>& sides) { report = course().solve(sides, operation); });
    return report;
  });
}

template <Scalar S>
SolveReport Factorization<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation) const {
  if (const ThinSystem<S>* thin = system_->thin(); thin != nullptr && !system_->bounds_errors()) {
    check_sparse_sides(thin->matrix().order(), x.cols, b);
    return solve_by_blocks(x.cols, ErrorBounds::never, [&](Index begin, Index end, ErrorBounds /*bounds*/) {
      const DenseMatrix<S> block = dense_columns(b, begin, end);
      return solve(view_of(block), x.columns(begin, end), operation);
    });
  }
  operation = shared(course(), operation);
  return on_threads(threads_of(course()), [&] { return SystemAnswers<S>(course()).solve_sparse(b, x, operation); });
}

template <Scalar S>
DenseMatrix<S> Factorization<S>::schur_complement() const {
  return backend_of(course()).schur_complement(true);
}

template <Scalar S>
SchurPart<S> Factorization<S>::schur_part(const SchurGrid& grid) const {
  return backend_of(course()).schur_part(shared(course(), grid));
}

template <Scalar S>
void Factorization<S>::condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation) const {
  course().check_factors();
  SystemBackend<S>& backend = backend_of(course());
  const Symbolic& symbolic = backend.symbolic();
  backend.team().agree([&] {
    check_rows(symbolic.order(), b, condensed);
    check_kept(symbolic.order(), condensed.rows, symbolic.schur_variables());
  });
  backend.sweep_rows(SchurUse::condense, shared(course(), operation), b, condensed);
}

template <Scalar S>
void Factorization<S>::expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                                   Operation operation) const {
  course().check_factors();
  SystemBackend<S>& backend = backend_of(course());
  const Symbolic& symbolic = backend.symbolic();
  std::optional<JoinedRows<S>> joined;
  backend.team().agree([&] {
    check_rows(symbolic.order(), b, x);
    check_rows<S>(symbolic.order(), x2, {});
    check_kept(symbolic.order(), x2.rows, symbolic.schur_variables());
    joined.emplace(symbolic.order(), symbolic.schur_variables(), b, x2);
  });
  backend.sweep_rows(SchurUse::expand, shared(course(), operation), joined->view(), x);
}

template <Scalar S>
void Factorization<S>::condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) const {
  const SystemBackend<S>& backend = course().backend();
  const Symbolic& symbolic = backend.symbolic();
  const bool leads = backend.team().leads();
  const std::vector<Index> rows = rows_where_led(backend, [&] { check_schur_sides<S>(symbolic, b, condensed); });
  condense_rows(all_or_nothing(leads, rows, b), all_or_nothing(leads, symbolic.schur_variables(), condensed), operation);
}

template <Scalar S>
void Factorization<S>::expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) const {
  const SystemBackend<S>& backend = course().backend();
  const Symbolic& symbolic = backend.symbolic();
  const bool leads = backend.team().leads();
  const std::vector<Index> rows = rows_where_led(backend, [&] {
    check_right_hand_sides(symbolic.order(), b, x);
    check_schur_sides<S>(symbolic, b, x2);
  });
  expand_rows(all_or_nothing(leads, rows, b), all_or_nothing(leads, symbolic.schur_variables(), x2), all_or_nothing(leads, rows, x),
              operation);
}

template <Scalar S>
InverseEntries<S> Factorization<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) const {
  if (accuracy == InverseAccuracy::direct) {
    if (std::optional<InverseEntries<S>> entries = system_->inverse_entries_thin(pattern)) {
      return std::move(*entries);
    }
  }
  accuracy = shared(course(), accuracy);
  return on_threads(threads_of(course()), [&] { return SystemAnswers<S>(course()).inverse_entries(pattern, accuracy); });
}

template <Scalar S>
InverseEntries<S> Factorization<S>::inverse_diagonal(InverseAccuracy accuracy) const {
  const SystemBackend<S>& backend = course().backend();
  std::optional<DiagonalPattern> diagonal;
  backend.team().agree_on_leader([&] { diagonal.emplace(backend.symbolic().order()); });
  return inverse_entries(diagonal ? diagonal->view() : PatternView{}, accuracy);
}

template <Scalar S>
NullSpace<S> Factorization<S>::null_space(Operation operation) const {
  return SystemAnswers<S>(course()).null_space(shared(course(), operation));
}

template <Scalar S>
void Factorization<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) const {
  part = shared(course(), part);
  operation = shared(course(), operation);
  SystemAnswers<S>(course()).solve_part(part, operation, x);
}

template <Scalar S>
FactorOrder<S> Factorization<S>::factor_order() const {
  SystemAnswers<S>(course()).check_parts();
  return backend_of(course()).factor_order();
}

template <Scalar S>
Factorization<S> replicate_factors(const Factorization<S>& factorization) {
  const SystemCourse<S>& course = factorization.course();
  course.check_factors();
  return Factorization<S>(calls_at<S>(course.backend().analysis().place).replicate(course));
}

template <Scalar S>
SolveReport solve_in_blocks(const Place& place, const Factorization<S>& copies, DenseView<const S> b, DenseView<S> x,
                            Operation operation) {
  return calls_at<S>(place).solve_in_blocks(place, copies.course(), b, x, operation);
}

FROND_INSTANTIATE_CLASS(Factorization)
#define FROND_INSTANTIATE(S)                                            \
  template Factorization<S> replicate_factors(const Factorization<S>&); \
  template SolveReport solve_in_blocks(const Place&, const Factorization<S>&, DenseView<const S>, DenseView<S>, Operation);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
