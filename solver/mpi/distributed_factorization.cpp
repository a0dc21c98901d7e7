// SPDX-License-Identifier: BSD-3-Clause
// The calls of several ranks: who has which sides, and checks of what is passed.
#include "solver/mpi/distributed_factorization.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/course/system_course.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/rank_backend.hpp"
#include "solver/mpi/rank_complement.hpp"
#include "solver/mpi/saved_ranks.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
std::vector<std::string> circumstances(const DistributedSystem<S>& system) {
  std::vector<std::string> notes;
  note_missing_entries(system.num_missing(), notes);
  if (system.options().load_service.use_thread && !system.ranks().gate().threads_may_call()) {
    notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
  return notes;
}

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system) {
  std::vector<std::string> notes = circumstances(*system);
  course_ = std::make_unique<SystemCourse<S>>(std::make_unique<RankBackend<S>>(std::move(system)), std::move(notes));
  course_->factorize();
}

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::unique_ptr<RankBackend<S>> backend) {
  std::vector<std::string> notes = circumstances(backend->system());
  course_ = std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

template <Scalar S>
DistributedFactorization<S>::~DistributedFactorization() = default;

template <Scalar S>
std::unique_ptr<DistributedFactorization<S>> DistributedFactorization<S>::load(const Communicator& ranks, const std::string& path,
                                                                               const SystemMatrix<S>* matrix,
                                                                               const DistributedOptions& options) {
  return std::unique_ptr<DistributedFactorization>(new DistributedFactorization(load_ranks(ranks, path, matrix, options)));
}

template <Scalar S>
void DistributedFactorization<S>::save(const std::string& path) const {
  course_->save(path);
}

// Every backend of the course is made from the first one.
template <Scalar S>
RankBackend<S>& DistributedFactorization<S>::backend() {
  return static_cast<RankBackend<S>&>(course_->current().backend());
}

template <Scalar S>
const RankBackend<S>& DistributedFactorization<S>::backend() const {
  return static_cast<const RankBackend<S>&>(course_->current().backend());
}

template <Scalar S>
const Communicator& DistributedFactorization<S>::ranks() const {
  return backend().ranks();
}

template <Scalar S>
const SystemReport& DistributedFactorization<S>::report() const {
  return course_->report();
}

template <Scalar S>
const std::vector<RankRunCounts>& DistributedFactorization<S>::rank_counts() const {
  return backend().rank_counts();
}

template <Scalar S>
const Mapping& DistributedFactorization<S>::mapping() const {
  return backend().mapping();
}

template <Scalar S>
const DistributedSystem<S>& DistributedFactorization<S>::system() const {
  return backend().system();
}

template <Scalar S>
const Symbolic& DistributedFactorization<S>::symbolic() const {
  return backend().symbolic();
}

template <Scalar S>
const std::optional<RankFactors<S>>& DistributedFactorization<S>::rank_factors() const {
  return backend().factors();
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation) {
  course_->check_factors();
  const Index num_columns = backend().agree_on_columns(b, x);
  return course_->solve({b, x, num_columns}, operation, backend().options().error_bounds);
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation, SolutionPlace place) {
  std::vector<Index> rows;
  agree(ranks(), [&] { rows = all_rows(backend().symbolic().order()); });
  const bool has_b = ranks().rank() == 0;
  const bool has_x = has_b || place == SolutionPlace::all_ranks;
  return solve_rows(all_or_nothing(has_b, rows, b), all_or_nothing(has_x, rows, x), operation);
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation,
                                                      SolutionPlace place) {
  return SystemAnswers<S>(*course_).solve_sparse(b, x, operation, place == SolutionPlace::all_ranks);
}

template <Scalar S>
InverseEntries<S> DistributedFactorization<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) {
  return SystemAnswers<S>(*course_).inverse_entries(pattern, accuracy);
}

template <Scalar S>
InverseEntries<S> DistributedFactorization<S>::inverse_diagonal(InverseAccuracy accuracy) {
  std::optional<DiagonalPattern> diagonal;
  agree(ranks(), [&] {
    if (ranks().rank() == 0) {
      diagonal.emplace(backend().symbolic().order());
    }
  });
  return inverse_entries(diagonal ? diagonal->view() : PatternView{}, accuracy);
}

