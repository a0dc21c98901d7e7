// SPDX-License-Identifier: BSD-3-Clause
// Makes blocks of columns, and extracts entries from them.
#include "solver/numerics/answers/inverse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/graph/graph.hpp"
#include "frond/error.hpp"
#include "matrices/counted.hpp"
#include "solver/numerics/sweeps/sparse_sides.hpp"

namespace frond {
namespace {

constexpr std::size_t kCheckedColumns = 4;

std::vector<Index> columns_to_check(std::span<const Index> columns) {
  const std::size_t num_checked = std::min(columns.size(), kCheckedColumns);
  std::vector<Index> checked;
  for (std::size_t k = 0; k < num_checked; ++k) {
    checked.push_back(columns[k * columns.size() / num_checked]);
  }
  return checked;
}

}  // namespace

template <Scalar S>
std::string InverseEntries<S>::describe() const {
  switch (verdict) {
    case Verdict::solved:
      return fmt::format("{} in {}{}, backward error {:.1e} (columns checked: {})",
                         counted_entries(static_cast<Count>(values.size())), counted(num_columns, "column"),
                         is_refined ? ", refined" : "", backward_error, num_checked);
    case Verdict::unmeasured:
      return fmt::format("{} in {}, not measured", counted_entries(static_cast<Count>(values.size())),
                         counted(num_columns, "column"));
    case Verdict::accuracy_missed:
      return fmt::format(
          "accuracy missed: backward error {:.1e} is above {:.1e} (columns checked: {} of {}); a larger pivot threshold may help",
          backward_error, target, num_checked, num_columns);
    case Verdict::singular:
      return "there is no inverse: the matrix is singular";
    case Verdict::rank_in_doubt:
      return "it is not proved that there is an inverse: the rank of the matrix is in doubt";
    case Verdict::not_positive_definite:
      return "there are no factors: the matrix is not positive definite; leave the method to Frond";
  }
  return {};
}

std::span<const Index> rows_of(const PatternView& pattern, Index column) {
  const auto begin = static_cast<std::size_t>(pattern.column_offsets[column]);
  const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column) + 1]);
  return pattern.row_indices.subspan(begin, end - begin);
}

std::vector<Index> columns_with_entries(const PatternView& pattern) {
  std::vector<Index> columns;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    if (!rows_of(pattern, j).empty()) {
      columns.push_back(j);
    }
  }
  return columns;
}

std::vector<InverseBlock> inverse_blocks(const PatternView& pattern, std::span<const Index> place, Index width) {
  std::vector<Index> columns = columns_with_entries(pattern);
  std::sort(columns.begin(), columns.end(), [&](Index a, Index b) { return place[a] < place[b]; });
  std::vector<InverseBlock> blocks;
  for (auto next = columns.begin(); next != columns.end();) {
    const auto end = next + std::min<std::ptrdiff_t>(width, columns.end() - next);
    InverseBlock& block = blocks.emplace_back();
    block.columns.assign(next, end);
    for (const Index j : block.columns) {
      const std::span<const Index> rows = rows_of(pattern, j);
      block.rows.insert(block.rows.end(), rows.begin(), rows.end());
    }
    std::sort(block.rows.begin(), block.rows.end());
    block.rows.erase(std::unique(block.rows.begin(), block.rows.end()), block.rows.end());
    next = end;
  }
  return blocks;
}

std::vector<Index> columns_of(std::span<const InverseBlock> blocks) {
  std::vector<Index> columns;
  for (const InverseBlock& block : blocks) {
    columns.insert(columns.end(), block.columns.begin(), block.columns.end());
  }
  return columns;
}

