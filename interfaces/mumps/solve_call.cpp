// SPDX-License-Identifier: BSD-3-Clause
// Makes right-hand sides of any kind dense, and solutions what they are to be.
#include "interfaces/mumps/solve_call.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "interfaces/mumps/control_numbers.hpp"
#include "interfaces/mumps/failure.hpp"
#include "matrices/position.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond::mumps {
namespace {

constexpr int kPlain = 1;     // of ICNTL(9)
constexpr int kCondense = 1;  // of ICNTL(26)
constexpr int kExpand = 2;

bool is_sparse(int kind) { return kind >= 1 && kind <= 3; }
bool is_local(int kind) { return kind == 10 || kind == 11; }

// Clears columns that are not finite, and returns their numbers: what they lead to is not a number.
template <Scalar S>
std::vector<Index> clear_columns_without_values(DenseView<S> b) {
  std::vector<Index> cleared;
  for (Index j = 0; j < b.cols; ++j) {
    if (!std::isfinite(largest_magnitude(std::span<const S>(b.column(j), at(b.rows))))) {
      std::fill_n(b.column(j), b.rows, S(0));
      cleared.push_back(j);
    }
  }
  return cleared;
}

template <Scalar S>
void spoil(DenseView<S> x, const std::vector<Index>& columns) {
  for (const Index j : columns) {
    std::fill_n(x.column(j), x.rows, S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  }
}

template <Scalar S>
DenseMatrix<S> copy_of(DenseView<const S> columns) {
  DenseMatrix<S> copy(columns.rows, columns.cols);
  for (Index j = 0; j < columns.cols; ++j) {
    std::copy_n(columns.column(j), columns.rows, copy.column(j).begin());
  }
  return copy;
}

template <Scalar S>
void write_errors(const SolveReport& report, const Structure<S>& structure) {
  constexpr int kWithConditions = 1;
  using R = RealOf<S>;
  const ColumnReport& column = report.columns.front();
  structure.infog(15) = column.refinement_steps;
  structure.rinfog(7) = static_cast<R>(column.componentwise_backward_error);
  structure.rinfog(8) = 0;  // all equations are of the first kind of Arioli, Demmel & Duff (1989)
  if (structure.icntl(kErrorAnalysis) == kWithConditions) {
    structure.rinfog(9) = static_cast<R>(column.forward_error_bound);
    structure.rinfog(10) = static_cast<R>(column.componentwise_condition);
    structure.rinfog(11) = 1;
  }
}

}  // namespace

template <Scalar S>
void SolveCall<S>::run() {
  if (system_.stage != Stage::factorized) {
    throw Failure(Code::wrong_job, structure_.integer(Member::job), "there are no factors");
  }
  if (system_.discards_factors) {
    throw Failure(Code::factors_discarded, 1, "the factors were not kept, as ICNTL(31) said");
  }
  system_.controls->set_for_solve(structure_);
  if (structure_.icntl(kInverse) != 0) {
    return inverse_entries();
  }
  if (structure_.icntl(kNullSpace) != 0) {
    return null_vectors();
  }
  const int reduced = structure_.icntl(kReducedSides);
  if (!system_.has_schur() && (reduced == kCondense || reduced == kExpand)) {
    throw Failure(Code::no_schur, reduced, "there is no Schur complement");
  }
  const bool stays_local = structure_.icntl(kDistributedSolution) == 1;
  DenseMatrix<S> own = stays_local ? DenseMatrix<S>(system_.order(), num_sides()) : DenseMatrix<S>();
  const DenseView<S> x = stays_local ? view_of(own) : whole_columns();
  if (!system_.has_schur()) {
    solve_whole(x);
  } else if (reduced == kCondense) {
    condense();
  } else if (reduced == kExpand) {
    expand(x);
  } else {
    solve_block(x);
  }
  if (stays_local && !(system_.has_schur() && reduced == kCondense)) {
    write_local_solution(own);
  }
}

template <Scalar S>
void SolveCall<S>::solve_whole(DenseView<S> x) {
  DenseMatrix<S> b = given_sides();
  const std::vector<Index> spoilt = clear_columns_without_values(view_of(b));
  const SolveReport report = system_.factorization().solve(view_of(std::as_const(b)), x, operation());
  spoil(x, spoilt);
  system_.note.backward_error = report.worst().componentwise_backward_error;
  if (Controls<S>::measures_solution(structure_) && !report.columns.empty() && spoilt.empty()) {
    write_errors(report, structure_);
  }
}

// A11^-1 b1, and zeros in the rows of the Schur complement.
template <Scalar S>
void SolveCall<S>::solve_block(DenseView<S> x) {
  system_.condensed.reset();
  DenseMatrix<S> b = given_sides();
  const std::vector<Index> spoilt = clear_columns_without_values(view_of(b));
  const DenseMatrix<S> zeros(schur_order(), b.num_cols);
  system_.factorization().expand(view_of(std::as_const(b)), view_of(zeros), x, operation());
  spoil(x, spoilt);
}

// What is condensed is kept for the expansion.
template <Scalar S>
void SolveCall<S>::condense() {
  const DenseView<S> to = reduced_columns();
  system_.condensed = given_sides();
  DenseMatrix<S> b = *system_.condensed;
  const std::vector<Index> spoilt = clear_columns_without_values(view_of(b));
  system_.factorization().condense(view_of(std::as_const(b)), to, operation());
  spoil(to, spoilt);
}

template <Scalar S>
void SolveCall<S>::expand(DenseView<S> x) {
  if (!system_.condensed || system_.condensed->num_cols < x.cols) {
    throw Failure(Code::not_condensed, 1, "right-hand sides are expanded that were not condensed, by ICNTL(26)=1");
  }
  DenseMatrix<S> of_schur = copy_of<S>(reduced_columns());
  DenseMatrix<S> b = *std::exchange(system_.condensed, std::nullopt);
  const std::vector<Index> spoilt_above = clear_columns_without_values(view_of(b).columns(0, x.cols));
  const std::vector<Index> spoilt_below = clear_columns_without_values(view_of(of_schur));
  system_.factorization().expand(view_of(std::as_const(b)).columns(0, x.cols), view_of(std::as_const(of_schur)), x, operation());
  spoil(x, spoilt_above);
  spoil(x, spoilt_below);
}

// REDRHS, where condensed right-hand sides go to and solutions of the Schur complement come from. LREDRHS does not count for a
// single one.
template <Scalar S>
DenseView<S> SolveCall<S>::reduced_columns() const {
  const int nrhs = num_sides();
  const Index ld = nrhs == 1 ? schur_order() : structure_.integer(Member::lredrhs);
  if (ld < schur_order()) {
    throw Failure(Code::reduced_leading_dimension, ld, "LREDRHS is less than SIZE_SCHUR");
  }
  return {system_.arrays.template require<S>(Member::redrhs, Pointer::reduced), schur_order(), nrhs, ld};
}

template <Scalar S>
Operation SolveCall<S>::operation() const {
  return structure_.icntl(kOperation) == kPlain ? Operation::plain : Operation::transposed;
}

template <Scalar S>
int SolveCall<S>::num_sides() const {
  const int nrhs = structure_.integer(Member::nrhs);
  if (nrhs <= 0) {
    throw Failure(Code::number_of_columns, nrhs, "NRHS is not positive");
  }
  return nrhs;
}

template <Scalar S>
DenseMatrix<S> SolveCall<S>::forward_sides() const {
  const auto exclude = [](bool is_there, int control) {
    if (is_there) {
      throw Failure(Code::forward_control, control, "ICNTL(32)=1 excludes this control");
    }
  };
  exclude(structure_.icntl(kOperation) != kPlain, kOperation);
  exclude(is_sparse(structure_.icntl(kRightHandSides)), kRightHandSides);
  exclude(structure_.icntl(kInverse) != 0, kInverse);
  expect_forward_width();
  return right_hand_sides();
}

// Those of this call, or those that the factorization took.
template <Scalar S>
DenseMatrix<S> SolveCall<S>::given_sides() const {
  if (!system_.forward) {
    return right_hand_sides();
  }
  expect_forward_width();
  return *system_.forward;
}

template <Scalar S>
void SolveCall<S>::expect_forward_width() const {
  if (num_sides() != system_.forward_width) {
    throw Failure(Code::forward_width, system_.forward_width, "NRHS is not that of the analysis, as ICNTL(32)=1 demands");
  }
}

// RHS, where right-hand sides come from and solutions go. LRHS does not count for a single one.
template <Scalar S>
DenseView<S> SolveCall<S>::whole_columns() const {
  const int nrhs = num_sides();
  S* rhs = system_.arrays.template require<S>(Member::rhs, Pointer::rhs);
  const Index ld = nrhs == 1 ? system_.order() : structure_.integer(Member::lrhs);
  if (ld < system_.order()) {
    throw Failure(Code::leading_dimension, ld, "LRHS is less than N");
  }
  return {rhs, system_.order(), nrhs, ld};
}

template <Scalar S>
DenseMatrix<S> SolveCall<S>::right_hand_sides() const {
  const int kind = structure_.icntl(kRightHandSides);
  if (!is_sparse(kind) && !is_local(kind)) {
    return copy_of<S>(whole_columns());
  }
  DenseMatrix<S> b(system_.order(), num_sides());
  if (is_sparse(kind)) {
    add_sparse_sides(b);
  } else {
    add_local_sides(b);
  }
  return b;
}

// IRHS_PTR, for so many columns.
template <Scalar S>
const int* SolveCall<S>::sparse_offsets(Index num_columns) const {
  const int* offsets = system_.arrays.template require<int>(Member::irhs_ptr, Pointer::sparse_offsets);
  if (offsets[num_columns] != structure_.integer(Member::nz_rhs) + 1) {
    throw Failure(Code::sparse_end, offsets[num_columns], "IRHS_PTR does not end with NZ_RHS+1");
  }
  if (offsets[0] != 1) {
    throw Failure(Code::sparse_begin, offsets[0], "IRHS_PTR does not begin with 1");
  }
  return offsets;
}

// Rows that do not exist count for nothing; what is given twice adds up.
template <Scalar S>
void SolveCall<S>::add_sparse_sides(DenseMatrix<S>& b) const {
  const int* offsets = sparse_offsets(b.num_cols);
  const int num_given = structure_.integer(Member::nz_rhs);
  if (num_given == 0) {
    return;
  }
  const int* rows = system_.arrays.template require<int>(Member::irhs_sparse, Pointer::sparse_rows);
  const S* values = system_.arrays.template require<S>(Member::rhs_sparse, Pointer::sparse_values);
  for (Index j = 0; j < b.num_cols; ++j) {
    for (int k = std::max(offsets[j] - 1, 0); k < std::min(offsets[j + 1] - 1, num_given); ++k) {
      if (rows[k] >= 1 && rows[k] <= system_.order()) {
        b.column(j)[at(rows[k] - 1)] += values[k];
      }
    }
  }
}

template <Scalar S>
void SolveCall<S>::add_local_sides(DenseMatrix<S>& b) const {
  const int num_rows = std::max(structure_.integer(Member::nloc_rhs), 0);
  const Index ld = structure_.integer(Member::lrhs_loc);
  if (num_rows == 0) {
    return;
  }
  if (ld < num_rows) {
    throw b.num_cols > 1 ? Failure(Code::distributed_leading_dimension, ld, "LRHS_LOC is less than NLOC_RHS")
                         : Failure(Pointer::local_rows);
  }
  const int* rows = system_.arrays.template require<int>(Member::irhs_loc, Pointer::local_rows);
  const S* values = system_.arrays.template require<S>(Member::rhs_loc, Pointer::local_rhs);
  const DenseView<const S> given{values, num_rows, b.num_cols, ld};
  for (Index j = 0; j < b.num_cols; ++j) {
    for (Index k = 0; k < num_rows; ++k) {
      if (rows[k] >= 1 && rows[k] <= system_.order()) {
        b.column(j)[at(rows[k] - 1)] += given(k, j);
      }
    }
  }
}

// In the order of elimination.
template <Scalar S>
void SolveCall<S>::write_local_solution(const DenseMatrix<S>& x) const {
  const Index ld = structure_.integer(Member::lsol_loc);
  if (ld < system_.order()) {
    throw Failure(Code::solution_length, ld, "LSOL_LOC is less than INFO(23)");
  }
  int* rows = system_.arrays.template require<int>(Member::isol_loc, Pointer::solution_rows);
  const DenseView<S> to{system_.arrays.template require<S>(Member::sol_loc, Pointer::solution), system_.order(), x.num_cols, ld};
  for (Index variable = 0; variable < system_.order(); ++variable) {
    const Index place = system_.positions[at(variable)] - 1;
    rows[place] = variable + 1;
    for (Index j = 0; j < x.num_cols; ++j) {
      to(place, j) = x.column(j)[at(variable)];
    }
  }
}

template <Scalar S>
void SolveCall<S>::null_vectors() const {
  constexpr int kAllVectors = -1;
  const int wanted = structure_.icntl(kNullSpace);
  const auto dimension = static_cast<int>(system_.null_pivots.size());
  if (!system_.finds_null_pivots) {
    throw Failure(Code::null_space_control, kNullPivots, "null vectors need ICNTL(24)=1");
  }
  if (structure_.icntl(kOperation) != kPlain && system_.is_general()) {
    throw Failure(Code::null_space_control, kOperation, "null vectors are those of A, with ICNTL(9)=1");
  }
  if (wanted < kAllVectors || wanted > dimension) {
    throw Failure(Code::null_vector, wanted, "there is no such null vector");
  }
  if (const int nrhs = num_sides(); nrhs != (wanted == kAllVectors ? dimension : 1)) {
    throw Failure(Code::null_space_width, nrhs, "NRHS must be the number of null vectors");
  }
  const DenseView<S> x = whole_columns();
  const NullSpace<S> space = system_.factorization().null_space();
  const Index first = wanted == kAllVectors ? 0 : wanted - 1;
  if (space.dimension() < first + x.cols) {
    throw Failure(Code::null_vector, wanted, "no null vector is proved");
  }
  for (Index j = 0; j < x.cols; ++j) {
    std::copy_n(space.basis.column(first + j).begin(), system_.order(), x.column(j));
  }
}

template <Scalar S>
void SolveCall<S>::inverse_entries() const {
  const auto exclude = [](bool is_there, int control) {
    if (is_there) {
      throw Failure(Code::inverse_control, control, "entries of the inverse exclude this control");
    }
  };
  exclude(system_.has_schur(), kSchur);
  exclude(structure_.icntl(kDistributedSolution) == 1, kDistributedSolution);
  exclude(structure_.icntl(kNullSpace) != 0, kNullSpace);
  if (!system_.null_pivots.empty()) {
    throw Failure(Code::singular, system_.order() - static_cast<Count>(system_.null_pivots.size()),
                  "a singular matrix has no inverse");
  }
  if (structure_.integer(Member::nrhs) != system_.order()) {
    throw Failure(Code::inverse_columns, structure_.integer(Member::nrhs), "entries of the inverse need NRHS=N");
  }
  const int num_wanted = structure_.integer(Member::nz_rhs);
  if (num_wanted <= 0) {
    throw Failure(Code::number_of_sparse, num_wanted, "NZ_RHS is not positive");
  }
  const int* offsets = sparse_offsets(system_.order());
  const int* given = system_.arrays.template require<int>(Member::irhs_sparse, Pointer::sparse_rows);
  S* to = system_.arrays.template require<S>(Member::rhs_sparse, Pointer::sparse_values);
  const CompressedIndices wanted(system_.order(), system_.order(), offsets, given, IndexBase{.first = 1});
  const PatternView positions{system_.order(), system_.order(), Symmetry::general, wanted.offsets, wanted.indices};
  const InverseEntries<S> entries = system_.factorization().inverse_entries(positions);
  std::copy(entries.values.begin(), entries.values.end(), to);
}

FROND_INSTANTIATE_CLASS(SolveCall)

}  // namespace frond::mumps
