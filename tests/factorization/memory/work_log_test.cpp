// SPDX-License-Identifier: BSD-3-Clause
// Tests logs: lanes of threads, pieces that belong together, and memory.
#include "factorization/memory/work_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "factorization/memory/memory_meter.hpp"
#include "matrices/steady_clock.hpp"
#include "tests/support/run_threads.hpp"

namespace frond {
namespace {

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::microseconds(300)); }

TEST(WorkLogTest, WhatIsInsideBelongsToWhatIsOutside) {
  WorkLog log;
  {
    const WorkLog::Scope outer(&log, {1, WorkRole::subtree});
    const WorkLog::Scope inner(&log, {2, WorkRole::slave});
  }
  wait_a_moment();
  { const WorkLog::Scope next(&log, {3, WorkRole::grid}); }
  const std::vector<LoggedSpan> spans = log.spans();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].work, (LoggedWork{1, WorkRole::subtree}));
  EXPECT_EQ(spans[1].work, (LoggedWork{3, WorkRole::grid}));
  EXPECT_LE(spans[0].begin_seconds, spans[0].end_seconds);
  EXPECT_LE(spans[0].end_seconds, spans[1].begin_seconds);
}

TEST(WorkLogTest, PiecesOfOneWorkAreOneSpan) {
  WorkLog log;
  for (int piece = 0; piece < 3; ++piece) {
    const WorkLog::Scope scope(&log, {1, WorkRole::master});
  }
  wait_a_moment();
  { const WorkLog::Scope late(&log, {1, WorkRole::master}); }
  EXPECT_LE(log.spans().size(), 4U);  // 2, unless the system is otherwise busy
  EXPECT_GE(log.spans().size(), 2U);
}

TEST(WorkLogTest, EachThreadHasItsLane) {
  WorkLog log;
  testing::run_threads(3, [&log](int k) {
    for (int piece = 0; piece < 10; ++piece) {
      const WorkLog::Scope scope(&log, {k, WorkRole::sequential});
    }
  });
  std::set<int> lanes;
  std::set<Index> nodes;
  for (const LoggedSpan& span : log.spans()) {
    lanes.insert(span.thread);
    nodes.insert(span.work.node);
  }
  EXPECT_EQ(nodes, (std::set<Index>{0, 1, 2}));
  EXPECT_LE(lanes.size(), 3U);  // a thread may have the id of one that has ended
}

// In logs of any length, short spans are joined, remain disjoint, and do not grow in total.
TEST(WorkLogTest, IsBounded) {
  constexpr std::size_t kMost = 16;
  WorkLog log(kMost);
  double busy_seconds = 0;
  for (Index node = 0; node < 1000; ++node) {
    const double begin = steady_seconds();
    { const WorkLog::Scope scope(&log, {node, node % 2 == 0 ? WorkRole::master : WorkRole::slave}); }
    busy_seconds += steady_seconds() - begin;
    log.note_bytes(node == 500 ? 1 << 20 : node);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  const std::vector<LoggedSpan> spans = log.spans();
  EXPECT_LE(spans.size(), kMost);
  EXPECT_GE(spans.size(), 2U);
  double logged_seconds = 0;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    EXPECT_LE(spans[k].begin_seconds, spans[k].end_seconds);
    logged_seconds += spans[k].end_seconds - spans[k].begin_seconds;
    if (k > 0) {
      EXPECT_LE(spans[k - 1].end_seconds, spans[k].begin_seconds);
    }
  }
  EXPECT_GT(logged_seconds, 0);
  EXPECT_LE(logged_seconds, busy_seconds);
  const std::vector<LoggedBytes> memory = log.memory();
  EXPECT_LE(memory.size(), kMost + 1);
  EXPECT_EQ(std::max_element(memory.begin(), memory.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; })->bytes,
            1 << 20);
  EXPECT_EQ(memory.back().bytes, 999);
}

TEST(WorkLogTest, NothingIsLoggedWithoutALog) { const WorkLog::Scope scope(nullptr, {1, WorkRole::master}); }

TEST(WorkLogTest, MetersTellWhatIsHeld) {
  WorkLog log;
  MemoryMeter meter(0, "the limit is", nullptr, &log);
  constexpr Count kMega = 1000000;
  meter.charge(100 * kMega);
  meter.charge_active(50 * kMega);
  meter.charge(100);  // too little to be seen
  wait_a_moment();
  meter.release_active(20 * kMega);  // two releases within a moment
  meter.release_active(30 * kMega);
  const std::vector<LoggedBytes> memory = log.memory();
  ASSERT_GE(memory.size(), 2U);
  Count highest = 0;
  for (const LoggedBytes& point : memory) {
    highest = std::max(highest, point.bytes);
  }
  EXPECT_EQ(highest, 150 * kMega);
  EXPECT_EQ(memory.back().bytes, 100 * kMega + 100);
}

}  // namespace
}  // namespace frond
