// SPDX-License-Identifier: BSD-3-Clause
// Tests chunk sequences against published ones, and the promises of every rule.
#include "loadinfo/self_scheduling/chunk_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "frond/error.hpp"

namespace frond {
namespace {

// Lets the ranks ask in turn.
std::vector<Count> sequence(ChunkKind kind, const ChunkFacts& facts) {
  ChunkRule rule(kind, facts);
  std::vector<Count> chunks;
  for (Rank rank = 0; rule.num_left() > 0; rank = (rank + 1) % facts.num_ranks) {
    chunks.push_back(rule.next(rank));
  }
  return chunks;
}

std::vector<Count> sequence(ChunkKind kind, Count num_tasks, Rank num_ranks) {
  return sequence(kind, {.num_tasks = num_tasks, .num_ranks = num_ranks});
}

// Polychronopoulos & Kuck 1987, for 100 iterations and 5 processors.
TEST(Chunks, GuidedAreAsPublished) {
  EXPECT_EQ(sequence(ChunkKind::gss, 100, 5), (std::vector<Count>{20, 16, 13, 11, 8, 7, 5, 4, 4, 3, 2, 2, 1, 1, 1, 1, 1}));
}

// Tzen & Ni 1993: 1000 iterations, 4 processors, first chunk 125, last 1, steps of 8; the end is cut.
TEST(Chunks, TrapezoidAreAsPublished) {
  EXPECT_EQ(sequence(ChunkKind::tss, 1000, 4), (std::vector<Count>{125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28}));
}

// Hummel, Schonberg & Flynn 1992: half of the rest in batches of equal chunks, rounded up, for 100 iterations and 4 processors.
TEST(Chunks, FactoringAreAsPublished) {
  EXPECT_EQ(sequence(ChunkKind::fac, 100, 4), (std::vector<Count>{13, 13, 13, 13, 6, 6, 6, 6, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1}));
}

TEST(Chunks, StaticAndSingleOnesAreWhatTheirNamesSay) {
  EXPECT_EQ(sequence(ChunkKind::fixed, 103, 4), (std::vector<Count>{26, 26, 26, 25}));
  EXPECT_EQ(sequence(ChunkKind::ss, 7, 3), std::vector<Count>(7, 1));
}

// Kruskal & Weiss 1985, by hand: (sqrt(2) 10^4 0.01 / (0.1 10 sqrt(ln 10)))^(2/3) = (93.2…)^(2/3) = 20.5….
TEST(Chunks, OfFixedSizeFollowTheirFormula) {
  ChunkFacts facts{.num_tasks = 10000, .num_ranks = 10, .deviation_seconds = 0.1, .overhead_seconds = 0.01};
  EXPECT_EQ(fsc_chunk(facts), 21);
  facts.overhead_seconds = 0;
  EXPECT_EQ(fsc_chunk(facts), 1) << "scheduling is free";
  facts.deviation_seconds = 0;
  EXPECT_EQ(fsc_chunk(facts), 1000) << "nothing varies";
  facts.deviation_seconds = 1e-300;
  facts.overhead_seconds = 1e300;
  EXPECT_EQ(fsc_chunk(facts), 1000) << "nothing varies as far as the numbers show";
  // 1000 ln 2 / ln 1000 = 100.3.
  EXPECT_EQ(mfsc_chunk(facts), 100);
}

TEST(Chunks, AreWeightedBySpeedsThatAreKnown) {
  const std::vector<Count> chunks = sequence(ChunkKind::wf, {.num_tasks = 800, .num_ranks = 4, .weights = {3, 1, 2, 2}});
  EXPECT_EQ(std::vector<Count>(chunks.begin(), chunks.begin() + 4), (std::vector<Count>{150, 50, 100, 100}));
}

TEST(Chunks, AdaptToWhatIsMeasured) {
  for (const ChunkKind kind : {ChunkKind::awf_b, ChunkKind::awf_c, ChunkKind::awf_d, ChunkKind::awf_e}) {
    ChunkRule rule(kind, {.num_tasks = 4000, .num_ranks = 4});
    EXPECT_EQ(rule.next(0), 500) << "as factoring, while nothing is known";
    for (Rank rank = 0; rank < 4; ++rank) {
      rule.times(rank).note(10, rank == 3 ? 40 : 10, rank == 3 ? 40 : 10);  // the last one is four times slower
    }
    EXPECT_NEAR(rule.measured_weight(0, false), 4 / 3.25, 1e-12);
    EXPECT_NEAR(rule.measured_weight(3, true), 1 / 3.25, 1e-12);
    const Count of_fast = rule.next(1);
    const Count of_slow = rule.next(3);
    EXPECT_NEAR(static_cast<double>(of_fast), 4.0 * static_cast<double>(of_slow), 0.25 * static_cast<double>(of_fast));
  }
}

TEST(Chunks, CountOverheadWhereTheRuleSaysSo) {
  ChunkRule rule(ChunkKind::awf_e, {.num_tasks = 100, .num_ranks = 2});
  rule.times(0).note(10, 10, 30);
  rule.times(1).note(10, 10, 10);
  EXPECT_NEAR(rule.measured_weight(0, false), 1, 1e-12);
  EXPECT_NEAR(rule.measured_weight(0, true), 0.5, 1e-12);
}

TEST(TaskTimes, LaterChunksCountMore) {
  TaskTimes times;
  times.note(1, 1, 1);
  times.note(1, 4, 4);
  EXPECT_NEAR(times.seconds(), (1 + 2 * 4) / 3.0, 1e-12);
  for (const double seconds : {1.0, 3.0, 5.0}) {
    times.note_task(seconds);
  }
  EXPECT_NEAR(times.mean(), 3, 1e-12);
  EXPECT_NEAR(times.variance(), 4, 1e-12);
}

// Without variance the whole rest is dealt at once, in proportion to speeds; the larger the variance, the smaller the chunks.
TEST(Chunks, OfAdaptiveFactoringFollowTheirFormula) {
  EXPECT_EQ(af_chunk(1000, 2, 0, 0.5), 250);  // two ranks of 1 s, one of 2 s a task: T = 0.4; here T = 0.5
  Count last = 250;
  for (const double ratios : {1.0, 10.0, 100.0, 1000.0}) {
    const Count chunk = af_chunk(1000, 2, ratios, 0.5);
    EXPECT_LT(chunk, last);
    const double x = 2.0 * static_cast<double>(chunk);  // seconds; it solves x^2 - (D + 2TR) x + (TR)^2 = 0
    EXPECT_NEAR(x * x - (ratios + 1000) * x + 250000, 0, 4 * 2 * x + 4 * (ratios + 1000));
    last = chunk;
  }
}

TEST(Chunks, DealOutEverythingOnceWhateverTheRule) {
  for (const std::string& name : chunk_kind_names()) {
    for (const Count num_tasks : {0, 1, 2, 3, 100, 4097}) {
      for (const Rank num_ranks : {1, 2, 7, 300}) {
        ChunkRule rule(parse_chunk_kind(name), {.num_tasks = num_tasks, .num_ranks = num_ranks});
        Count sum = 0;
        for (Count k = 0; rule.num_left() > 0; ++k) {
          ASSERT_LE(k, num_tasks);
          const auto rank = static_cast<Rank>(k % num_ranks);
          const Count chunk = rule.next(rank);
          ASSERT_GE(chunk, 1) << name;
          rule.times(rank).note(chunk, static_cast<double>((rank + 1) * chunk), static_cast<double>((rank + 2) * chunk));
          rule.times(rank).note_task(static_cast<double>(1 + k % 3));
          sum += chunk;
        }
        EXPECT_EQ(sum, num_tasks) << name;
        EXPECT_EQ(rule.next(0), 0);
      }
    }
  }
}

TEST(ChunkKinds, AreReadAsTheyAreWritten) {
  for (const std::string& name : chunk_kind_names()) {
    EXPECT_EQ(to_string(parse_chunk_kind(name)), name);
  }
  EXPECT_THROW((void)parse_chunk_kind("AWF"), UsageError);
}

}  // namespace
}  // namespace frond
