// SPDX-License-Identifier: BSD-3-Clause
// Tests the selection of slaves against all possible distributions, and its invariants for any view.
#include "factorization/distributed/slave_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"

namespace frond::test {
namespace {

const SelectionOptions kFine{.min_rows = 1, .min_flops = 0};

double level(const Load& load, Schedule schedule) {
  return schedule == Schedule::flops ? load.flops : static_cast<double>(load.bytes);
}

double highest_level(const Selection& selection, std::span<const Load> view, Schedule schedule) {
  double highest = 0;
  for (const RowBlock& block : selection.blocks) {
    highest = std::max(highest, level(view[block.rank] + block.load, schedule));
  }
  return highest;
}

// Returns the lowest highest level over all ways to give consecutive rows from `row` on to the ranks in this order.
double best_level(const SharedFront& front, std::span<const Rank> ranks, Index row, std::span<const Load> view, Schedule schedule) {
  if (row == front.num_shared_rows()) {
    return 0;
  }
  if (ranks.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  double best = best_level(front, ranks.subspan(1), row, view, schedule);
  for (Index end = row + 1; end <= front.num_shared_rows(); ++end) {
    const double own = level(view[ranks[0]] + block_load(front, row, end), schedule);
    best = std::min(best, std::max(own, best_level(front, ranks.subspan(1), end, view, schedule)));
  }
  return best;
}

void expect_cover(const Selection& selection, const SharedFront& front) {
  Index row = 0;
  std::vector<Rank> ranks;
  for (const RowBlock& block : selection.blocks) {
    EXPECT_EQ(block.row_begin, row);
    EXPECT_GT(block.row_end, block.row_begin);
    EXPECT_EQ(block.load, block_load(front, block.row_begin, block.row_end));
    row = block.row_end;
    ranks.push_back(block.rank);
  }
  EXPECT_EQ(row, front.num_shared_rows());
  std::sort(ranks.begin(), ranks.end());
  EXPECT_EQ(std::adjacent_find(ranks.begin(), ranks.end()), ranks.end());
}

TEST(BlockLoad, AddsUpToTheSlavesPartOfTheFront) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const SharedFront front{.order = 50, .num_fully_summed = 20, .method = method};
    const Load whole = block_load(front, 0, 30);
    EXPECT_EQ(block_load(front, 0, 7) + block_load(front, 7, 30), whole);
    EXPECT_EQ(whole.flops, elimination_cost(50, 20, method).flops - master_cost(50, 20, method).flops);
    EXPECT_EQ(whole.bytes, 8 * (Count{30} * 20 + cb_entries(30, is_symmetric(method))));
  }
}

TEST(SelectSlaves, IsAsGoodAsTheBestOfAllWays) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const Method method = trial % 2 == 0 ? Method::lu : Method::cholesky;
    const SharedFront front{.order = 15, .num_fully_summed = 4, .method = method};
    SelectionOptions options = kFine;
    options.schedule = trial % 4 < 2 ? Schedule::flops : Schedule::memory;
    const Load whole = block_load(front, 0, front.num_shared_rows());
    std::vector<Load> view(4);
    for (Load& load : view) {
      load = {std::uniform_int_distribution<int>(0, static_cast<int>(whole.flops))(random) * 1.0,
              std::uniform_int_distribution<Count>(0, whole.bytes)(random)};
    }
    std::vector<Rank> candidates{0, 1, 3};
    const Selection selection = select_slaves(front, candidates, view, options);
    expect_cover(selection, front);
    std::sort(candidates.begin(), candidates.end(),
              [&](Rank a, Rank b) { return level(view[a], options.schedule) < level(view[b], options.schedule); });
    const double room = options.schedule == Schedule::memory ? 1.2 : 1;  // within which work is balanced
    const double found = highest_level(selection, view, options.schedule) / room;
    EXPECT_LE(found, best_level(front, candidates, 0, view, options.schedule));
    if (method == Method::lu) {  // all rows weigh the same: no other order of the candidates is better
      while (std::next_permutation(candidates.begin(), candidates.end())) {
        EXPECT_LE(found, best_level(front, candidates, 0, view, options.schedule));
      }
    }
  }
}

TEST(SelectSlaves, GivesEqualPartsToIdleCandidatesAndNothingToABusyOne) {
  const SharedFront front{.order = 1100, .num_fully_summed = 100, .method = Method::lu};
  std::vector<Load> view(6);
  view[2].flops = 1e12;
  const Selection selection = select_slaves(front, std::vector<Rank>{1, 2, 3, 4, 5}, view, {});
  expect_cover(selection, front);
  ASSERT_EQ(selection.blocks.size(), 4U);
  for (const RowBlock& block : selection.blocks) {
    EXPECT_NE(block.rank, 2);
    EXPECT_NEAR(block.row_end - block.row_begin, 250, 1);
  }
}

