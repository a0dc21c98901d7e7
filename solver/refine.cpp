// SPDX-License-Identifier: BSD-3-Clause
// Refinement by the factors and the matrix of one process.
#include "solver/refine.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "solver/refinement_course.hpp"
#include "solver/solve.hpp"

namespace frond {

template <Scalar S>
void RefinedSolve<S>::run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const {
  for (RefinementCourse<S> course(b, x, reports, max_steps); !course.ended(); course.advance()) {
    solve_with_factors<S>(factors, plan, operation, course.work(), num_threads);
    tbb::task_arena arena(num_threads > 0 ? num_threads : tbb::info::default_concurrency());
    arena.execute([&] {
      tbb::parallel_for(Index{0}, course.work().cols, [&](Index k) {
        course.form_candidate(k);
        course.judge(k, meter.measure(course.right_side(k), course.candidate(k), course.residual(k)));
      });
    });
  }
}

template struct RefinedSolve<float>;
template struct RefinedSolve<double>;
template struct RefinedSolve<std::complex<float>>;
template struct RefinedSolve<std::complex<double>>;

}  // namespace frond
