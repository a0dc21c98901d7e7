// SPDX-License-Identifier: BSD-3-Clause
// Makes thin factors where the analysis is for these, and a course when they are not enough.
#include "solver/thin/factorized_system.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/system_matrix.hpp"

namespace frond {
namespace {

constexpr int kMostRests = 63;

// Fresh pages take small fronts more time than eliminating them. What is kept counts as taken when the machine's memory is looked
// up.
constexpr Count kMostKeptBytes = Count{256} << 20;

}  // namespace

template <Scalar S>
FactorizedSystem<S>::FactorizedSystem(const Analysis& analysis, const SystemMatrix<S>& matrix, bool takes_values)
    : given_(Given{analysis, matrix, takes_values}) {
  factorize();
  if (takes_values && has_course_ && course_->backend().known_scales().have_dear_delays()) {
    keep_serving_analysis();
  }
}

template <Scalar S>
void FactorizedSystem<S>::factorize() {
  const bool tries_thin = num_rests_ == 0;
  num_rests_ -= tries_thin ? 0 : 1;
  if (tries_thin && factorize_thin()) {
    in_use_ = thin_.get();
    return;
  }
  if (tries_thin) {
    rest_from_thin();
  }
  course_ = made_course();
  has_course_ = true;
}

// Values that thin factors do not suit are seldom the only ones: where they fail again and again, 0, then 1, 3, 7, ... are left to
// fronts without a trial.
template <Scalar S>
void FactorizedSystem<S>::rest_from_thin() {
  num_rests_ = next_rest_;
  next_rest_ = std::min(2 * next_rest_ + 1, kMostRests);
}

// Fronts, which count their memory before they take it, may do with less, and report what they lack.
template <Scalar S>
bool FactorizedSystem<S>::factorize_thin() {
  try {
    if (thin_) {
      return thin_->refactorize(given_->matrix.stored.values);
    }
    if (given_->analysis.thin()) {
      thin_ = ThinSystem<S>::factorize(given_->analysis.thin(), given_->matrix);
      if (thin_ && refinement_) {
        thin_->set_refinement(*refinement_);
      }
    }
  } catch (const std::bad_alloc&) {
    thin_.reset();
  }
  return thin_ != nullptr;
}

template <Scalar S>
const AnalysisParts& FactorizedSystem<S>::analysis_for_fronts() const {
  return for_fronts_ ? *for_fronts_ : given_->analysis.parts();
}

template <Scalar S>
std::unique_ptr<SystemCourse<S>> FactorizedSystem<S>::made_course() {
  AnalysisParts analysis = analysis_for_fronts();
  if (!analysis.options.factorization.memory) {
    analysis.options.factorization.memory = memory_;
  }
  std::unique_ptr<SystemCourse<S>> course = factorized(analysis.place.parts().template of<S>().course(analysis, given_->matrix));
  if (refinement_) {
    course->set_solve_options(*refinement_, error_bounds_);
  }
  return course;
}

template <Scalar S>
SystemCourse<S>& FactorizedSystem<S>::course() {
  if (!has_course_) {
    const std::lock_guard lock(making_);
    if (has_failed_) {
      throw UsageError(
          "the last refactorize() has failed, and there are no factors: call it again with values that can be factorized");
    }
    if (!course_) {
      course_ = made_course();
      has_course_ = true;
    }
  }
  return *course_;
}

template <Scalar S>
SystemCourse<S>& FactorizedSystem<S>::course_for_solves() {
  SystemCourse<S>& made = course();
  in_use_ = nullptr;
  return made;
}

template <Scalar S>
std::optional<SolveReport> FactorizedSystem<S>::solve_thin(DenseView<const S> b, DenseView<S> x, Operation operation) {
  const ThinSystem<S>* thin = in_use_;
  if (thin == nullptr || bounds_errors()) {
    return std::nullopt;
  }
  if (std::optional<SolveReport> report = thin->solve(b, x, operation)) {
    return report;
  }
  const std::lock_guard lock(making_);
  if (in_use_ == thin && thin->num_kept_pivots() > 0) {
    with_new_pivots_ = ThinSystem<S>::factorize(thin->analysis(), thin->matrix());
    if (with_new_pivots_ && refinement_) {
      with_new_pivots_->set_refinement(*refinement_);
    }
  }
  in_use_ = thin == thin_.get() ? with_new_pivots_.get() : nullptr;
  if (in_use_ == nullptr) {
    rest_from_thin();
    return std::nullopt;
  }
  return in_use_.load()->solve(b, x, operation);
}

template <Scalar S>
std::optional<InverseEntries<S>> FactorizedSystem<S>::inverse_entries_thin(const PatternView& pattern) const {
  const ThinSystem<S>* thin = in_use_;
  try {
    return thin != nullptr ? thin->inverse_entries(pattern) : std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // fronts report what they lack
  }
}

template <Scalar S>
const SystemReport& FactorizedSystem<S>::report() {
  const ThinSystem<S>* thin = in_use_;
  return thin == nullptr ? course().report() : thin->report();
}

template <Scalar S>
void FactorizedSystem<S>::set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds) {
  refinement_ = refinement;
  error_bounds_ = error_bounds;
  for (ThinSystem<S>* thin : {thin_.get(), with_new_pivots_.get()}) {
    if (thin != nullptr) {
      thin->set_refinement(refinement);
    }
  }
  if (has_course_) {
    course_->set_solve_options(refinement, error_bounds);
  }
}

