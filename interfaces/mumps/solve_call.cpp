// SPDX-License-Identifier: BSD-3-Clause
// Makes right-hand sides of any kind dense, and solutions what they are to be.
#include "interfaces/mumps/solve_call.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

template <Scalar S>
bool are_finite_columns(DenseView<const S> b) {
  for (Index j = 0; j < b.cols; ++j) {
    if (!std::all_of(b.column(j), b.column(j) + b.rows, [](S value) { return is_finite(value); })) {
      return false;
    }
  }
  return true;
}

template <Scalar S>
void fill(DenseView<S> x, S value) {
  for (Index j = 0; j < x.cols; ++j) {
    std::fill_n(x.column(j), x.rows, value);
  }
}

template <Scalar S>
void write_errors(const SolveReport& report, const Structure<S>& structure) {
  constexpr int kWithConditions = 1;
  using R = RealOf<S>;
  const ColumnReport& column = report.columns.front();
  structure.infog(15) = column.refinement_steps;
  structure.rinfog(7) = static_cast<R>(column.componentwise_backward_error);
  structure.rinfog(8) = 0;  // no equation is measured in another way
  if (structure.icntl(kErrorAnalysis) == kWithConditions) {
    structure.rinfog(9) = static_cast<R>(column.forward_error_bound);
    structure.rinfog(10) = static_cast<R>(column.componentwise_condition);
    structure.rinfog(11) = 0;
  }
}

}  // namespace

template <Scalar S>
void SolveCall<S>::run() {
  if (system_.stage != Stage::factorized) {
    throw Failure(Code::wrong_job, structure_.integer(Member::job), "there are no factors");
  }
  if (structure_.icntl(kDiscard) == 1) {
    throw Failure(Code::factors_discarded, 1, "the factors were not kept, as ICNTL(31) says");
  }
  system_.controls->set_for_solve(structure_);
  if (structure_.icntl(kInverse) != 0) {
    return inverse_entries();
  }
  if (structure_.icntl(kNullSpace) != 0) {
    return null_vectors();
  }
  const bool stays_local = structure_.icntl(kDistributedSolution) == 1;
  const DenseView<S> to = stays_local ? DenseView<S>() : whole_columns();
  const int reduced = system_.has_schur() ? structure_.icntl(kReducedSides) : 0;
  if (!system_.has_schur() && (structure_.icntl(kReducedSides) == kCondense || structure_.icntl(kReducedSides) == kExpand)) {
    throw Failure(Code::no_schur, structure_.icntl(kReducedSides), "there is no Schur complement");
  }
  const DenseMatrix<S> b = reduced == kExpand ? DenseMatrix<S>() : system_.forward ? *system_.forward : right_hand_sides();
  if (stays_local) {
    DenseMatrix<S> x(system_.order(), num_sides());
    solve_whole(view_of(b), view_of(x));
    write_local_solution(x);
  } else if (system_.has_schur()) {
    solve_reduced(view_of(b), to);
  } else {
    solve_whole(view_of(b), to);
  }
}

