// SPDX-License-Identifier: BSD-3-Clause
// Runs analysis, factorization and solve in one call.
#include "frond/solve.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "matrices/explicit_zeros.hpp"
#include "solver/course/once_course.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/course/system_course.hpp"
#include "solver/numerics/problem/system_matrix.hpp"

namespace frond {

template <Scalar S>
Solution<S> solve(const SystemMatrix<S>& matrix, std::type_identity_t<std::span<const S>> b, const SolverOptions& options) {
  if (b.size() != static_cast<std::size_t>(matrix.order())) {
    throw UsageError(fmt::format("the matrix has order {}, but b has {} entries", matrix.order(), b.size()));
  }
  check_system(matrix);
  const Count num_zeros = count_needless_zeros(matrix.stored);
  const SparseMatrix<S> nonzeros = num_zeros > 0 ? without_zeros(matrix.stored) : SparseMatrix<S>();
  const SystemMatrix<S> system = num_zeros > 0 ? SystemMatrix<S>(nonzeros.view(), matrix.transposed) : matrix;
  const Factorization<S> factorization(analyze(system, options), system);
  Solution<S> solution{std::vector<S>(b.size()), {}};
  solution.report = factorization.solve(b, solution.x);
  if (num_zeros > 0) {
    solution.report.notes.push_back(left_out_note(num_zeros));
  }
  return solution;
}

namespace {

// The course of a system that keeps all factors if they are needed.
template <Scalar S>
std::unique_ptr<SystemCourse<S>> course_of(const Analysis& analysis, const SystemMatrix<S>& matrix) {
  const auto made_by = [&matrix](const AnalysisParts& parts) { return parts.place.parts().of<S>().course(parts, matrix); };
  SolverOptions options = analysis.options();
  if (std::exchange(options.factorization.kept, KeptFactors::all) == KeptFactors::all) {
    return made_by(analysis.parts());
  }
  return made_by(analysis.with_options(std::move(options)).parts());
}

}  // namespace

template <Scalar S>
std::pair<OnceReport, std::vector<RankRunCounts>> solve_once_counted(const Analysis& analysis, const SystemMatrix<S>& matrix,
                                                                     DenseView<const S> b, DenseView<S> x) {
  const std::unique_ptr<SystemCourse<S>> course = course_of(analysis, matrix);
  const SystemBackend<S>& backend = course->backend();
  const LedSides<S> sides(backend.team(), backend.symbolic().order(), b, x);
  OnceReport report = on_threads(backend.num_threads(), [&] { return OnceCourse<S>(*course).run(sides.view()); });
  return {std::move(report), course->current().backend().rank_counts()};
}

template <Scalar S>
OnceReport solve_once(const Analysis& analysis, const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x) {
  return solve_once_counted(analysis, matrix, b, x).first;
}

template <Scalar S>
OnceReport solve_once_rows(const Analysis& analysis, const SystemMatrix<S>& matrix, const DenseRows<const S>& b,
                           const DenseRows<S>& x) {
  const std::unique_ptr<SystemCourse<S>> course = course_of(analysis, matrix);
  SystemBackend<S>& backend = course->backend();
  OnceReport report;
  on_threads(backend.num_threads(),
             [&] { backend.with_sides(b, x, [&](const RankSides<S>& sides) { report = OnceCourse<S>(*course).run(sides); }); });
  return report;
}

#define FROND_INSTANTIATE(S)                                                                                             \
  template Solution<S> solve(const SystemMatrix<S>&, std::span<const S>, const SolverOptions&);                          \
  template OnceReport solve_once(const Analysis&, const SystemMatrix<S>&, DenseView<const S>, DenseView<S>);             \
  template std::pair<OnceReport, std::vector<RankRunCounts>> solve_once_counted(const Analysis&, const SystemMatrix<S>&, \
                                                                                DenseView<const S>, DenseView<S>);       \
  template OnceReport solve_once_rows(const Analysis&, const SystemMatrix<S>&, const DenseRows<const S>&, const DenseRows<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
