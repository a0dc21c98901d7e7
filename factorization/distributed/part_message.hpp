// SPDX-License-Identifier: BSD-3-Clause
// Bodies of the messages between the parts of a row-distributed front.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "factorization/kernels/row_panel.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

enum class PartMessageKind : std::uint8_t {
  panel,        ///< master to slave: LuPanel, CholeskyPanel or LdltPanel
  done,         ///< slave to master: number of panels it has applied (LU, Cholesky)
  maxima,       ///< slave to master: magnitudes in the columns that are left (LDLT)
  verdict,      ///< slave to master: number of pivots of the last panel that it verifies (LDLT)
  commit,       ///< master to slave: number of pivots of the last panel that stay; whether maxima are wanted (LDLT)
  rows,         ///< slave to slave: RowsOfL
  end,          ///< master to slave: EndOfPanels
  ready,        ///< rank of a grid to the root's master: it may enter the common part; `done`: its part is finished
  enter,        ///< root's master to the ranks of the grid: all are ready
  right_sides,  ///< master to slave, after `end`: right-hand sides of the eliminated positions
  product       ///< slave to master: the product of its rows of the factor with these
};

/// The last message of the master.
struct EndOfPanels {
  Index num_eliminated = 0;
  Index num_panels = 0;               ///< with pivots: each slave sends rows this many times
  std::vector<Exchange> exchanges{};  ///< of fully summed variables, since the last panel (LDLT)
};

struct CommitOfPanel {
  Index num_pivots = 0;
  bool wants_maxima = false;
};

using PartBody = std::shared_ptr<const std::vector<std::byte>>;

/// Content of a message of a part: bytes, and how many more there would be if it had numbers.
struct PartPayload {
  PartBody body;
  Count num_ghost_bytes = 0;
};

template <class Fields, Scalar S>
void visit(Fields& fields, LuPanel<S>& panel) {
  fields(panel.begin, panel.exchanged, panel.m);
}
template <class Fields, Scalar S>
void visit(Fields& fields, CholeskyPanel<S>& panel) {
  fields(panel.begin, panel.l);
}
template <class Fields, Scalar S>
void visit(Fields& fields, LdltPanel<S>& panel) {
  fields(panel.begin, panel.exchanges, panel.l, panel.d, panel.pivots, panel.is_final);
}
template <class Fields, Scalar S>
void visit(Fields& fields, RowsOfL<S>& rows) {
  fields(rows.pivot_begin, rows.row_begin, rows.l);
}
template <class Fields>
void visit(Fields& fields, CommitOfPanel& commit) {
  fields(commit.num_pivots, commit.wants_maxima);
}
template <class Fields>
void visit(Fields& fields, EndOfPanels& end) {
  fields(end.num_eliminated, end.num_panels, end.exchanges);
}

template <class... Content>
[[nodiscard]] PartBody encode_part(PartMessageKind kind, const Content&... content) {
  return std::make_shared<const std::vector<std::byte>>(encoded(kind, content...));
}

}  // namespace frond
