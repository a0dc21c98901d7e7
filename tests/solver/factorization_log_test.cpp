// SPDX-License-Identifier: BSD-3-Clause
// Tests what a factorization writes to a log.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "factorization/memory/work_log.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

// The log must hold all tasks, on at most this many threads, none doing two things at a time; the factors must be unchanged.
TEST(FactorizationLog, HasAllTasks) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(14);
  for (const int num_threads : {1, 3}) {
    SolverOptions options;
    options.factorization.num_threads = num_threads;
    const Factorization<double> plain(analyze(matrix, options), matrix);
    options.factorization.log = make_work_log();
    const Analysis analysis = analyze(matrix, options);
    const Factorization<double> logged(analysis, matrix);
    EXPECT_EQ(logged.report().factorization.determinant, plain.report().factorization.determinant);
    const Symbolic& symbolic = *analysis.parts().symbolic;
    const TaskGraph graph(symbolic.tree(), analysis.method(), sizeof(double));
    std::set<Index> tops;
    for (TaskId task = 0; task < graph.num_tasks(); ++task) {
      tops.insert(graph.task(task).node_end - 1);
    }
    std::set<Index> seen;
    const std::vector<LoggedSpan> spans = options.factorization.log->spans();
    for (std::size_t k = 0; k < spans.size(); ++k) {
      seen.insert(spans[k].work.node);
      EXPECT_LT(spans[k].thread, num_threads);
      if (k > 0 && spans[k - 1].thread == spans[k].thread) {
        EXPECT_LE(spans[k - 1].end_seconds, spans[k].begin_seconds);
      }
    }
    EXPECT_EQ(seen, tops);
    Count highest = 0;
    for (const LoggedBytes& point : options.factorization.log->memory()) {
      highest = std::max(highest, point.bytes);
    }
    const Count peak = logged.report().factorization.peak_bytes;
    EXPECT_LE(highest, peak);
    EXPECT_GE(highest, peak - std::max<Count>(peak / 100, 1 << 16));
  }
}

}  // namespace
}  // namespace frond
