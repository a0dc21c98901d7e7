// SPDX-License-Identifier: BSD-3-Clause
// Writes the description of a system once, and checks it on resumption.
#include "solver/local/resume_local.hpp"

#include <memory>
#include <utility>

#include "frond/error.hpp"
#include "solver/local/local_place.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/storage/checkpoint/checkpointed.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

template <Scalar S>
SavedSystem saved_system(const LocalBackend<S>& system) {
  SavedSystem saved{kSavedScalar<S>, system.matrix().stored.pattern.symmetry, values_hash<S>(system.analysed().values), 1, {}};
  saved.report.method = system.method();
  return saved;
}

}  // namespace

template <Scalar S>
void begin_checkpoint(LocalBackend<S>& system, std::shared_ptr<CheckpointDirectory> directory) {
  check_checkpoint_options(system.keeps_schur_complement(), system.options().factorization.kept);
  if (system.options().checkpoint.is_in_memory) {
    throw UsageError("a checkpoint in memory is for several processes, of which some may be lost");
  }
  const Symbolic& symbolic = system.symbolic();
  if (directory == nullptr) {
    directory = CheckpointDirectory::begin(system.options().checkpoint.directory, saved_system(system), parts_of(symbolic));
  } else if (!directory->is_begun()) {
    directory->write_system(saved_system(system), parts_of(symbolic));
  }
  system.set_checkpoint(std::move(directory));
}

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

#define FROND_INSTANTIATE(S)                                                              \
  template void begin_checkpoint(LocalBackend<S>&, std::shared_ptr<CheckpointDirectory>); \
  template AnalysisParts resume_analysis(SystemMatrix<S>&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
