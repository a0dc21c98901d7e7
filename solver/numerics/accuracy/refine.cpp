// SPDX-License-Identifier: BSD-3-Clause
// Refines with the factors and the matrix of one process.
#include "solver/numerics/accuracy/refine.hpp"

#include <tbb/parallel_for.h>

#include "solver/numerics/accuracy/column_course.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"

namespace frond {

template <Scalar S>
void RefinedSolve<S>::run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const {
  for (RefinementCourse<S> course(b, x, reports, options, observer); !course.ended(); course.advance(meter.equation_sizes())) {
    solve({operation, course.work()});
    tbb::parallel_for(Index{0}, course.work().cols, [&](Index k) {
      course.form_candidate(k);
      course.judge(k, meter.measure(course.right_side(k), course.candidate(k), course.residual(k), course.correction(k)));
    });
  }
  const auto length = static_cast<std::size_t>(b.rows);
  for (Index j = 0; j < b.cols; ++j) {
    const std::span<const S> side(b.column(j), length);
    const std::span<S> column(x.column(j), length);
    int turn = 0;
    while (const auto course = next_course<S>(turn, side, column, reports[j], options, [&] { return meter.sizes(side, column); })) {
      while (!course->ended()) {
        if (course->solves()) {
          solve({operation, course->work()});
        }
        course->take(meter.measure(course->right_side(), course->candidate(), course->residual(), course->correction()));
      }
    }
  }
}

#define FROND_INSTANTIATE(S) template struct RefinedSolve<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