template <Scalar S>
NullSpace<S> DistributedFactorization<S>::null_space(Operation operation, SolutionPlace place) {
  return SystemAnswers<S>(*course_).null_space(operation, place == SolutionPlace::all_ranks);
}

template <Scalar S>
void DistributedFactorization<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) {
  SystemAnswers<S>(*course_).solve_part(part, operation, x);
}

template <Scalar S>
DenseMatrix<S> DistributedFactorization<S>::schur_complement() const {
  return backend().complement().on_rank_0();
}

template <Scalar S>
SchurPart<S> DistributedFactorization<S>::schur_part(const SchurGrid& grid) const {
  return backend().complement().part(grid);
}

template <Scalar S>
void DistributedFactorization<S>::sweep_rows(SchurUse use, const DenseRows<const S>& b, const DenseRows<S>& x,
                                             Operation operation) {
  course_->check_factors();
  RankSides<S> sides{b, x, backend().agree_on_columns(b, x)};
  if (backend().keeps_schur_complement() ? !backend().has_schur_complement() : !backend().has_factors()) {
    fill_with_nan(x.values);
    return;
  }
  const StoredOperation stored = stored_operation(backend().matrix().transposed, operation);
  DenseMatrix<S> conjugate_b;
  agree(ranks(), [&] {
    if (stored.conjugated) {
      conjugate_b = conjugated_copy(b.values);
      sides.b.values = view_of(std::as_const(conjugate_b));
    }
  });
  backend().sweep(use, stored.operation, sides);
  if (stored.conjugated) {
    conjugate_entries(x.values);
  }
}

template <Scalar S>
void DistributedFactorization<S>::condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation) {
  agree(ranks(), [&] { check_kept(condensed.rows, backend().symbolic().schur_variables()); });
  sweep_rows(SchurUse::condense, b, condensed, operation);
}

template <Scalar S>
void DistributedFactorization<S>::expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                                              Operation operation) {
  std::optional<JoinedRows<S>> joined;
  agree(ranks(), [&] {
    const Symbolic& symbolic = backend().symbolic();
    check_rows(symbolic.order(), b, x);
    check_rows<S>(symbolic.order(), x2, {});
    check_kept(x2.rows, symbolic.schur_variables());
    joined.emplace(symbolic.order(), symbolic.schur_variables(), b, x2);
  });
  sweep_rows(SchurUse::expand, joined->view(), x, operation);
}

template <Scalar S>
void DistributedFactorization<S>::condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) {
  const Symbolic& symbolic = backend().symbolic();
  const bool is_first = ranks().rank() == 0;
  std::vector<Index> rows;
  agree(ranks(), [&] {
    if (is_first) {
      check_schur_sides<S>(symbolic, b, condensed);
      rows = all_rows(symbolic.order());
    }
  });
  condense_rows(all_or_nothing(is_first, rows, b), all_or_nothing(is_first, symbolic.schur_variables(), condensed), operation);
}

template <Scalar S>
void DistributedFactorization<S>::expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) {
  const Symbolic& symbolic = backend().symbolic();
  const bool is_first = ranks().rank() == 0;
  std::vector<Index> rows;
  agree(ranks(), [&] {
    if (is_first) {
      check_right_hand_sides(symbolic.order(), b, x);
      check_schur_sides<S>(symbolic, b, x2);
      rows = all_rows(symbolic.order());
    }
  });
  expand_rows(all_or_nothing(is_first, rows, b), all_or_nothing(is_first, symbolic.schur_variables(), x2),
              all_or_nothing(is_first, rows, x), operation);
}

template std::vector<std::string> circumstances(const DistributedSystem<float>&);
template std::vector<std::string> circumstances(const DistributedSystem<double>&);
template std::vector<std::string> circumstances(const DistributedSystem<std::complex<float>>&);
template std::vector<std::string> circumstances(const DistributedSystem<std::complex<double>>&);
template class DistributedFactorization<float>;
template class DistributedFactorization<double>;
template class DistributedFactorization<std::complex<float>>;
template class DistributedFactorization<std::complex<double>>;

}  // namespace frond
