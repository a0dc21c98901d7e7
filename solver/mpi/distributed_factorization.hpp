// SPDX-License-Identifier: BSD-3-Clause
// Solving linear systems on several ranks.
//
//   const auto gate = std::make_shared<frond::MpiGate>(frond::mpi_thread_level());    // one for all of Frond in this process
//   const frond::Communicator ranks = frond::duplicate(MPI_COMM_WORLD, gate);
//   const auto system = std::make_shared<frond::DistributedSystem<double>>(ranks, entries);       // triplets of any rank
//   frond::DistributedFactorization<double> factorization(system);
//   const frond::SolveReport report = factorization.solve_rows({rows, b}, {rows, x});            // rows of any rank
//
// Programs include <frond/mpi.hpp> and link frond::mpi. MPI is started by the program, with any thread level: below
// MPI_THREAD_SERIALIZED there is no load thread. A program that wants to hear of processes that are gone makes an MpiRankWatch
// (loadinfo/mpi/mpi_rank_watch.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "factorization/distributed/rank_factors.hpp"
#include "factorization/ranks/rank_report.hpp"
#include "solver/answers/inverse.hpp"
#include "solver/answers/null_space.hpp"
#include "solver/mpi/distributed_system.hpp"
#include "solver/mpi/schur_part.hpp"
#include "solver/problem/dense_rows.hpp"
#include "solver/problem/report.hpp"
#include "solver/sweeps/factor_parts.hpp"
#include "solver/sweeps/schur_use.hpp"

#include "frond/types.hpp"

namespace frond {

template <Scalar S>
class RankBackend;
template <Scalar S>
class SystemCourse;

enum class SolutionPlace { rank_0, all_ranks };

/// A factorized linear system, a part on each rank. All calls are collective, and are made by the thread that made the object.
template <Scalar S>
class FROND_API DistributedFactorization {
 public:
  /// Throws on all ranks alike: MemoryError, InternalError; and CommunicationError. A matrix that is singular or not positive
  /// definite is no exception, see report(). Without keeping factors there is what Factorization says; rank 0's option counts.
  explicit DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system);
  ~DistributedFactorization();
  DistributedFactorization(const DistributedFactorization&) = delete;
  DistributedFactorization& operator=(const DistributedFactorization&) = delete;

  /// Collective. The factors that save() or Factorization::save() has written, by any number of ranks, for the matrix that they are
  /// of; nothing is analysed or factorized. Rank 0 reads the file, whose name counts there only, and hands out what it reads; it
  /// brings the matrix, too. The options are those of DistributedSystem; method (which must be empty or the same) and precision are
  /// those of the file. Over as many ranks as have saved them, with the same options of mapping, factors give the same bits. What
  /// goes wrong is thrown on all ranks: InputError for a file that is damaged, cut off or of another version, UsageError for one of
  /// another scalar type or matrix, and MemoryError.
  [[nodiscard]] static std::unique_ptr<DistributedFactorization> load(const Communicator& ranks, const std::string& path,
                                                                      const SystemMatrix<S>* matrix,
                                                                      const DistributedOptions& options = {});

  /// Collective. Writes the factors to one file, see Factorization::save(). Rank 0 writes it, with what it gets from the others;
  /// its path counts. What goes wrong is thrown on all ranks: OutputError for a file that cannot be written, UsageError where there
  /// are no factors.
  void save(const std::string& path) const;

  [[nodiscard]] const SystemReport& report() const;                     ///< of the whole; the same on every rank
  [[nodiscard]] const std::vector<RankRunCounts>& rank_counts() const;  ///< [rank]; on every rank
  [[nodiscard]] const Mapping& mapping() const;
  /// That of the factors: the one given, unless it was analysed in block triangular form and the matrix is singular, as
  /// Factorization::symbolic() tells.
  [[nodiscard]] const DistributedSystem<S>& system() const;
  [[nodiscard]] const Symbolic& symbolic() const;  ///< of that system
  /// This rank's part; empty in mixed precision.
  [[nodiscard]] const std::optional<RankFactors<S>>& rank_factors() const;

