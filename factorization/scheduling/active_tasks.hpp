// SPDX-License-Identifier: BSD-3-Clause
// Counts the tasks under way on a rank, and the active memory that they and their outputs hold, as planned by the analysis.
#pragma once

#include <algorithm>

#include "factorization/scheduling/task_graph.hpp"

namespace frond {

/// The peak of each kind of active memory; the peaks are not necessarily at the same time.
struct ActivePeaks {
  Count total_bytes = 0;
  Count output_bytes = 0;  ///< contribution blocks that left their task, and parts of fronts that are not kept
  Index num_subtrees = 0;  ///< leaf subtrees under way at a time
};

class ActiveTasks {
 public:
  void begin(const Task& task) {
    count(task, 1);
    ++num_started_;
    hold(task.workspace_bytes, task.passing_bytes + task.output_bytes);
  }
  /// Its output stays.
  void end(const Task& task) {
    count(task, -1);
    hold(-task.workspace_bytes, -task.passing_bytes);
  }
  /// In addition to what is held; below 0: so much less.
  void hold(Count workspace_bytes, Count output_bytes) {
    workspace_bytes_ += workspace_bytes;
    output_bytes_ += output_bytes;
    peaks_.total_bytes = std::max(peaks_.total_bytes, bytes());
    peaks_.output_bytes = std::max(peaks_.output_bytes, output_bytes_);
    peaks_.num_subtrees = std::max(peaks_.num_subtrees, num_subtrees_);
  }

  [[nodiscard]] Count bytes() const { return workspace_bytes_ + output_bytes_; }  ///< held now
  [[nodiscard]] const ActivePeaks& peaks() const { return peaks_; }               ///< so far
  [[nodiscard]] Count num_started() const { return num_started_; }                ///< so far
  [[nodiscard]] Index num_running() const { return num_running_; }
  /// Each of these keeps a worker; the others mostly wait for messages.
  [[nodiscard]] Index num_sequential() const { return num_sequential_; }
  [[nodiscard]] bool are_all_subtrees() const { return num_running_ == num_subtrees_; }  ///< whom no other worker can help

 private:
  void count(const Task& task, Index change) {
    num_running_ += change;
    num_sequential_ += task.type == NodeType::sequential ? change : 0;
    num_subtrees_ += task.is_subtree ? change : 0;
  }

  Count num_started_ = 0;
  Index num_running_ = 0;
  Index num_sequential_ = 0;
  Index num_subtrees_ = 0;
  Count workspace_bytes_ = 0;
  Count output_bytes_ = 0;
  ActivePeaks peaks_;
};

}  // namespace frond
