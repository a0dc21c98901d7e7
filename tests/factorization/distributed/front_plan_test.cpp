// SPDX-License-Identifier: BSD-3-Clause
// Tests, by hand, what holders of a child's rows learn about its parent.
#include "factorization/distributed/front_plan.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace frond::test {
namespace {

ChildOutput child_that_delays(TaskId task, const std::vector<std::vector<Index>>& rows_of_tops) {
  ChildOutput child{task, 0, {}};
  for (const std::vector<Index>& rows : rows_of_tops) {
    child.announcement.tops.push_back({rows, {}});
  }
  return child;
}

TEST(RowMaps, TellWhereDelayedVariablesComeToLie) {
  const std::vector<RowShare> shares = {{.rank = 2, .row_begin = 0, .row_end = 7}};
  const FrontPlan plan{
      9, 4, shares, {child_that_delays(3, {{11, 12}, {}, {13}}), child_that_delays(5, {{}}), child_that_delays(8, {{14, 15, 16}})}};
  std::vector<TaskId> tasks;
  std::vector<RowMap> maps;
  for_each_row_map(plan, [&](const ChildOutput& child, const RowMap& map) {
    tasks.push_back(child.task);
    maps.push_back(map);
  });
  EXPECT_EQ(tasks, (std::vector<TaskId>{3, 5, 8}));
  EXPECT_EQ(maps, (std::vector<RowMap>{{4, shares, 6, {0, 2, 2}, {2, 0, 1}}, {4, shares, 6, {3}, {0}}, {4, shares, 6, {3}, {3}}}));
}

TEST(RowMaps, AreNoneWithoutChildren) {
  for_each_row_map(FrontPlan{}, [](const ChildOutput& /*child*/, const RowMap& /*map*/) { FAIL(); });
}

}  // namespace
}  // namespace frond::test
