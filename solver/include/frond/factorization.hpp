// SPDX-License-Identifier: BSD-3-Clause
// Solves linear systems: analyze a pattern once, factorize many matrices of it, solve many right-hand sides with each.
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

template <Scalar S>
class SystemCourse;
template <Scalar S>
class FactorizedSystem;

/// A factorized linear system. Any number of threads may solve with it at the same time.
///
///   frond::Analysis analysis = frond::analyze(matrix, options);
///   frond::Factorization<double> factorization(analysis, matrix);      // again for other values of the same pattern
///   frond::SolveReport report = factorization.solve(b, x);             // again for other right-hand sides
///   if (report.verdict != frond::Verdict::solved) std::cerr << report.describe() << '\n';
///
/// The same on several processes, each of which holds a part of the factors (with <frond/mpi.hpp>):
///
///   const frond::Place place = frond::on(MPI_COMM_WORLD);
///   frond::Factorization<double> factorization(entries, options, place);                   // triplets of any rank
///   frond::SolveReport report = factorization.solve_rows({rows, b}, {rows, x});            // rows of any rank
///
/// There all calls are collective, as Place says.
template <Scalar S>
class FROND_API Factorization {
 public:
  /// `analysis` is that of a matrix with the same pattern, whose entries may be in another order; missing entries are zeros. Its
  /// options apply, and the scales that it found for other values while they serve, see refactorize(). The arrays of `matrix` must
  /// outlive this object (ranks have a copy). Throws UsageError (another order or symmetry, an entry that was not analysed, arrays
  /// of wrong sizes, NaN or infinite values) and MemoryError; a matrix that is singular or not positive definite does not throw,
  /// see report() and SolveReport.
  ///
  /// With options.factorization.kept == KeptFactors::none only the report and, if requested, the Schur complement are available;
  /// everything else throws UsageError. The report is that of a factorization that keeps its factors, except for bytes. If pivots
  /// leave the rank in doubt, the matrix is factorized once more, and the factors are kept until the rank is proved.
  Factorization(const Analysis& analysis, const SystemMatrix<S>& matrix);
  /// The same for a matrix as triplets, which are not needed afterwards; over several ranks they may be distributed in any way.
  Factorization(const Analysis& analysis, const Triplets<S>& mine);

  /// Analyses and factorizes.
  explicit Factorization(const SystemMatrix<S>& matrix, const SolverOptions& options = {}, const Place& place = {})
      : Factorization(analyze(matrix, options, place), matrix) {}
  explicit Factorization(const Triplets<S>& mine, const SolverOptions& options = {}, const Place& place = {});

  /// Loads factors written by save(), for the matrix they were computed from; nothing is analysed or factorized. `matrix` as above,
  /// with the same entries in any order. Only the options of solves, threads, and the memory limit apply; method (which must be
  /// empty or the same) and precision are those of the file. The file may have been written by any number of processes; on as many
  /// as saved the factors, with the same mapping options, they are the same to the bit. Rank 0 reads it. Throws InputError when the
  /// file is damaged, truncated or of another version, UsageError when it belongs to another matrix or scalar type, and
  /// MemoryError.
  [[nodiscard]] static Factorization load(const std::string& path, const SystemMatrix<S>& matrix, const SolverOptions& options = {},
                                          const Place& place = {});

  /// Writes the factors, the analysis and the report to a file that appears complete or not at all; the values of A are not
  /// written, only their hash. The file has about as many bytes as the factors in memory, of which no second copy is made. The
  /// format is specific to this version of Frond and to the byte order of the machine. Rank 0 writes it. Throws OutputError, with
  /// the file and the system's message, and UsageError if there are no factors.
  void save(const std::string& path) const;

  /// The same to memory, on rank 0, and from memory; also throws MemoryError.
  [[nodiscard]] std::vector<std::byte> save_to_memory() const;
  [[nodiscard]] static Factorization load_from_memory(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                                      const SolverOptions& options = {}, const Place& place = {});

  /// Continues a factorization from the checkpoint in options.checkpoint.directory, left by a process that stopped, died, or ended,
  /// with any number of threads and processes: stored results are not computed again. `matrix` is the same, with its entries in any
  /// order; pass the options of the first run again, since different options start a new factorization. The analysis is that of the
  /// checkpoint. If there is no checkpoint yet (the directory is empty), it starts. Throws InputError if the checkpoint is damaged;
  /// UsageError if it belongs to another matrix or scalar type, or is in use; OutputError, MemoryError, StoppedError.
  [[nodiscard]] static Factorization resume(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place = {});

