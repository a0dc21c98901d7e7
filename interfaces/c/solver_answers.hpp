// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls of SolverOf that use factors; included by solver_of.cpp alone.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/solver_of.hpp"

namespace frond {

[[nodiscard]] inline FactorPart part_of(int part) {
  switch (part) {
    case FROND_LOWER:
      return FactorPart::lower;
    case FROND_DIAGONAL:
      return FactorPart::diagonal;
    case FROND_UPPER:
      return FactorPart::upper;
  }
  throw UsageError(fmt::format("{} is no part: give FROND_LOWER, FROND_DIAGONAL or FROND_UPPER", part));
}

template <class From, class To>
void copy_if_wanted(const std::vector<From>& from, To* to, To shift) {
  if (to != nullptr) {
    std::transform(from.begin(), from.end(), to, [shift](From value) { return static_cast<To>(value + shift); });
  }
}

// Missing scales are ones.
template <class R>
void copy_scales(const std::vector<R>& scales, Index order, void* to) {
  if (to != nullptr && scales.empty()) {
    std::fill_n(static_cast<R*>(to), order, R(1));
  } else {
    copy_if_wanted(scales, static_cast<R*>(to), R(0));
  }
}

[[nodiscard]] inline InverseAccuracy inverse_accuracy(bool is_refined) {
  return is_refined ? InverseAccuracy::refined : InverseAccuracy::direct;
}

/// Copies the entries into a caller's array.
template <Scalar S>
[[nodiscard]] InverseOutcome taken(const InverseEntries<S>& entries, void* values) {
  std::copy(entries.values.begin(), entries.values.end(), static_cast<S*>(values));
  return {entries.verdict, entries.describe()};
}

/// Copies the first columns, as many as fit.
template <Scalar S>
void copy_columns(const DenseMatrix<S>& from, const DenseView<S>& to) {
  for (Index j = 0; j < to.cols; ++j) {
    std::copy_n(from.column(j).begin(), to.rows, to.column(j));
  }
}

/// The leader's operation. Throws UsageError everywhere.
[[nodiscard]] inline Operation common_operation(const Team& team, int operation) {
  Operation common = Operation::plain;
  team.agree([&] {
    if (team.leads()) {
      common = operation_of(operation);
    }
  });
  share_value(team, common);
  return common;
}

template <Scalar S>
SolveReport SolverOf<S>::solve(int operation, std::int32_t count, ConstColumns b, Columns x) const {
  const GivenSides<S> given(
      team(), [&] { return led_view(b, order(), count, "b"); }, [&] { return view(x, order(), count, "x"); });
  return factorization_->solve(given.b(), given.x(), common_operation(team(), operation));
}

template <Scalar S>
SolveReport SolverOf<S>::solve_rows(int operation, std::int32_t count, Rows b_rows, ConstColumns b, Rows x_rows, Columns x) const {
  std::vector<Index> given_rows;
  std::vector<Index> wanted_rows;
  const GivenSides<S> given(
      team(),
      [&] {
        given_rows = numbered(b_rows, "b_rows");
        require(b.data, !given_rows.empty() && count > 0, "b");
        return given_rows.empty() ? DenseView<const S>{} : view(b, b_rows.count, count, "b");
      },
      [&] {
        wanted_rows = numbered(x_rows, "x_rows");
        require(x.data, !wanted_rows.empty() && count > 0, "x");
        return wanted_rows.empty() ? DenseView<S>{} : view(x, x_rows.count, count, "x");
      });
  return factorization_->solve_rows({given_rows, given.b()}, {wanted_rows, given.x()}, common_operation(team(), operation));
}

template <Scalar S>
std::vector<std::int32_t> SolverOf<S>::own_rows() const {
  const std::vector<Index> from_0 = rows_of(*factorization_);
  std::vector<std::int32_t> rows(from_0.size());
  copy_if_wanted(from_0, rows.data(), static_cast<std::int32_t>(settings_.base().first));
  return rows;
}

template <Scalar S>
SolveReport SolverOf<S>::solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                      Columns x) const {
  DenseView<S> to;
  std::optional<CompressedIndices> columns;
  MatrixView<S> sides;
  team().agree([&] {
    to = view(x, order(), count, "x");
    if (leads()) {
      columns.emplace(count, order(), b.offsets, b.rows, settings_.base());
      require(values, !columns->indices.empty(), "the array values");
      sides = {{order(), count, Symmetry::general, columns->offsets, columns->indices},
               {static_cast<const S*>(values), columns->indices.size()}};
    }
  });
  return factorization_->solve_sparse(sides, to, common_operation(team(), operation));
}

