// SPDX-License-Identifier: BSD-3-Clause
// The parts into which ranks divide a front, and the outcome of a step of one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "factorization/memory/work_log.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "frond/types.hpp"

namespace frond {

enum class PartRole : std::uint8_t {
  master,  ///< holds the fully summed rows, and all others unless they are distributed; on a grid only a list of them
  slave,   ///< holds a share of the others
  grid     ///< holds blocks of the root on a grid
};

/// A part of a front that one rank holds. The master may be among its own slaves, and is the first rank of its grid: these are two
/// parts.
struct FrontPart {
  TaskId task = kNoTask;
  PartRole role = PartRole::master;

  friend auto operator<=>(const FrontPart&, const FrontPart&) = default;
};

/// Returns the name of the part of a task in pictures.
[[nodiscard]] WorkRole work_role(const Task& task, PartRole role);

/// Sizes of a front with the delayed variables of its children.
struct FrontSize {
  Index num_delayed_in = 0;
  Index num_fully_summed = 0;
  Index order = 0;
  Index num_schur_rows = 0;  ///< the last ones; pivots are not tested against them

  [[nodiscard]] Index cb_order() const { return order - num_fully_summed; }
};

/// A message from one part of a front to other parts of the same front. Only the parts interpret its body.
struct PartMessage {
  std::vector<Rank> to;
  PartRole role = PartRole::master;  ///< of the receivers
  std::shared_ptr<const std::vector<std::byte>> body;
  Count num_ghost_bytes = 0;  ///< behind the body
};

/// The outcome of a step.
struct PartStep {
  std::vector<PartMessage> messages;
  bool goes_on = false;   ///< there is more to do, without waiting for a message
  bool finished = false;  ///< there is nothing left to do, and no message to come
};

}  // namespace frond
