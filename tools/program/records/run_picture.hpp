// SPDX-License-Identifier: BSD-3-Clause
// Draws a run: a page for people, and events for trace viewers.
#pragma once

#include <string>
#include <vector>

#include "factorization/memory/work_log.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "frond/analysis.hpp"
#include "solver/course/team.hpp"
#include "tools/program/page/picture.hpp"
#include "tools/program/page/time_charts.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {

/// The log of a rank; times in seconds since the start of the run.
struct RankLog {
  std::vector<LoggedSpan> spans;
  std::vector<LoggedBytes> memory;

  /// Returns the same log with all times later by `seconds`.
  [[nodiscard]] RankLog shifted(double seconds) &&;
};

/// The data of a run that can be drawn.
struct RunPicture {
  std::vector<PagePhase> phases;  ///< by time, since the start of the run
  std::vector<RankLog> ranks;
  std::vector<TreeMark> tree;
};

/// Returns the logs of all processes on the leading one, in seconds since `origin` of its steady_seconds(); nothing elsewhere.
/// Clocks are compared when processes leave a barrier.
[[nodiscard]] std::vector<RankLog> gathered_logs(const Team& team, const WorkLog& log, double origin);

/// Returns the tops of leaf subtrees and all nodes above.
[[nodiscard]] std::vector<TreeMark> tree_marks(const AssemblyTree& tree, const TaskGraph& graph);
/// The same for the tasks that the place of the analysis has.
[[nodiscard]] std::vector<TreeMark> tree_marks(const Analysis& analysis, Method method, Count scalar_bytes);

/// Returns one self-contained page.
[[nodiscard]] std::string run_page(const RunRecord& record, const RunPicture& picture);

/// Trace events as Chromium's chrome://tracing and Perfetto read them ("Trace Event Format", Google 2016): a process for each rank,
/// a thread for each of its threads, spans named by nodes, and counters of memory.
[[nodiscard]] std::string run_trace(const RunRecord& record, const RunPicture& picture);

}  // namespace frond