template <Scalar S>
void SolveCall<S>::solve_whole(DenseView<const S> b, DenseView<S> x) {
  if (!are_finite_columns(b)) {
    fill(x, S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
    return;
  }
  const SolveReport report = system_.factorization().solve(b, x, operation());
  system_.note.backward_error = report.worst().componentwise_backward_error;
  if (Controls<S>::measures_solution(structure_) && !report.columns.empty()) {
    write_errors(report, structure_);
  }
}

// With factors of A11, block 2 being that of the Schur complement. What is condensed is kept for the expansion.
template <Scalar S>
void SolveCall<S>::solve_reduced(DenseView<const S> b, DenseView<S> x) {
  const auto size = static_cast<Index>(system_.schur_variables.size());
  const int reduced = structure_.icntl(kReducedSides);
  const int nrhs = num_sides();
  const Factorization<S>& factorization = system_.factorization();
  if (reduced != kCondense && reduced != kExpand) {
    const DenseMatrix<S> zeros(size, nrhs);
    factorization.expand(b, view_of(zeros), x, operation());
    return;
  }
  const Index ld = nrhs == 1 ? size : structure_.integer(Member::lredrhs);
  if (ld < size) {
    throw Failure(Code::reduced_leading_dimension, ld, "LREDRHS is less than SIZE_SCHUR");
  }
  const DenseView<S> of_schur{system_.arrays.template require<S>(Member::redrhs, Pointer::reduced), size, nrhs, ld};
  if (reduced == kCondense) {
    system_.condensed.emplace(b.rows, b.cols);
    for (Index j = 0; j < b.cols; ++j) {
      std::copy_n(b.column(j), b.rows, system_.condensed->column(j).begin());
    }
    factorization.condense(b, of_schur, operation());
  } else if (!system_.condensed || system_.condensed->num_cols < nrhs) {
    throw Failure(Code::not_condensed, 1, "right-hand sides are expanded that were not condensed, by ICNTL(26)=1");
  } else {
    const DenseMatrix<S> kept = *std::exchange(system_.condensed, std::nullopt);
    factorization.expand(view_of(kept).columns(0, nrhs), of_schur, x, operation());
  }
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

// RHS, where right-hand sides come from and solutions go. LRHS does not count for a single one.
template <Scalar S>
DenseView<S> SolveCall<S>::whole_columns() {
  const int nrhs = num_sides();
  S* rhs = system_.arrays.template require<S>(Member::rhs, Pointer::rhs);
  const Index ld = nrhs == 1 ? system_.order() : structure_.integer(Member::lrhs);
  if (ld < system_.order()) {
    throw Failure(Code::leading_dimension, ld, "LRHS is less than N");
  }
  return {rhs, system_.order(), nrhs, ld};
}

template <Scalar S>
DenseMatrix<S> SolveCall<S>::right_hand_sides() {
  DenseMatrix<S> b(system_.order(), num_sides());
  const int kind = structure_.icntl(kRightHandSides);
  if (is_sparse(kind)) {
    add_sparse_sides(b);
  } else if (is_local(kind)) {
    add_local_sides(b);
  } else {
    const DenseView<S> given = whole_columns();
    for (Index j = 0; j < given.cols; ++j) {
      std::copy_n(given.column(j), given.rows, b.column(j).begin());
    }
  }
  return b;
}

// Rows that do not exist count for nothing; what is given twice adds up.
template <Scalar S>
void SolveCall<S>::add_sparse_sides(DenseMatrix<S>& b) {
  const int* offsets = system_.arrays.template require<int>(Member::irhs_ptr, Pointer::sparse_offsets);
  const int num_given = structure_.integer(Member::nz_rhs);
  if (offsets[b.num_cols] != num_given + 1) {
    throw Failure(Code::sparse_end, offsets[b.num_cols], "IRHS_PTR does not end with NZ_RHS+1");
  }
  if (offsets[0] != 1) {
    throw Failure(Code::sparse_begin, offsets[0], "IRHS_PTR does not begin with 1");
  }
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
void SolveCall<S>::add_local_sides(DenseMatrix<S>& b) {
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
void SolveCall<S>::write_local_solution(const DenseMatrix<S>& x) {
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
void SolveCall<S>::null_vectors() {
  constexpr int kAllVectors = -1;
  const int wanted = structure_.icntl(kNullSpace);
  const int dimension = structure_.infog(28);
  const int nrhs = structure_.integer(Member::nrhs);
  if (structure_.icntl(kNullPivots) != 1) {
    throw Failure(Code::null_space_control, kNullPivots, "null vectors need ICNTL(24)=1");
  }
  if (structure_.icntl(kOperation) != kPlain && system_.symmetry == Symmetry::general) {
    throw Failure(Code::null_space_control, kOperation, "null vectors are those of A, with ICNTL(9)=1");
  }
  if (wanted < kAllVectors || wanted > dimension) {
    throw Failure(Code::null_vector, wanted, "there is no such null vector");
  }
  if (nrhs != (wanted == kAllVectors ? dimension : 1)) {
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
void SolveCall<S>::inverse_entries() {
  for (const int other : {kSchur, kDistributedSolution, kNullSpace}) {
    if (other == kSchur ? system_.has_schur() : other == kNullSpace ? structure_.icntl(other) != 0 : structure_.icntl(other) == 1) {
      throw Failure(Code::inverse_control, other, "entries of the inverse exclude this control");
    }
  }
  if (structure_.integer(Member::nrhs) != system_.order()) {
    throw Failure(Code::inverse_columns, structure_.integer(Member::nrhs), "entries of the inverse need NRHS=N");
  }
  const int num_wanted = structure_.integer(Member::nz_rhs);
  if (num_wanted <= 0) {
    throw Failure(Code::number_of_sparse, num_wanted, "NZ_RHS is not positive");
  }
  const int* ends = system_.arrays.template require<int>(Member::irhs_ptr, Pointer::sparse_offsets);
  if (ends[system_.order()] != num_wanted + 1) {
    throw Failure(Code::sparse_end, ends[system_.order()], "IRHS_PTR does not end with NZ_RHS+1");
  }
  if (ends[0] != 1) {
    throw Failure(Code::sparse_begin, ends[0], "IRHS_PTR does not begin with 1");
  }
  const int* given = system_.arrays.template require<int>(Member::irhs_sparse, Pointer::sparse_rows);
  S* to = system_.arrays.template require<S>(Member::rhs_sparse, Pointer::sparse_values);
  const CompressedIndices wanted(system_.order(), system_.order(), ends, given, IndexBase{.first = 1});
  const PatternView positions{system_.order(), system_.order(), Symmetry::general, wanted.offsets, wanted.indices};
  const InverseEntries<S> entries = system_.factorization().inverse_entries(positions);
  std::copy(entries.values.begin(), entries.values.end(), to);
}

FROND_INSTANTIATE_CLASS(SolveCall)

}  // namespace frond::mumps
