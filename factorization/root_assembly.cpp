// SPDX-License-Identifier: BSD-3-Clause
// Who takes which entry of A and of the children's rows.
#include "factorization/root_assembly.hpp"

#include <algorithm>

namespace frond {

template <Scalar S>
void add_root_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId root, Index num_delayed_in,
                      const RootPart<S>& part) {
  const AssemblyTree& tree = symbolic.tree();
  const EntryMap& entries = symbolic.entries();
  const Index first = tree.variable_begin(root);
  for (Index k = 0; k < tree.num_fully_summed(root); ++k) {
    for (Count entry = entries.entries_begin(first + k); entry < entries.entries_begin(first + k + 1); ++entry) {
      const Index code = entries.position(entry);
      const bool is_upper = code < 0;  // A(k, position) instead of A(position, k)
      const Index position = is_upper ? ~code : code;
      const bool is_in_row_k = !is_symmetric(method) && !is_upper;  // of B; otherwise the entry is in column k
      const Index row = num_delayed_in + (is_in_row_k ? k : position);
      const Index col = num_delayed_in + (is_in_row_k ? position : k);
      if (part.layout.owner(row, col) != part.position) {
        continue;
      }
      S value = matrix.values[static_cast<std::size_t>(entries.source(entry))];
      if (!matrix.row_scaling.empty()) {
        value *= matrix.row_scaling[static_cast<std::size_t>(first + (is_upper ? k : position))] *
                 matrix.col_scaling[static_cast<std::size_t>(first + (is_upper ? position : k))];
      }
      const bool is_conjugated = is_upper && method == Method::cholesky;
      part.entries[part.layout.offset(row, col)] += is_conjugated ? conjugate(value) : value;
    }
  }
}

RootPiece::RootPiece(const RootLayout& layout, Method method, const ChildRows& child, GridPosition to)
    : rows_(numbers_of(layout.rows(), to.row, child.positions)) {
  if (is_symmetric(method)) {
    rows_.erase(std::lower_bound(rows_.begin(), rows_.end(), child.row_end), rows_.end());
  }
  for (const Index row : rows_) {
    local_rows_.push_back(layout.rows().local(child.positions[static_cast<std::size_t>(row)]));
  }
  const Count ld = layout.leading_dimension(to);
  const auto num_positions = static_cast<Count>(child.positions.size());
  Count sequence_end = 0;
  for (Index col = is_symmetric(method) ? 0 : child.row_begin; col < child.row_end; ++col) {
    const Index first_row = is_symmetric(method) ? std::max(col, child.row_begin) : 0;
    const Count source = sequence_end - first_row;
    sequence_end += (is_symmetric(method) ? child.row_end : num_positions) - first_row;
    const Index position = child.positions[static_cast<std::size_t>(col)];
    const auto row = static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), first_row) - rows_.begin());
    if (layout.cols().owner(position) == to.col && row < rows_.size()) {
      columns_.push_back({source, layout.cols().local(position) * ld, row});
    }
  }
}

Count RootPiece::num_entries() const {
  Count entries = 0;
  for (const Column& column : columns_) {
    entries += static_cast<Count>(rows_.size() - column.row);
  }
  return entries;
}

template <Scalar S>
void RootPiece::pack(const S* sequence, S* piece) const {
  for (const Column& column : columns_) {
    for (std::size_t k = column.row; k < rows_.size(); ++k) {
      *piece++ = sequence[column.source + rows_[k]];
    }
  }
}

template <Scalar S>
void RootPiece::add(const S* piece, S* part) const {
  for (const Column& column : columns_) {
    for (std::size_t k = column.row; k < rows_.size(); ++k) {
      part[column.target + local_rows_[k]] += *piece++;
    }
  }
}

template void add_root_entries(const Symbolic&, Method, const ScaledValues<float>&, NodeId, Index, const RootPart<float>&);
template void RootPiece::pack(const float*, float*) const;
template void RootPiece::add(const float*, float*) const;
template void add_root_entries(const Symbolic&, Method, const ScaledValues<double>&, NodeId, Index, const RootPart<double>&);
template void RootPiece::pack(const double*, double*) const;
template void RootPiece::add(const double*, double*) const;
template void add_root_entries(const Symbolic&, Method, const ScaledValues<std::complex<float>>&, NodeId, Index,
                               const RootPart<std::complex<float>>&);
template void RootPiece::pack(const std::complex<float>*, std::complex<float>*) const;
template void RootPiece::add(const std::complex<float>*, std::complex<float>*) const;
template void add_root_entries(const Symbolic&, Method, const ScaledValues<std::complex<double>>&, NodeId, Index,
                               const RootPart<std::complex<double>>&);
template void RootPiece::pack(const std::complex<double>*, std::complex<double>*) const;
template void RootPiece::add(const std::complex<double>*, std::complex<double>*) const;

}  // namespace frond