  ~Factorization();
  Factorization(Factorization&& other) noexcept;
  Factorization& operator=(Factorization&& other) noexcept;

  /// Describes the factors used for solves: in mixed precision a solve whose refinement fails factorizes the matrix in full
  /// precision, and report() describes that factorization from then on. Reports returned earlier do not change.
  [[nodiscard]] const SystemReport& report() const;
  /// What each rank did; one entry for one process.
  [[nodiscard]] std::vector<RankReport> rank_reports() const;
  /// The analysis of the factors: the one given, unless it had a block triangular form and the matrix is singular. Then the matrix
  /// has been analysed as a whole, since rank and null space are not those of its blocks, and report() has a note.
  [[nodiscard]] Analysis analysis() const;

  /// The rows of X that this process owns when A X = B is solved, those of the pivots of the fronts that it masters, in elimination
  /// order: request these from solve_rows() if X may stay where it is computed. Each row has one owner. In one process: all rows.
  [[nodiscard]] std::vector<Index> own_rows() const;

  /// Factorizes A with other values: values[k] is that of entry k of the matrix as the constructor got it, on rank 0. They must
  /// outlive this object, as the other arrays of that matrix. The result is as good as that of Factorization(analysis, matrix) for
  /// these values: the analysis of the constructor, its place and all options are kept, those of set_solve_options() too, while the
  /// method is chosen anew, and scales are where those of the values before do not serve: where a row or column has a largest
  /// scaled magnitude above 8 or below 1/8, or the matrix would be called singular or its rank in doubt with them. Where delayed
  /// pivots more than doubled the flops, the pivot threshold is lowered at once for values that follow, if it may be. A general
  /// matrix that has another symmetry than before is analysed again, and keeps that analysis. The old factors are released before
  /// others are made. No thread may use this object meanwhile.
  ///
  /// Throws UsageError, and changes nothing, for a wrong number of values, values that are not finite, and where there is no such
  /// matrix: factors of triplets, loaded or copied ones, and those with a checkpoint, which is for one matrix. After an exception
  /// of the factorization itself, such as MemoryError or StoppedError, there are no factors, and all calls throw UsageError until
  /// refactorize() succeeds.
  void refactorize(std::span<const S> values);

