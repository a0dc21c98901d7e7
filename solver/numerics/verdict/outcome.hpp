// SPDX-License-Identifier: BSD-3-Clause
// Draws conclusions from the numbers of a factorization or of a solve, on one rank or on several.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/accuracy/error_bound.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// The method for a symmetric or Hermitian matrix that may be indefinite.
template <Scalar S>
[[nodiscard]] constexpr Method indefinite_method(Symmetry symmetry) {
  return kIsComplex<S> && symmetry == Symmetry::hermitian ? Method::ldlh : Method::ldlt;
}

/// Notes that `fallback` took the place of Cholesky, which failed with this report.
[[nodiscard]] std::string fallback_note(const FactorizationReport& cholesky, Method fallback);

/// Pivots that no values can provide pile up in ever larger fronts. If memory runs out because of that, the matrix is singular
/// whatever its values, and that is returned, with a note; otherwise throws `error`.
template <Scalar S>
[[nodiscard]] FactorizationReport structural_verdict(const MatrixView<S>& whole, const MemoryError& error,
                                                     std::vector<std::string>& notes);

/// A matrix can be singular to working precision without a pivot that shows it, when its null vectors are spread over many
/// variables. Such a factorization has at least one small pivot, though; only then is the condition worth estimating. Small means
/// up to 16 sqrt(eps) times the largest entry, in single precision 7 sqrt(eps): eliminating with such a pivot can turn a zero into
/// a pivot of this size.
template <Scalar S>
[[nodiscard]] bool may_hide_singularity(const FactorizationReport& report);

/// Turns the report into that of a singular matrix when no pivot shows the null vector: the smallest pivot counts as zero.
void count_smallest_pivot_as_zero(SystemReport& report);

/// If the condition number of the equilibrated matrix is at least 1/eps, the system is singular, with a note: its smallest pivot
/// counts as zero. If pivots were perturbed too much for an estimate, a note says so instead.
template <Scalar S>
void note_condition(const ConditionEstimate& estimate, SystemReport& report);

/// Adds a note if static pivoting had to perturb pivots.
void note_perturbations(SystemReport& report);

/// Whether a search may decide what counts as zero: the null threshold is not the caller's own, and there is a choice of pivots,
/// which Cholesky, if it is `asked` for, does not have.
[[nodiscard]] bool may_choose_null_pivots(const PivotingOptions& pivoting, Method method, const std::optional<Method>& asked);

struct SaferFactorization {
  Method method;
  PivotingOptions pivoting;
};

/// Before null pivots are met, entries may have grown, and with them the rounding errors of zeros, beyond the null threshold: the
/// computed rank is too large. With a pivot threshold of 0.5 entries of L are at most 2 (LDLT), with one of 1, partial pivoting, at
/// most 1 (LU, for which 0.5 was seen to hide a null pivot); for the remaining growth the null threshold is ten times its default.
/// Cholesky would only fail: LDLT (LDLH) takes its place.
template <Scalar S>
[[nodiscard]] SaferFactorization safer_factorization(Method method, Index order);

inline constexpr const char* kJoinedLevelsNote =
    "a diagonal block of the block triangular form looked singular: the matrix was analysed and factorized once more as a whole, "
    "without blocks, since its rank and null space are not those of its blocks";

/// Throws UsageError if factors are needed that were not kept.
void check_factors_kept(KeptFactors kept);

/// Throws UsageError if factors are not kept and options need them: mixed precision is judged by its solves.
void check_kept_options(const SolverOptions& options);

/// Throws UsageError if there is no lower precision than that of S.
template <Scalar S>
void check_mixed();

/// Why factors of lower precision are not good enough, if so: there are none, or the condition number of the equilibrated matrix
/// (NaN: not in doubt) is too large for them.
template <Scalar S>
[[nodiscard]] std::optional<std::string> lower_precision_note(bool has_factors, const ConditionEstimate& estimate);

/// A structurally singular matrix is singular even if static pivoting has replaced the pivots that no values can provide.
template <Scalar S>
void note_structural_singularity(const Symbolic& symbolic, const MatrixView<S>& whole, SystemReport& report);

/// For a solve whose errors could not be bounded with perturbed factors.
inline constexpr const char* kNoBoundNote =
    "there is no bound of the error of x: with enlarged pivots, refinement does not converge for every right-hand side";

inline constexpr const char* kMixedFailedNote =
    "with factors in single precision refinement did not converge: the matrix was factorized in double precision";

/// The stored matrix may be V = A^T. op(A) is then V^T, V itself or conj(V); the last one is solved as
/// V conj(x) = conj(b).
struct StoredOperation {
  Operation operation;
  bool conjugated;
};
[[nodiscard]] StoredOperation stored_operation(bool is_transposed, Operation operation);

/// Throws UsageError unless B and X have the order's rows, the same number of columns, and enough storage, and B is finite.
template <Scalar S>
void check_right_hand_sides(Index order, DenseView<const S> b, DenseView<S> x);

/// Throws UsageError unless X has the order's rows and enough storage, and is finite.
template <Scalar S>
void check_in_place(Index order, DenseView<const S> x);

/// Throws UsageError if the factors leave a Schur complement: they cover only a part of the matrix.
void check_no_schur_complement(bool keeps_schur_complement);

/// Throws UsageError: solves with single factors are not possible.
[[noreturn]] void throw_no_parts(bool is_mixed);

template <Scalar S>
void fill_with_nan(DenseView<S> x);
template <Scalar S>
void conjugate_entries(DenseView<S> x);
template <Scalar S>
[[nodiscard]] DenseMatrix<S> conjugated_copy(DenseView<const S> b);

/// The verdict on a solve with a matrix of rank `rank`; `columns` is empty if there is no x.
template <Scalar S>
[[nodiscard]] SolveReport judge(std::vector<ColumnReport> columns, const FactorizationReport& factorization, const RankProof& rank,
                                Index order);

/// Whether factors of the matrix itself, all of whose pivots are usable, give an x that need not be measured: rounding errors of
/// entries that have grown are at most eps^(2/3) of A.
template <Scalar S>
[[nodiscard]] bool may_stay_unmeasured(const FactorizationReport& factorization);

/// That on X as the factors give it, which was not measured.
template <Scalar S>
[[nodiscard]] SolveReport judge_unmeasured(Index num_columns, const RankProof& rank, Index order);

void note_forward_error(const ForwardError& error, ColumnReport& column);

/// Calls `solve` for the columns [begin, end) of a system, kSolveBlock at a time, once if there are none, with the bounds to find
/// for these; returns the report of all columns.
[[nodiscard]] SolveReport solve_by_blocks(Index num_columns, ErrorBounds bounds,
                                          const std::function<SolveReport(Index begin, Index end, ErrorBounds bounds)>& solve);

/// The number of columns with error bounds: for a singular matrix there are none.
[[nodiscard]] Index num_bounded_columns(ErrorBounds asked, FactorizationStatus status, Index num_columns);

}  // namespace frond
