// SPDX-License-Identifier: BSD-3-Clause
// Makes the course of a system again, from its analysis and other values.
#include "solver/course/refactorize.hpp"

#include <optional>
#include <utility>

#include "frond/error.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/numerics/problem/system_matrix.hpp"

namespace frond {
namespace {

// The matrix as it was given, but with these values, on the leader; nothing elsewhere.
template <Scalar S>
SystemMatrix<S> matrix_with(const GivenSystem<S>& given, std::span<const S> values) {
  SystemMatrix<S> matrix;
  given.analysis.parts().place.parts().team().agree_on_leader([&] {
    if (!given.analysis.options().checkpoint.directory.empty()) {
      throw UsageError("a checkpoint is of one matrix: make another Factorization of these values, with another directory");
    }
    matrix = given.matrix;
    matrix.stored.values = values;
    check_system(matrix);
  });
  return matrix;
}

template <Scalar S>
std::unique_ptr<SystemCourse<S>> course_from(const GivenSystem<S>& given) {
  const AnalysisParts& analysis = given.analysis.parts();
  std::unique_ptr<SystemCourse<S>> course = analysis.place.parts().of<S>().course(analysis, given.matrix);
  course->backend().on_threads([&] { course->factorize(); });
  return course;
}

// The analysis of these values serves later ones where they have another symmetry than those before.
template <Scalar S>
void keep_serving_analysis(GivenSystem<S>& given, const SystemBackend<S>& backend) {
  if (backend.symbolic().symmetry() != given.analysis.parts().symbolic->symmetry()) {
    AnalysisParts parts = given.analysis.parts();
    parts.symbolic = backend.shared_symbolic();
    parts.method = backend.method();
    parts.scales.reset();  // of values that were analysed before
    given.analysis = Analysis(std::move(parts));
  }
}

}  // namespace

template <Scalar S>
void refactorize(std::unique_ptr<SystemCourse<S>>& course, std::span<const S> values) {
  std::optional<GivenSystem<S>>& given = course->given();
  if (!given) {
    throw UsageError(
        "refactorize() is for factors of a matrix in compressed form, and these are of triplets, loaded, or copied: make another "
        "Factorization, with analysis() of this one");
  }
  given->matrix = matrix_with(*given, values);
  course->release();
  std::unique_ptr<SystemCourse<S>> next = course_from(*given);
  keep_serving_analysis(*given, next->backend());
  next->given() = std::move(given);
  course = std::move(next);
}

#define FROND_INSTANTIATE(S) template void refactorize(std::unique_ptr<SystemCourse<S>>&, std::span<const S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
