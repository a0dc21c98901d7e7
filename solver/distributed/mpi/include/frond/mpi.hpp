// SPDX-License-Identifier: BSD-3-Clause
// The only header a program needs to solve on several MPI processes; the program starts and ends MPI itself.
//
//   const frond::Ranks ranks(MPI_COMM_WORLD);
//   frond::Factorization<double> factorization(ranks, entries);                             // triplets of any rank
//   const frond::SolveReport report = factorization.solve_rows({rows, b}, {rows, x});       // rows of any rank
//
// Programs link frond::mpi. MPI may have been started with any thread level: below MPI_THREAD_SERIALIZED there is no load thread.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include <frond/frond.hpp>

namespace frond {

class Communicator;

/// Processes that solve together. Cheap to copy; objects made with it keep a copy. All of them must be destroyed before MPI ends.
class FROND_API Ranks {
 public:
  /// Collective: duplicates the program's communicator to keep messages apart. Throws UsageError if MPI is not running.
  explicit Ranks(MPI_Comm program);
  /// The same in addition to `beside`, for other processes or the same ones. If MPI lets only one thread at a time call it, all
  /// further Ranks of a process must be made from the first one in this way.
  Ranks(MPI_Comm program, const Ranks& beside);

  [[nodiscard]] Rank rank() const;       ///< of this process, from 0 on
  [[nodiscard]] Rank num_ranks() const;  ///< number of processes

  explicit Ranks(std::shared_ptr<const Communicator> communicator);                  ///< for internal use
  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }  ///< for internal use

 private:
  std::shared_ptr<const Communicator> communicator_;
};

/// Collective: analyze() of a matrix on rank 0; the others pass SystemMatrix<S>(). The analysis is the same on every rank. The
/// options of rank 0 count, see SolverOptions. Throws on all ranks alike, including CommunicationError, and InternalError when
/// ranks come to different results.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] Analysis analyze(const Ranks& ranks, const SparseMatrix<S>& matrix, const SolverOptions& options = {}) {
  return analyze(ranks, SystemMatrix<S>(matrix), options);
}
/// The same for a matrix as triplets, distributed over the ranks in any way; entries of one position add up, first within a rank in
/// their order, then rank after rank. Rank 0 temporarily holds them all.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const Ranks& ranks, const Triplets<S>& mine, const SolverOptions& options = {});

/// Returns the rows of X that this process owns when A X = B is solved, those of the pivots of the fronts that it masters, in
/// elimination order: request these from Factorization::solve_rows() if X may stay where it is computed. Each row has one owner.
/// Throws UsageError if `factorization` is not distributed over several processes.
template <Scalar S>
[[nodiscard]] FROND_API std::vector<Index> own_rows(const Factorization<S>& factorization);

/// Collective: copies all factors to this process and returns a factorization of this process alone, for many right-hand sides.
/// `factorization` is distributed over several processes, and may be destroyed afterwards; the copy shares its matrix. Its report
/// is the same, except for bytes of factors. Each process needs memory for all factors in addition to its own part: throws
/// MemoryError on all alike if one has no room for them, UsageError if the factors are those of one process, are not kept, or leave
/// a Schur complement. With factors of lower precision, a process whose refinement fails factorizes on its own.
template <Scalar S>
[[nodiscard]] FROND_API Factorization<S> replicate_factors(const Factorization<S>& factorization);

/// Collective: solves op(A) X = B with such copies. B and X are on rank 0; the others pass empty views, and get a copy of all of B.
/// Blocks of columns are dealt out to processes, each of which solves them on its own exactly as Factorization::solve() does, bit
/// for bit; the report is that of all columns, on every rank. Exceptions on one rank are thrown on all.
///
///   const frond::Factorization<double> copies = frond::replicate_factors(factorization);
///   const frond::SolveReport report = frond::solve_in_blocks(ranks, copies, b, x);
template <Scalar S>
FROND_API SolveReport solve_in_blocks(const Ranks& ranks, const Factorization<S>& copies, DenseView<const S> b, DenseView<S> x,
                                      Operation operation = Operation::plain);

/// Reports processes that have died. Construction and destruction are collective; destroy it before MPI ends. For programs whose
/// launcher leaves the others alive when a process dies; with MPICH these get a SIGUSR1, which they must survive.
///
/// A process inside a long MPI call must keep giving signs of life, so MPI_THREAD_MULTIPLE is needed.
class FROND_API ProcessWatch {
 public:
  /// A thread of the watch calls `rank_lost` once for each rank that has given no sign of life for `limit_seconds`. Throws
  /// UsageError below MPI_THREAD_MULTIPLE.
  ProcessWatch(const Ranks& ranks, double limit_seconds, std::function<void(Rank)> rank_lost);
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace frond
