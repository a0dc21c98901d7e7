// SPDX-License-Identifier: BSD-3-Clause
// Makes the course of a system on ranks.
#include "solver/distributed/mpi/rank_place.hpp"

#include <utility>
#include <vector>

#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/replicate.hpp"
#include "solver/distributed/mpi/saved_ranks.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"

namespace frond {
namespace {

// The notes from before the work starts.
template <Scalar S>
std::vector<std::string> circumstances(const DistributedSystem<S>& system) {
  std::vector<std::string> notes = notes_of_values(system.matrix().stored, system.options());
  if (system.is_analysed_again()) {
    notes.emplace_back(kOtherSymmetryNote);
  }
  note_missing_entries(system.num_missing(), notes);
  if (system.options().ranks.load_service.use_thread && !system.ranks().gate().threads_may_call()) {
    notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
  return notes;
}

struct RankCourse {
  std::shared_ptr<const Communicator> ranks;
  VariableOrder order;

  template <Scalar S>
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> operator()(const AnalysisParts& analysis, const SystemMatrix<S>& matrix) const {
    return rank_course<S>(std::make_shared<const DistributedSystem<S>>(*ranks, analysis, order, given_or_null(matrix)));
  }

  template <Scalar S>
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> operator()(const AnalysisParts& analysis, const Triplets<S>& mine) const {
    const std::optional<SparseMatrix<S>> matrix = gather_triplets(*ranks, mine);
    return (*this)(analysis, matrix ? SystemMatrix<S>(*matrix) : SystemMatrix<S>());
  }
};

}  // namespace

std::shared_ptr<const Place> rank_place(std::shared_ptr<const Communicator> ranks, VariableOrder order) {
  return place_by(RankCourse{std::move(ranks), std::move(order)});
}

template <Scalar S>
std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>> system) {
  std::vector<std::string> notes = circumstances(*system);
  auto backend = std::make_unique<RankBackend<S>>(std::move(system));
  backend->begin_checkpoint();
  return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

template <Scalar S>
Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>> system) {
  std::unique_ptr<SystemCourse<S>> course = rank_course<S>(std::move(system));
  course->factorize();
  return Factorization<S>(std::move(course));
}

template <Scalar S>
Factorization<S> load_on_ranks(const Communicator& ranks, const SavedSource& source, const SystemMatrix<S>* matrix,
                               const SolverOptions& options) {
  std::unique_ptr<RankBackend<S>> backend = load_ranks(ranks, source, matrix, options);
  std::vector<std::string> notes = circumstances(backend->system());
  return Factorization<S>(std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes)));
}

#define FROND_INSTANTIATE(S)                                                                          \
  template std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>>); \
  template Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>>);          \
  template Factorization<S> load_on_ranks(const Communicator&, const SavedSource&, const SystemMatrix<S>*, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