  /// Solves op(A) X = B, whose rows are on any ranks: each gives the rows that it has, which are added up where several are given,
  /// and asks for those that it wants. Rows that nobody gives are 0; a rank may give or ask for none. The report is the same on
  /// every rank. Otherwise as Factorization::solve(). Throws UsageError on all ranks when a row does not exist or is not finite, or
  /// when ranks differ in the number of columns. In mixed precision a solve whose refinement fails factorizes the system in full
  /// precision, of which report() tells from then on.
  SolveReport solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation = Operation::plain);

  /// The same where rank 0 has B and X. Other ranks have X if `place` says so, and else may pass views of nothing, as for B.
  SolveReport solve(DenseView<const S> b, DenseView<S> x, Operation operation = Operation::plain,
                    SolutionPlace place = SolutionPlace::rank_0);

  /// As Factorization::solve_sparse(), with B on rank 0; other ranks pass a view of nothing, and X as for solve(). Fronts that only
  /// zeros come to are passed by on the way up.
  SolveReport solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation = Operation::plain,
                           SolutionPlace place = SolutionPlace::rank_0);

  // The Schur complement S of AnalysisOptions::schur_variables, as Factorization tells of it. It is assembled on a grid of ranks
  // where it is large enough for one (GridOptions), otherwise on one rank. Rows of its right-hand sides and solutions are named by
  // the original numbers of the variables; otherwise rows are given and asked for as for solve_rows().

  /// S on rank 0, nothing on the others.
  [[nodiscard]] DenseMatrix<S> schur_complement() const;
  /// This rank's part of S on a grid.
  [[nodiscard]] SchurPart<S> schur_part(const SchurGrid& grid = {}) const;

  /// The rows of b2 - A21 A11^-1 b1 that this rank asks for.
  void condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation = Operation::plain);
  /// The rows of X = (A11^-1 (b1 - A12 x2), x2). Rows of b2 do not count.
  void expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                   Operation operation = Operation::plain);
  /// The same where rank 0 has everything, in the order of S; other ranks may pass views of nothing.
  void condense(DenseView<const S> b, DenseView<S> condensed, Operation operation = Operation::plain);
  void expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation = Operation::plain);

  /// As Factorization::null_space(). The basis is on rank 0, and on all if `place` says so; elsewhere it has no entries. All else
  /// is the same on every rank. A root on a grid is done once more on one process when it is singular, so that all null pivots are
  /// found. Rank 0 holds the vectors three times meanwhile, and multiplies with A.
  [[nodiscard]] NullSpace<S> null_space(Operation operation = Operation::plain, SolutionPlace place = SolutionPlace::rank_0);

  /// As Factorization::solve_part(); x is on rank 0, and other ranks pass a view of nothing. Pivots are named as there; their order
  /// is not known here.
  void solve_part(FactorPart part, Operation operation, DenseView<S> x);

  /// As Factorization::inverse_entries(); pattern and entries are on rank 0, other ranks pass a pattern of nothing and have no
  /// entries; all else is the same on every rank. Fronts that only zeros come to do nothing, and the backward sweep visits those
  /// that lead to wanted entries. Every block of columns is checked.
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern, InverseAccuracy accuracy = InverseAccuracy::direct);
  /// The diagonal, on rank 0.
  [[nodiscard]] InverseEntries<S> inverse_diagonal(InverseAccuracy accuracy = InverseAccuracy::direct);

 private:
  explicit DistributedFactorization(std::unique_ptr<RankBackend<S>> backend);

  [[nodiscard]] RankBackend<S>& backend();
  [[nodiscard]] const RankBackend<S>& backend() const;
  [[nodiscard]] const Communicator& ranks() const;
  void sweep_rows(SchurUse use, const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation);

  std::unique_ptr<SystemCourse<S>> course_;
};

/// What there is to say of a system before any work is done; the same on every rank.
template <Scalar S>
[[nodiscard]] std::vector<std::string> circumstances(const DistributedSystem<S>& system);

}  // namespace frond
