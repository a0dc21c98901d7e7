// SPDX-License-Identifier: BSD-3-Clause
// Tests whole trees in virtual time: model problems and random trees on 1 to 64 workers.
#include "factorization/ghosts/ghost_numerics.hpp"

#include <gtest/gtest.h>

#include <variant>

#include "analysis/symbolic.hpp"
#include "frond/error.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

// Returns the virtual seconds on `num_workers` workers.
double run_ghosts(const TaskGraph& graph, int num_workers) {
  GhostNumerics numerics(graph, num_workers);
  Engine engine(graph, numerics, {.max_active = num_workers, .ahead_limit_bytes = -1});
  const double seconds = numerics.run(engine);
  EXPECT_TRUE(engine.finished());
  return seconds;
}

void expect_plausible_times(const TaskGraph& graph) {
  double work = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    work += assembly_seconds(graph.task(id).cost) + elimination_seconds(graph.task(id).cost);
  }
  EXPECT_NEAR(run_ghosts(graph, 1), work, 1e-9 * work);
  for (const int num_workers : {2, 7, 64}) {
    const double seconds = run_ghosts(graph, num_workers);
    EXPECT_GE(seconds, work / num_workers * (1 - 1e-9));
    EXPECT_LE(seconds, work * (1 + 1e-9));
  }
}

TEST(GhostNumerics, RunsModelProblems) {
  for (const ModelProblem kind : {ModelProblem::laplacian2d5, ModelProblem::laplacian3d7, ModelProblem::elasticity3d,
                                  ModelProblem::kkt3d, ModelProblem::circuit}) {
    SCOPED_TRACE(model_problem_info(kind).name);
    const Index size = kind == ModelProblem::laplacian2d5 || kind == ModelProblem::circuit ? 60 : 8;
    const AnyMatrix matrix = generate(kind, std::max(size, model_problem_info(kind).smallest_size), 1);
    std::visit(
        [](const auto& a) {
          const Method method = a.symmetry == Symmetry::general ? Method::lu : Method::ldlt;
          expect_plausible_times(TaskGraph(analyze(a.pattern())->tree(), method, sizeof(double)));
        },
        matrix);
  }
}

TEST(GhostNumerics, RunsRandomTrees) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_plausible_times(TaskGraph(random_tree(150, 150, seed), Method::lu, sizeof(double)));
  }
}

TEST(GhostNumerics, SaysWhenTheScheduleStalls) {
  const TaskGraph graph(random_tree(60, 150, 1), Method::lu, sizeof(double));
  GhostNumerics numerics(graph, 2);
  Engine engine(graph, numerics, {.max_active = 2, .ahead_limit_bytes = -1});
  engine.stop();
  EXPECT_THROW(numerics.run(engine), InternalError);
}

}  // namespace
}  // namespace frond::test