template <Scalar S>
InverseOutcome SolverOf<S>::inverse_diagonal(bool is_refined, void* diagonal) const {
  team().agree([&] { require(diagonal, leads() && order() > 0, "the array diagonal"); });
  return taken(factorization_->inverse_diagonal(inverse_accuracy(is_refined)), diagonal);
}

template <Scalar S>
InverseOutcome SolverOf<S>::inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const {
  std::optional<CompressedIndices> columns;
  PatternView positions;
  team().agree([&] {
    if (leads()) {
      columns.emplace(order(), order(), pattern.offsets, pattern.rows, settings_.base());
      require(values, !columns->indices.empty(), "the array values");
      positions = {order(), order(), Symmetry::general, columns->offsets, columns->indices};
    }
  });
  return taken(factorization_->inverse_entries(positions, inverse_accuracy(is_refined)), values);
}

template <Scalar S>
Index SolverOf<S>::null_space(int operation, std::int32_t capacity, Columns z) const {
  const NullSpace<S> space = factorization_->null_space(common_operation(team(), operation));
  if (!space.is_known) {
    throw UsageError("the null space is not known: " + space.note);
  }
  const Index wanted = std::min<Index>(capacity, space.dimension());
  team().agree([&] {
    if (leads() && z.data != nullptr && wanted > 0) {
      copy_columns(space.basis, view(z, order(), wanted, "z"));
    }
  });
  return space.dimension();
}

template <Scalar S>
void SolverOf<S>::schur_complement(Columns s) const {
  DenseView<S> to;
  team().agree([&] {
    if (leads()) {
      to = view(s, schur_order(), schur_order(), "s");
    }
  });
  copy_columns(factorization_->schur_complement(), to);
}

template <Scalar S>
void SolverOf<S>::condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const {
  DenseView<const S> from;
  DenseView<S> to;
  team().agree([&] {
    if (leads()) {
      from = view(b, order(), count, "b");
      to = view(condensed, schur_order(), count, "condensed");
    }
  });
  factorization_->condense(from, to, common_operation(team(), operation));
}

template <Scalar S>
void SolverOf<S>::expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const {
  DenseView<const S> kept;
  const GivenSides<S> given(
      team(),
      [&] {
        kept = leads() ? view(x2, schur_order(), count, "x2") : DenseView<const S>{};
        return led_view(b, order(), count, "b");
      },
      [&] { return leads() ? view(x, order(), count, "x") : DenseView<S>{}; });
  factorization_->expand(given.b(), kept, given.x(), common_operation(team(), operation));
}

template <Scalar S>
void SolverOf<S>::solve_part(int part, int operation, std::int32_t count, Columns x) const {
  FactorPart common_part = FactorPart::lower;
  DenseView<S> to;
  team().agree([&] {
    if (leads()) {
      common_part = part_of(part);
      to = view(x, order(), count, "x");
    }
  });
  factorization_->solve_part(common_part, common_operation(team(), operation), to);
}

template <Scalar S>
void SolverOf<S>::factor_order(const FactorOrderArrays& arrays) const {
  const FactorOrder<S> order_of_factors = factorization_->factor_order();
  const auto shift = static_cast<std::int32_t>(settings_.base().first);
  copy_if_wanted(order_of_factors.pivots, arrays.pivots, shift);
  copy_if_wanted(order_of_factors.rows, arrays.rows, shift);
  copy_if_wanted(order_of_factors.cols, arrays.cols, shift);
  copy_scales(order_of_factors.row_scaling, order(), arrays.row_scales);
  copy_scales(order_of_factors.col_scaling, order(), arrays.col_scales);
}

template <Scalar S>
void SolverOf<S>::save(const char* path) const {
  std::string common;
  team().agree([&] { common = leads() ? required_text(path, "path") : ""; });
  factorization_->save(common);
}

template <Scalar S>
std::vector<std::byte> SolverOf<S>::save() const {
  return factorization_->save_to_memory();
}

// Converts row numbers to base 0.
template <Scalar S>
std::vector<Index> SolverOf<S>::numbered(Rows rows, const char* name) const {
  if (rows.count < 0) {
    throw UsageError(fmt::format("the number of {} is {}", name, rows.count));
  }
  require(rows.numbers, rows.count > 0, name);
  return variables(rows.numbers, rows.count, name);
}

}  // namespace frond
