// SPDX-License-Identifier: BSD-3-Clause
// Everything a program includes that solves in several processes of MPI; it starts and ends MPI itself.
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

/// Processes that solve together. Cheap to copy; what is made with it has a copy. All that is made with it is to be destroyed
/// before MPI ends.
class FROND_API Ranks {
 public:
  /// Collective: a duplicate of a program's communicator, whose messages meet no others. Throws UsageError where MPI does not run.
  explicit Ranks(MPI_Comm program);
  /// The same beside others, for other processes, or these by themselves. Where MPI lets only one thread at a time call it, all
  /// Ranks of a process are to be made beside the first one.
  Ranks(MPI_Comm program, const Ranks& beside);

  [[nodiscard]] Rank rank() const;       ///< of this process, from 0 on
  [[nodiscard]] Rank num_ranks() const;  ///< how many processes there are

  explicit Ranks(std::shared_ptr<const Communicator> communicator);                  ///< for Frond itself
  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }  ///< for Frond itself

 private:
  std::shared_ptr<const Communicator> communicator_;
};

/// Collective: analyze() of a matrix on rank 0; the others pass SystemMatrix<S>(). What is the same on every rank is the analysis.
/// The options of rank 0 count, see SolverOptions. Throws on all ranks alike, CommunicationError too, and InternalError when ranks
/// come to different results.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] Analysis analyze(const Ranks& ranks, const SparseMatrix<S>& matrix, const SolverOptions& options = {}) {
  return analyze(ranks, SystemMatrix<S>(matrix), options);
}
/// The same for a matrix as triplets, any on any rank; entries of one position add up, within a rank in their order, then rank
/// after rank. Rank 0 holds them all for a while.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const Ranks& ranks, const Triplets<S>& mine, const SolverOptions& options = {});

/// The rows of X that this process has of its own when A X = B is solved, those of the pivots of the fronts that it masters, in the
/// order of elimination: what it should ask Factorization::solve_rows() for, where X may stay where it arises. Each row has one
/// process. `factorization` is that of several; throws UsageError for another one.
template <Scalar S>
[[nodiscard]] FROND_API std::vector<Index> own_rows(const Factorization<S>& factorization);

/// Collective: a factorization of this process alone, by copies of all factors, for many right-hand sides. `factorization` is that
/// of several processes, and may go; the copy shares its matrix. Its report is the same, but for bytes of factors. Each process
/// takes memory for all factors beside its own part: throws MemoryError on all alike where one has no room for them, UsageError
/// where the factors are those of one process, are not kept, or leave a Schur complement. With factors of lower precision, a
/// process whose refinement fails factorizes by itself.
template <Scalar S>
[[nodiscard]] FROND_API Factorization<S> replicate_factors(const Factorization<S>& factorization);

/// Collective: op(A) X = B with such copies. B and X are on rank 0; the others pass empty ones, and get B as a whole. Blocks of
/// columns are dealt out to processes, each of which solves for them by itself as Factorization::solve() does, with the bits of
/// that; the report is that of all columns, on every rank. What is thrown on one is thrown on all.
///
///   const frond::Factorization<double> copies = frond::replicate_factors(factorization);
///   const frond::SolveReport report = frond::solve_in_blocks(ranks, copies, b, x);
template <Scalar S>
FROND_API SolveReport solve_in_blocks(const Ranks& ranks, const Factorization<S>& copies, DenseView<const S> b, DenseView<S> x,
                                      Operation operation = Operation::plain);

/// Hears of processes that are gone. Making and destroying one is collective; to be destroyed before MPI ends. For programs whose
/// launcher leaves the others alive when a process dies; those of MPICH's get a SIGUSR1 then, which they must not die of.
///
/// A process that is inside a long call of MPI must give its signs all the same, so MPI_THREAD_MULTIPLE is needed.
class FROND_API ProcessWatch {
 public:
  /// `rank_lost` is called once for each rank that has given no sign of life for so long, by a thread of the watch. Throws
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
