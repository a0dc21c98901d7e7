// SPDX-License-Identifier: BSD-3-Clause
// The calls of one process: checks of what is passed, and threads for what the course does.
#include "frond/factorization.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <utility>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/course/system_course.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/local/saved_local.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/sweeps/sparse_sides.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

namespace {

// With what there is to say before any work is done.
template <Scalar S>
std::unique_ptr<SystemCourse<S>> course_of(std::unique_ptr<LocalBackend<S>> backend) {
  std::vector<std::string> notes;
  note_missing_entries(backend->num_missing(), notes);
  return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

}  // namespace

/// The course in this process.
template <Scalar S>
class Factorization<S>::Inside {
 public:
  explicit Inside(std::unique_ptr<LocalBackend<S>> backend) : course_(course_of(std::move(backend))) {}

  [[nodiscard]] SystemCourse<S>& course() { return *course_; }
  /// Every backend of the course is made from the first one.
  [[nodiscard]] const LocalBackend<S>& backend() const { return static_cast<const LocalBackend<S>&>(course_->current().backend()); }
  [[nodiscard]] const SolverOptions& options() const { return course_->backend().options(); }

 private:
  std::unique_ptr<SystemCourse<S>> course_;
};

template <Scalar S>
Factorization<S>::Factorization(const Analysis& analysis, const SystemMatrix<S>& matrix) {
  check_system(matrix);
  on_threads(analysis.options().factorization.num_threads, [&] {
    inside_ = std::make_unique<Inside>(std::make_unique<LocalBackend<S>>(analysis.parts(), matrix));
    inside_->course().factorize();
  });
}

template <Scalar S>
Factorization<S>::Factorization(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

template <Scalar S>
Factorization<S>::~Factorization() = default;
template <Scalar S>
Factorization<S>::Factorization(Factorization&& other) noexcept = default;
template <Scalar S>
Factorization<S>& Factorization<S>::operator=(Factorization&& other) noexcept = default;

template <Scalar S>
Factorization<S> Factorization<S>::load(const std::string& path, const SystemMatrix<S>& matrix, SolverOptions options) {
  return Factorization(std::make_unique<Inside>(load_local(path, matrix, std::move(options))));
}

template <Scalar S>
void Factorization<S>::save(const std::string& path) const {
  inside_->course().save(path);
}

template <Scalar S>
const SystemReport& Factorization<S>::report() const {
  return inside_->course().report();
}

template <Scalar S>
Analysis Factorization<S>::analysis() const {
  return Analysis({inside_->backend().shared_symbolic(), report().method, inside_->backend().options()});
}

template <Scalar S>
SolveReport Factorization<S>::solve(std::span<const S> b, std::span<S> x, Operation operation) const {
  const Index order = inside_->backend().symbolic().order();
  if (b.size() != x.size() || x.size() != static_cast<std::size_t>(order)) {
    throw UsageError(fmt::format("the matrix has order {}, but b has {} entries and x {}", order, b.size(), x.size()));
  }
  return solve(column_view(b), column_view(x), operation);
}

template <Scalar S>
SolveReport Factorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  inside_->course().check_factors();
  check_right_hand_sides(inside_->backend().symbolic().order(), b, x);
  const SolverOptions& options = inside_->options();
  return on_threads(options.factorization.num_threads, [&] {
    return inside_->course().solve({{{}, b}, {{}, x}, b.cols}, operation, options.error_bounds);
  });
}

template <Scalar S>
SolveReport Factorization<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation) const {
  return on_threads(inside_->options().factorization.num_threads,
                    [&] { return SystemAnswers<S>(inside_->course()).solve_sparse(b, x, operation, true); });
}

template <Scalar S>
DenseMatrix<S> Factorization<S>::schur_complement() const {
  return inside_->backend().condensed_system().schur_complement();
}

template <Scalar S>
void Factorization<S>::condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) const {
  inside_->course().check_factors();
  inside_->backend().condensed_system().condense(b, condensed, operation);
}

template <Scalar S>
void Factorization<S>::expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) const {
  inside_->course().check_factors();
  inside_->backend().condensed_system().expand(b, x2, x, operation);
}

template <Scalar S>
InverseEntries<S> Factorization<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) const {
  return on_threads(inside_->options().factorization.num_threads,
                    [&] { return SystemAnswers<S>(inside_->course()).inverse_entries(pattern, accuracy); });
}

template <Scalar S>
InverseEntries<S> Factorization<S>::inverse_diagonal(InverseAccuracy accuracy) const {
  return inverse_entries(DiagonalPattern(inside_->backend().symbolic().order()).view(), accuracy);
}

template <Scalar S>
NullSpace<S> Factorization<S>::null_space(Operation operation) const {
  return SystemAnswers<S>(inside_->course()).null_space(operation, true);
}

template <Scalar S>
void Factorization<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) const {
  SystemAnswers<S>(inside_->course()).solve_part(part, operation, x);
}

template <Scalar S>
FactorOrder<S> Factorization<S>::factor_order() const {
  SystemAnswers<S>(inside_->course()).check_parts();
  return factor_order_of(*inside_->backend().factors(), inside_->backend().matrix().transposed);
}

template class Factorization<float>;
template class Factorization<double>;
template class Factorization<std::complex<float>>;
template class Factorization<std::complex<double>>;

}  // namespace frond