template <Scalar S>
void FactorizedSystem<S>::refactorize(std::span<const S> values) {
  if (!given_ || !given_->takes_values) {
    throw UsageError(
        "refactorize() is for factors of a matrix in compressed form, and these are of triplets, loaded, or copied: make another "
        "Factorization, with analysis() of this one");
  }
  given_->matrix = matrix_with(values);
  if (!memory_) {
    memory_ = std::make_shared<RegionPool>(kMostKeptBytes);
  }
  if (in_use_ != nullptr) {
    next_rest_ = 0;
  }
  in_use_ = nullptr;
  with_new_pivots_.reset();
  has_course_ = false;
  course_.reset();
  has_failed_ = true;
  factorize();
  has_failed_ = false;
  if (has_course_) {
    keep_serving_analysis();
  }
}

// The matrix as it was given, but with these values, on the leader; nothing elsewhere.
template <Scalar S>
SystemMatrix<S> FactorizedSystem<S>::matrix_with(std::span<const S> values) const {
  SystemMatrix<S> matrix;
  given_->analysis.place().parts().team().agree_on_leader([&] {
    if (!given_->analysis.options().checkpoint.directory.empty()) {
      throw UsageError("a checkpoint is of one matrix: make another Factorization of these values, with another directory");
    }
    matrix = given_->matrix;
    const bool are_fine = values.size() == matrix.stored.values.size() && matrix.stored.pattern.symmetry != Symmetry::hermitian &&
                          std::isfinite(largest_magnitude(values));
    matrix.stored.values = values;
    if (!are_fine) {
      check_system(matrix);
    }
  });
  return matrix;
}

// If these values have another symmetry than those before, their analysis serves later ones; so do scales that were found for them,
// and that delays were expensive.
template <Scalar S>
void FactorizedSystem<S>::keep_serving_analysis() {
  const SystemBackend<S>& backend = course_->backend();
  const FoundScales& scales = backend.known_scales();
  const bool is_other = backend.symbolic().symmetry() != given_->analysis.symmetry();
  const bool has_news = !scales.are_kept() || scales.know_delays();
  if (!is_other && !(has_news && backend.shared_symbolic() == analysis_for_fronts().symbolic)) {
    return;
  }
  AnalysisParts parts = analysis_for_fronts();
  if (is_other) {
    parts.symbolic = backend.shared_symbolic();
    parts.method = backend.method();
  }
  parts.scales = {scales, parts.options.row_scales, parts.options.col_scales, 0};
  if (given_->analysis.thin() && !is_other) {
    for_fronts_ = std::move(parts);
  } else {
    given_->analysis = Analysis(std::move(parts));
  }
}

FROND_INSTANTIATE_CLASS(FactorizedSystem)

}  // namespace frond
