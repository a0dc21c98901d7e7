// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a run: a page for people, and events for viewers of traces.
#pragma once

#include <string>
#include <vector>

#include "factorization/memory/work_log.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "tools/program/page/picture.hpp"
#include "tools/program/page/time_charts.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {

/// What a rank has logged; times in seconds since the start of the run.
struct RankLog {
  std::vector<LoggedSpan> spans;
  std::vector<LoggedBytes> memory;

  /// The same, all times later by so many seconds.
  [[nodiscard]] RankLog shifted(double seconds) &&;
};

/// What a run leaves to be drawn.
struct RunPicture {
  std::vector<PagePhase> phases;  ///< by time, since the start of the run
  std::vector<RankLog> ranks;
  std::vector<TreeMark> tree;
};

/// The tops of leaf subtrees and all nodes above.
[[nodiscard]] std::vector<TreeMark> tree_marks(const AssemblyTree& tree, const TaskGraph& graph);

/// One page that needs nothing else.
[[nodiscard]] std::string run_page(const RunRecord& record, const RunPicture& picture);

/// Trace events as Chromium's chrome://tracing and Perfetto read them ("Trace Event Format", Google 2016): a process for each rank,
/// a thread for each of its threads, spans named by nodes, and counters of memory.
[[nodiscard]] std::string run_trace(const RunRecord& record, const RunPicture& picture);

}  // namespace frond
