// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls of one process.
#include "solver/local/local_place.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/local/local_course.hpp"
#include "solver/local/saved_local.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

// Returns the analysis of a checkpoint; its factorizations continue from what is stored. Throws UsageError unless the matrix is the
// one that the checkpoint belongs to, and what CheckpointDirectory::open() throws.
template <Scalar S>
AnalysisParts resume_analysis(SystemMatrix<S>& matrix, const SolverOptions& options) {
  const std::shared_ptr<CheckpointDirectory> directory = CheckpointDirectory::open(options.checkpoint.directory);
  AnalysisParts analysis;
  if (directory->is_begun()) {
    SavedFileReader file({directory->system_file()});
    const SavedSystem saved = read_system(file);
    check_saved_system<S>(directory->path(), saved, options.method);
    analysis.symbolic = saved_analysis(directory->system_file(), saved, read_symbolic(file));
    file.expect_end();
    (void)check_saved_matrix(directory->path(), saved, *analysis.symbolic, matrix);
    analysis.method = saved.report.method;
    analysis.options = options;
  } else {
    check_system(matrix);
    matrix = with_found_symmetry(matrix, options);
    analysis = analyze_system(matrix, options);
  }
  analysis.place = Place(local_place(directory));
  return analysis;
}

template <Scalar S>
class LocalCalls final : public PlaceFor<S> {
 public:
  explicit LocalCalls(std::shared_ptr<CheckpointDirectory> checkpoint) : checkpoint_(std::move(checkpoint)) {}

  [[nodiscard]] SystemMatrix<S> assemble(const Triplets<S>& mine) const override {
    const auto owned = std::make_shared<const SparseMatrix<S>>(compress(mine));
    SystemMatrix<S> matrix(*owned);
    matrix.converted_arrays = owned;
    return matrix;
  }

  [[nodiscard]] AnalysisParts analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) const override {
    check_system(matrix);
    return analyze_system(with_found_symmetry(matrix, options), options);
  }

  [[nodiscard]] AnalysisParts fit(const AnalysisParts& analysis, const SystemMatrix<S>& matrix) const override {
    check_system(matrix);
    const SystemMatrix<S> found = with_found_symmetry(matrix, analysis.options);
    AnalysisParts parts = has_another_symmetry(analysis, matrix, found) ? analyze_system(found, analysis.options) : analysis;
    parts.method = choose_method(found, analysis.options);
    (void)AnalysedMatrix<S>(*parts.symbolic, found, parts.method);
    return parts;
  }

  [[nodiscard]] AnalysisParts resume(SystemMatrix<S>& matrix, const SolverOptions& options) const override {
    return resume_analysis(matrix, options);
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis,
                                                        const SystemMatrix<S>& matrix) const override {
    check_system(matrix);
    const SolverOptions& options = analysis.options;
    const int num_threads = worthwhile_threads(options.factorization.num_threads, matrix.stored.pattern.num_entries());
    return on_threads(num_threads, [&] {
      const bool looks = checkpoint_ == nullptr;  // a continued checkpoint keeps its symmetry
      const SystemMatrix<S> found = looks ? with_found_symmetry(matrix, options) : matrix;
      const bool is_another = looks && has_another_symmetry(analysis, matrix, found);
      std::optional<AnalysisParts> again;
      if (is_another) {
        again = analyze_system(found, options);
      }
      auto backend = std::make_unique<LocalBackend<S>>(again ? *again : analysis, found);
      if (!options.checkpoint.directory.empty() && options.checkpoint.is_in_memory) {
        throw UsageError("a checkpoint in memory is for several processes, of which some may be lost");
      }
      backend->begin_checkpoint(checkpoint_);
      return local_course(std::move(backend), is_another);
    });
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> load(const SavedSource& source, const SystemMatrix<S>& matrix,
                                                      const SolverOptions& options) const override {
    return local_course(load_local(source, matrix, options));
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> replicate(const SystemCourse<S>& /*system*/) const override {
    throw UsageError("the factors are those of one process, which has them all: copies are made of what several have factorized");
  }

  SolveReport solve_in_blocks(const Place& /*place*/, SystemCourse<S>& /*replica*/, DenseView<const S> /*b*/, DenseView<S> /*x*/,
                              Operation /*operation*/) const override {
    throw UsageError("blocks of right-hand sides are dealt out to several processes: this is one, so call solve()");
  }

 private:
  // Whether the values of a general matrix have made it one, `found`, that the analysis does not serve.
  [[nodiscard]] static bool has_another_symmetry(const AnalysisParts& analysis, const SystemMatrix<S>& matrix,
                                                 const SystemMatrix<S>& found) {
    return matrix.stored.pattern.symmetry == Symmetry::general && matrix.order() == analysis.symbolic->order() &&
           !serves(*analysis.symbolic, found.stored.pattern.symmetry, choose_method(found, analysis.options));
  }

  std::shared_ptr<CheckpointDirectory> checkpoint_;  // an opened one; null: none
};

class LocalPlace final : public PlaceParts {
 public:
  explicit LocalPlace(const std::shared_ptr<CheckpointDirectory>& checkpoint) {
    make_calls([&]<Scalar S>(std::type_identity<S>) { return std::make_unique<const LocalCalls<S>>(checkpoint); });
  }
  [[nodiscard]] const Team& team() const override { return alone_; }

 private:
  Alone alone_;
};

}  // namespace

std::shared_ptr<const PlaceParts> local_place(const std::shared_ptr<CheckpointDirectory>& checkpoint) {
  return std::make_shared<const LocalPlace>(checkpoint);
}

}  // namespace frond