  /// How later solves refine and bound errors; initially as in the options of the factorization. No thread may be solving
  /// meanwhile. Over several ranks rank 0's options apply.
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds);

  /// Solves op(A) x = b for one right-hand side. b and x have the order's length and do not overlap; b is finite, or else
  /// UsageError is thrown. A b of zeros gives an x of zeros. When there are no factors (Verdict::not_positive_definite, or a
  /// singular matrix whose pattern alone made fronts outgrow memory; or a singular block outside a Schur complement, and no memory
  /// for all of A) x becomes NaN.
  SolveReport solve(std::span<const S> b, std::span<S> x, Operation operation = Operation::plain) const;

  /// The same for the columns of B and X, column-major with any leading dimension. Over several ranks X is on rank 0, and on other
  /// ranks that pass storage for it.
  SolveReport solve(DenseView<const S> b, DenseView<S> x, Operation operation = Operation::plain) const;

  /// The same for selected rows: rows with the same number are added up, on one rank or across ranks; missing rows are 0; any rank
  /// may request any rows of X, or none. Input and output do not overlap. Throws UsageError when a row does not exist or is not
  /// finite, or when numbers of columns differ.
  SolveReport solve_rows(const DenseRows<const S>& b, const DenseRows<S>& x, Operation operation = Operation::plain) const;

  /// The same for sparse right-hand sides, compressed columns of as many rows as A; entries of one position add up. They are made
  /// dense a block at a time, and parts of the tree that see only zeros are skipped, where there are fronts: so neighbouring
  /// columns of B should have their nonzeros near each other. X as for solve().
  SolveReport solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation = Operation::plain) const;

  /// With A = [A11 A12; A21 A22], block 2 being AnalysisOptions::schur_variables of the analysis in their order, the factors are
  /// those of A11, and so are the report's pivots, inertia and determinant. solve() still solves with all of A: the first call also
  /// factorizes the Schur complement, and if that leaves the rank of A in doubt, all of A without a Schur complement. If A11 is
  /// singular, as reported by report(), there is no Schur complement: it and condensed or expanded vectors become NaN, and solve()
  /// factorizes all of A.

  /// S = A22 - A21 A11^-1 A12, all of its entries, also where A is symmetric. Throws MemoryError.
  [[nodiscard]] DenseMatrix<S> schur_complement() const;
  /// This rank's part of S on a grid. Throws UsageError if the grid has more ranks than there are.
  [[nodiscard]] SchurPart<S> schur_part(const SchurGrid& grid = {}) const;

  /// The right-hand sides of op(S) x2 = condensed: b2 - A21 A11^-1 b1, of op(A). B has the rows of A, `condensed` those of S.
  /// Throws UsageError as solve() does.
  void condense(DenseView<const S> b, DenseView<S> condensed, Operation operation = Operation::plain) const;
  /// X := (A11^-1 (b1 - A12 x2), x2) of op(A), with the rows of A. `b` is what was condensed; its rows of block 2 are ignored.
  void expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation = Operation::plain) const;
  /// The same for rows, as in solve_rows(); those of block 2 keep the numbers that they have in A.
  void condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation = Operation::plain) const;
  void expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                   Operation operation = Operation::plain) const;

  /// Entries of A^-1 at the positions of `pattern`, compressed columns of A's size, which need not be those of A; if its symmetry
  /// is not general, at the stored positions. Visits only the parts of the tree that lead to them, and measures a few whole columns
  /// unless RefinementOptions::measures is false: then a few entries of a column cost what the pivots on the way to them cost. In
  /// mixed precision, and when the factors leave a Schur complement, always refined. Throws UsageError and MemoryError; if there is
  /// no inverse, the result says so.
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern,
                                                  InverseAccuracy accuracy = InverseAccuracy::direct) const;

  /// The diagonal of A^-1.
  [[nodiscard]] InverseEntries<S> inverse_diagonal(InverseAccuracy accuracy = InverseAccuracy::direct) const;

  /// A basis of the vectors z with op(A) z = 0: see NullSpace. It has no columns if the matrix is not singular. Takes one or two
  /// solves with as many right-hand sides as there are null pivots. Throws MemoryError; UsageError if the factors leave a Schur
  /// complement.
  [[nodiscard]] NullSpace<S> null_space(Operation operation = Operation::plain) const;

  /// X := op(part)^-1 X for one factor of A = lower * diagonal * upper, see FactorOrder; any number of columns. The three in
  /// sequence give op(A)^-1 X without refinement:
  ///
  ///   solve_part(lower, plain, x); solve_part(diagonal, plain, x); solve_part(upper, plain, x);                        A^-1 x
  ///   solve_part(upper, adjoint, x); solve_part(diagonal, adjoint, x); solve_part(lower, adjoint, x);                  A^-H x
  ///   solve_part(lower, adjoint, z);    z standard normal, A by Cholesky: z is then normal with the covariance matrix A^-1
  ///
  /// Throws UsageError if x has the wrong size or is not finite, if there are no factors or they leave a Schur complement, and in
  /// mixed precision, where single factors would give results of lower precision only. Throws MemoryError.
  void solve_part(FactorPart part, Operation operation, DenseView<S> x) const;

  /// Describes the factors that solve_part() uses. Throws UsageError where solve_part() does, and over several ranks, none of which
  /// has the whole order.
  [[nodiscard]] FactorOrder<S> factor_order() const;

  explicit Factorization(std::unique_ptr<SystemCourse<S>> course);  ///< for internal use: factorized
  [[nodiscard]] SystemCourse<S>& course() const;                    ///< for internal use

 private:
  explicit Factorization(std::unique_ptr<FactorizedSystem<S>> system);

  std::unique_ptr<FactorizedSystem<S>> system_;
};

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
///   const frond::SolveReport report = frond::solve_in_blocks(place, copies, b, x);
template <Scalar S>
FROND_API SolveReport solve_in_blocks(const Place& place, const Factorization<S>& copies, DenseView<const S> b, DenseView<S> x,
                                      Operation operation = Operation::plain);

}  // namespace frond
