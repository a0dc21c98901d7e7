// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls of ranks.
#include "solver/distributed/mpi/rank_place.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_team.hpp"
#include "solver/distributed/mpi/replicate.hpp"
#include "solver/distributed/mpi/replicated_factors.hpp"
#include "solver/distributed/mpi/saved_ranks.hpp"
#include "solver/local/local_course.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/saved/saved_factors.hpp"

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
  if (system.options().ranks.use_load_thread && !system.ranks().gate().threads_may_call()) {
    notes.emplace_back(
        "MPI lets one thread of each process call it: load messages wait for the main loop, between jobs; start MPI with "
        "MPI_THREAD_MULTIPLE for a load thread");
  }
  return notes;
}

template <Scalar S>
AnalysisParts prepared(std::shared_ptr<const DistributedSystem<S>> system) {
  AnalysisParts parts = system->analysis();
  parts.prepared = std::make_shared<PreparedSystem<S>>(std::move(system));
  return parts;
}

template <Scalar S>
bool is_same(const SystemMatrix<S>& one, const SystemMatrix<S>& other) {
  const PatternView& a = one.stored.pattern;
  const PatternView& b = other.stored.pattern;
  return one.transposed == other.transposed && a.num_rows == b.num_rows && a.num_cols == b.num_cols && a.symmetry == b.symmetry &&
         std::ranges::equal(a.column_offsets, b.column_offsets) && std::ranges::equal(a.row_indices, b.row_indices) &&
         std::ranges::equal(one.stored.values, other.stored.values);
}

// As in one process, restores the system of a checkpoint, on these ranks.
template <Scalar S>
std::shared_ptr<const DistributedSystem<S>> resume_system(const Communicator& ranks, SystemMatrix<S>& matrix,
                                                          const SolverOptions& options) {
  std::shared_ptr<CheckpointDirectory> directory;
  SavedSystem saved;
  SavedSymbolic parts;
  bool is_begun = false;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      if (given_or_null(matrix) == nullptr) {
        throw UsageError("there is no matrix: rank 0 must pass it");
      }
      directory = CheckpointDirectory::open(options.checkpoint.directory);
      if (directory->is_begun()) {
        is_begun = true;
        SavedFileReader file({directory->system_file()});
        saved = read_system(file);
        check_saved_system<S>(directory->path(), saved, options.method);
        parts = read_symbolic(file);
        file.expect_end();
      }
    }
  });
  broadcast_fields(ranks, is_begun);
  std::shared_ptr<DistributedSystem<S>> system;
  if (is_begun) {
    const std::shared_ptr<const Symbolic> symbolic =
        share_system(ranks, options.checkpoint.directory, saved, std::move(parts), matrix);
    system = std::make_shared<DistributedSystem<S>>(ranks, &matrix, options, symbolic, saved.report.method);
  } else {
    system = std::make_shared<DistributedSystem<S>>(ranks, given_or_null(matrix), options);
  }
  system->set_opened_checkpoint(std::move(directory));
  return system;
}

template <Scalar S>
class RankCalls final : public PlaceFor<S> {
 public:
  explicit RankCalls(std::shared_ptr<const Communicator> ranks) : ranks_(std::move(ranks)) {}

  [[nodiscard]] SystemMatrix<S> assemble(const Triplets<S>& mine) const override {
    std::optional<SparseMatrix<S>> gathered = gather_triplets(*ranks_, mine);
    SystemMatrix<S> matrix;
    agree(*ranks_, [&] {
      if (gathered) {
        const auto owned = std::make_shared<const SparseMatrix<S>>(std::move(*gathered));
        matrix = SystemMatrix<S>(*owned);
        matrix.converted_arrays = owned;
      }
    });
    return matrix;
  }

