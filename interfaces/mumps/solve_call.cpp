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
#include "interfaces/mumps/processes.hpp"
#include "matrices/position.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
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
std::vector<Index> clear_columns_without_values(const Team& team, DenseView<S> b) {
  std::vector<Index> cleared;
  together(team, [&] {
    for (Index j = 0; j < b.cols; ++j) {
      if (!std::isfinite(largest_magnitude(std::span<const S>(b.column(j), at(b.rows))))) {
        std::fill_n(b.column(j), b.rows, S(0));
        cleared.push_back(j);
      }
    }
  });
  return cleared;
}

// What is in the list of any process, on all.
std::vector<Index> of_any(const Team& team, const std::vector<Index>& mine) {
  std::vector<Index> all = gather_list<Index>(team, mine);
  share_list(team, all);
  return all;
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
void SolveCall<S>::expect_factors() const {
  if (system_.stage != Stage::factorized) {
    throw Failure(Code::wrong_job, structure_.integer(Member::job), "there are no factors");
  }
  if (system_.discards_factors) {
    throw Failure(Code::factors_discarded, 1, "the factors were not kept, as ICNTL(31) said");
  }
}

template <Scalar S>
void SolveCall<S>::distribute() {
  expect_factors();
  const std::vector<Index> rows = own_rows();
  together(team(), [&] {
    if (structure_.integer(Member::nloc_rhs) < static_cast<int>(rows.size())) {
      throw Failure(Pointer::local_rows);
    }
    int* names = system_.arrays.template require<int>(Member::irhs_loc, Pointer::local_rows);
    std::transform(rows.begin(), rows.end(), names, [](Index row) { return row + 1; });
  });
}

template <Scalar S>
void SolveCall<S>::run() {
  expect_factors();
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
  if (!system_.has_schur() && !system_.forward && (stays_local || is_local(structure_.icntl(kRightHandSides)))) {
    return solve_rows(stays_local);
  }
  DenseMatrix<S> own;
  DenseView<S> x;
  together(team(), [&] {
    if (stays_local) {
      own = DenseMatrix<S>(system_.order(), num_sides());
      x = view_of(own);
    } else if (leads()) {
      x = whole_columns();
    }
  });
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
    const std::vector<Index> rows = own_rows();
    const DenseView<S> to = local_solution(rows);
    for (Index j = 0; j < own.num_cols; ++j) {
      std::transform(rows.begin(), rows.end(), to.column(j), [&](Index row) { return own.column(j)[at(row)]; });
    }
  }
}

// Right-hand sides that come from several processes, or solutions that stay where they arise.
template <Scalar S>
void SolveCall<S>::solve_rows(bool stays_local) {
  Rows b;
  if (is_local(structure_.icntl(kRightHandSides))) {
    together(team(), [&] { b = local_sides(); });
  } else {
    b.values = right_hand_sides();
    together(team(), [&] { b.rows = all_rows(b.values.num_rows); });
  }
  const std::vector<Index> spoilt = of_any(team(), clear_columns_without_values(team(), view_of(b.values)));
  std::vector<Index> rows;
  DenseView<S> x;
  if (stays_local) {
    rows = own_rows();
    x = local_solution(rows);
  } else {
    together_on_first(team(), [&] {
      rows = all_rows(system_.order());
      x = whole_columns();
    });
  }
  const DenseRows<const S> from{b.rows, view_of(std::as_const(b.values))};
  const SolveReport report = system_.factorization().solve_rows(from, {rows, x}, operation());
  spoil(x, spoilt);
  system_.note.backward_error = report.worst().improvable_backward_error;
}

// In the order of elimination.
template <Scalar S>
std::vector<Index> SolveCall<S>::own_rows() const {
  std::vector<Index> rows;
  together(team(), [&] { rows = system_.factorization().own_rows(); });
  std::sort(rows.begin(), rows.end(),
            [this](Index one, Index other) { return system_.positions[at(one)] < system_.positions[at(other)]; });
  return rows;
}

// SOL_LOC, for these rows, which are named in ISOL_LOC.
template <Scalar S>
DenseView<S> SolveCall<S>::local_solution(const std::vector<Index>& rows) const {
  DenseView<S> columns;
  together(team(), [&] {
    const auto num_rows = static_cast<Index>(rows.size());
    const Index ld = structure_.integer(Member::lsol_loc);
    if (ld < num_rows) {
      throw Failure(Code::solution_length, ld, "LSOL_LOC is less than INFO(23)");
    }
    if (num_rows > 0) {
      int* names = system_.arrays.template require<int>(Member::isol_loc, Pointer::solution_rows);
      columns = {system_.arrays.template require<S>(Member::sol_loc, Pointer::solution), num_rows, num_sides(), ld};
      std::transform(rows.begin(), rows.end(), names, [](Index row) { return row + 1; });
    }
  });
  return columns;
}

template <Scalar S>
void SolveCall<S>::solve_whole(DenseView<S> x) {
  DenseMatrix<S> b = given_sides();
  const std::vector<Index> spoilt = clear_columns_without_values(team(), view_of(b));
  const SolveReport report = system_.factorization().solve(view_of(std::as_const(b)), x, operation());
  spoil(x, spoilt);
  system_.note.backward_error = report.worst().improvable_backward_error;
  if (Controls<S>::measures_solution(structure_) && !report.columns.empty() && spoilt.empty()) {
    write_errors(report, structure_);
  }
}

