// SPDX-License-Identifier: BSD-3-Clause
// Converts C arrays of several processes to calls of Frond.
#include "interfaces/c/mpi/rank_solver_of.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_call.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/replicate.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {

template <Scalar S>
Analysis RankSolverOf<S>::analyze_matrix(const SystemMatrix<S>& matrix, const SolverOptions& options) const {
  return frond::analyze(ranks_, matrix, options);
}

template <Scalar S>
Analysis RankSolverOf<S>::analyze_pattern_alone(const SolverOptions& /*options*/) const {
  static_cast<void>(this->pattern());
  throw UsageError("over several processes a pattern is analysed with values: call frond_set_values() first");
}

template <Scalar S>
Factorization<S> RankSolverOf<S>::loaded(const std::string& path, const SystemMatrix<S>& matrix,
                                         const SolverOptions& options) const {
  return Factorization<S>::load(ranks_, path, matrix, options);
}

template <Scalar S>
Factorization<S> RankSolverOf<S>::loaded(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                         const SolverOptions& options) const {
  return Factorization<S>::load_from_memory(ranks_, bytes, matrix, options);
}

template <Scalar S>
Factorization<S> RankSolverOf<S>::resumed(const SystemMatrix<S>& matrix, const SolverOptions& options) const {
  return Factorization<S>::resume(ranks_, matrix, options);
}

template <Scalar S>
std::vector<Index> RankSolverOf<S>::rows_of(const Factorization<S>& factorization) const {
  return frond::own_rows(factorization);
}

template <Scalar S>
std::vector<std::int64_t> RankSolverOf<S>::of_all(std::int64_t mine) const {
  if (!is_mpi_running()) {
    throw UsageError("MPI has ended: call the solver, and frond_destroy(), before MPI_Finalize()");
  }
  return all_gather_values(ranks_.communicator(), mine);
}

template <Scalar S>
TripletPattern RankSolverOf<S>::together(TripletPattern mine) const {
  TripletPattern all{mine.order, mine.symmetry};
  const Communicator& ranks = ranks_.communicator();
  share_value(team_, all.order);
  share_value(team_, all.symmetry);
  team_.agree([&] {
    if (mine.order != all.order) {
      throw UsageError(fmt::format("the matrix has order {} here, but {} on rank 0", mine.order, all.order));
    }
    if (mine.symmetry != all.symmetry) {
      throw UsageError("the symmetry of the matrix is not that of rank 0");
    }
  });
  all.rows = gather_list<Index>(ranks, mine.rows);
  all.cols = gather_list<Index>(ranks, mine.cols);
  return all;
}

template <Scalar S>
std::vector<S> RankSolverOf<S>::together(std::span<const S> mine) const {
  team_.agree([&] {
    const auto wrong = std::find_if(mine.begin(), mine.end(), [](S value) { return !is_finite(value); });
    if (wrong != mine.end()) {
      throw UsageError(fmt::format("values[{}] is not a finite number", wrong - mine.begin()));
    }
  });
  return gather_list<S>(ranks_.communicator(), mine);
}

FROND_INSTANTIATE_CLASS(RankSolverOf)

}  // namespace frond
