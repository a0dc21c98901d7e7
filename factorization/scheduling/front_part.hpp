// SPDX-License-Identifier: BSD-3-Clause
// The parts into which ranks divide a front, and what comes out of a step of one.
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
  master,  ///< holds the fully summed rows, and all others unless they are shared out; nothing but a list of them on a grid
  slave,   ///< holds a share of the others
  grid     ///< holds blocks of the root on a grid
};

/// What one rank holds of a front. The master may be among its own slaves, and is the first rank of its grid: these are two parts.
struct FrontPart {
  TaskId task = kNoTask;
  PartRole role = PartRole::master;

  friend auto operator<=>(const FrontPart&, const FrontPart&) = default;
};

/// What the part of a task is called in pictures.
[[nodiscard]] WorkRole work_role(const Task& task, PartRole role);

/// Sizes of a front with the delayed variables of its children.
struct FrontSize {
  Index num_delayed_in = 0;
  Index num_fully_summed = 0;
  Index order = 0;
  Index num_schur_rows = 0;  ///< the last ones, which pivots are not tested against

  [[nodiscard]] Index cb_order() const { return order - num_fully_summed; }
};

/// A message from one part of a front to other parts of the same front. What its body says is between the parts.
struct PartMessage {
  std::vector<Rank> to;
  PartRole role = PartRole::master;  ///< of the receivers
  std::shared_ptr<const std::vector<std::byte>> body;
  Count num_ghost_bytes = 0;  ///< behind the body
};

/// What came out of a step.
struct PartStep {
  std::vector<PartMessage> messages;
  bool goes_on = false;   ///< there is more to do without any message
  bool finished = false;  ///< there is nothing left to do, and no message to come
};

}  // namespace frond
