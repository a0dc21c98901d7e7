// SPDX-License-Identifier: BSD-3-Clause
// Solving linear systems: analyze a pattern once, factorize many matrices of it, solve many right-hand sides with each.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <frond/analysis.hpp>
#include <frond/answers.hpp>
#include <frond/dense.hpp>
#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

class Ranks;
template <Scalar S>
class SystemCourse;

/// A factorized linear system. Any number of threads may solve with it at the same time.
///
///   frond::Analysis analysis = frond::analyze(matrix, options);
///   frond::Factorization<double> factorization(analysis, matrix);      // again for other values of the same pattern
///   frond::SolveReport report = factorization.solve(b, x);             // again for other right-hand sides
///   if (report.verdict != frond::Verdict::solved) std::cerr << report.describe() << '\n';
///
/// The same over several processes of MPI (with <frond/mpi.hpp>, which has its analyze(), too), each of which has a part of the
/// factors:
///
///   const frond::Ranks ranks(MPI_COMM_WORLD);
///   frond::Factorization<double> factorization(ranks, entries, options);                   // triplets of any rank
///   frond::SolveReport report = factorization.solve_rows({rows, b}, {rows, x});            // rows of any rank
///
/// There all calls are collective, made on each rank by the thread that made the object, and one at a time. What is a matrix, a
/// right-hand side, a pattern or an answer as a whole is on rank 0, and of operations, accuracies and grids rank 0's count; the
/// others pass empty ones and get nothing, but for reports, which are the same on every rank. What goes wrong on one rank is thrown
/// on all.
template <Scalar S>
class FROND_API Factorization {
 public:
  /// `analysis` is that of a matrix with the same pattern, whose entries may come in another order; those that are missing are
  /// zeros. Its options count. The arrays of `matrix` must outlive this object (ranks have a copy). Throws UsageError (another
  /// order or symmetry, an entry that was not analysed, arrays that do not fit, NaN or infinite values) and MemoryError; a matrix
  /// that is singular or not positive definite is no exception, see report() and SolveReport.
  ///
  /// With options.factorization.kept == KeptFactors::none there are the report and, if it was asked for, the Schur complement;
  /// everything else throws UsageError. The report is that of a factorization that keeps its factors, but for bytes. Where pivots
  /// leave the rank in doubt the matrix is factorized once more, keeping the factors until they have proved it.
  Factorization(const Analysis& analysis, const SystemMatrix<S>& matrix);
  /// The same for a matrix as triplets, which are not needed afterwards; over several ranks any rank may have any of them.
  Factorization(const Analysis& analysis, const Triplets<S>& mine);

  /// Over several processes: analyses and factorizes. The same as by analyze(), but A is copied to the ranks only once.
  Factorization(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options = {});
  Factorization(const Ranks& ranks, const Triplets<S>& mine, const SolverOptions& options = {});

  /// The factors that save() has written, for the matrix that they are of; nothing is analysed or factorized. `matrix` as above,
  /// with the same entries in any order. Of the options those count that solves look at, threads, and the memory limit; method
  /// (which must be empty or the same) and precision are those of the file. The file may have been written by any number of
  /// processes. Throws InputError when the file is damaged, cut off or of another version, UsageError when it is of another matrix
  /// or scalar type, and MemoryError.
  [[nodiscard]] static Factorization load(const std::string& path, const SystemMatrix<S>& matrix, SolverOptions options = {});
  /// By several processes. Rank 0 reads the file, whose name counts there only, and hands out what it reads. Over as many ranks as
  /// have saved them, with the same options of mapping, factors give the same bits.
  [[nodiscard]] static Factorization load(const Ranks& ranks, const std::string& path, const SystemMatrix<S>& matrix,
                                          const SolverOptions& options = {});