template <Scalar S>
void check_columns(std::span<const Index> columns, Index order, Operation operation, const SolveInPlace<S>& solve,
                   const std::function<ColumnReport(std::span<const S> b, std::span<const S> x)>& measure,
                   InverseEntries<S>& entries) {
  const std::vector<Index> checked = columns_to_check(columns);
  entries.num_columns = static_cast<Index>(columns.size());
  entries.num_checked = static_cast<Index>(checked.size());
  if (checked.empty()) {
    return;
  }
  const DenseMatrix<S> units = dense_columns(UnitVectors<S>(order, checked).view(), 0, entries.num_checked);
  DenseMatrix<S> x = units;
  solve({operation, view_of(x)});
  for (Index k = 0; k < entries.num_checked; ++k) {
    const double error = measure(units.column(k), std::as_const(x).column(k)).normwise_backward_error;
    entries.backward_error = std::max(entries.backward_error, error);
  }
}

template <Scalar S>
void take_entries(const PatternView& pattern, const InverseBlock& block, DenseView<const S> x, std::span<S> values) {
  for (std::size_t k = 0; k < block.columns.size(); ++k) {
    auto to = values.begin() + pattern.column_offsets[block.columns[k]];
    for (const Index row : rows_of(pattern, block.columns[k])) {
      const auto place = std::lower_bound(block.rows.begin(), block.rows.end(), row) - block.rows.begin();
      *to++ = x(static_cast<Index>(place), static_cast<Index>(k));
    }
  }
}

template <Scalar S>
void take_entries_of_columns(const PatternView& pattern, const InverseBlock& block, DenseView<const S> x, std::span<S> values) {
  for (std::size_t k = 0; k < block.columns.size(); ++k) {
    auto to = values.begin() + pattern.column_offsets[block.columns[k]];
    for (const Index row : rows_of(pattern, block.columns[k])) {
      *to++ = x(row, static_cast<Index>(k));
    }
  }
}

template <Scalar S>
UnitVectors<S>::UnitVectors(Index order, std::span<const Index> columns)
    : order_(order), offsets_(columns.size() + 1), rows_(columns.begin(), columns.end()), ones_(columns.size(), S(1)) {
  std::iota(offsets_.begin(), offsets_.end(), Count{0});
}

template <Scalar S>
MatrixView<S> UnitVectors<S>::view() const {
  return {{order_, static_cast<Index>(rows_.size()), Symmetry::general, offsets_, rows_}, ones_};
}

void check_inverse_pattern(Index order, const PatternView& pattern) {
  if (pattern.num_rows != order || pattern.num_cols != order) {
    throw UsageError(fmt::format("the matrix has order {}, but the pattern of its inverse is {} by {}", order, pattern.num_rows,
                                 pattern.num_cols));
  }
  check_pattern(pattern);
}

DiagonalPattern::DiagonalPattern(Index order_of_all)
    : order(order_of_all), offsets(static_cast<std::size_t>(order) + 1), rows(static_cast<std::size_t>(order)) {
  std::iota(offsets.begin(), offsets.end(), Count{0});
  std::iota(rows.begin(), rows.end(), Index{0});
}

template <Scalar S>
InverseEntries<S> no_inverse(const PatternView& pattern, FactorizationStatus status) {
  InverseEntries<S> none;
  none.values.assign(pattern.row_indices.size(), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  none.verdict = status == FactorizationStatus::not_positive_definite ? Verdict::not_positive_definite : Verdict::singular;
  none.target = kAccuracyTarget<S>;
  return none;
}

#define FROND_INSTANTIATE(S)                                                                                                   \
  template struct InverseEntries<S>;                                                                                           \
  template void take_entries(const PatternView&, const InverseBlock&, DenseView<const S>, std::span<S>);                       \
  template void take_entries_of_columns(const PatternView&, const InverseBlock&, DenseView<const S>, std::span<S>);            \
  template void check_columns(std::span<const Index>, Index, Operation, const SolveInPlace<S>&,                                \
                              const std::function<ColumnReport(std::span<const S>, std::span<const S>)>&, InverseEntries<S>&); \
  template class UnitVectors<S>;                                                                                               \
  template InverseEntries<S> no_inverse(const PatternView&, FactorizationStatus);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
