// SPDX-License-Identifier: BSD-3-Clause
// The outputs of tasks as they go from rank to rank: what is announced of them, and their bytes.
#pragma once

#include <span>
#include <vector>

#include "factorization/task_graph.hpp"

namespace frond {

/// Fully summed variables that found no pivot, in the order in which their rows and columns lie in the output. The symmetric
/// methods list rows only, their columns are the same.
struct DelayedVariables {
  std::vector<Index> rows;
  std::vector<Index> columns;

  friend bool operator==(const DelayedVariables&, const DelayedVariables&) = default;
};

/// What the parent's rank must know of a finished task before it can lay out its front: one entry for each of task_tops().
using Announcement = std::vector<DelayedVariables>;

/// The nodes of the task whose parents lie outside, increasing: their contribution blocks are the task's output.
[[nodiscard]] std::vector<NodeId> task_tops(const AssemblyTree& tree, const Task& task);

/// The outputs of tasks on one rank, of its own tasks and of others' that were fetched for their parent. An output is a sequence of
/// bytes, the same on both ranks; it may travel in pieces of any length, in any order.
class Contributions {
 public:
  virtual ~Contributions() = default;

  /// Of a finished own task.
  [[nodiscard]] virtual Announcement announce(TaskId task) const = 0;
  [[nodiscard]] virtual Count num_bytes(TaskId task) const = 0;
  virtual void read(TaskId task, Count offset, std::span<std::byte> bytes) const = 0;
  virtual void release(TaskId task) = 0;  ///< it has been sent

  /// Another rank's task: makes room for its output, which write() fills before the parent starts. Throws MemoryError. Returns the
  /// number of bytes to come.
  virtual Count expect(TaskId task, const Announcement& announcement) = 0;
  virtual void write(TaskId task, Count offset, std::span<const std::byte> bytes) = 0;
};

}  // namespace frond