  /// Writes the factors, the analysis and the report to a file that appears complete or not at all; without the values of A, of
  /// which it has a hash. About as many bytes as the factors have in memory, of which no second copy is made. The format is that of
  /// this version of Frond and of machines with the same order of bytes. Rank 0 writes it. Throws OutputError, which names the file
  /// and what the system says, and UsageError where there are no factors.
  void save(const std::string& path) const;

  /// The same to memory, on rank 0, and from it; throws MemoryError, too.
  [[nodiscard]] std::vector<std::byte> save_to_memory() const;
  [[nodiscard]] static Factorization load_from_memory(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                                      SolverOptions options = {});
  [[nodiscard]] static Factorization load_from_memory(const Ranks& ranks, std::span<const std::byte> bytes,
                                                      const SystemMatrix<S>& matrix, const SolverOptions& options = {});

  /// Goes on with a factorization from the checkpoint in options.checkpoint.directory, which a process has left that has stopped,
  /// died, or ended, with any number of threads: what is there is not computed again. `matrix` is the same, with its entries in any
  /// order; of the options those of the first run should be given again, since a factorization by others begins anew. The analysis
  /// is that of the checkpoint. Where there is none yet (the directory is empty), it begins. Throws InputError where the checkpoint
  /// is damaged; UsageError where it is of another matrix or scalar type, or in use; OutputError, MemoryError, StoppedError.
  [[nodiscard]] static Factorization resume(const SystemMatrix<S>& matrix, const SolverOptions& options);
  /// By several processes, whatever their number was before; all see the directory, whose name rank 0 gives.
  [[nodiscard]] static Factorization resume(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options);

  ~Factorization();
  Factorization(Factorization&& other) noexcept;
  Factorization& operator=(Factorization&& other) noexcept;

  /// Describes the factors that solve: in mixed precision a solve whose refinement fails factorizes the matrix in full precision,
  /// and report() is of that from then on. What was returned before stays as it was.
  [[nodiscard]] const SystemReport& report() const;
  /// What each rank did; one entry for one process.
  [[nodiscard]] std::vector<RankReport> rank_reports() const;
  /// That of the factors: the one given, unless it was that of a block triangular form and the matrix is singular. Then the matrix
  /// has been analysed as a whole, since rank and null space are not those of its blocks, and report() has a note.
  [[nodiscard]] Analysis analysis() const;

