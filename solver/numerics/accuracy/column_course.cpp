// SPDX-License-Identifier: BSD-3-Clause
// Keeps the best iterate, and chooses courses.
#include "solver/numerics/accuracy/column_course.hpp"

#include <algorithm>

#include "solver/numerics/accuracy/doubled_course.hpp"
#include "solver/numerics/accuracy/krylov_course.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"

namespace frond {

template <Scalar S>
DenseView<S> ColumnCourse<S>::work() {
  const auto n = static_cast<Index>(work_.size());
  return {work_.data(), n, 1, std::max(n, Index{1})};
}

template <Scalar S>
bool ColumnCourse<S>::keep_if_better(const ColumnReport& measured, int refinement_steps, int krylov_steps) {
  if (!is_better<S>(measured, report_, options_)) {
    return false;
  }
  report_ = measured;
  report_.refinement_steps = refinement_steps;
  report_.krylov_steps = krylov_steps;
  std::copy(work_.begin(), work_.end(), x_.begin());
  return true;
}

template <Scalar S>
std::unique_ptr<ColumnCourse<S>> next_course(int& turn, std::span<const S> b, std::span<S> x, ColumnReport& report,
                                             const RefinementOptions& options,
                                             const std::function<std::vector<RealOf<S>>()>& sizes) {
  if (turn == 0) {
    ++turn;
    if (wants_doubled(report, options)) {
      return std::make_unique<DoubledCourse<S>>(b, x, report, options);
    }
  }
  if (turn == 1) {
    ++turn;
    if (wants_krylov<S>(report, options)) {
      return std::make_unique<KrylovCourse<S>>(b, x, report, sizes(), options);
    }
  }
  return nullptr;
}

#define FROND_INSTANTIATE(S)                                                                                   \
  template class ColumnCourse<S>;                                                                              \
  template std::unique_ptr<ColumnCourse<S>> next_course(int&, std::span<const S>, std::span<S>, ColumnReport&, \
                                                        const RefinementOptions&, const std::function<std::vector<RealOf<S>>()>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
