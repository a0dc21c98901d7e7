// SPDX-License-Identifier: BSD-3-Clause
// Makes the course of a system in this process.
#include "solver/local/local_place.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/local/resume_local.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"

namespace frond {
namespace {

struct LocalCourse {
  std::shared_ptr<CheckpointDirectory> checkpoint;  // an opened one; null: none

  template <Scalar S>
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> operator()(const AnalysisParts& analysis, const SystemMatrix<S>& matrix) const {
    check_system(matrix);
    const SolverOptions& options = analysis.options;
    const int num_threads = worthwhile_threads(options.factorization.num_threads, matrix.stored.pattern.num_entries());
    return on_threads(num_threads, [&] {
      const bool looks = checkpoint == nullptr;  // a continued checkpoint keeps its symmetry
      const SystemMatrix<S> found = looks ? with_found_symmetry(matrix, options) : matrix;
      const bool is_another = looks && matrix.stored.pattern.symmetry == Symmetry::general &&
                              matrix.order() == analysis.symbolic->order() &&
                              !serves(*analysis.symbolic, found.stored.pattern.symmetry, choose_method(found, options));
      std::optional<AnalysisParts> again;
      if (is_another) {
        again = analyze_system(found, options);
      }
      auto backend = std::make_unique<LocalBackend<S>>(again ? *again : analysis, found);
      if (!options.checkpoint.directory.empty()) {
        begin_checkpoint(*backend, checkpoint);
      }
      return local_course(std::move(backend), is_another);
    });
  }

  // The result owns the matrix.
  template <Scalar S>
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> operator()(const AnalysisParts& analysis, const Triplets<S>& mine) const {
    const auto owned = std::make_shared<const SparseMatrix<S>>(compress(mine));
    SystemMatrix<S> matrix(*owned);
    matrix.converted_arrays = owned;
    return (*this)(analysis, matrix);
  }
};

}  // namespace

template <Scalar S>
std::unique_ptr<SystemCourse<S>> local_course(std::unique_ptr<LocalBackend<S>> backend, bool is_analysed_again) {
  std::vector<std::string> notes = notes_of_values(backend->matrix().stored, backend->options());
  if (is_analysed_again) {
    notes.emplace_back(kOtherSymmetryNote);
  }
  note_missing_entries(backend->num_missing(), notes);
  return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

std::shared_ptr<const Place> local_place(std::shared_ptr<CheckpointDirectory> checkpoint) {
  return place_by(LocalCourse{std::move(checkpoint)});
}

#define FROND_INSTANTIATE(S) template std::unique_ptr<SystemCourse<S>> local_course(std::unique_ptr<LocalBackend<S>>, bool);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
