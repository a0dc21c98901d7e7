// SPDX-License-Identifier: BSD-3-Clause
// Solves for columns of the inverse, and measures them.
#include "solver/numerics/answers/inverse_check.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "solver/numerics/sweeps/sparse_sides.hpp"

namespace frond {
namespace {

constexpr Count kCheckedColumns = 4;

std::vector<Index> columns_to_check(const std::vector<Index>& columns) {
  const auto num_columns = static_cast<Count>(columns.size());
  const Count num_checked = std::min(num_columns, kCheckedColumns);
  std::vector<Index> checked;
  for (Count k = 0; k < num_checked; ++k) {
    checked.push_back(columns[static_cast<std::size_t>(k * num_columns / num_checked)]);
  }
  return checked;
}

}  // namespace

template <Scalar S>
void check_columns(std::span<const InverseBlock> blocks, Index order, Operation operation, const BackwardErrorMeter<S>& meter,
                   const SolveInPlace<S>& solve, InverseEntries<S>& entries) {
  std::vector<Index> columns;
  for (const InverseBlock& block : blocks) {
    columns.insert(columns.end(), block.columns.begin(), block.columns.end());
  }
  const std::vector<Index> checked = columns_to_check(columns);
  entries.num_columns = static_cast<Index>(columns.size());
  entries.num_checked = static_cast<Index>(checked.size());
  if (checked.empty()) {
    return;
  }
  const DenseMatrix<S> units = dense_columns(UnitVectors<S>(order, checked).view(), 0, entries.num_checked);
  DenseMatrix<S> x = units;
  solve({operation, view_of(x)});
  std::vector<S> residual(static_cast<std::size_t>(order));
  for (Index k = 0; k < entries.num_checked; ++k) {
    const ColumnReport measured = meter.measure(units.column(k), std::as_const(x).column(k), residual);
    entries.backward_error = std::max(entries.backward_error, measured.normwise_backward_error);
  }
}

#define FROND_INSTANTIATE(S)                                                                                 \
  template void check_columns(std::span<const InverseBlock>, Index, Operation, const BackwardErrorMeter<S>&, \
                              const SolveInPlace<S>&, InverseEntries<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