TEST(SelectSlaves, TheScheduleTellsWhatIsBalanced) {
  const SharedFront front{.order = 400, .num_fully_summed = 100, .method = Method::cholesky};
  const std::vector<Load> view{{}, {.flops = 1e15, .bytes = 0}, {.flops = 0, .bytes = Count{1} << 40}};
  const std::vector<Rank> candidates{1, 2};
  EXPECT_EQ(select_slaves(front, candidates, view, {.schedule = Schedule::flops}).blocks.front().rank, 2);
  EXPECT_EQ(select_slaves(front, candidates, view, {.schedule = Schedule::memory}).blocks.front().rank, 1);
}

// The last candidate holds nothing: it alone could take all rows without the peak growing by more than a little.
TEST(SelectSlaves, ByMemoryBalancesWorkWithinAFifth) {
  const SharedFront front{.order = 1100, .num_fully_summed = 100, .method = Method::lu};
  const Count rows_bytes = block_load(front, 0, front.num_shared_rows()).bytes;
  const std::vector<Rank> candidates{0, 1, 2, 3};
  const std::vector<Load> view{{0, rows_bytes}, {0, rows_bytes}, {0, rows_bytes}, {0, rows_bytes / 4}};
  const Selection selection = select_slaves(front, candidates, view, {.schedule = Schedule::memory});
  expect_cover(selection, front);
  EXPECT_GT(selection.blocks.size(), 1U);
  // With an even distribution, each rank would hold about (3 + 1/4 + 1) / 4 of the rows' bytes.
  const double lowest = (3 + 0.25 + 1) / 4 * static_cast<double>(rows_bytes);
  for (const RowBlock& block : selection.blocks) {
    const double held = static_cast<double>(view[block.rank].bytes + block.load.bytes);
    EXPECT_LE(held, 1.2 * 1.02 * lowest) << block.rank;
    EXPECT_LT(block.row_end - block.row_begin, 700) << "the least full one takes most, but not nearly all";
  }
  EXPECT_EQ(mapping_options({.candidate_relaxation = 0.25}, Schedule::flops).candidate_relaxation, 0.25);
  EXPECT_GE(mapping_options({.candidate_relaxation = 0.25}, Schedule::memory).candidate_relaxation, 8);
  EXPECT_EQ(mapping_options({.candidate_relaxation = 20}, Schedule::memory).candidate_relaxation, 20);
}

TEST(SelectSlaves, SymmetricBlocksGetThinnerDownwards) {
  const SharedFront front{.order = 2000, .num_fully_summed = 100, .method = Method::ldlt};
  const Selection selection = select_slaves(front, std::vector<Rank>{0, 1, 2, 3}, std::vector<Load>(4), {});
  expect_cover(selection, front);
  ASSERT_EQ(selection.blocks.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) {
    const RowBlock& above = selection.blocks[i - 1];
    const RowBlock& block = selection.blocks[i];
    EXPECT_LT(block.row_end - block.row_begin, above.row_end - above.row_begin);
    EXPECT_NEAR(block.load.flops, above.load.flops, 0.01 * above.load.flops);
  }
}

TEST(SelectSlaves, GivesLessToWhoIsSlow) {
  const SharedFront front{.order = 2000, .num_fully_summed = 100, .method = Method::lu};
  const std::vector<Rank> candidates = {0, 1, 2};
  const std::vector<Load> view(4);
  const auto flops_of = [&](const std::vector<double>& slowness) {
    const Selection selection = select_slaves(front, candidates, view, {.slowness = slowness});
    expect_cover(selection, front);
    std::vector<double> flops(3, 0);
    for (const RowBlock& block : selection.blocks) {
      flops[block.rank] = block.load.flops;
    }
    return flops;
  };
  const std::vector<double> alike = flops_of({});
  EXPECT_EQ(flops_of({0.3, 1, 1.24, 0.1}), alike) << "as good as alike; another rank is no candidate";
  const std::vector<double> one_slow = flops_of({1, 2, 0.9, 0.1});
  const double all = alike[0] + alike[1] + alike[2];
  EXPECT_NEAR(one_slow[0], 0.4 * all, 0.01 * all);
  EXPECT_NEAR(one_slow[1], 0.2 * all, 0.01 * all);
  EXPECT_NEAR(one_slow[2], 0.4 * all, 0.01 * all);
}

