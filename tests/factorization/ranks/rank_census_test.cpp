// SPDX-License-Identifier: BSD-3-Clause
// Tests what the census concludes from statuses, and what it must not conclude.
#include "factorization/ranks/rank_census.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

using Verdict = RankCensus::Verdict;

class RankCensusTest : public ::testing::Test {
 protected:
  RankCensusTest() {
    for (Rank rank = 0; rank < 3; ++rank) {
      ranks_.push_back(std::make_unique<RankCensus>(network_.channel(0, rank)));
    }
  }

  // Runs one round of questions, answers and perhaps a verdict.
  void run_round(const std::vector<RankStatus>& statuses) {
    ranks_[0]->begin_round(statuses[0]);
    for (bool has_moved = true; has_moved;) {
      has_moved = network_.deliver();
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        has_moved = ranks_[rank]->handle_messages([&] { return statuses[rank]; }) || has_moved;
      }
    }
  }

  // Returns the verdict of all ranks, which must agree.
  [[nodiscard]] Verdict verdict() const {
    for (const auto& rank : ranks_) {
      EXPECT_EQ(rank->verdict(), ranks_[0]->verdict());
      EXPECT_EQ(rank->reason(), ranks_[0]->reason());
    }
    return ranks_[0]->verdict();
  }

  static RankStatus status(bool has_ended, bool is_idle, Count num_sent, Count num_received) {
    RankStatus status;
    status.numbers.has_ended = has_ended;
    status.numbers.is_idle = is_idle;
    status.numbers.num_sent = num_sent;
    status.numbers.num_received = num_received;
    status.waits = "waits";
    return status;
  }

  VirtualNetwork network_{3, 1, 1 << 16, 7};
  std::vector<std::unique_ptr<RankCensus>> ranks_;
};

TEST_F(RankCensusTest, TakesTwoRoundsForAnEnd) {
  const std::vector<RankStatus> ended = {status(true, true, 3, 1), status(true, true, 0, 2), status(true, true, 0, 0)};
  run_round(ended);
  EXPECT_EQ(verdict(), Verdict::none);
  run_round(ended);
  EXPECT_EQ(verdict(), Verdict::over);
}

TEST_F(RankCensusTest, FindsADeadlockAndSaysWhoWaits) {
  const std::vector<RankStatus> stuck = {status(false, true, 1, 0), status(true, true, 0, 1), status(false, true, 0, 0)};
  run_round(stuck);
  run_round(stuck);
  EXPECT_EQ(verdict(), Verdict::deadlock);
  EXPECT_EQ(ranks_[2]->reason(), "rank 0 waits; rank 1 has ended; rank 2 waits");
}

TEST_F(RankCensusTest, FindsThatMemoryIsMissing) {
  std::vector<RankStatus> starved = {status(false, true, 1, 0), status(false, true, 0, 1), status(false, true, 0, 0)};
  starved[1].numbers.missing_bytes = 1234;
  run_round(starved);
  run_round(starved);
  EXPECT_EQ(verdict(), Verdict::starved);
  for (const auto& rank : ranks_) {
    EXPECT_EQ(rank->outcome().starved_rank, 1);
    EXPECT_EQ(rank->outcome().missing_bytes, 1234);
  }
}

TEST_F(RankCensusTest, ConcludesNothingWhileAMessageIsUnderWayOrARankIsBusy) {
  const std::vector<RankStatus> under_way = {status(true, true, 2, 0), status(true, true, 0, 1), status(true, true, 0, 0)};
  const std::vector<RankStatus> busy = {status(false, true, 0, 0), status(false, false, 0, 0), status(false, true, 0, 0)};
  for (const std::vector<RankStatus>& statuses : {under_way, busy}) {
    run_round(statuses);
    run_round(statuses);
    EXPECT_EQ(verdict(), Verdict::none);
  }
}

TEST_F(RankCensusTest, ConcludesNothingWhenSomethingHappenedInBetween) {
  run_round({status(false, true, 1, 0), status(false, true, 0, 1), status(false, true, 0, 0)});
  run_round({status(false, true, 2, 0), status(false, true, 0, 2), status(false, true, 0, 0)});
  EXPECT_EQ(verdict(), Verdict::none);
}

TEST_F(RankCensusTest, IsOverWithoutCountsThatWereLost) {
  std::vector<RankStatus> statuses = {status(true, true, 5, 0), status(true, true, 0, 1), status(true, true, 0, 0)};
  statuses[1].numbers.has_lost_count = true;
  run_round(statuses);
  EXPECT_EQ(verdict(), Verdict::over);
}

TEST_F(RankCensusTest, LeavesToTheNextCensusWhatComesBehindTheVerdict) {
  const std::vector<RankStatus> ended = {status(true, true, 0, 0), status(true, true, 0, 0), status(true, true, 0, 0)};
  run_round(ended);
  ranks_[0]->begin_round(ended[0]);
  for (int i = 0; i < 100 && ranks_[0]->verdict() == Verdict::none; ++i) {
    network_.deliver();
    for (const auto& rank : ranks_) {
      (void)rank->handle_messages([&] { return ended[0]; });
    }
  }
  RankCensus next(network_.channel(0, 0));
  next.begin_round(ended[0]);
  while (network_.deliver()) {
  }
  int num_asked = 0;
  (void)ranks_[1]->handle_messages([&] {
    ++num_asked;
    return ended[1];
  });
  EXPECT_EQ(ranks_[1]->verdict(), Verdict::over);
  EXPECT_EQ(num_asked, 0);
  RankCensus next_of_rank_1(network_.channel(0, 1));
  EXPECT_TRUE(next_of_rank_1.handle_messages([&] {
    ++num_asked;
    return ended[1];
  }));
  EXPECT_EQ(num_asked, 1);
}

TEST_F(RankCensusTest, RefusesWhatIsNoMessageOfIts) {
  for (const std::vector<std::byte>& body :
       {std::vector<std::byte>(), std::vector<std::byte>(1, std::byte(77)), std::vector<std::byte>(3, std::byte(1))}) {
    ASSERT_TRUE(network_.channel(0, 1).send(0, std::span<const std::byte>(body)));
    while (network_.deliver()) {
    }
    ranks_[0]->begin_round(status(false, true, 0, 0));
    EXPECT_THROW((void)ranks_[0]->handle_messages([] { return RankStatus(); }), InternalError);
  }
}

}  // namespace
}  // namespace frond::test
