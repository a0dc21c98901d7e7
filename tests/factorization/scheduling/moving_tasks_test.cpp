// SPDX-License-Identifier: BSD-3-Clause
// Tests units of tasks that one engine gives and another takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "factorization/scheduling/engine.hpp"
#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

constexpr Count kNoLimit = Count{1} << 60;

struct Cut {
  explicit Cut(std::uint64_t seed)
      : tree(random_tree(800, 40, seed)),
        mapping(map_tree(tree, Method::lu, {.num_ranks = 2})),
        graph(tree, Method::lu, 8, mapping, KeptFactors::all, {}, {.tasks_move = true, .least_seconds = 1e-6}) {}

  [[nodiscard]] std::vector<TaskId> movable(Rank rank) const {
    std::vector<TaskId> tasks;
    for (TaskId id = 0; id < graph.num_tasks(); ++id) {
      if (graph.task(id).may_move && graph.task(id).rank == rank) {
        tasks.push_back(id);
      }
    }
    return tasks;
  }

  AssemblyTree tree;
  Mapping mapping;
  TaskGraph graph;
};

// Finishes started tasks in random order, and reports them as the workers of a rank do.
class RandomWorker final : public Numerics {
 public:
  RandomWorker(const TaskGraph& graph, std::uint32_t seed) : graph_(graph), random_(seed) {}

  void start(TaskId task) override { running_.push_back(task); }

  void run(Engine& engine) {
    while (!running_.empty()) {
      const std::size_t k = random_() % running_.size();
      const TaskId task = running_[k];
      running_.erase(running_.begin() + k);
      engine.on_assembled(task);
      engine.on_finished(task);
      if (const TaskId parent = graph_.task(task).parent; parent != kNoTask && engine.is_here(parent)) {
        if (++num_finished_children_[parent] == graph_.task(parent).num_children) {
          engine.on_gathered(parent);
        }
      }
      ++num_finished;
    }
  }

  Index num_finished = 0;

 private:
  const TaskGraph& graph_;
  std::mt19937 random_;
  std::vector<TaskId> running_;
  std::map<TaskId, Index> num_finished_children_;
};

TEST(MovingTasks, AreWhatLiesInSubtreesOfTheMapping) {
  Index num_fronts = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Cut cut(seed);
    for (TaskId id = 0; id < cut.graph.num_tasks(); ++id) {
      const Task& task = cut.graph.task(id);
      ASSERT_EQ(task.may_move, cut.mapping.is_in_subtree(task.node_begin)) << seed << ", " << id;
      if (!task.may_move) {
        continue;
      }
      num_fronts += task.num_children > 0 ? 1 : 0;
      double flops = 0;
      for (TaskId below = task.unit.first; below <= id; ++below) {
        EXPECT_TRUE(below == id || (cut.graph.task(below).parent > below && cut.graph.task(below).parent <= id));
        flops += cut.graph.task(below).own_flops;
      }
      EXPECT_NEAR(task.unit.flops, flops, 1e-9 * flops);
      EXPECT_GE(task.unit.active_bytes, task.active_bytes());
    }
  }
  EXPECT_GT(num_fronts, 0);
}

TEST(MovingTasks, AreGivenFromTheEndAndNoMoreThanTheShare) {
  Index num_units_of_several = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Cut cut(seed);
    RandomWorker worker(cut.graph, 1);
    Engine engine(cut.graph, worker, {.rank = 0});
    engine.hold_back();
    engine.start();
    std::vector<TaskId> left = cut.movable(0);
    EXPECT_TRUE(engine.give_last(0, 0.5).empty()) << "nothing needs no memory";
    while (engine.num_movable() > 0) {
      double all_flops = 0;
      std::for_each(left.begin(), left.end(), [&](TaskId id) { all_flops += cut.graph.task(id).own_flops; });
      const std::vector<TaskId> tops = engine.give_last(kNoLimit, 0.3);
      ASSERT_FALSE(tops.empty());
      double flops = 0;
      Index num_tasks = 0;
      for (const TaskId top : tops) {
        const MovableUnit& unit = cut.graph.task(top).unit;
        flops += unit.flops;
        num_tasks += top - unit.first + 1;
        num_units_of_several += unit.first < top ? 1 : 0;
        for (TaskId id = unit.first; id <= top; ++id) {
          EXPECT_FALSE(engine.is_here(id));
          ASSERT_EQ(std::erase(left, id), 1) << "given twice";
        }
        EXPECT_TRUE(std::none_of(left.begin(), left.end(), [&](TaskId id) {
          return id > top && cut.graph.task(id).num_children == 0;
        })) << "no leaf behind it stays";
      }
      EXPECT_TRUE(flops <= 0.3 * all_flops * (1 + 1e-9) || num_tasks == 1);
    }
  }
  EXPECT_GT(num_units_of_several, 0);
}

TEST(MovingTasks, NeedNoMoreMemoryThanWasSetAside) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Cut cut(seed % 20);
    RandomWorker worker(cut.graph, seed);
    const std::vector<TaskId> tasks = cut.movable(0);
    const TaskId top = *std::max_element(tasks.begin(), tasks.end(), [&](TaskId a, TaskId b) {
      return cut.graph.task(a).unit.flops < cut.graph.task(b).unit.flops;
    });
    const MovableUnit& unit = cut.graph.task(top).unit;
    const Rank nobody = 2;  // this rank has no tasks of its own
    const Count ahead_bytes = seed % 3 == 0 ? unit.active_bytes / 2 : 0;
    Engine engine(
        cut.graph, worker,
        {.rank = nobody, .max_active = static_cast<Index>(1 + seed % 4), .ahead_limit_bytes = unit.bytes() + ahead_bytes});
    engine.start();
    EXPECT_EQ(engine.bytes_for_guests(), unit.bytes() + ahead_bytes);
    engine.set_aside(unit.bytes());
    engine.take_guests(top);
    EXPECT_EQ(engine.pending_flops(), unit.flops);
    worker.run(engine);
    EXPECT_EQ(worker.num_finished, top - unit.first + 1);
    EXPECT_TRUE(engine.finished());
    EXPECT_LE(engine.active().peaks().total_bytes, unit.active_bytes + ahead_bytes) << seed;
    EXPECT_EQ(engine.bytes_for_guests(), ahead_bytes + unit.active_bytes - cut.graph.task(top).output_bytes);
    engine.on_sent(top);
    EXPECT_EQ(engine.bytes_for_guests(), ahead_bytes + unit.active_bytes) << "all but the factors";
    EXPECT_NEAR(engine.pending_flops(), 0, 1e-6 * unit.flops);
    EXPECT_EQ(engine.active().bytes(), 0);
  }
}

}  // namespace
}  // namespace frond::test