// A11^-1 b1, and zeros in the rows of the Schur complement.
template <Scalar S>
void SolveCall<S>::solve_block(DenseView<S> x) {
  system_.condensed.reset();
  DenseMatrix<S> b = given_sides();
  const std::vector<Index> spoilt = clear_columns_without_values(team(), view_of(b));
  DenseMatrix<S> zeros;
  together_on_first(team(), [&] { zeros = DenseMatrix<S>(schur_order(), b.num_cols); });
  system_.factorization().expand(view_of(std::as_const(b)), view_of(zeros), x, operation());
  spoil(x, spoilt);
}

// What is condensed is kept for the expansion.
template <Scalar S>
void SolveCall<S>::condense() {
  DenseView<S> to;
  together_on_first(team(), [&] { to = reduced_columns(); });
  system_.condensed = given_sides();
  DenseMatrix<S> b;
  together(team(), [&] { b = *system_.condensed; });
  const std::vector<Index> spoilt = clear_columns_without_values(team(), view_of(b));
  system_.factorization().condense(view_of(std::as_const(b)), to, operation());
  spoil(to, spoilt);
}

template <Scalar S>
void SolveCall<S>::expand(DenseView<S> x) {
  DenseMatrix<S> of_schur;
  together_on_first(team(), [&] {
    if (!system_.condensed || system_.condensed->num_cols < x.cols) {
      throw Failure(Code::not_condensed, 1, "right-hand sides are expanded that were not condensed, by ICNTL(26)=1");
    }
    of_schur = copy_of<S>(reduced_columns());
  });
  DenseMatrix<S> b = *std::exchange(system_.condensed, std::nullopt);
  const std::vector<Index> spoilt_above = clear_columns_without_values(team(), view_of(b).columns(0, x.cols));
  const std::vector<Index> spoilt_below = clear_columns_without_values(team(), view_of(of_schur));
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
  DenseMatrix<S> b;
  together(team(), [&] { b = *system_.forward; });
  return b;
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
  DenseMatrix<S> b;
  together_on_first(team(), [&] {
    const bool is_whole = !is_sparse(kind) && !is_local(kind);
    b = is_whole ? copy_of<S>(whole_columns()) : DenseMatrix<S>(system_.order(), num_sides());
    if (is_sparse(kind)) {
      add_sparse_sides(b);
    }
  });
  if (is_local(kind)) {
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

// The rows of RHS_LOC that exist.
template <Scalar S>
typename SolveCall<S>::Rows SolveCall<S>::local_sides() const {
  const int num_given = std::max(structure_.integer(Member::nloc_rhs), 0);
  const Index ld = structure_.integer(Member::lrhs_loc);
  const int nrhs = num_sides();
  if (num_given == 0) {
    return {{}, DenseMatrix<S>(0, nrhs)};
  }
  if (ld < num_given) {
    throw nrhs > 1 ? Failure(Code::distributed_leading_dimension, ld, "LRHS_LOC is less than NLOC_RHS")
                   : Failure(Pointer::local_rows);
  }
  const int* names = system_.arrays.template require<int>(Member::irhs_loc, Pointer::local_rows);
  const DenseView<const S> given{system_.arrays.template require<S>(Member::rhs_loc, Pointer::local_rhs), num_given, nrhs, ld};
  std::vector<Index> places;
  Rows mine;
  for (Index k = 0; k < num_given; ++k) {
    if (names[k] >= 1 && names[k] <= system_.order()) {
      places.push_back(k);
      mine.rows.push_back(names[k] - 1);
    }
  }
  mine.values = DenseMatrix<S>(static_cast<Index>(places.size()), nrhs);
  for (Index j = 0; j < nrhs; ++j) {
    std::transform(places.begin(), places.end(), mine.values.column(j).begin(), [&](Index place) { return given(place, j); });
  }
  return mine;
}

// Adds those of all processes, on the first one.
template <Scalar S>
void SolveCall<S>::add_local_sides(DenseMatrix<S>& b) const {
  Rows mine;
  together(team(), [&] { mine = local_sides(); });
  const std::vector<std::vector<Index>> rows = gather_lists<Index>(team(), mine.rows);
  const std::vector<std::vector<S>> values = gather_lists<S>(team(), mine.values.values);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    auto next = values[rank].begin();
    for (Index j = 0; j < b.num_cols; ++j) {
      for (const Index row : rows[rank]) {
        b.column(j)[at(row)] += *next++;
      }
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
  DenseView<S> x;
  together_on_first(team(), [&] { x = whole_columns(); });
  const NullSpace<S> space = system_.factorization().null_space();
  const Index first = wanted == kAllVectors ? 0 : wanted - 1;
  together_on_first(team(), [&] {
    if (space.dimension() < first + x.cols) {
      throw Failure(Code::null_vector, wanted, "no null vector is proved");
    }
  });
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
  std::optional<CompressedIndices> wanted;
  PatternView positions;
  S* to = nullptr;
  together_on_first(team(), [&] {
    const int* offsets = sparse_offsets(system_.order());
    const int* given = system_.arrays.template require<int>(Member::irhs_sparse, Pointer::sparse_rows);
    to = system_.arrays.template require<S>(Member::rhs_sparse, Pointer::sparse_values);
    wanted.emplace(system_.order(), system_.order(), offsets, given, IndexBase{.first = 1});
    positions = {system_.order(), system_.order(), Symmetry::general, wanted->offsets, wanted->indices};
  });
  const InverseEntries<S> entries = system_.factorization().inverse_entries(positions);
  std::copy(entries.values.begin(), entries.values.end(), to);
}

FROND_INSTANTIATE_CLASS(SolveCall)

}  // namespace frond::mumps
