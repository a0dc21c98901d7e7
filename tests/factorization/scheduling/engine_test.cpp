// SPDX-License-Identifier: BSD-3-Clause
// Tests the engine under a driver that finishes tasks in random order and checks every state.
#include "factorization/scheduling/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "factorization/ghosts/ghost_numerics.hpp"
#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

// Returns the peak of active memory when tasks run one after the other: a task takes workspace and output, frees its children's
// outputs after assembly, and its workspace at its end.
Count sequential_peak(const TaskGraph& graph) {
  std::vector<Count> children_output(static_cast<std::size_t>(graph.num_tasks()));
  Count now = 0;
  Count peak = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    now += task.workspace_bytes + task.output_bytes;
    peak = std::max(peak, now);
    now -= children_output[id] + task.workspace_bytes;
    if (task.parent != kNoTask) {
      children_output[task.parent] += task.output_bytes;
    }
  }
  return peak;
}

// Keeps its own record of running tasks and held memory.
class RandomDriver final : public Numerics {
 public:
  RandomDriver(const TaskGraph& graph, const EngineOptions& options, std::uint32_t seed)
      : graph_(graph),
        options_(options),
        most_bytes_(options.ahead_limit_bytes < 0 ? std::numeric_limits<Count>::max()
                                                  : sequential_peak(graph) + options.ahead_limit_bytes),
        random_(seed),
        state_(static_cast<std::size_t>(graph.num_tasks())) {}

  void start(TaskId id) override {
    const auto index = static_cast<std::size_t>(id);
    EXPECT_FALSE(stopped_) << "task " << id << " starts after stop()";
    EXPECT_EQ(state_[index], State::idle) << "task " << id << " starts twice";
    for (TaskId child = 0; child < id; ++child) {
      if (graph_.task(child).parent == id) {
        EXPECT_EQ(state_[child], State::finished) << "task " << id << " before its child " << child;
      }
    }
    state_[index] = State::assembling;
    running_.push_back(id);
    held_ += graph_.task(id).workspace_bytes + graph_.task(id).output_bytes;
    peak_ = std::max(peak_, held_);
    EXPECT_LE(held_, most_bytes_);
    EXPECT_LE(static_cast<Index>(running_.size()), options_.max_active + 1);
    ++num_started_;
  }

  // Runs to the end, or until `stop_after` tasks and those running at that time have finished.
  void run(Engine& engine, Index stop_after = std::numeric_limits<Index>::max()) {
    engine.start();
    while (!running_.empty()) {
      if (num_finished_ >= stop_after && !stopped_) {
        engine.stop();
        stopped_ = true;
      }
      const auto pick = std::uniform_int_distribution<std::size_t>(0, running_.size() - 1)(random_);
      step(engine, pick);
    }
  }

  [[nodiscard]] Index num_started() const { return num_started_; }
  [[nodiscard]] Index num_finished() const { return num_finished_; }
  [[nodiscard]] Count peak() const { return peak_; }

 private:
  enum class State { idle, assembling, eliminating, finished };

  void step(Engine& engine, std::size_t pick) {
    const TaskId id = running_[pick];
    State& state = state_[id];
    if (state == State::assembling && !graph_.task(id).is_subtree) {
      state = State::eliminating;
      for (TaskId child = 0; child < id; ++child) {
        held_ -= graph_.task(child).parent == id ? graph_.task(child).output_bytes : 0;
      }
      engine.on_assembled(id);
      return;
    }
    state = State::finished;
    ++num_finished_;
    running_.erase(running_.begin() + pick);
    held_ -= graph_.task(id).workspace_bytes;
    engine.on_finished(id);
  }

  const TaskGraph& graph_;
  EngineOptions options_;
  Count most_bytes_;
  std::mt19937 random_;
  std::vector<State> state_;
  std::vector<TaskId> running_;
  Count held_ = 0;
  Count peak_ = 0;
  Index num_started_ = 0;
  Index num_finished_ = 0;
  bool stopped_ = false;
};

TEST(Engine, KeepsItsPromisesInEveryOrderOfEvents) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const Index num_nodes = std::uniform_int_distribution<Index>(1, 120)(random);
    const AssemblyTree tree = random_tree(num_nodes, 120, seed);
    const TaskGraph graph(tree, seed % 2 == 0 ? Method::lu : Method::ldlt, sizeof(double));
    EngineOptions options{.max_active = std::uniform_int_distribution<Index>(1, 9)(random)};
    const Count largest = sequential_peak(graph);
    const Count limits[] = {-1, 0, largest / 10, largest};
    options.ahead_limit_bytes = limits[seed % 4];
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", tasks " << graph.num_tasks() << ", workers " << options.max_active
                                      << ", ahead limit " << options.ahead_limit_bytes);
    RandomDriver driver(graph, options, seed);
    Engine engine(graph, driver, options);
    driver.run(engine);
    EXPECT_TRUE(engine.finished());
    EXPECT_EQ(driver.num_started(), graph.num_tasks());
    EXPECT_EQ(engine.active().peaks().total_bytes, driver.peak());
    if (HasFailure()) {
      return;
    }
  }
}

TEST(Engine, StartsNothingAfterStop) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const AssemblyTree tree = random_tree(100, 120, seed);
    const TaskGraph graph(tree, Method::lu, sizeof(double));
    const EngineOptions options{.max_active = 4, .ahead_limit_bytes = -1};
    RandomDriver driver(graph, options, seed);
    Engine engine(graph, driver, options);
    const Index stop_after = graph.num_tasks() / 3;
    driver.run(engine, stop_after);
    EXPECT_EQ(driver.num_started(), driver.num_finished());
    EXPECT_EQ(engine.finished(), driver.num_finished() == graph.num_tasks());
    EXPECT_LE(driver.num_started(), stop_after + options.max_active + 1);
  }
}

TEST(Engine, OfOneWorkerHasTheSequentialPeak) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const AssemblyTree tree = random_tree(100, 200, seed);
    const TaskGraph graph(tree, Method::cholesky, sizeof(float));
    GhostNumerics numerics(graph, 1);
    Engine engine(graph, numerics, {.max_active = 1, .ahead_limit_bytes = -1});
    numerics.run(engine);
    EXPECT_EQ(engine.active().peaks().total_bytes, sequential_peak(graph));
  }
}

TEST(Engine, OfAnEmptyTreeIsFinishedAtOnce) {
  const AssemblyTree tree({}, {0}, {0}, {});
  const TaskGraph graph(tree, Method::lu, sizeof(double));
  GhostNumerics numerics(graph, 2);
  Engine engine(graph, numerics, {.max_active = 2, .ahead_limit_bytes = 0});
  EXPECT_EQ(numerics.run(engine), 0);
  EXPECT_TRUE(engine.finished());
}

}  // namespace
}  // namespace frond::test