TEST(SelectSlaves, CountsTheLoadOfWhoIsSlowAsLonger) {
  const SharedFront front{.order = 400, .num_fully_summed = 100, .method = Method::lu};
  const double flops = block_load(front, 0, 300).flops;
  const Selection selection =
      select_slaves(front, std::vector<Rank>{0, 1}, std::vector<Load>{{flops, 0}, {1.2 * flops, 0}}, {.slowness = {4, 1}});
  ASSERT_EQ(selection.blocks.size(), 1U);
  EXPECT_EQ(selection.blocks.front().rank, 1);
}

TEST(SelectSlaves, KeepsBlocksAboveTheGranularity) {
  const SharedFront front{.order = 150, .num_fully_summed = 50, .method = Method::lu};
  std::vector<Rank> candidates(20);
  std::iota(candidates.begin(), candidates.end(), 0);
  const Selection selection = select_slaves(front, candidates, std::vector<Load>(20), {.min_rows = 30, .min_flops = 0});
  expect_cover(selection, front);
  for (const RowBlock& block : selection.blocks) {
    if (block.row_end < front.num_shared_rows()) {
      EXPECT_GE(block.row_end - block.row_begin, 30);
    }
  }
  EXPECT_EQ(select_slaves(front, candidates, std::vector<Load>(20), {.min_rows = 1, .min_flops = 1e18}).blocks.size(), 1U);
}

TEST(SelectSlaves, KeepsTheMemoryLimitEvenBelowTheGranularity) {
  const SharedFront front{.order = 140, .num_fully_summed = 40, .method = Method::lu};
  const Count row_bytes = block_load(front, 0, 1).bytes;
  SelectionOptions options{.min_rows = 32, .min_flops = 0, .memory_limit = 1000 * row_bytes};
  std::vector<Load> view(11, Load{.flops = 0, .bytes = 990 * row_bytes});  // room for ten rows each
  view[4].bytes = 2000 * row_bytes;                                        // and no room here
  std::vector<Rank> candidates(11);
  std::iota(candidates.begin(), candidates.end(), 0);
  const Selection selection = select_slaves(front, candidates, view, options);
  expect_cover(selection, front);
  for (const RowBlock& block : selection.blocks) {
    EXPECT_LE(view[block.rank].bytes + block.load.bytes, options.memory_limit);
  }
  view[7].bytes += 3 * row_bytes;
  const Selection none = select_slaves(front, candidates, view, options);
  EXPECT_TRUE(none.blocks.empty());
  EXPECT_EQ(none.missing_bytes, 3 * row_bytes);
}

TEST(SelectSlaves, KeepsToWhatRanksThatRefusedCanTake) {
  const SharedFront front{.order = 140, .num_fully_summed = 40, .method = Method::lu};
  const Count row_bytes = block_load(front, 0, 1).bytes;
  const std::vector<Load> view(2);
  const std::vector<Rank> candidates{0, 1};
  SelectionOptions options{.min_rows = 1, .min_flops = 0, .most_bytes = {{0, 10 * row_bytes}}};
  const Selection selection = select_slaves(front, candidates, view, options);
  expect_cover(selection, front);
  EXPECT_EQ(selection.blocks.front(), (RowBlock{0, 0, 10, block_load(front, 0, 10)}));
  options.most_bytes[1] = 85 * row_bytes;
  EXPECT_EQ(select_slaves(front, candidates, view, options).missing_bytes, 5 * row_bytes);
}

TEST(SelectSlaves, CountsNegativeLoadsAsNone) {
  const SharedFront front{.order = 300, .num_fully_summed = 100, .method = Method::lu};
  const std::vector<Load> view{{.flops = -1e15, .bytes = -1000}, {}};
  const Selection selection = select_slaves(front, std::vector<Rank>{0, 1}, view, {});
  ASSERT_EQ(selection.blocks.size(), 2U);
  EXPECT_NEAR(selection.blocks[0].row_end, 100, 1);
}

TEST(SelectSlaves, GivesNoBlocksWithoutRows) {
  const SharedFront front{.order = 10, .num_fully_summed = 10, .method = Method::lu};
  const Selection selection = select_slaves(front, std::vector<Rank>{0}, std::vector<Load>(1), {});
  EXPECT_TRUE(selection.blocks.empty());
  EXPECT_EQ(selection.missing_bytes, 0);
}

TEST(ParseSchedule, ReadsWhatToStringWrites) {
  for (const Schedule schedule : {Schedule::flops, Schedule::memory}) {
    EXPECT_EQ(parse_schedule(to_string(schedule)), schedule);
  }
  EXPECT_THROW((void)parse_schedule("Flops"), UsageError);
}

}  // namespace
}  // namespace frond::test
