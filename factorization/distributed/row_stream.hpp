// SPDX-License-Identifier: BSD-3-Clause
// Determines which rows of a child's contribution go from which part of the child to which part of its parent.
#pragma once

#include <functional>
#include <vector>

#include "factorization/distributed/front_plan.hpp"

namespace frond {

/// Rows of a child's contribution on their way from a part of the child to a part of its parent. A row goes as a whole to the part
/// that holds its position in the parent's front; since positions increase with rows, the rows between two parts are consecutive. A
/// part sends all its rows to a grid, each of whose ranks gets the RootPiece that it holds.
struct RowStream {
  NodeId child = 0;
  FrontPart source = {};
  FrontPart target = {};
  Rank from = 0;
  Rank to = 0;
  bool has_delayed_rows = false;  ///< from master to master or to a grid
  Index row_begin = 0;            ///< of the contribution rows of the child
  Index row_end = 0;
  Index num_delayed = 0;     ///< variables that the child delays
  Index delayed_begin = 0;   ///< position in the parent's front of the first of them
  Index num_delayed_in = 0;  ///< of the parent
};

struct SizedStream {
  RowStream stream;
  Count num_bytes = 0;
};

/// Returns the bytes of a stream, or, for a stream to a grid, those of its target rank's piece.
using StreamBytes = std::function<Count(const RowStream&)>;

/// Returns all streams between the parts of a child task and those of its parent. `master` and `shares` are the child's, as in
/// FrontPlan.
[[nodiscard]] std::vector<RowStream> row_streams(const AssemblyTree& tree, const TaskGraph& graph, TaskId child, Rank master,
                                                 const std::vector<RowShare>& shares, const RowMap& map);

/// Return the streams to one rank's part of a front with this layout, and those from one rank's part of a child with these shares,
/// without the empty ones: a rank of a grid may get nothing.
[[nodiscard]] std::vector<SizedStream> streams_to_part(const AssemblyTree& tree, const TaskGraph& graph, const FrontPlan& plan,
                                                       FrontPart part, Rank rank, const StreamBytes& bytes);
[[nodiscard]] std::vector<SizedStream> streams_from_part(const AssemblyTree& tree, const TaskGraph& graph, FrontPart part,
                                                         Rank rank, const std::vector<RowShare>& shares, const RowMap& map,
                                                         const StreamBytes& bytes);

/// Returns the children, among those that send these streams to one part, whose rows are added to it on arrival: the two that send
/// most, in increasing order, if the part already has its memory, as slaves and ranks of a grid do. The rows of the others wait, so
/// that sums do not depend on the order of arrival: 0 + a + b is the same as 0 + b + a, and the others are added in the order of
/// children.
[[nodiscard]] std::vector<NodeId> children_added_on_arrival(FrontPart part, const std::vector<SizedStream>& streams);

/// Returns the bytes of the streams of all children except these.
[[nodiscard]] Count waiting_bytes(const std::vector<SizedStream>& streams, const std::vector<NodeId>& children_added);

/// Returns the number of scalars of a stream, for all ranks of a grid together, out of a child with that many contribution rows.
[[nodiscard]] Count stream_entries(const RowStream& stream, Index cb_order, Method method);

}  // namespace frond