  /// How solves refine and bound errors from the next one on; at first as the options said that it was factorized with. Nobody may
  /// be solving meanwhile. Over several ranks rank 0's count.
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds);

  /// Solves op(A) x = b for one right-hand side. b and x have the order's length and do not overlap; b is finite, or else
  /// UsageError is thrown. A b of zeros gives an x of zeros. When there are no factors (Verdict::not_positive_definite, or a
  /// singular matrix whose pattern alone made fronts outgrow memory; or a singular block outside a Schur complement, and no memory
  /// for all of A) x becomes NaN.
  SolveReport solve(std::span<const S> b, std::span<S> x, Operation operation = Operation::plain) const;

  /// The same for the columns of B and X, column-major with any leading dimension. Over several ranks X is on rank 0, and on those
  /// others that pass room for it.
  SolveReport solve(DenseView<const S> b, DenseView<S> x, Operation operation = Operation::plain) const;

  /// The same for rows: those that are given are added up where several are of the same number, on one rank or on several; those
  /// that nobody gives are 0; any rank may ask for any rows of X, or for none. What is given and what is asked for do not overlap.
  /// Throws UsageError when a row does not exist or is not finite, or when numbers of columns differ.
  SolveReport solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation = Operation::plain) const;

  /// The same for sparse right-hand sides, compressed columns of as many rows as A; entries of one position add up. They are made
  /// dense some at a time, and what of the tree only zeros come to is passed by: so columns that are neighbours in B should have
  /// their nonzeros near each other. X as for solve().
  SolveReport solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation = Operation::plain) const;

  /// With A = [A11 A12; A21 A22], block 2 being AnalysisOptions::schur_variables of the analysis in their order, the factors are
  /// those of A11, and so are the report's pivots, inertia and determinant. solve() is for all of A even so: the first one
  /// factorizes the Schur complement, too, and where that leaves the rank of A in doubt all of A, without one. Where A11 is
  /// singular, as report() says, there is no Schur complement: it and what is condensed or expanded become NaN, and solve()
  /// factorizes all of A.

  /// S = A22 - A21 A11^-1 A12, all of its entries, also where A is symmetric. Throws MemoryError.
  [[nodiscard]] DenseMatrix<S> schur_complement() const;
  /// This rank's part of S on a grid. Throws UsageError for a grid of more ranks than there are.
  [[nodiscard]] SchurPart<S> schur_part(const SchurGrid& grid = {}) const;

  /// The right-hand sides that are left for op(S) x2 = condensed: b2 - A21 A11^-1 b1, of op(A). B has the rows of A, `condensed`
  /// those of S. Throws UsageError as solve() does.
  void condense(DenseView<const S> b, DenseView<S> condensed, Operation operation = Operation::plain) const;
  /// X := (A11^-1 (b1 - A12 x2), x2) of op(A), with the rows of A. `b` is what was condensed; its rows of block 2 do not count.
  void expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation = Operation::plain) const;
  /// The same for rows, as solve_rows() takes them; those of block 2 are named by the numbers that they have in A.
  void condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation = Operation::plain) const;
  void expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                   Operation operation = Operation::plain) const;

  /// Entries of A^-1 in the positions of `pattern`, compressed columns of A's size, which need not be those of A; when its symmetry
  /// is not general, the positions that it holds. Visits of the tree only what leads to them. In mixed precision, and where the
  /// factors leave a Schur complement, always refined. Throws UsageError and MemoryError; where there is no inverse, the result
  /// says so.
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern,
                                                  InverseAccuracy accuracy = InverseAccuracy::direct) const;

  /// The diagonal of A^-1.
  [[nodiscard]] InverseEntries<S> inverse_diagonal(InverseAccuracy accuracy = InverseAccuracy::direct) const;

  /// A basis of the vectors z with op(A) z = 0: see NullSpace. Without a column if the matrix is not singular. Takes a solve or two
  /// with as many right-hand sides as there are null pivots. Throws MemoryError; UsageError where the factors leave a Schur
  /// complement.
  [[nodiscard]] NullSpace<S> null_space(Operation operation = Operation::plain) const;

  /// X := op(part)^-1 X for one factor of A = lower * diagonal * upper, see FactorOrder; any number of columns. The three after
  /// each other give op(A)^-1 X without refinement:
  ///
  ///   solve_part(lower, plain, x); solve_part(diagonal, plain, x); solve_part(upper, plain, x);                        A^-1 x
  ///   solve_part(upper, adjoint, x); solve_part(diagonal, adjoint, x); solve_part(lower, adjoint, x);                  A^-H x
  ///   solve_part(lower, adjoint, z);    z standard normal, A by Cholesky: z is then normal with the covariance matrix A^-1
  ///
  /// Throws UsageError for x that does not fit, for numbers that are not finite, when there are no factors or these leave a Schur
  /// complement, and in mixed precision: single factors of lower precision would give no more than its digits. Throws MemoryError.
  void solve_part(FactorPart part, Operation operation, DenseView<S> x) const;

  /// Which factors solve_part() solves with. Throws UsageError where that does, and over several ranks, none of which knows it.
  [[nodiscard]] FactorOrder<S> factor_order() const;

  explicit Factorization(std::unique_ptr<SystemCourse<S>> course);    ///< for Frond itself: factorized
  [[nodiscard]] SystemCourse<S>& course() const { return *course_; }  ///< for Frond itself

 private:
  std::unique_ptr<SystemCourse<S>> course_;
};

}  // namespace frond
