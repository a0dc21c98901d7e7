// SPDX-License-Identifier: BSD-3-Clause
// Tests timelines that can be checked by hand.
#include "tools/program/page/timeline_chart.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/programs/tag_error.hpp"
#include "tools/program/page/timeline_marks.hpp"

namespace frond::testing {
namespace {

TEST(MergeSpans, MergesWhatIsShortAndNear) {
  // Two short spans within 1 of each other, a long one, a short one alone, two short ones too far apart for one mark.
  const std::vector<TimelineSpan> spans = {{0, 0.2, 1, Role::slave},      {0.3, 0.7, 2, Role::master}, {1, 3, 3, Role::grid},
                                           {3, 3.5, 4, Role::sequential}, {5, 5.5, 5, Role::slave},    {6, 6.5, 6, Role::slave}};
  const std::vector<TimelineMark> marks = merge_spans(spans, 1);
  ASSERT_EQ(marks.size(), 5u);
  EXPECT_EQ(marks[0].num_spans, 2);
  EXPECT_EQ(marks[0].role, Role::master);
  EXPECT_DOUBLE_EQ(marks[0].end, 0.6);  // as long as both together
  EXPECT_EQ(marks[1].node, 3);
  EXPECT_EQ(marks[1].end, 3);
  EXPECT_EQ(marks[2].num_spans, 1);
  EXPECT_EQ(marks[2].node, 4);
  EXPECT_EQ(marks[4].begin, 6);
  EXPECT_EQ(merge_spans(spans, 0).size(), spans.size());
  EXPECT_TRUE(merge_spans({}, 1).empty());
}

// The rank works for a third of the time, in pieces too short to be seen.
TEST(MergeSpans, ColoursAsMuchAsTheRankIsBusy) {
  std::vector<TimelineSpan> spans(30000);
  for (int k = 0; k < 30000; ++k) {
    spans[static_cast<std::size_t>(k)] = {k / 300.0, (k + 1 / 3.0) / 300, k, Role::slave};
  }
  for (const double resolution : {0.01, 0.1, 1.0}) {
    const std::vector<TimelineMark> marks = merge_spans(spans, resolution);
    EXPECT_LE(static_cast<double>(marks.size()), 2 * 100 / resolution + 1);
    EXPECT_NEAR(std::accumulate(marks.begin(), marks.end(), 0.0,
                                [](double sum, const TimelineMark& mark) { return sum + mark.end - mark.begin; }),
                100 / 3.0, 1e-9);
  }
}

TEST(TimelineMarks, AreCoarserWhereThereAreTooMany) {
  Timeline timeline(2);
  for (int k = 0; k < 1000; ++k) {
    timeline[0].push_back({1.0 * k, k + 0.5, k, Role::slave});
  }
  timeline[1] = {{0, 1000, 1, Role::grid}};
  const auto marks = timeline_marks(timeline, 0.1, 200);
  EXPECT_LE(marks[0].size(), 200u);
  EXPECT_GE(marks[0].size(), 100u);
  EXPECT_EQ(marks[1].size(), 1u);
  EXPECT_EQ(timeline_marks(timeline, 0.1, 1001)[0].size(), 1000u);
}

// Counts four parts of a second each: one rank works all the time, the other from 0.5 to 2.
TEST(Occupation, CountsRanksByRole) {
  const Occupation occupation = occupation_of({{{0, 4, 1, Role::grid}}, {{0.5, 2, 2, Role::slave}}}, 4, 4);
  EXPECT_EQ(occupation[static_cast<std::size_t>(Role::grid)], (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(occupation[static_cast<std::size_t>(Role::slave)], (std::vector<double>{0.5, 1, 0, 0}));
}

TEST(TimelineChart, DrawsTimesToScale) {
  // 10 seconds take 1020 pixels, starting at 62
  const std::string chart = timeline_chart({{{1, 3, 7, Role::slave}, {5, 10, 8, Role::grid}}, {}}, 10);
  EXPECT_EQ(tag_error(chart), "");
  EXPECT_EQ(count_of(chart, "<rect class=\"mark role-slave\" x=\"164.00\" y=\"158.0\" width=\"204.00\""), 1) << chart;
  EXPECT_EQ(count_of(chart, "<rect class=\"mark role-grid\" x=\"572.00\" y=\"158.0\" width=\"510.00\""), 1);
  EXPECT_EQ(count_of(chart, "<title>rank 0: node 7, slave, 1 to 3 s</title>"), 1);
  EXPECT_EQ(count_of(chart, "<rect class=\"mark"), 2);
}

// 20 ranks with 200 spans each are too many for titles: there is one path per rank and role, with one piece per span.
TEST(TimelineChart, DrawsManySpansAsPaths) {
  Timeline timeline(20);
  for (std::vector<TimelineSpan>& spans : timeline) {
    for (int k = 0; k < 200; ++k) {
      spans.push_back({1.0 * k, k + 0.5, k, k % 2 == 0 ? Role::slave : Role::master});
    }
  }
  const std::string chart = timeline_chart(timeline, 200);
  EXPECT_EQ(tag_error(chart), "");
  EXPECT_EQ(count_of(chart, "<rect class=\"mark"), 0);
  EXPECT_EQ(count_of(chart, "<path class=\"run-slave\""), 20);
  EXPECT_EQ(count_of(chart, "<path class=\"run-master\""), 20);
  EXPECT_EQ(count_of(chart.substr(chart.find("class=\"runs\"")), " 0h"), 4000);
  EXPECT_EQ(count_of(chart, "rank 7, at work for 50 % of the time"), 1);
}

TEST(TimelineLegend, TellsShares) {
  const std::string legend = timeline_legend({{{0, 4, 1, Role::grid}}, {{0.5, 2, 2, Role::slave}}}, 4);
  EXPECT_EQ(tag_error(legend), "");
  EXPECT_EQ(count_of(legend, "type 3 node (grid) <b>50.0 %</b>"), 1) << legend;
  EXPECT_EQ(count_of(legend, "slave of a type 2 node <b>18.8 %</b>"), 1);
  EXPECT_EQ(count_of(legend, "idle <b>31.2 %</b>"), 1);
}

}  // namespace
}  // namespace frond::testing