  [[nodiscard]] AnalysisParts analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) const override {
    return prepared<S>(std::make_shared<const DistributedSystem<S>>(*ranks_, given_or_null(matrix), options));
  }

  [[nodiscard]] AnalysisParts fit(const AnalysisParts& analysis, const SystemMatrix<S>& matrix) const override {
    return prepared<S>(std::make_shared<const DistributedSystem<S>>(*ranks_, analysis, given_or_null(matrix)));
  }

  [[nodiscard]] AnalysisParts resume(SystemMatrix<S>& matrix, const SolverOptions& options) const override {
    return prepared<S>(resume_system<S>(*ranks_, matrix, options));
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis,
                                                        const SystemMatrix<S>& matrix) const override {
    auto* of_analysis = dynamic_cast<PreparedSystem<S>*>(analysis.prepared.get());
    std::shared_ptr<const DistributedSystem<S>> system;
    if (of_analysis != nullptr) {
      system = of_analysis->system();
      of_analysis->release();
    }
    if (system == nullptr || !is_copied(*system, matrix)) {
      system = std::make_shared<const DistributedSystem<S>>(*ranks_, analysis, given_or_null(matrix));
    }
    return rank_course<S>(std::move(system));
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> load(const SavedSource& source, const SystemMatrix<S>& matrix,
                                                      const SolverOptions& options) const override {
    std::unique_ptr<RankBackend<S>> backend = load_ranks(*ranks_, source, given_or_null(matrix), options);
    std::vector<std::string> notes = circumstances(backend->system());
    return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
  }

  [[nodiscard]] std::unique_ptr<SystemCourse<S>> replicate(const SystemCourse<S>& system) const override {
    const auto& backend = dynamic_cast<const RankBackend<S>&>(system.current().backend());
    if (backend.keeps_schur_complement()) {
      throw UsageError("copies are made of factors of all variables: analyse the matrix without schur_variables");
    }
    return local_course(replicate_factors(backend));
  }

  SolveReport solve_in_blocks(const Place& place, SystemCourse<S>& replica, DenseView<const S> b, DenseView<S> x,
                              Operation operation) const override {
    return solve_blocks(place, replica, b, x, operation);
  }

 private:
  // Whether the ranks have copies of the leader's matrix.
  [[nodiscard]] bool is_copied(const DistributedSystem<S>& system, const SystemMatrix<S>& matrix) const {
    bool result = false;
    agree(*ranks_, [&] {
      if (ranks_->rank() == 0 && given_or_null(matrix) != nullptr) {
        result = is_same(matrix, system.matrix()) || (matrix.stored.pattern.symmetry != system.matrix().stored.pattern.symmetry &&
                                                      is_same(with_found_symmetry(matrix, system.options()), system.matrix()));
      }
    });
    broadcast(*ranks_, 0, std::as_writable_bytes(std::span(&result, 1)));
    return result;
  }

  std::shared_ptr<const Communicator> ranks_;
};

class RankPlace final : public PlaceParts {
 public:
  explicit RankPlace(std::shared_ptr<const Communicator> ranks) : ranks_(std::move(ranks)), team_(*ranks_) {
    make_calls([&]<Scalar S>(std::type_identity<S>) { return std::make_unique<const RankCalls<S>>(ranks_); });
  }
  [[nodiscard]] const Team& team() const override { return team_; }
  [[nodiscard]] const Communicator* communicator() const override { return ranks_.get(); }
  [[nodiscard]] Rank rank() const override { return ranks_->rank(); }
  [[nodiscard]] bool may_have_load_threads() const override { return ranks_->gate().threads_may_call(); }

 private:
  std::shared_ptr<const Communicator> ranks_;
  RankTeam team_;
};

}  // namespace

Place rank_place(std::shared_ptr<const Communicator> ranks) { return Place(std::make_shared<const RankPlace>(std::move(ranks))); }

const Communicator& communicator_of(const Place& place) {
  if (!place.parts().is_distributed()) {
    throw UsageError("this needs a place of several processes: one that on() or survive() returns");
  }
  return *place.parts().communicator();
}

template <Scalar S>
std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>> system) {
  std::vector<std::string> notes = circumstances(*system);
  auto backend = std::make_unique<RankBackend<S>>(std::move(system));
  backend->begin_checkpoint(backend->system().opened_checkpoint());
  return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

template <Scalar S>
Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>> system) {
  std::unique_ptr<SystemCourse<S>> course = rank_course<S>(std::move(system));
  course->factorize();
  return Factorization<S>(std::move(course));
}

#define FROND_INSTANTIATE(S)                                                                          \
  template std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>>); \
  template Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
